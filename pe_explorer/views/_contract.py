"""What a view defines: its names, what its picture is made of, how it is made, and how it is
shown.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any, ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from pe_explorer.analysis.comparison import Subject
from pe_explorer.encodings import Encoding, Unknown, require_known
from pe_explorer.encodings.abilities import needs
from pe_explorer.encodings.abilities.needs import Need
from pe_explorer.model import Exploration
from pe_explorer.params import Declared
from pe_explorer.views._cost import Size
from pe_explorer.widgets.editors import CHOOSE, LOCATE

__all__ = ["Contract", "Options"]


@dataclass(frozen=True)
class Options(Declared):
    """What can be chosen in a view; each view has its own subclass."""


class Contract(QWidget):
    """What a view has to say and to do; how and when that is asked for is in `View`.

    A view names the fields of the exploration that its picture depends on and defines
    `cost`, `compute` and `show_picture`; `show_cursor` marks the shared cursor on top.
    `compute` is a function of plain values, so that it can run in the worker.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    rank: ClassVar[int]
    """Place among the views in lists and menus, smallest first."""
    help: ClassVar[str]
    gestures: ClassVar[tuple[tuple[str, str], ...]] = ()
    """What the mouse does over the picture, beside pointing and clicking: gesture and effect."""
    Options: ClassVar[type[Options]] = Options
    fields: ClassVar[frozenset[str]] = frozenset({"encoding", "start", "count"})

    status_changed = Signal(str)
    """What a pixel stands for, in a sentence."""

    locate_asked = Signal()
    """The file that the encoding is read from is to be looked for by hand."""

    def size_in_pixels(self) -> Size:
        """Return the size of the picture's area in device pixels."""
        raise NotImplementedError

    @classmethod
    def ingredients(cls, state: Exploration) -> tuple[Any, ...]:
        """Return what `compute` makes the picture of; where that is the same, the picture is."""
        return (*(getattr(state, name) for name in sorted(cls.fields)), state.options[cls.name])

    @staticmethod
    def cost(state: Exploration, size: Size) -> float:
        """Return about how many numbers `compute` makes.

        What takes longer than a value of a table counts as more.
        """
        raise NotImplementedError

    @staticmethod
    def coarser(size: Size) -> Size:
        """Return a size of about half as many numbers, for a coarse picture.

        The same if there can be none.
        """
        return size

    @staticmethod
    def compute(state: Exploration, size: Size, cancelled: threading.Event) -> Any:
        """Return the picture of an exploration, as plain values and arrays."""
        raise NotImplementedError

    def show_picture(self, state: Exploration, picture: Any) -> None:
        """Put a computed picture on the screen."""
        raise NotImplementedError

    @classmethod
    def needed(cls, state: Exploration) -> dict[str, Encoding | Unknown]:
        """Return the encodings without which there is no picture, by their roles."""
        return {"encoding": state.encoding}

    @classmethod
    def check_known(cls, state: Exploration) -> None:
        """Raise `EncodingError`, which says what to do, where a needed encoding is unknown."""
        for role, e in cls.needed(state).items():
            require_known(e, role)

    @classmethod
    def subject(cls, state: Exploration) -> Subject:
        """Return what is looked at: the current encoding, unless a view can compare."""
        return Subject("current", require_known(state.encoding))

    @classmethod
    def need(cls, state: Exploration) -> Need:  # noqa: ARG003 - for views whose options matter
        """Return what every encoding that is looked at must have, one of `encodings.needs`."""
        return needs.nothing

    @classmethod
    def lack(cls, state: Exploration) -> str:
        """Return why there is no picture of encodings that are known, or an empty text."""
        subject, need = cls.subject(state), cls.need(state)
        problems = [problem for e in subject.encodings if (problem := need(e))]
        return problems[0] if problems else subject.lack

    @classmethod
    def remedy(cls, state: Exploration) -> str:  # noqa: ARG003 - for views whose options matter
        """Return which choice in the view itself would make a picture, or an empty text."""
        return ""

    def show_lack(self, state: Exploration, sentence: str) -> None:
        """Put a sentence in the place of the picture: there is none of what is set up."""
        raise NotImplementedError

    def make_room(self, state: Exploration) -> None:
        """Give the axes the room that they will need, so that a picture is computed once."""

    @staticmethod
    def offer_of_lack(state: Exploration) -> str:
        """Return the text of a button beside the sentence of a lack, empty for none."""
        e = state.encoding
        if not isinstance(e, Unknown) or not e.locate:
            return ""
        return LOCATE if e.parameters[e.locate] else CHOOSE

    def show_cursor(self, state: Exploration) -> None:
        """Mark the cursor."""

    def show_preview(self, state: Exploration | None) -> None:
        """Mark, lightly, where the cursor of `state` is.

        The mouse points there, in this view or another; or take the mark off.
        """

    def say(self, sentence: str) -> None:
        """Tell over the picture why it does not show what it should; the next picture clears it."""

    def say_refining(self, refining: bool) -> None:
        """Tell beside the picture whether it is coarse, and a finer one on its way."""

    def apply_theme(self) -> None:
        """Take colours from the palette anew, and lines as wide as `ratio` wants them."""

    def hide_controls(self) -> None:
        """Leave the picture alone: buttons and boxes do not belong in a figure."""

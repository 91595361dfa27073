"""Pictures that show the current encoding, the compared pin, or their difference.

What is chosen is one word or several, as `analysis.comparison.SHOW` has them. Several are drawn
side by side, in the same colours.
"""

import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from pe_explorer.analysis.comparison import (
    WITHOUT_DIFFERENCE,
    Subject,
    chosen,
    columns_of_cursor,
    why_not_comparable,
)
from pe_explorer.encodings import Encoding, Unknown, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.pictures._beside import beside, split_name
from pe_explorer.pictures.figure import Figure, PanelPlace
from pe_explorer.pictures.gestures import OnScreen
from pe_explorer.pictures.inspection import Inspection
from pe_explorer.pictures.picture import Picture, PictureNumbers, PictureOptions
from pe_explorer.pictures.pixels import Size
from pe_explorer.progress import Part


class ShownEncodings(Picture[PictureOptions, PictureNumbers]):
    """Which encodings a picture shows: the state of each of its parts, and why there is none.

    The field `show` is an option of its own, unless a subclass says otherwise.
    """

    compares: ClassVar[bool] = True
    fields: ClassVar[frozenset[str]] = Picture.fields | {"pins", "compared", "name"}

    @classmethod
    def show(cls, state: Exploration) -> str:
        """Return what is chosen to be shown, in words of `SHOW`."""
        options: Any = cls.options(state)
        return str(options.show) if state.pins else "current"

    @classmethod
    def words(cls, state: Exploration) -> tuple[str, ...]:
        """Return the words of `SHOW` that are drawn side by side."""
        return tuple(cls.show(state).split())

    @classmethod
    def one(cls, state: Exploration, word: str) -> Exploration:
        """Return the state whose picture is that of one word: for a pin, its encoding's own."""
        options: Any = replace(cls.options(state), show="current")  # type: ignore[call-arg]
        if word == "pinned":
            assert state.pin is not None
            pin = state.pin.encoding
            dimension = column_of(pin, state.encoding, state.dimension)
            state = replace(state, encoding=pin, dimension=dimension)
        if options == cls.options(state):
            return state
        return replace(state, options={**state.options, cls.name: options})

    @classmethod
    def made_of(cls, word: str) -> tuple[str, ...]:
        """Return the words whose pictures make that of a word."""
        return ("current", "pinned") if word == "difference" else (word,)

    @classmethod
    def ones(cls, state: Exploration) -> dict[str, Exploration]:
        """Return the states whose pictures are made, by their words."""
        made = dict.fromkeys(each for word in cls.words(state) for each in cls.made_of(word))
        return {word: cls.one(state, word) for word in made}

    @classmethod
    def subject(cls, state: Exploration) -> Subject:
        pinned = state.pin.encoding if state.pin else None
        return chosen(cls.show(state), state.encoding, pinned)

    @classmethod
    def needed(cls, state: Exploration) -> dict[str, Encoding | Unknown]:
        if state.pin is None or cls.show(state) == "current":
            return super().needed(state)
        return {**super().needed(state), "pin": state.pin.encoding}

    # -- why there is none ---------------------------------------------------------------------

    @classmethod
    def lack(cls, state: Exploration) -> str:
        return next(filter(None, cls._lacks(state)), "")

    @classmethod
    def _lacks(cls, state: Exploration) -> Iterator[str]:
        """Yield why there is no picture of each word, empty texts where there is one."""
        if "difference" in cls.show(state):
            yield cls._why_no_difference(state)
        for one in cls.ones(state).values():
            yield cls.lack_one(one)

    @classmethod
    def _why_no_difference(cls, state: Exploration) -> str:
        """Return why there is no difference: an export is refused by the same sentence."""
        from pe_explorer import quantities  # not needed at the start

        assert state.pin is not None
        what, _ = cls.exported(state)
        e, pinned = require_known(state.encoding), require_known(state.pin.encoding)
        return quantities.why_no_difference(what, e, pinned)

    @classmethod
    def lacks_difference(cls, state: Exploration) -> bool:
        if "difference" not in cls.show(state):
            return False
        if any(isinstance(e, Unknown) for e in cls.needed(state).values()):
            return False
        return bool(cls._why_no_difference(state))

    @classmethod
    def lack_one(cls, state: Exploration) -> str:
        """Return why one encoding has no picture, or an empty text."""
        return cls.need(state)(require_known(state.encoding))

    @classmethod
    def remedy(cls, state: Exploration) -> str:
        if cls.lacks_difference(state):
            return WITHOUT_DIFFERENCE
        return super().remedy(state)


class ComparingPicture(ShownEncodings[PictureOptions, PictureNumbers]):
    """A picture of one encoding, of another, or of their difference, or of several of them.

    A subclass defines the picture of one encoding or difference by the methods whose names end in
    ``_one``. Their state is what `one` returns, and their options are those of that state.
    """

    @classmethod
    def ingredients(cls, state: Exploration) -> tuple[Any, ...]:
        found = [cls.ingredients_one(one) for one in cls.ones(state).values()]
        return cls.show(state), *found

    @classmethod
    def ingredients_one(cls, state: Exploration) -> tuple[Any, ...]:
        """Return what `compute_one` uses, which no name and no other pin is part of."""
        fields = [getattr(state, name) for name in sorted(Picture.fields)]
        return (*fields, cls.options(state))

    @classmethod
    def cost(cls, state: Exploration, size: Size) -> float:
        ones = cls.ones(state).values()
        return sum(cls.cost_one(one, cls.options(one), size) for one in ones)

    @classmethod
    def cost_one(cls, state: Exploration, options: PictureOptions, size: Size) -> float:
        """Return `cost` for one encoding or difference."""
        raise NotImplementedError

    @classmethod
    def compute(cls, state: Exploration, size: Size, cancelled: threading.Event) -> Any:
        """Return the numbers of the picture, or of several by their words."""
        ones = cls.ones(state)
        if len(ones) == 1:
            (one,) = ones.values()
            return cls.compute_one(one, cls.options(one), size, cancelled)
        found, share = {}, 1 / len(ones)
        for place, (word, one) in enumerate(ones.items()):
            part = Part(cancelled, place * share, share)
            found[word] = cls.compute_one(one, cls.options(one), size, part)
        return found

    @classmethod
    def compute_one(
        cls, state: Exploration, options: PictureOptions, size: Size, cancelled: threading.Event
    ) -> PictureNumbers:
        """Return `compute` for one encoding or difference."""
        raise NotImplementedError

    @classmethod
    def figure(cls, state: Exploration, numbers: Any) -> Figure:
        ones = cls.ones(state)
        if len(ones) == 1:
            (one,) = ones.values()
            return cls.figure_one(one, numbers)
        made = {word: cls.figure_one(one, numbers[word]) for word, one in ones.items()}
        return beside(state, cls.words(state), made, cls.coloured)

    @classmethod
    def figure_one(cls, state: Exploration, numbers: PictureNumbers) -> Figure:
        """Return `figure` for one encoding or difference."""
        raise NotImplementedError

    @classmethod
    def frame(cls, state: Exploration) -> Figure:
        frames = {word: cls.frame_one(one) for word, one in cls.ones(state).items()}
        if len(frames) > 1:
            return beside(state, cls.words(state), frames, cls.coloured)
        (frame,) = frames.values()
        return frame

    @classmethod
    def frame_one(cls, state: Exploration) -> Figure:
        """Return `frame` for one encoding or difference."""
        raise NotImplementedError

    # -- the cursor ----------------------------------------------------------------------------

    @classmethod
    def cursor_places(cls, state: Exploration) -> Mapping[str, PanelPlace]:
        found: dict[str, PanelPlace] = {}
        words = cls.words(state)
        for word in words:
            one, *_ = cls.made_of(word)
            for name, place in cls.places_one(cls.one(state, one)).items():
                found[name if word == words[0] else f"{name}-{word}"] = place
        return found

    @classmethod
    def places_one(cls, state: Exploration) -> Mapping[str, PanelPlace]:
        """Return `cursor_places` for one encoding or difference."""
        return {}

    @classmethod
    def under(
        cls, state: Exploration, drawn: OnScreen | None, panel: str
    ) -> tuple[Exploration, OnScreen | None, str]:
        one, name = cls._of_panel(state, panel)
        if drawn is None:
            return cls.one(state, one), None, name
        one_drawn, name = cls._of_panel(drawn.state, panel)
        is_one = len(cls.ones(drawn.state)) == 1
        numbers = drawn.numbers if is_one else drawn.numbers[one_drawn]
        there = cls.one(drawn.state, one_drawn)
        return cls.one(state, one), OnScreen(there, numbers, drawn.figure), name

    @classmethod
    def _of_panel(cls, state: Exploration, panel: str) -> tuple[str, str]:
        """Return the word of the picture that a panel is of, and its name there."""
        words = cls.words(state)
        name, word = split_name(panel)
        one, *_ = cls.made_of(word if word in words else words[0])
        return one, name

    @classmethod
    def pointed(cls, state: Exploration, panel: str, found: Mapping[str, int]) -> dict[str, int]:
        one, _ = cls._of_panel(state, panel)
        e = cls.one(state, one).encoding
        fields = dict(found)
        if "dimension" in fields:  # a pin's columns are numbered by themselves
            fields["dimension"] = column_of(state.encoding, e, fields["dimension"])
        return fields

    @classmethod
    def inspect(cls, state: Exploration, cancelled: threading.Event) -> Inspection:
        first, *_ = cls.made_of(cls.words(state)[0])
        one = cls.one(state, first)
        return cls.inspect_one(one, cls.options(one), cancelled)

    @classmethod
    def inspect_one(
        cls, state: Exploration, options: PictureOptions, cancelled: threading.Event
    ) -> Inspection:
        """Return `inspect` for one encoding or difference."""
        return super().inspect(state, cancelled)

    @classmethod
    def formula(cls, state: Exploration, figure: Figure) -> Mapping[str, tuple[str, ...]]:
        ones = cls.ones(state)
        if len(ones) > 1:
            return {}
        (one,) = ones.values()
        return cls.formula_one(one, figure)

    @classmethod
    def formula_one(cls, state: Exploration, figure: Figure) -> Mapping[str, tuple[str, ...]]:
        """Return `formula` for one encoding or difference."""
        return {}


def column_of(e: Encoding | Unknown, other: Encoding | Unknown, column: int) -> int:
    """Return the column of an encoding that means what a column of another one does, or the last.

    It is the same number where one of them is not known, or none means the same.
    """
    if isinstance(e, Unknown) or isinstance(other, Unknown) or e == other:
        return column
    if not why_not_comparable(e, other):
        columns = columns_of_cursor(Subject("pinned", e), other)
        (places,) = np.nonzero(columns == column)
        if len(places):
            return int(places[0])
    return min(column, e.width - 1)

"""The dialog that writes a figure: what, how large and in which style, with a live preview."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLayout,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from pe_explorer import pictures
from pe_explorer.app.output import figure, figure_files, picture
from pe_explorer.app.output.export_dialog import ExportDialog
from pe_explorer.app.output.figure import Order
from pe_explorer.app.output.figure_preview import FigurePreview
from pe_explorer.app.settings.figure_choices import FigureChoices
from pe_explorer.exploration import Resolved
from pe_explorer.figures.size import PRESETS, FigureSize, parse_figure_size
from pe_explorer.figures.style import Style
from pe_explorer.files.session import shared
from pe_explorer.flags import CARRY, PLATE, Print, render_line
from pe_explorer.model import Model
from pe_explorer.model.chain import Steps
from pe_explorer.params import Choice, ParameterError
from pe_explorer.widgets.editors import ChoiceEditor
from pe_explorer.widgets.form import FormFields

__all__ = ["FigureDialog"]

_OWN_SIZE = "own"
_FORM_WIDTH = 330  # pixels
_PREFERRED = QSize(940, 620)  # pixels
_LABELS = 96  # pixels


class FigureDialog(ExportDialog):
    """Writes a view or all panes as a figure into a PDF, SVG or PNG file."""

    settled = Signal(object)
    """What was chosen for the figure that is being written."""

    def __init__(
        self,
        parent: QWidget,
        model: Model,
        view: str,
        folder: str = "",
        *,
        choices: FigureChoices = FigureChoices(),  # noqa: B008 - a constant
        extra: Mapping[str, Any] = MappingProxyType({}),
        state: Resolved | None = None,
    ) -> None:
        """Offer a figure of `view` of `state`, or else of what is set up.

        It begins with `choices`. `extra`, unknown parts of the opened session, are written, too.
        """
        super().__init__(parent, model, "Export figure", _kinds_from(choices.ending), folder)
        self._state = state or model.state
        self._extra = extra
        self._style, self._size = choices.style, choices.size
        self._parts = _what_is_drawn(self._state)
        self.preview = FigurePreview(model, self)
        drawn = {name: _help(*part) for name, part in self._parts.items()}
        what = Choice(view, drawn, label="Draw", help="What to draw.")
        self.what = self.add_choice("&Draw", what, view)
        self._add_size()
        kinds = Choice(choices.ending, _kinds_from(""), label="Kind", help="Kind of the file.")
        self.kind = self.add_choice("&Kind", kinds, choices.ending)
        self.carry = self.add_choice("S&ession", CARRY, CARRY.default)
        self.fields = FormFields(Style, parent=self, label_width=_LABELS)
        self.fields.display(vars(self._style))
        self.finish(self.what)
        self.target.setToolTip(f"{self.target.toolTip()} The ending says which kind it is.")
        for signal, slot in (
            (self.what.currentIndexChanged, self._show_preview),
            (self.preset.currentIndexChanged, self._take_preset),
            (self.size_text.textChanged, self._show_preview),
            (self.kind.currentIndexChanged, self._take_kind),
            (self.target.textChanged, self._show_kind),
            (self.fields.edited, self._edit),
            (self.fields.refused, self.message.setText),
            (self.fields.settled, self.message.clear),
        ):
            signal.connect(slot)
        self.resize(_PREFERRED)
        self._show_preview()

    def _add_size(self) -> None:
        """Add the named sizes, and the line in which any size is typed."""
        sizes = {name: f"{size}" for name, size in PRESETS.items()}
        sizes[_OWN_SIZE] = "the size that is typed beside"
        named = Choice(_OWN_SIZE, sizes, label="Size", help="Sizes that have a name.")
        self.preset = ChoiceEditor("Size", named, self).combo
        self.preset.display(_name_of(self._size))
        self.preset.fit()
        self.size_text = QLineEdit(str(self._size))
        self.size_text.setAccessibleName("Width and height")
        self.size_text.setToolTip("Width and height, such as 84x60mm, 3.3x2.4in or 1600x900.")
        row = QHBoxLayout()
        row.addWidget(self.preset)
        row.addWidget(self.size_text, 1)
        self.add_row("&Size", row, self.preset)

    def body(self) -> QLayout:
        """Return the form and the style beside the preview."""
        scroll = QScrollArea()
        scroll.setWidget(self.fields)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setAccessibleName("Style")
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout()
        column.addLayout(self.form)
        column.addWidget(scroll, 1)
        left = QWidget()
        left.setLayout(column)
        left.setFixedWidth(_FORM_WIDTH)
        column.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout()
        row.addWidget(left)
        row.addWidget(self.preview, 1)
        return row

    # -- what is chosen --------------------------------------------------------------------------

    @property
    def choices(self) -> FigureChoices:
        """What is worth remembering of what is chosen."""
        return FigureChoices(self._style, self._size, self.kind.currentData())

    def _order(self) -> Order:
        """Return the figure that is chosen; raise `ParameterError` if there is none."""
        self._size = parse_figure_size(self.size_text.text())
        view, only = self._parts[self.what.currentData()]
        order = Order(view, self._state, self._style, self._size, only=only)
        figure.check(order)
        return order

    @Slot()
    def _show_preview(self) -> None:
        """Show the figure, or why there is none; and what has no effect on it."""
        try:
            order = self._order()
        except ParameterError as error:
            self.preview.show_sentence(error.sentence)
            return
        self.preset.display(_name_of(self._size))
        self.preview.show_figure(order)
        self.fields.withhold(self._without_effect())

    def _without_effect(self) -> dict[str, str]:
        """Return the settings that change nothing now, with the reasons."""
        if self._size.unit == "px" and self.kind.currentData() == ".png":
            return {"dpi": "the size is given in pixels"}
        return {}

    @Slot(str, object)
    def _edit(self, name: str, value: Any) -> None:
        self._style = replace(self._style, **{name: value})
        self.message.clear()
        self._show_preview()

    @Slot()
    def _take_preset(self) -> None:
        if size := PRESETS.get(self.preset.currentData()):
            self.size_text.setText(str(size))

    @Slot()
    def _take_kind(self) -> None:
        """Give the file's name the ending that is chosen."""
        path = Path(self.target.text())
        if path.name and path.suffix.lower() != self.kind.currentData():
            self.target.setText(str(path.with_suffix(self.kind.currentData())))
        self._show_preview()

    @Slot(str)
    def _show_kind(self, target: str) -> None:
        """Show the kind of file that a typed ending stands for."""
        ending = Path(target).suffix.lower()
        if ending in self._suffixes:
            self.kind.display(ending)

    # -- writing it ------------------------------------------------------------------------------

    def check(self) -> None:
        self._wanted = self._order()

    def command(self, target: Path) -> str:
        order = self._wanted
        how = Print(carry=self.carry.currentData(), only=order.only)
        return render_line(order.what, self._state, order.size, how, target, order.style)

    def work(self, target: Path) -> Steps[None]:
        order = self._wanted
        self.preview.stop()
        self.settled.emit(self.choices)
        session = ""
        if self.carry.currentData() == "keep":
            carried = picture.carried(order.what, self._state)
            session = shared(carried, self._extra, target.parent)
        self.show_progress("Drawing the figure…")
        page = yield from figure.drawing(order)
        self.show_progress(f"Writing {target.name}…")
        yield partial(figure_files.save, page, target, order.dpi, session)

    def done(self, result: int) -> None:
        self.preview.stop()
        super().done(result)


def _kinds_from(first: str) -> dict[str, str]:
    """Return the kinds of files by their endings, one of them first."""
    kinds = dict(figure_files.ENDINGS)
    if first in kinds:
        kinds = {first: kinds[first], **kinds}
    return kinds


def _what_is_drawn(state: Resolved) -> dict[str, tuple[str, str]]:
    """Return what can be drawn: a view and the part of it, by the name of the file."""
    parts: dict[str, tuple[str, str]] = {}
    for view in pictures.names():
        parts[view] = (view, "")
        for only in figure.part_names(view, state):
            parts[f"{view}-{only}"] = (view, only)
    return {**parts, PLATE: (PLATE, "")}


def _help(view: str, only: str) -> str:
    if view == PLATE:
        return "All panes beside each other, each with a letter."
    help_ = pictures.find(view).help
    return f"Only the {only} of it. {help_}" if only else help_


def _name_of(size: FigureSize) -> str:
    """Return the name that a size has."""
    named = {preset: name for name, preset in PRESETS.items()}
    return named.get(size, _OWN_SIZE)

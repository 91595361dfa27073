"""The dialog that writes a figure: what, how large and in which style, with a live preview."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLayout, QWidget

from pe_explorer.app.output import figure_files, figure_order, picture
from pe_explorer.app.output.export_dialog import ExportDialog
from pe_explorer.app.output.figure_form import FigureForm
from pe_explorer.app.settings.figure_choices import FigureChoices
from pe_explorer.exploration import Resolved
from pe_explorer.figures.size import require_pixels
from pe_explorer.files.session import shared
from pe_explorer.flags import CARRY, Print, render_line
from pe_explorer.model import Model
from pe_explorer.model.chain import Steps
from pe_explorer.params import Choice

__all__ = ["FigureDialog"]

_PREFERRED = QSize(940, 620)  # pixels


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
        self.figure_form = FigureForm(self, model, view, self._state, choices)
        kinds = Choice(choices.ending, _kinds_from(""), label="Kind", help="Kind of the file.")
        self.kind = self.add_choice("&Kind", kinds, choices.ending)
        self.carry = self.add_choice("S&ession", CARRY, CARRY.default)
        self.finish(self.figure_form.what)
        self.target.setToolTip(f"{self.target.toolTip()} The ending says which kind it is.")
        for signal, slot in (
            (self.kind.currentIndexChanged, self._take_kind),
            (self.target.textChanged, self._show_kind),
            (self.figure_form.changed, self._withhold),
        ):
            signal.connect(slot)
        self.prefer_size(_PREFERRED)
        self.figure_form.update_preview()

    def body(self) -> QLayout:
        """Return the form and the style beside the preview."""
        row = QHBoxLayout()
        row.addWidget(self.figure_form)
        return row

    # -- what is chosen --------------------------------------------------------------------------

    @property
    def choices(self) -> FigureChoices:
        """What is worth remembering of what is chosen."""
        return FigureChoices(*self.figure_form.style_and_size, self.kind.currentData())

    @Slot()
    def _withhold(self) -> None:
        """Grey out what has no effect on the file, with the reason."""
        _, size = self.figure_form.style_and_size
        in_pixels = size.unit == "px" and self.kind.currentData() == ".png"
        reasons = {"dpi": "the size is given in pixels"} if in_pixels else {}
        self.figure_form.fields.withhold(reasons)

    @Slot()
    def _take_kind(self) -> None:
        """Give the file's name the ending that is chosen."""
        path = Path(self.target.text())
        if path.name and path.suffix.lower() != self.kind.currentData():
            self.target.setText(str(path.with_suffix(self.kind.currentData())))
        self._withhold()

    @Slot(str)
    def _show_kind(self, target: str) -> None:
        """Show the kind of file that a typed ending stands for."""
        ending = Path(target).suffix.lower()
        if ending in self._suffixes:
            self.kind.display(ending)
            self._withhold()

    # -- writing it ------------------------------------------------------------------------------

    def check(self) -> None:
        self._wanted = self.figure_form.order()
        if self.kind.currentData() == ".png":
            require_pixels(*self._wanted.pixels)

    def command(self, target: Path) -> str:
        order = self._wanted
        how = Print(carry=self.carry.currentData(), only=order.only)
        return render_line(order.what, self._state, order.size, how, target, order.style)

    def work(self, target: Path) -> Steps[None]:
        order = self._wanted
        self.figure_form.preview.stop()
        self.settled.emit(self.choices)
        session = ""
        if self.carry.currentData() == "keep":
            carried = picture.carried(order.what, self._state)
            session = shared(carried, self._extra, target.parent)
        self.show_progress("Drawing the figure…")
        page = yield from figure_order.laid_out(order)
        self.show_progress(f"Writing {target.name}…")
        yield partial(figure_files.save, page, target, order.dpi, session)

    def done(self, result: int) -> None:
        self.figure_form.preview.stop()
        super().done(result)


def _kinds_from(first: str) -> dict[str, str]:
    """Return the kinds of files by their endings, one of them first."""
    kinds = dict(figure_files.ENDINGS)
    if first in kinds:
        kinds = {first: kinds[first], **kinds}
    return kinds

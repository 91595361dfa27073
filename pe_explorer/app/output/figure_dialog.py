"""The dialog that writes a figure: what, how large and in which style, with a live preview."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Slot

from pe_explorer.app.output import figure_files, picture
from pe_explorer.app.output.figure_form import FigureForm, FigureWork
from pe_explorer.app.output.work_dialog import DialogContext, FileDialog
from pe_explorer.app.settings.figure_choices import ENDING, FigureChoices
from pe_explorer.figures.size import require_pixels
from pe_explorer.files.figure_request import FigureRequest, carried_by
from pe_explorer.flags import CARRY, RenderSettings, render_line
from pe_explorer.model.steps import Steps


class FigureDialog(FigureWork, FileDialog):
    """Writes a view or all panes as a figure into a PDF, SVG or PNG file."""

    def __init__(self, about: DialogContext, choices: FigureChoices) -> None:
        """Offer a figure of a view; it begins with `choices`."""
        kinds = {choices.ending: ENDING.choices[choices.ending], **ENDING.choices}
        super().__init__(about, "Export figure", kinds)
        self.figure_form = FigureForm(self, about, choices)
        self.kind = self.add_choice("For&mat", ENDING, choices.ending)
        self.carry = self.add_choice("Include s&ession", CARRY, CARRY.default)
        self.finish(self.figure_form.what)
        self.target.setToolTip(f"{self.target.toolTip()} The ending says which kind it is.")
        for signal, slot in (
            (self.kind.currentIndexChanged, self._take_kind),
            (self.target.textChanged, self._show_kind),
            (self.figure_form.changed, self._withhold),
        ):
            signal.connect(slot)
        self._withhold()

    # -- choices --------------------------------------------------------------------------------

    @property
    def choices(self) -> FigureChoices:
        return FigureChoices(*self.figure_form.style_and_size, self.kind.currentData())

    @Slot()
    def _withhold(self) -> None:
        """Grey out what has no effect on the file, with the reason."""
        _, size = self.figure_form.style_and_size
        in_pixels = size.unit == "px" and self.kind.currentData() == ".png"
        self.figure_form.withhold({"dpi": "the size is given in pixels"} if in_pixels else {})

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
        if ending in ENDING.choices:
            self.kind.display(ending)
            self._withhold()

    # -- writing it ------------------------------------------------------------------------------

    def check(self) -> None:
        super().check()
        if self.kind.currentData() == ".png":
            require_pixels(*self.order.pixels)

    def command(self, target: Path) -> str:
        order = self.order
        how = RenderSettings(carry=self.carry.currentData(), only=order.only)
        return render_line(order.what, self._state, order.size, how, target, order.style)

    def work(self, target: Path) -> Steps[None]:
        order = self.order
        session = ""
        if self.carry.currentData() == "keep":
            carried = picture.carried(order.what, self._state)
            request = FigureRequest(order.what, order.size, order.style, only=order.only)
            session = carried_by(request, carried, self._extra, target)
        page = yield from self.page(vector=self.kind.currentData() != ".png")
        self.show_progress(f"Writing {target.name}…")
        yield partial(figure_files.save, page, target, order.dpi, session)

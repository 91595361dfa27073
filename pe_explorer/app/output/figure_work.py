"""What the dialogs for figures have in common: the form, the preview and the drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QLayout

from pe_explorer.app.output import figure_order
from pe_explorer.app.output.figure_form import FigureForm
from pe_explorer.app.output.figure_order import Order
from pe_explorer.app.settings.figure_choices import FigureChoices
from pe_explorer.exploration import Resolved
from pe_explorer.figures.page import Page
from pe_explorer.model import Model
from pe_explorer.model.steps import Steps

if TYPE_CHECKING:
    from pe_explorer.app.output.work_dialog import WorkDialog as Dialog
else:
    Dialog = object  # as Qt takes over the signals of only one of several dialogs


_PREFERRED_SIZE = QSize(940, 620)  # pixels
_BAR_WIDTH = 120  # pixels


class FigureWork(Dialog):
    """What makes a dialog one about a figure: it goes before that dialog among the bases."""

    figure_form: FigureForm
    order: Order
    """The figure that was chosen when it was last checked."""

    def add_figure(
        self, model: Model, view: str, state: Resolved | None, choices: FigureChoices
    ) -> None:
        """Offer a figure of `view` of `state`, or of the present exploration, with a preview."""
        self._state = state or model.state
        self.figure_form = FigureForm(self, model, view, self._state, choices)

    def lay_out(self) -> None:
        super().lay_out()
        self.prefer_size(_PREFERRED_SIZE)
        self.figure_form.update_preview()

    def body(self) -> QLayout:
        """Return the form and the style beside the preview."""
        row = QHBoxLayout()
        row.addWidget(self.figure_form)
        return row

    def foot(self) -> QLayout:
        """Return messages and progress beside the buttons, where they cost the preview nothing."""
        row = QHBoxLayout()
        row.addWidget(self.message, 1)
        row.addWidget(self.bar)
        row.addWidget(self.buttons)
        self.bar.setFixedWidth(_BAR_WIDTH)
        return row

    @property
    def note(self) -> str:
        return self.figure_form.note

    @property
    def choices(self) -> FigureChoices:
        """The choices to remember; a subclass defines them."""
        raise NotImplementedError

    def check(self) -> None:
        self.order = self.figure_form.take_order()

    def page(self) -> Steps[Page]:
        """Draw the figure that was checked; see `figure_order.laid_out`."""
        self.figure_form.preview.stop()
        self.figure_form.ordered.emit(self.order.what, self.choices)
        self.show_progress("Drawing the figure…")
        page = yield from figure_order.laid_out(self.order)
        return page

    def _receive_error(self, error: Exception) -> None:
        self.figure_form.update_preview()  # which was stopped
        super()._receive_error(error)

    def done(self, result: int) -> None:
        self.figure_form.preview.stop()
        super().done(result)

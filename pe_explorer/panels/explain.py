"""The Explain panel, which describes the active view and suggests details and experiments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, QTimer, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from pe_explorer.exploration import TRANSIENT_FIELDS, Exploration, find_differing_fields
from pe_explorer.model import Model
from pe_explorer.panels.follower import ModelPanel
from pe_explorer.widgets.layouts import lay_out_column

if TYPE_CHECKING:
    from pe_explorer.gallery.exhibits import Exhibit, ExhibitTexts
    from pe_explorer.gallery.tries import Try
    from pe_explorer.panels.explanation_page import ExplanationPage
    from pe_explorer.panels.lesson_page import LessonStep


_PAUSE_TIME, _MAX_WAITING_TIME = 100, 2000  # in milliseconds


class ExplainPanel(ModelPanel):
    """A panel with the guide's text for one view, which is updated when changes pause."""

    page_made = Signal(object)  # emits the new `ExplanationPage`

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = ""
        self._exhibit: Exhibit | None = None
        self._texts: ExhibitTexts | None = None
        self._step: LessonStep | None = None
        self._page: ExplanationPage | None = None
        self._pause_timer = QTimer(self, singleShot=True, interval=_PAUSE_TIME)
        self._timeout_timer = QTimer(self, singleShot=True, interval=_MAX_WAITING_TIME)
        for timer in (self._pause_timer, self._timeout_timer):
            timer.timeout.connect(self.synchronise)
        self._column = lay_out_column(self)

    @property
    def page(self) -> ExplanationPage:
        if self._page is None:
            # Import the page here, so that the window opens faster.
            from pe_explorer.panels.explanation_page import ExplanationPage

            self._page = ExplanationPage()
            self._page.requested.connect(self._apply)
            self._column.addWidget(self._page)
            self.page_made.emit(self._page)
        return self._page

    def sizeHint(self) -> QSize:
        return QSize(240, 400)

    def list_connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [(model.changed, self._receive_change)]

    def detach(self) -> None:
        self._stop_waiting()
        super().detach()

    @Slot(str)
    def show_view(self, name: str) -> None:
        self._view = name
        self.synchronise()

    def show_texts(
        self, exhibit: Exhibit | None, texts: ExhibitTexts | None, step: LessonStep | None
    ) -> None:
        """Show the texts of an exhibit above those of the view, or only those of a lesson step."""
        self._exhibit, self._texts, self._step = exhibit, texts, step
        if self.isVisible():
            self.page.show_texts(exhibit, texts, step)

    @Slot(object, object)
    def _receive_change(self, old: Exploration, new: Exploration) -> None:
        # The text does not depend on transient fields such as the cursor, which moves often.
        if self.isVisible() and find_differing_fields(old, new) - TRANSIENT_FIELDS:
            self._pause_timer.start()  # restarts with every change
            if not self._timeout_timer.isActive():
                self._timeout_timer.start()

    def _stop_waiting(self) -> None:
        self._pause_timer.stop()
        self._timeout_timer.stop()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.synchronise()

    @Slot()
    def synchronise(self) -> None:
        """Show the text for the current exploration, if the panel is visible."""
        self._stop_waiting()
        if self._model is not None and self._view and self.isVisible():
            self.page.show_texts(self._exhibit, self._texts, self._step)
            self.page.explain(self._view, self.model.state)

    @Slot(object)
    def _apply(self, suggestion: Try) -> None:
        if self._model is None:
            return
        if suggestion.unavailable_reason:
            self.model.refused.emit(suggestion.unavailable_reason)
            return
        self.model.emit_changes()  # so that pending changes become a separate undo step
        if self.model.try_change(suggestion.apply):
            self.model.emit_changes()
            self.synchronise()

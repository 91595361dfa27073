"""The right panel: the explanation and values of the active view, the pins and the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QTabWidget, QWidget

from pe_explorer.app.window.walks import ExhibitWalk, LessonWalk
from pe_explorer.exploration.opened_model import OpenedModel
from pe_explorer.model import Model
from pe_explorer.panels.follower import ModelFollower
from pe_explorer.widgets.fonts import make_scaled_font
from pe_explorer.widgets.layouts import lay_out_column

if TYPE_CHECKING:
    from pe_explorer.panels.explain import ExplainPanel
    from pe_explorer.panels.explanation_page import ExplanationPage
    from pe_explorer.panels.inspector import Inspector
    from pe_explorer.panels.model_page import ModelPage
    from pe_explorer.panels.pins import PinsPanel


_PANEL_NAME = "explain"  # name of the right panel in signals


class _Pages(NamedTuple):
    tabs: QTabWidget
    explanation: ExplainPanel
    inspector: Inspector
    pins: PinsPanel
    model_page: ModelPage


class RightPanel(ModelFollower):
    """A panel with tabs, which are created on first use so that the window opens faster."""

    refused = Signal(str)  # reason why typed text is invalid; the state is unchanged
    reported = Signal(str)  # message about a completed action
    requested = Signal(str)  # name of the panel to open for a page
    page_changed = Signal(str, str)  # name of the panel, and title of the selected page
    parameter_requested = Signal(str)  # name of the parameter to edit
    view_requested = Signal(str, str)  # a view, and one of its options or an empty string
    model_described = Signal(bool)  # whether the model page exists

    def __init__(self, width: int, walk: ExhibitWalk, lesson_walk: LessonWalk) -> None:
        """Create an empty panel; `width` is the preferred width in pixels."""
        super().__init__()
        self._width, self._walk, self._lesson_walk = width, walk, lesson_walk
        lesson_walk.changed.connect(self._show_texts)  # also emitted when the exhibit changes
        self._view = ""
        self._opened_model: OpenedModel | None = None  # the model on the model page
        self._pages: _Pages | None = None
        self._column = lay_out_column(self)

    def pages(self) -> _Pages:
        if self._pages is not None:
            return self._pages
        from pe_explorer.panels.explain import ExplainPanel
        from pe_explorer.panels.inspector import Inspector
        from pe_explorer.panels.model_page import ModelPage
        from pe_explorer.panels.pins import PinsPanel

        tabs = QTabWidget(documentMode=True)
        tabs.setAccessibleName("Right panel")
        tabs.tabBar().setAccessibleName("Pages of the right panel")
        tabs.tabBar().setFont(make_scaled_font(0.95))  # makes room for four tabs
        pages = _Pages(tabs, ExplainPanel(), Inspector(), PinsPanel(), ModelPage())
        self._pages = pages
        for page, title in zip(pages[1:], ("Explain", "Inspect", "Pins", "Model"), strict=True):
            tabs.addTab(page, title)
        self._column.addWidget(tabs)
        pages.inspector.refused.connect(self.refused)
        pages.inspector.reported.connect(self.reported)
        pages.explanation.page_made.connect(self._connect_explanation)
        tabs.currentChanged.connect(self._report_page)
        pages.model_page.parameter_requested.connect(self.parameter_requested)
        pages.model_page.view_requested.connect(self.view_requested)
        self._show_texts()
        self._show_model_page()
        if self._view:
            self.show_view(self._view)
        if self.is_attached:
            self.synchronise()
        return pages

    @Slot(object)
    def _connect_explanation(self, page: ExplanationPage) -> None:
        lesson, walk = page.lesson, self._lesson_walk
        lesson.guessed.connect(walk.store_guess)
        lesson.next_step_requested.connect(walk.go_forward)
        lesson.back_requested.connect(walk.go_back)
        lesson.skip_requested.connect(walk.skip)
        lesson.repeat_requested.connect(walk.repeat)
        lesson.next_lesson_requested.connect(walk.begin_next_lesson)
        lesson.completed.connect(walk.store_ending)
        lesson.experiment_requested.connect(walk.open_experiment)
        page.exhibit.restore_requested.connect(self._walk.restore)

    def sizeHint(self) -> QSize:
        return QSize(self._width, super().sizeHint().height())

    def showEvent(self, event: QShowEvent) -> None:
        self.pages()
        super().showEvent(event)

    def list_connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [(model.changed, self._receive_change)]

    def synchronise(self) -> None:
        for page in self._pages[1:] if self._pages else ():
            page.attach(self.model)

    def detach(self) -> None:
        for page in self._pages[1:] if self._pages else ():
            page.detach()
        super().detach()

    @Slot(str)
    def show_view(self, name: str) -> None:
        self._view = name
        if self._pages is not None:
            self._pages.explanation.show_view(name)
            self._pages.inspector.show_view(name)

    @Slot()
    def _show_texts(self) -> None:
        if self._pages is not None:
            walk, lesson_step = self._walk, self._lesson_walk.lesson_step
            self._pages.explanation.show_texts(walk.exhibit, walk.texts, lesson_step)

    @Slot()
    def _receive_change(self) -> None:
        state = self.model.state
        opened = state.opened if isinstance(state.opened, OpenedModel) else None
        if opened is not self._opened_model:
            self._opened_model = opened
            self._show_model_page()
            self.model_described.emit(opened is not None)

    def _show_model_page(self) -> None:
        if self._pages is None:
            return
        tabs, page = self._pages.tabs, self._pages.model_page
        page.display_model(self._opened_model)
        tabs.setTabVisible(tabs.indexOf(page), self._opened_model is not None)

    def await_model(self) -> None:
        """Select the model page before a model opens, so that no other page is computed first."""
        tabs, page = self.pages().tabs, self.pages().model_page
        tabs.setTabVisible(tabs.indexOf(page), True)
        tabs.setCurrentWidget(page)

    @Slot(bool)
    def select_model_page(self, should_open: bool = False) -> None:
        """Select the model page if there is a model; open the panel if `should_open` is true."""
        if should_open:
            self.show_model()
        elif self._opened_model is not None:
            self.pages().tabs.setCurrentWidget(self.pages().model_page)

    @Slot()
    def show_explanation(self) -> None:
        self._show(self.pages().explanation)

    @Slot()
    def show_inspector(self) -> None:
        self._show(self.pages().inspector)

    @Slot()
    def show_pins(self) -> None:
        self._show(self.pages().pins)

    @Slot()
    def show_model(self) -> None:
        if self._opened_model is not None:
            page = self.pages().model_page
            self._show(page)
            page.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self, page: QWidget) -> None:
        self.pages().tabs.setCurrentWidget(page)
        self.requested.emit(_PANEL_NAME)

    @Slot(int)
    def _report_page(self, page: int) -> None:
        self.page_changed.emit(_PANEL_NAME, self.pages().tabs.tabText(page))

    @Slot()
    def copy_value(self) -> None:
        self.pages().inspector.copy_value()

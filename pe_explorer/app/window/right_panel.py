"""The right panel: the explanation and values of the active view, the pins and the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QTabWidget, QWidget

from pe_explorer.app.window.walks import ExhibitWalk, LessonWalk
from pe_explorer.exploration.opened_model import OpenedModel
from pe_explorer.model import Model
from pe_explorer.panels.follower import Follower
from pe_explorer.widgets.layouts import column_in

if TYPE_CHECKING:
    from pe_explorer.panels.explain import ExplainPanel
    from pe_explorer.panels.explanation_page import ExplanationPage
    from pe_explorer.panels.inspector import Inspector
    from pe_explorer.panels.model_page import ModelPage
    from pe_explorer.panels.pins import PinsPanel


_NAME = "explain"


class _Parts(NamedTuple):
    tabs: QTabWidget
    explanation: ExplainPanel
    inspector: Inspector
    pins: PinsPanel
    model_page: ModelPage


class RightPanel(Follower):
    """A panel with three tabs, initially with the explanation in front.

    A fourth tab describes the model that was opened or chosen last, until this is undone. The pages
    are created on first use, so that the window opens faster.
    """

    refused = Signal(str)  # reason why typed text is invalid; the state is unchanged
    reported = Signal(str)  # message about a completed action
    requested = Signal(str)  # name of the panel to open for a page
    turned = Signal(str, str)  # name of the panel, and title of the selected page

    parameter_requested = Signal(str)  # name of the parameter to edit
    view_requested = Signal(str, str)  # a view, and one of its options or an empty string
    model_described = Signal(bool)  # whether the model page exists

    def __init__(self, width: int, walk: ExhibitWalk, lesson_walk: LessonWalk) -> None:
        """Create an empty panel; `width` is the preferred width in pixels."""
        super().__init__()
        self._width, self._walk, self._lesson_walk = width, walk, lesson_walk
        lesson_walk.changed.connect(self._show_words)  # also emitted when the exhibit changes
        self._view = ""
        self._described: OpenedModel | None = None  # the model on the model page
        self._parts: _Parts | None = None
        self._column = column_in(self)

    def parts(self) -> _Parts:
        """Return the pages, created on first use."""
        if self._parts is not None:
            return self._parts
        from pe_explorer.panels.explain import ExplainPanel
        from pe_explorer.panels.inspector import Inspector
        from pe_explorer.panels.model_page import ModelPage
        from pe_explorer.panels.pins import PinsPanel

        tabs = QTabWidget()
        tabs.setDocumentMode(True)
        tabs.setAccessibleName("Right panel")
        tabs.tabBar().setAccessibleName("Pages of the right panel")
        font = tabs.tabBar().font()
        font.setPointSizeF(0.95 * font.pointSizeF())  # makes room for four tabs
        tabs.tabBar().setFont(font)
        # The model page has no tab yet. Without a parent, it would be a separate window.
        parts = _Parts(tabs, ExplainPanel(), Inspector(), PinsPanel(), ModelPage(tabs))
        self._parts = parts
        parts.model_page.hide()
        tabs.addTab(parts.explanation, "Explain")
        tabs.addTab(parts.inspector, "Inspect")
        tabs.addTab(parts.pins, "Pins")
        self._column.addWidget(tabs)
        parts.inspector.refused.connect(self.refused)
        parts.inspector.reported.connect(self.reported)
        parts.explanation.page_made.connect(self._connect_page)
        tabs.currentChanged.connect(self._report_page)
        parts.model_page.parameter_requested.connect(self.parameter_requested)
        parts.model_page.view_requested.connect(self.view_requested)
        self._show_words()
        self._show_model_page()
        if self._view:
            self.show_view(self._view)
        if self.attached:
            self.synchronise()
        return parts

    @Slot(object)
    def _connect_page(self, page: ExplanationPage) -> None:
        lesson, walk = page.lesson, self._lesson_walk
        lesson.guessed.connect(walk.take_guess)
        lesson.on_requested.connect(walk.go_on)
        lesson.back_requested.connect(walk.go_back)
        lesson.skip_requested.connect(walk.skip)
        lesson.again_requested.connect(walk.begin_again)
        lesson.next_requested.connect(walk.begin_next)
        lesson.completed.connect(walk.complete)
        lesson.experiment_requested.connect(walk.try_next)
        page.exhibit.restore_requested.connect(self._walk.restore)

    def sizeHint(self) -> QSize:
        return QSize(self._width, super().sizeHint().height())

    def showEvent(self, event: QShowEvent) -> None:
        self.parts()
        super().showEvent(event)

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [(model.changed, self._follow_model)]

    def synchronise(self) -> None:
        for page in self._parts[1:] if self._parts else ():
            page.attach(self.model)

    def detach(self) -> None:
        for page in self._parts[1:] if self._parts else ():
            page.detach()
        super().detach()

    @Slot(str)
    def show_view(self, name: str) -> None:
        self._view = name
        if self._parts is not None:
            self._parts.explanation.show_view(name)
            self._parts.inspector.show_view(name)

    @Slot()
    def _show_words(self) -> None:
        if self._parts is not None:
            walk, lesson_step = self._walk, self._lesson_walk.lesson_step
            self._parts.explanation.show_words(walk.exhibit, walk.texts, lesson_step)

    @Slot()
    def _follow_model(self) -> None:
        opened = self.model.state.opened
        described = opened if isinstance(opened, OpenedModel) else None
        if described is not self._described:
            self._described = described
            self._show_model_page()
            self.model_described.emit(described is not None)

    def _show_model_page(self) -> None:
        if self._parts is None:
            return
        tabs, page = self._parts.tabs, self._parts.model_page
        page.describe(self._described)
        if self._described is not None:
            self._add_model_page()
        elif (index := tabs.indexOf(page)) >= 0:
            tabs.removeTab(index)
            page.hide()

    def _add_model_page(self) -> None:
        parts = self.parts()
        if parts.tabs.indexOf(parts.model_page) < 0:
            parts.tabs.addTab(parts.model_page, "Model")

    def await_model(self) -> None:
        """Select the model page before a model opens, so that no other page is computed first."""
        self._add_model_page()
        self.parts().tabs.setCurrentWidget(self.parts().model_page)

    @Slot(bool)
    def turn_to_model(self, is_urgent: bool = False) -> None:
        """Select the model page, if there is a model; open the panel too if `is_urgent`."""
        if is_urgent:
            self.show_model()
        elif self._described is not None:
            self.parts().tabs.setCurrentWidget(self.parts().model_page)

    @Slot()
    def show_explanation(self) -> None:
        self._show(self.parts().explanation)

    @Slot()
    def show_inspector(self) -> None:
        self._show(self.parts().inspector)

    @Slot()
    def show_pins(self) -> None:
        self._show(self.parts().pins)

    @Slot()
    def show_model(self) -> None:
        """Show and focus the page about the open model."""
        if self._described is not None:
            page = self.parts().model_page
            self._show(page)
            page.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self, page: QWidget) -> None:
        self.parts().tabs.setCurrentWidget(page)
        self.requested.emit(_NAME)

    @Slot(int)
    def _report_page(self, page: int) -> None:
        self.turned.emit(_NAME, self.parts().tabs.tabText(page))

    @Slot()
    def copy_value(self) -> None:
        self.parts().inspector.copy_value()

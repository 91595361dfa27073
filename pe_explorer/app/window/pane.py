"""A pane: a view below a header with the view's name, choices and options."""

from typing import Any

from PySide6.QtCore import QEvent, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAction, QContextMenuEvent, QFocusEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QMenu, QSizePolicy, QToolButton, QWidget

from pe_explorer import pictures
from pe_explorer.exploration import make_subject_names
from pe_explorer.model import Exploration, Model
from pe_explorer.panels.cursor import CursorChip
from pe_explorer.panels.follower import ModelFollower
from pe_explorer.params import Declared
from pe_explorer.pictures.inspection import HiddenCursor
from pe_explorer.views import PageView
from pe_explorer.widgets.editors import ChoiceEditor
from pe_explorer.widgets.fonts import set_bold
from pe_explorer.widgets.form import FormFields
from pe_explorer.widgets.icons import IconButton
from pe_explorer.widgets.labels import make_bold_label
from pe_explorer.widgets.layouts import lay_out_column, lay_out_row
from pe_explorer.widgets.theme import colours

_BUTTON_SIDE, _HEADER_HEIGHT = 24, 30  # pixels
_POPUP_WIDTH, _LABEL_WIDTH = 330, 112  # pixels


class Pane(QFrame):
    """A pane with one view; a line above the view marks the active pane."""

    activated = Signal(str)  # name of the view that has become active
    replacement_requested = Signal(str, str)  # names of the current view and its replacement
    maximise_requested = Signal(str)  # name of the view to maximise or restore
    own_window_requested = Signal(str)  # name of the view to move to a separate window or back
    options_requested = Signal(object, QPoint)  # the view, and a point on the screen
    menu_requested = Signal(QPoint)  # a point on the screen

    def __init__(self, view: PageView) -> None:
        super().__init__()
        self.view = view
        self.name = view.picture.name
        self.setObjectName(f"pane.{self.name}")
        self.setAccessibleName(f"{view.picture.title} pane")
        self.setMinimumSize(200, 140)
        self._accent_line = QWidget()
        self._accent_line.setFixedHeight(2)
        self._accent_line.setAutoFillBackground(True)
        popup_mode = QToolButton.ToolButtonPopupMode.InstantPopup
        self.title = title = QToolButton(autoRaise=True, popupMode=popup_mode)
        title.setText(view.picture.title)
        title.setAccessibleName(f"View: {view.picture.title}")
        title.setToolTip(f"<p>{view.picture.help}</p><p>Click to choose another view.</p>")
        set_bold(title)
        menu = QMenu(title)
        for name in pictures.names():
            action = QAction(pictures.find(name).title, menu, checkable=True)
            action.setData(name)
            action.setChecked(name == self.name)
            menu.addAction(action)
        menu.triggered.connect(self._choose)
        title.setMenu(menu)
        self.chip = CursorChip(self._find_hidden_cursor)
        self.chip.resized.connect(self._fit_header)
        self.more = self._make_button("more", "Options", "All options of this view")
        help_text = "Show only this pane, or all panes again (Ctrl+M)"
        self.maximise_button = self._make_button("maximise", "Maximise pane", help_text)
        help_text = "Move the view to its own window, or back (Ctrl+Shift+W)"
        self.own_window_button = self._make_button("own-window", "Open in window", help_text)
        self.more.clicked.connect(self._request_options)
        self.maximise_button.clicked.connect(self._request_maximise)
        self.own_window_button.clicked.connect(self._request_own_window)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.set_active(False)
        self.header = QWidget()
        row = lay_out_row(self.header, self.title, self.chip, spacing=2, margins=(4, 1, 2, 1))
        # Allow a pane to be narrower than its choices, because the "more" button offers them all.
        self.view.header.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row.addWidget(self.view.header, 100)
        self.view.header.changed.connect(self._fit_header)
        row.addStretch(1)  # fills the space of hidden choices
        for button in (self.more, self.maximise_button, self.own_window_button):
            row.addWidget(button)
        lay_out_column(self, self._accent_line, self.header, spacing=0).addWidget(self.view, 1)

    def _make_button(self, icon_name: str, name: str, help_text: str) -> IconButton:
        button = IconButton(icon_name, name, about=self.view.picture.title, side=_BUTTON_SIDE)
        button.setToolTip(f"<p><b>{name}</b><br>{help_text}.</p>")
        return button

    def attach(self, model: Model) -> None:
        if not self.view.is_attached:
            self.view.attach(model)
            self.chip.attach(model)

    def detach(self) -> None:
        self.view.detach()
        self.chip.detach()

    def _find_hidden_cursor(self, state: Exploration) -> HiddenCursor | None:
        picture = pictures.make_picture(self.name, state)
        return None if picture.is_unavailable() else picture.find_hidden_cursor()

    def set_active(self, active: bool) -> None:
        self.active = active
        shades = colours(self.palette())
        palette = self._accent_line.palette()
        palette.setColor(palette.ColorRole.Window, shades.accent if active else shades.edge)
        self._accent_line.setPalette(palette)

    def show_state(self, *, maximised: bool, is_in_own_window: bool) -> None:
        action = ("restore", "Restore panes") if maximised else ("maximise", "Maximise pane")
        self.maximise_button.set_action(*action)
        self.maximise_button.setVisible(not is_in_own_window)
        back_action, window_action = ("back", "Back to the panes"), ("own-window", "Open in window")
        self.own_window_button.set_action(*(back_action if is_in_own_window else window_action))

    @Slot(QAction)
    def _choose(self, action: QAction) -> None:
        for entry in self.title.menu().actions():
            entry.setChecked(entry.data() == self.name)
        if action.data() != self.name:
            self.replacement_requested.emit(self.name, action.data())

    @Slot()
    def _request_options(self) -> None:
        self.activated.emit(self.name)
        self.options_requested.emit(self.view, self.more.mapToGlobal(QPoint(0, self.more.height())))

    @Slot()
    def _request_maximise(self) -> None:
        self.maximise_requested.emit(self.name)

    @Slot()
    def _request_own_window(self) -> None:
        self.own_window_requested.emit(self.name)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Pass the focus to the view, because the header does not accept the focus."""
        super().focusInEvent(event)
        self.view.setFocus(Qt.FocusReason.MouseFocusReason)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.header.geometry().contains(event.position().toPoint()):
            self._request_maximise()
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.activated.emit(self.name)
        self.menu_requested.emit(event.globalPos())
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_header()

    @Slot()
    def _fit_header(self) -> None:
        """Show the choices that fit beside the chip, which takes the remaining width."""
        buttons = (self.title, self.more, self.maximise_button, self.own_window_button)
        space = self.width() - sum(button.sizeHint().width() for button in buttons) - 20
        choices_width = self.view.header.fit(space - self.chip.brief_width)
        self.chip.setMaximumWidth(max(space - choices_width, self.chip.brief_width))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.set_active(self.active)


class OptionsPopup(ModelFollower):
    """A popup with the options of a view; an outside click or Esc closes it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAccessibleName("Options")
        self._view: PageView | None = None
        self.options_form = FormFields(label_width=_LABEL_WIDTH)
        self.exploration_form = FormFields(label_width=_LABEL_WIDTH)
        self._title = make_bold_label("")
        frame = QFrame(self, frameShape=QFrame.Shape.StyledPanel)
        parts = self._title, self.exploration_form, self.options_form
        self._column = lay_out_column(frame, *parts, margins=(10, 8, 6, 8))
        lay_out_column(self, frame)

    def list_connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [
            (model.changed, self._receive_change),
            (self.options_form.refused, model.refused),
            (self.exploration_form.refused, model.refused),
            (self.options_form.edited, self._set_option),
            (self.exploration_form.edited, self._set_field),
        ]

    @Slot(object, QPoint)
    def open_for(self, view: PageView, place: QPoint) -> None:
        """Show the options of a view, with the popup's top right corner at a point if possible."""
        if self._view is not None:
            self._view.status_changed.disconnect(self.synchronise)
        self._view = view
        view.status_changed.connect(self.synchronise)  # emitted when an option value is replaced
        self._title.setText(f"Options of {view.picture.title}")
        self.options_form.set_class(view.picture.Options)
        field_names = view.picture.shown_fields
        self.exploration_form.set_class(
            Exploration if field_names else Declared, field_names or None
        )
        self.exploration_form.setVisible(bool(field_names))
        self.synchronise()
        self.setFixedWidth(_POPUP_WIDTH)
        self._column.activate()  # the height depends on the view
        self.adjustSize()
        screen = view.screen().availableGeometry()
        top, top_above = place.y(), place.y() - _HEADER_HEIGHT - self.height()
        is_too_tall = self.height() > view.height() // 2
        if is_too_tall and top_above >= view.window().geometry().top():
            top = top_above
        top = min(top, screen.bottom() - self.height())
        self.move(max(screen.left(), place.x() - _POPUP_WIDTH), max(screen.top(), top))
        self.show()
        self.options_form.setFocus(Qt.FocusReason.PopupFocusReason)

    @Slot()
    def synchronise(self) -> None:
        view = self._view
        if view is None or self._model is None:
            return
        state = self.model.state
        options = view.picture(state).options
        for form, values in ((self.options_form, options), (self.exploration_form, state)):
            form.display({name: getattr(values, name) for name in form.names})
        reasons = {} if state.pins else {"show": "no encoding is pinned; pin one first (Ctrl+P)"}
        self.options_form.set_unavailable({**options.ineffective_parameters, **reasons})
        self.exploration_form.set_unavailable(reasons)
        substitute = view.substitute
        for form in (self.exploration_form, self.options_form):
            for name in form.names:
                editor = form.editor(name)
                if not isinstance(editor, ChoiceEditor):
                    continue
                if name == "show":
                    editor.combo.rename_items(make_subject_names(state))
                if substitute is not None and substitute.option == name:
                    editor.set_unavailable_words(substitute.unsuited_values, substitute.reason)
                    editor.display(substitute.replacement)
                elif form is self.options_form:
                    editor.set_unavailable_words(())

    @Slot(object, object)
    def _receive_change(self, old: Exploration, new: Exploration) -> None:
        if self.isVisible():
            self.synchronise()

    @Slot(str, object)
    def _set_option(self, name: str, value: object) -> None:
        view = self._view
        if view is not None and not self.model.set_options(view.picture.name, **{name: value}):
            self.synchronise()

    @Slot(str, object)
    def _set_field(self, name: str, value: object) -> None:
        if not self.model.set(**{name: value}):
            self.synchronise()

"""All options of a view, in a form that opens below a button of its pane."""

from typing import Any

from PySide6.QtCore import QPoint, Qt, Slot
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from pe_explorer.exploration import shown_names
from pe_explorer.model import Exploration, Model
from pe_explorer.panels.follower import Follower
from pe_explorer.params import Declared
from pe_explorer.pictures.figure import Substitute
from pe_explorer.views import PageView
from pe_explorer.widgets.editors import ChoiceEditor
from pe_explorer.widgets.fonts import set_bold
from pe_explorer.widgets.form import FormFields
from pe_explorer.widgets.layouts import column_in

_WIDTH = 330  # pixels
_HEADER_HEIGHT = 30  # pixels of a pane above its picture
_LABEL_WIDTH = 112  # pixels


class OptionsPopup(Follower):
    """Shows the options of one view at a time; a click elsewhere or Esc closes it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAccessibleName("Options")
        self._view: PageView | None = None
        self.options_form = FormFields(label_width=_LABEL_WIDTH)
        self.explored_form = FormFields(label_width=_LABEL_WIDTH)
        self._title = QLabel()
        set_bold(self._title)
        frame = QFrame(self)
        frame.setFrameShape(QFrame.Shape.StyledPanel)
        parts = self._title, self.explored_form, self.options_form
        self._inside = column_in(frame, *parts, margins=(10, 8, 6, 8))
        column_in(self, frame)
        self.options_form.edited.connect(self._set_option)
        self.explored_form.edited.connect(self._set_field)

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [
            (model.changed, self._receive_change),
            (self.options_form.refused, model.refused),
            (self.explored_form.refused, model.refused),
        ]

    def synchronise(self) -> None:
        self._display()

    @Slot(object, QPoint)
    def open_for(self, view: PageView, place: QPoint) -> None:
        """Show the options of a view, with the right end of the form below a point."""
        if self._view is not None:
            self._view.status_changed.disconnect(self._display)
        self._view = view
        view.status_changed.connect(self._display)  # it tells of a substitute
        self._title.setText(f"Options of {view.picture.title}")
        self.options_form.set_class(view.picture.Options)
        explored = view.picture.explored
        self.explored_form.set_class(Exploration if explored else Declared, explored or None)
        self.explored_form.setVisible(bool(explored))
        self._display()
        self.setFixedWidth(_WIDTH)
        self._inside.activate()  # another view needs another height
        self.adjustSize()
        screen = view.screen().availableGeometry()
        top, above = place.y(), place.y() - _HEADER_HEIGHT - self.height()
        would_hide_picture = self.height() > view.height() // 2
        if would_hide_picture and above >= view.window().geometry().top():
            top = above
        top = min(top, screen.bottom() - self.height())
        self.move(max(screen.left(), place.x() - _WIDTH), max(screen.top(), top))
        self.show()
        self.options_form.setFocus(Qt.FocusReason.PopupFocusReason)

    @Slot()
    def _display(self) -> None:
        view = self._view
        if view is None or self._model is None:
            return
        state = self.model.state
        options = view.options
        for form, values in ((self.options_form, options), (self.explored_form, state)):
            form.display({name: getattr(values, name) for name in form.names})
        unpinned = {} if state.pins else {"show": "no encoding is pinned"}
        self.options_form.withhold({**options.without_effect, **unpinned})
        self.explored_form.withhold(unpinned)
        self._show_substitute(view.substitute)
        for form in (self.explored_form, self.options_form):
            if "show" in form.names:
                editor = form.editor("show")
                assert isinstance(editor, ChoiceEditor)
                editor.combo.rename_all(shown_names(state))

    def _show_substitute(self, substitute: Substitute | None) -> None:
        for name in self.options_form.names:
            editor = self.options_form.editor(name)
            if not isinstance(editor, ChoiceEditor):
                continue
            if substitute is None or substitute.option != name:
                editor.withhold_words(())
            else:
                editor.withhold_words(substitute.unsuited, substitute.why)
                editor.display(substitute.shown)

    @Slot(object, object)
    def _receive_change(self, old: Exploration, new: Exploration) -> None:
        if self.isVisible():
            self._display()

    @Slot(str, object)
    def _set_option(self, name: str, value: object) -> None:
        view = self._view
        if view is None or self._model is None:
            return
        if not self.model.set_options(view.picture.name, **{name: value}):
            self._display()

    @Slot(str, object)
    def _set_field(self, name: str, value: object) -> None:
        if self._model is not None and not self.model.set(**{name: value}):
            self._display()

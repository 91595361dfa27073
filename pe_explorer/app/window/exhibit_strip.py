"""The strip above the panes while an exhibit is open: its place in the gallery or the lesson."""

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton

from pe_explorer.app.window.exhibit_walk import ExhibitWalk
from pe_explorer.app.window.lesson_walk import LessonWalk
from pe_explorer.widgets.fonts import embolden
from pe_explorer.widgets.icon_button import IconButton
from pe_explorer.widgets.keys import presses_button
from pe_explorer.widgets.labels import CutLabel

_HEIGHT = 32  # pixels
_BUTTON_SIDE = 24  # pixels
_NOT_DONE = "This step is not done yet: do what it asks, or skip it in the panel on the right (F8)."


class ExhibitStrip(QFrame):
    """Goes to the exhibits before and after the open one, or to the steps of a lesson."""

    gallery_asked = Signal()
    """The user goes to the gallery."""
    refused = Signal(str)
    """A sentence about a step that is not to be had yet."""

    def __init__(self, walk: ExhibitWalk, lesson_walk: LessonWalk) -> None:
        super().__init__()
        self._walk, self._lesson_walk = walk, lesson_walk
        self.setObjectName("exhibit_strip")
        self.setAccessibleName("Exhibit")
        self.setFixedHeight(_HEIGHT)
        self.back_button = _icon_button("back-one", "Previous")
        self.place = QLabel()
        self.on_button = _icon_button("on-one", "Next")
        self.title = CutLabel()
        embolden(self.title)
        self.restore_button = _button("Restore", "Sets the exhibit up again as it was.")
        self.all_button = _button("All exhibits", "Shows the gallery (Ctrl+G).")
        self.close_button = _icon_button("close", "Leave the exhibit")
        self._lay_out()
        self.back_button.clicked.connect(self.go_back)
        self.on_button.clicked.connect(self.go_on)
        self.restore_button.clicked.connect(walk.restore)
        self.all_button.clicked.connect(self.gallery_asked)
        self.close_button.clicked.connect(self._put_away)
        lesson_walk.changed.connect(self._show)  # which follows the walk through exhibits
        self.hide()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(6, 2, 4, 2)
        row.setSpacing(4)
        row.addWidget(self.back_button)
        row.addWidget(self.place)
        row.addWidget(self.on_button)
        row.addSpacing(6)
        row.addWidget(self.title, 1)
        row.addWidget(self.restore_button)
        row.addWidget(self.all_button)
        row.addWidget(self.close_button)

    # -- what the user does --------------------------------------------------------------------

    @Slot()
    def go_on(self) -> None:
        """Go to the next exhibit, or in a lesson to the next step once this one is done."""
        if self._lesson_walk.lesson is None:
            self._walk.go_on()
        elif self._lesson_walk.done:
            self._lesson_walk.go_on()
        else:
            self.refused.emit(_NOT_DONE)

    @Slot()
    def go_back(self) -> None:
        """Go to the exhibit before, or in a lesson to the step before."""
        if self._lesson_walk.lesson is None:
            self._walk.go_back()
        else:
            self._lesson_walk.go_back()

    @Slot()
    def _put_away(self) -> None:
        """Leave the lesson; where there is none, the exhibit."""
        if self._lesson_walk.lesson is None:
            self._walk.close()
        else:
            self._lesson_walk.leave()

    # -- what it shows -------------------------------------------------------------------------

    @Slot()
    def _show(self) -> None:
        exhibit = self._walk.exhibit
        self.setVisible(exhibit is not None)
        if exhibit is None:
            return
        for button in (self.back_button, self.on_button):  # of a lesson, they are beside its words
            button.setVisible(self._lesson_walk.lesson is None)
        if self._lesson_walk.lesson is None:
            number, every = self._walk.place
            self._show_place(f"{number}/{every}", exhibit.title)
            self._show_ways("exhibit", back=True, on=True)
        else:
            self._show_step()
        self.restore_button.setVisible(self._walk.touched)

    def _show_step(self) -> None:
        lesson, walk = self._lesson_walk.lesson, self._lesson_walk
        assert lesson is not None
        number = walk.number + 1
        self._show_place(f"Step {number}/{len(lesson.steps)}", f"Lesson: {lesson.title}")
        self._show_ways("step", back=number > 1, on=walk.done)

    def _show_place(self, place: str, title: str) -> None:
        self.place.setText(place)
        self.title.setText(title)
        self.title.setToolTip(title)

    def _show_ways(self, kind: str, *, back: bool, on: bool) -> None:
        """Show what the buttons do, and whether they can."""
        self.back_button.setEnabled(back)
        self.on_button.setEnabled(on)
        self.back_button.setToolTip(f"<p>Goes to the previous {kind} (Alt+PageUp).</p>")
        when = "" if on else " It opens when this step is done."
        self.on_button.setToolTip(f"<p>Goes to the next {kind} (Alt+PageDown).{when}</p>")
        self.back_button.setAccessibleName(f"Previous {kind}")
        self.on_button.setAccessibleName(f"Next {kind}")
        what = "lesson" if kind == "step" else "exhibit"
        stays = "the exhibit stays" if kind == "step" else "what is set up stays"
        self.close_button.setToolTip(f"<p>Leaves the {what}; {stays}.</p>")
        self.close_button.setAccessibleName(f"Leave the {what}")

    def event(self, event: QEvent) -> bool:
        return presses_button(event) or super().event(event)


def _icon_button(icon: str, name: str) -> QToolButton:
    button = IconButton(icon, name)
    button.setFixedSize(_BUTTON_SIDE, _BUTTON_SIDE)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def _button(text: str, help_text: str) -> QPushButton:
    button = QPushButton(text)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setToolTip(f"<p>{help_text}</p>")
    return button

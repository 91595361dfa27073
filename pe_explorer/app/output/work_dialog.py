"""A dialog that does long work: a form, progress while it is done, and a line for messages."""

from PySide6.QtCore import QMargins, QSize, Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QVBoxLayout,
    QWidget,
)

from pe_explorer.model import Model
from pe_explorer.model.steps import StepRunner, Steps
from pe_explorer.params import Choice, Parameter, ParameterError, reason
from pe_explorer.widgets.choice_fields import Combo
from pe_explorer.widgets.editors import ChoiceEditor
from pe_explorer.widgets.messages import without_icons
from pe_explorer.widgets.progress import ProgressBar

_FRAME_MARGINS = QMargins(8, 32, 8, 8)  # pixels, with a title


class WorkDialog(QDialog):
    """A form, a button that begins work in the worker, and a line for messages."""

    OWNER = "export"
    FAILURE = "The export failed"
    """The words before the reason of an unexpected error."""

    def __init__(self, parent: QWidget, model: Model, title: str, go: str, help_: str) -> None:
        """Make an empty form; `go` is the text of the button that begins, `help_` its tooltip."""
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(460)
        self._state = model.state
        self._runner = StepRunner(model.worker, self.OWNER, self)
        self._runner.done.connect(self._receive_end)
        self._runner.failed.connect(self._receive_error)
        self.form = QFormLayout()
        self.message = QLabel(wordWrap=True)
        self.message.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        self.message.setAccessibleName("Message")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        without_icons(self.buttons)
        self.go = self.buttons.addButton(go, QDialogButtonBox.ButtonRole.AcceptRole)
        self.go.setToolTip(help_)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.bar = ProgressBar()
        self._runner.progressed.connect(self.bar.show_share)

    def lay_out(self) -> None:
        """Lay out what the subclass has added to the form."""
        layout = QVBoxLayout(self)
        layout.addLayout(self.body(), 1)
        layout.addLayout(self.foot())

    def prefer_size(self, size: QSize) -> None:
        """Be so large, or as large as the screen has room for it and its frame."""
        room = self.screen().availableSize().shrunkBy(_FRAME_MARGINS)
        self.resize(size.boundedTo(room))

    def add_choice(self, title: str, parameter: Parameter, chosen: str) -> Combo:
        """Add a combo box for a declared choice to the form."""
        assert isinstance(parameter, Choice)
        combo = ChoiceEditor(title, parameter, self).combo
        combo.display(chosen)
        combo.fit()
        combo.currentIndexChanged.connect(self.clear_message)
        self.form.addRow(title, combo)
        return combo

    def add_row(self, title: str, row: QHBoxLayout, buddy: QWidget) -> None:
        """Add several widgets to the form as one row; the key in its title focuses `buddy`."""
        label = QLabel(title)
        label.setBuddy(buddy)
        self.form.addRow(label, row)

    @Slot()
    def clear_message(self) -> None:
        """Remove an older message, unless work is under way."""
        if not self._runner.busy:
            self.message.setText(self.note)

    # -- what the subclass defines ---------------------------------------------------------------

    @property
    def note(self) -> str:
        """The message on the present choice, shown where there is no other."""
        return ""

    def body(self) -> QLayout:
        """Return what stands above the line for messages."""
        return self.form

    def foot(self) -> QLayout:
        """Return the progress, the line for messages and the buttons."""
        column = QVBoxLayout()
        column.addWidget(self.bar)
        column.addWidget(self.message)
        column.addWidget(self.buttons)
        return column

    def check(self) -> None:
        """Read typed texts; raise `ParameterError` if one cannot be used."""
        raise NotImplementedError

    def go_on(self) -> None:
        """Begin, or ask first; raise `ParameterError` if that is not possible."""
        raise NotImplementedError

    # -- doing it --------------------------------------------------------------------------------

    def accept(self) -> None:
        """Check the choice, and begin the work."""
        if self._runner.busy:
            return
        self.clear_message()
        try:
            self.check()
            self.go_on()
        except ParameterError as error:
            self.message.setText(error.sentence)

    def begin(self, steps: Steps[None]) -> None:
        """Do the work; the dialog closes when it is done."""
        self.go.setEnabled(False)
        self.message.setText("")
        self.bar.begin()
        self._runner.run(steps)

    def show_progress(self, sentence: str) -> None:
        """Show the work under way."""
        self.bar.begin()
        self.message.setText(sentence)
        self.message.repaint()  # now, as drawing may keep the window busy

    @Slot(object)
    def _receive_end(self, answer: object) -> None:
        super().accept()

    @Slot(object)
    def _receive_error(self, error: Exception) -> None:
        """Show why nothing is done; it can be tried again."""
        self.go.setEnabled(True)
        self.bar.end()
        self.message.setText(self._sentence(error))

    def _sentence(self, error: Exception) -> str:
        if isinstance(error, ParameterError):
            return error.sentence
        return f"{self.FAILURE}: {reason(error)}."

    def done(self, result: int) -> None:
        self._runner.cancel()
        super().done(result)

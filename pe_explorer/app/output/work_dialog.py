"""Base classes of the dialogs that export or print."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from pe_explorer.exploration import ResolvedState
from pe_explorer.files.atomic import OutputError, resolve_target
from pe_explorer.files.session import reject_table_paths
from pe_explorer.model import Model
from pe_explorer.model.steps import StepRunner, Steps
from pe_explorer.params import Choice, Parameter, ParameterError, reason
from pe_explorer.widgets.choice_fields import Combo
from pe_explorer.widgets.dialogs import Button, FileChooser, ask_to_replace, remove_icons
from pe_explorer.widgets.editors import ChoiceEditor
from pe_explorer.widgets.progress import ProgressBar


class DialogContext(NamedTuple):
    """The context of a dialog: its window, model and document."""

    window: QWidget  # the parent window
    model: Model
    view: str  # the name of the initially selected view
    state: ResolvedState
    folder: str  # the initial folder of the file
    extra: Mapping[str, Any]  # unknown fields of the opened session, which are also written


class WorkDialog(QDialog):
    """A form with a button that starts work in the worker, and a line for messages."""

    TASK_OWNER = "export"
    FAILURE_TITLE = "The export failed"  # title of messages about unexpected errors

    def __init__(self, context: DialogContext, title: str, verb: str, help_text: str) -> None:
        """Create an empty form; `verb` is the text of the start button, `help_text` its tooltip."""
        super().__init__(context.window)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(460)
        self._state, self._extra_fields = context.state, context.extra
        self._runner = StepRunner(context.model.worker, self.TASK_OWNER, self)
        self._runner.done.connect(self._receive_result)
        self._runner.failed.connect(self._receive_error)
        self.form = QFormLayout()
        self.message = QLabel(wordWrap=True)
        self.message.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        self.message.setAccessibleName("Message")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        remove_icons(self.buttons)
        self.start_button = self.buttons.addButton(verb, QDialogButtonBox.ButtonRole.AcceptRole)
        self.start_button.setToolTip(help_text)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.bar = ProgressBar()
        self._runner.progressed.connect(self.bar.show_share)

    def lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.addLayout(self.form, 1)
        for widget in (self.bar, self.message, self.buttons):
            layout.addWidget(widget)

    def add_choice(self, title: str, parameter: Parameter, value: str = "") -> Combo:
        assert isinstance(parameter, Choice)
        combo = ChoiceEditor(title, parameter, self).combo
        combo.display(value or parameter.default)
        combo.fit()
        combo.currentIndexChanged.connect(self.clear_message)
        self.form.addRow(title, combo)
        return combo

    def add_row(self, title: str, row: QHBoxLayout, buddy: QWidget) -> None:
        """Add several widgets to the form as one row; the mnemonic of its title focuses `buddy`."""
        label = QLabel(title)
        label.setBuddy(buddy)
        self.form.addRow(label, row)

    @Slot()
    def clear_message(self) -> None:
        """Replace the message with the note, unless work is in progress."""
        if not self._runner.is_busy:
            self.message.setText(self.note)

    @property
    def note(self) -> str:
        """The message about the current choice, displayed if there is no other message."""
        return ""

    def check(self) -> None:
        """Read the typed values; raise `ParameterError` if a value is invalid."""
        raise NotImplementedError

    def proceed(self) -> None:
        """Begin the work, or first ask the user; raise `ParameterError` if work cannot begin."""
        raise NotImplementedError

    def accept(self) -> None:
        if self._runner.is_busy:
            return
        self.clear_message()
        try:
            self.check()
            self.proceed()
        except ParameterError as error:
            self.message.setText(error.sentence)

    def begin(self, steps: Steps[None]) -> None:
        """Start the work; the dialog closes when the work is done."""
        self.start_button.setEnabled(False)
        self.message.setText("")
        self.bar.begin()
        self._runner.run(steps)

    def show_progress(self, sentence: str) -> None:
        self.bar.begin()
        self.message.setText(sentence)
        self.message.repaint()  # repaint now, because drawing may block the window

    @Slot(object)
    def _receive_result(self, result: object) -> None:
        super().accept()

    @Slot(object)
    def _receive_error(self, error: Exception) -> None:
        self.start_button.setEnabled(True)
        self.bar.end()
        sentence = f"{self.FAILURE_TITLE}: {reason(error)}."
        self.message.setText(error.sentence if isinstance(error, ParameterError) else sentence)

    def done(self, result: int) -> None:
        self._runner.cancel()
        super().done(result)


class FileDialog(WorkDialog):
    """A form with a file name, and a button that writes the file in the worker."""

    FILE_KIND = "picture"  # kind of file; the last folder is remembered for each kind

    written = Signal(str, str)  # emitted with the kind and path of a written file

    def __init__(self, context: DialogContext, title: str, suffixes: Mapping[str, str]) -> None:
        super().__init__(context, title, "Export", "Write the file.")
        self._suffixes = suffixes
        self._folder = context.folder
        self._confirmed_target: Path | None = None  # file that the user has agreed to replace
        self.target = QLineEdit()
        self.target.setAccessibleName("File")
        self.target.setToolTip(f"The file to write. Its name must end in {' or '.join(suffixes)}.")
        self._browse_button = QPushButton("Choose…", autoDefault=False)
        self._browse_button.setToolTip("Choose the folder and the name of the file.")
        self._browse_button.clicked.connect(self._browse)

    def finish(self, names: Combo) -> None:
        """Complete the form of the subclass; `names` contains the default file names."""
        copy_button = self.buttons.addButton(
            "&Copy command", QDialogButtonBox.ButtonRole.ActionRole
        )
        copy_button.setToolTip("Copy the pe-explorer command that writes this file.")
        copy_button.setAutoDefault(False)
        copy_button.clicked.connect(self._copy_command)
        row = QHBoxLayout()
        row.addWidget(self.target, 1)
        row.addWidget(self._browse_button)
        self.add_row("&File", row, self.target)
        self.lay_out()
        self._names = [names.itemData(row) for row in range(names.count())]
        ending = next(iter(self._suffixes))
        self.target.setText(str(Path(self._folder, f"{names.currentData()}{ending}")))
        names.currentTextChanged.connect(self._rename)
        self.target.textChanged.connect(self.clear_message)

    def work(self, target: Path) -> Steps[None]:
        """Write the file, and yield long tasks; raise `ParameterError` on failure."""
        raise NotImplementedError

    def command(self, target: Path) -> str:
        raise NotImplementedError

    @Slot()
    def _browse(self) -> None:
        file_filters = [f"{kind} (*{suffix})" for suffix, kind in self._suffixes.items()]
        target = self.target.text()
        chooser = FileChooser(self, self.windowTitle(), ";;".join(file_filters), target)
        chooser.propose(target, next(iter(self._suffixes)))
        chooser.fileSelected.connect(self._choose)
        chooser.open()

    @Slot(str)
    def _choose(self, name: str) -> None:
        self.target.setText(name)
        self._confirmed_target = Path(name)  # the file chooser asks before it replaces a file

    @Slot(str)
    def _rename(self, name: str) -> None:
        path = Path(self.target.text())
        if path.stem in self._names:
            self.target.setText(str(path.with_stem(name)))

    def _read_target(self) -> Path:
        """Return the path of the file; raise `ParameterError` if it cannot be written."""
        endings, text = " or ".join(self._suffixes), self.target.text()
        if not text.strip():
            remedy = f"type a name that ends in {endings}"
            raise ParameterError("output", "the name is empty", remedy)
        try:
            target = Path(text).expanduser()
        except RuntimeError:
            problem = "the home folder does not exist"
            raise OutputError(text, problem, "type the full path") from None
        if target.suffix.lower() not in self._suffixes:
            raise OutputError(target, f"the name must end in {endings}")
        reject_table_paths(target, self._state)
        resolve_target(target)
        return target

    @Slot()
    def _copy_command(self) -> None:
        try:
            self.check()
            QApplication.clipboard().setText(self.command(self._read_target()))
        except ParameterError as error:
            self.message.setText(error.sentence)
        else:
            self.message.setText("Command copied.")

    def proceed(self) -> None:
        self._target = self._read_target()
        if self._target.is_file() and self._target != self._confirmed_target:
            ask_to_replace(self, self._target, self._receive_button)
        else:
            self.begin(self.work(self._target))

    @Slot(int)
    def _receive_button(self, button: int) -> None:
        if button == Button.Save:
            self._confirmed_target = self._target
            self.accept()

    @Slot(object)
    def _receive_result(self, result: object) -> None:
        self.written.emit(self.FILE_KIND, str(self._target))
        super()._receive_result(result)

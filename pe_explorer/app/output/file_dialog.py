"""A dialog that writes a file: a form, the file's name, and progress while it is written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from pe_explorer.files.atomic import OutputError, require_space
from pe_explorer.files.sources import refuse_sources
from pe_explorer.model import Model
from pe_explorer.model.chain import Chain, Steps
from pe_explorer.params import Choice, Parameter, ParameterError, reason
from pe_explorer.widgets.editors import ChoiceEditor
from pe_explorer.widgets.fields import Combo
from pe_explorer.widgets.file_chooser import FileChooser
from pe_explorer.widgets.messages import Button, ask_to_replace
from pe_explorer.widgets.progress import ProgressBar

__all__ = ["FileDialog"]


class FileDialog(QDialog):
    """A form, a file to choose, a button that writes it in the worker, and a line for messages."""

    OWNER = "export"

    written = Signal(str)
    """The path of the file, once it is written."""

    def __init__(
        self,
        parent: QWidget,
        model: Model,
        title: str,
        suffixes: Mapping[str, str],
        folder: str = "",
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(460)
        self._model = model
        self._state = model.state
        self._suffixes = suffixes
        self._folder = Path(folder) if folder else Path.home()
        self._names: tuple[str, ...] = ()
        self._confirmed: Path | None = None
        self._chooser: FileChooser | None = None
        self._chain = Chain(model.worker, self.OWNER, self)
        self._chain.done.connect(self._receive_end)
        self._chain.failed.connect(self._receive_error)
        self.form = QFormLayout()
        self.target = QLineEdit()
        self.target.setAccessibleName("File")
        self.target.setToolTip(f"The file to write; its name ends in {' or '.join(suffixes)}.")
        browse = QPushButton("Choose…")
        browse.setToolTip("Choose a folder and a name.")
        browse.setAutoDefault(False)
        browse.clicked.connect(self._browse)
        self._row = QHBoxLayout()
        self._row.addWidget(self.target, 1)
        self._row.addWidget(browse)
        self.message = QLabel(wordWrap=True)
        self.message.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        self.message.setAccessibleName("Message")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.go = self.buttons.addButton("Export", QDialogButtonBox.ButtonRole.AcceptRole)
        self.go.setToolTip("Write the file.")
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.bar = ProgressBar()
        self._chain.progressed.connect(self.bar.show_share)

    def finish(self, what: Combo) -> None:
        """Lay out what the subclass has added to the form; the file is named after `what`."""
        self.add_row("&File", self._row, self.target)
        layout = QVBoxLayout(self)
        layout.addLayout(self.body(), 1)
        layout.addWidget(self.bar)
        layout.addWidget(self.message)
        layout.addWidget(self.buttons)
        self._names = tuple(what.itemData(row) for row in range(what.count()))
        ending = next(iter(self._suffixes))
        self.target.setText(str(self._folder / f"{what.currentData()}{ending}"))
        what.currentTextChanged.connect(self._rename)

    def add_choice(self, title: str, parameter: Parameter, chosen: str) -> Combo:
        """Add a combo box for a declared choice to the form."""
        assert isinstance(parameter, Choice)
        combo = ChoiceEditor(title, parameter, self).combo
        combo.display(chosen)
        combo.fit()
        self.form.addRow(title, combo)
        return combo

    def add_row(self, title: str, row: QHBoxLayout, buddy: QWidget) -> None:
        """Add several widgets to the form as one row; the key in its title focuses `buddy`."""
        label = QLabel(title)
        label.setBuddy(buddy)
        self.form.addRow(label, row)

    # -- what the subclass defines ---------------------------------------------------------------

    def body(self) -> QLayout:
        """Return what stands above the line for messages."""
        return self.form

    def check(self) -> None:
        """Read what was typed; raise `ParameterError` if it cannot be used."""
        raise NotImplementedError

    def work(self, target: Path) -> Steps[None]:
        """Write the file: yield long tasks for the worker; raise `ParameterError` on failure."""
        raise NotImplementedError

    # -- the file --------------------------------------------------------------------------------

    @Slot()
    def _browse(self) -> None:
        kinds = [f"{kind} (*{suffix})" for suffix, kind in self._suffixes.items()]
        target = self.target.text()
        chooser = FileChooser(self, self.windowTitle(), ";;".join(kinds), target)
        self._chooser = chooser
        chooser.propose(target, next(iter(self._suffixes)))
        chooser.fileSelected.connect(self._choose)
        chooser.open()

    @Slot(str)
    def _choose(self, name: str) -> None:
        self.target.setText(name)
        self._confirmed = Path(name)  # the chooser asks before it replaces a file

    @Slot(str)
    def _rename(self, what: str) -> None:
        path = Path(self.target.text())
        if path.stem in self._names:
            self.target.setText(str(path.with_stem(what)))

    def _checked_target(self) -> Path:
        """Return the file that is named; raise `ParameterError` if it cannot be written."""
        endings = " or ".join(self._suffixes)
        target = _path(self.target.text(), endings)
        if target.suffix.lower() not in self._suffixes:
            raise OutputError(target, f"the name must end in {endings}")
        refuse_sources(target, self._state)
        require_space(target, 0)
        return target

    # -- doing it --------------------------------------------------------------------------------

    def accept(self) -> None:
        """Check everything, ask before a file is replaced, and begin."""
        if self._chain.busy:
            return
        try:
            self.check()
            target = self._checked_target()
        except ParameterError as error:
            self.message.setText(error.sentence)
            return
        if target.is_file() and target != self._confirmed:
            self._ask(target)
        else:
            self._begin(target)

    def _ask(self, target: Path) -> None:
        self._to_confirm = target
        ask_to_replace(self, target, self._receive_button)

    @Slot(int)
    def _receive_button(self, button: int) -> None:
        if button == Button.Save:
            self._confirmed = self._to_confirm
            self.accept()

    def _begin(self, target: Path) -> None:
        self._target = target
        self.go.setEnabled(False)
        self.message.setText("")
        self.bar.begin()
        self._chain.start(self.work(target))

    def show_progress(self, sentence: str) -> None:
        """Show what is being done."""
        self.bar.begin()
        self.message.setText(sentence)
        self.message.repaint()  # now, as drawing may keep the window busy

    @Slot(object)
    def _receive_end(self, answer: object) -> None:
        self.written.emit(str(self._target))
        super().accept()

    @Slot(object)
    def _receive_error(self, error: Exception) -> None:
        """Show why nothing is written; it can be tried again."""
        self.go.setEnabled(True)
        self.bar.end()
        self.message.setText(_sentence(error))

    def done(self, result: int) -> None:
        self._chain.cancel()
        super().done(result)


def _path(text: str, endings: str) -> Path:
    """Return the path that a text names, or raise `ParameterError`."""
    if not text.strip():
        raise ParameterError(
            "output", f"no file is named; type a name, which must end in {endings}"
        )
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise OutputError(text, "there is no such home folder; type the whole path") from None


def _sentence(error: Exception) -> str:
    if isinstance(error, ParameterError):
        return error.sentence
    return f"The export failed: {reason(error)}."

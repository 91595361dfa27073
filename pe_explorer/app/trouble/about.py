"""About the program: version, licences, where the log is, and a text of diagnostics to send by
hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QStandardPaths, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
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

from pe_explorer import __version__
from pe_explorer.app.application import Application
from pe_explorer.app.trouble.log import CRASHES, tail, versions
from pe_explorer.app.trouble.trouble import Trouble
from pe_explorer.exploration import Exploration
from pe_explorer.files import session

__all__ = ["AboutDialog", "diagnostics", "show_about"]

_WHAT = (
    "An instrument for the positional encodings of transformers: to see them, to measure them and "
    "to take them along."
)
_LICENCES = (
    ("PE Explorer", "MIT licence"),
    ("Qt for Python", "LGPL v3"),
    ("Colour maps", "Peter Kovesi (CC BY 4.0), matplotlib (CC0)"),
    ("Font", "DejaVu Sans, in its own free licence"),
)
_NOT_LOGGED = "No log is written, because the program was started without one."


def show_about(
    parent: QWidget, state: Exploration, places: Mapping[str, Path | str]
) -> AboutDialog:
    """Open About for what is set up; `places` are paths to tell in the diagnostics, such as that of
    the settings.
    """
    trouble = QApplication.instance().findChild(Trouble)  # type: ignore[union-attr]
    log = trouble.log.place if isinstance(trouble, Trouble) else _NOT_LOGGED
    own = {"state": QStandardPaths.writableLocation(QStandardPaths.StandardLocation.StateLocation)}
    dialog = AboutDialog(parent, diagnostics(state, {**own, **places}, log), log)
    dialog.open()
    return dialog


def diagnostics(state: Exploration, places: Mapping[str, Path | str], log: Path | str) -> str:
    """Return a plain text on the program, the machine's screens, what is set up, and the end of the
    log.

    Parameters
    ----------
    state : Exploration
        What is set up.
    places : mapping of str to Path or str
        Paths to tell, by what lies there.
    log : Path or str
        The log, or a sentence that says why there is none.
    """
    parts = {
        "Versions": _lines(versions()),
        "Screens": "\n".join(_screens()),
        "Look": _lines(_look()),
        "Places": _lines({**places, "log": log}),
        "What is set up": session.shared(state).rstrip(),
        "End of the log": tail(log) if isinstance(log, Path) else log,
    }
    if isinstance(log, Path) and "fatal" in (crashes := tail(log.with_name(CRASHES))).lower():
        parts["Hard crashes"] = crashes
    return (
        "\n\n".join(f"{title}\n{'-' * len(title)}\n{text}" for title, text in parts.items()) + "\n"
    )


def _lines(values: Mapping[str, object]) -> str:
    return "\n".join(f"{name}: {value}" for name, value in values.items())


def _screens() -> list[str]:
    return [
        f"{screen.size().width()} × {screen.size().height()}, device pixel ratio "
        f"{screen.devicePixelRatio():g}, "
        f"{screen.logicalDotsPerInch():g} dots per inch, {screen.refreshRate():g} Hz"
        for screen in QGuiApplication.screens()
    ]


def _look() -> dict[str, str]:
    app = QApplication.instance()
    return {
        "style": QApplication.style().objectName(),
        "theme": app.theme if isinstance(app, Application) else "none",
        "scheme of the system": QGuiApplication.styleHints().colorScheme().name,
        "font": QApplication.font().toString(),
    }


class AboutDialog(QDialog):
    """Tells what the program is, of what it is made and where its log is."""

    def __init__(self, parent: QWidget | None, text: str, log: Path | str) -> None:
        """Make it; `text` are the diagnostics, `log` is the log's file or a sentence that says why
        there is none.
        """
        super().__init__(parent)
        self.setWindowTitle("About PE Explorer")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._text, self._log = text, log
        name = QLabel(f"PE Explorer {__version__}")
        large = name.font()
        large.setPointSizeF(1.7 * large.pointSizeF())
        name.setFont(large)
        self.message = QLabel(wordWrap=True)
        self.message.setMinimumHeight(
            2 * self.fontMetrics().lineSpacing()
        )  # so that nothing moves when it says something
        self.message.setAccessibleName("Message")
        form = QFormLayout(horizontalSpacing=18, verticalSpacing=4)
        _add_rows(form, "Licences", _LICENCES)
        _add_rows(form, "Versions", tuple(versions().items())[1:])
        _add_heading(form, "Log")
        form.addRow(self._log_row())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 14)
        layout.setSpacing(12)
        layout.addWidget(name)
        layout.addWidget(QLabel(_WHAT, wordWrap=True))
        layout.addLayout(form)
        layout.addWidget(self.message)
        layout.addStretch(1)
        buttons = self._buttons()
        layout.addWidget(buttons)
        buttons.button(QDialogButtonBox.StandardButton.Close).setFocus()
        self.setMinimumWidth(580)

    def _log_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self.place: QLineEdit | QLabel
        if isinstance(self._log, Path):
            self.place = QLineEdit(str(self._log), readOnly=True)  # however long the path is
            self.place.setCursorPosition(0)
            self.folder = QPushButton("Show &folder", autoDefault=False)
            self.folder.setToolTip("Open the folder of the log.")
            self.folder.clicked.connect(self._show_folder)
            row.addWidget(self.place, 1)
            row.addWidget(self.folder)
        else:
            self.place = _text(self._log)
            row.addWidget(self.place)
        self.place.setAccessibleName("Log")
        return row

    def _buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy = buttons.addButton("Copy &diagnostics", QDialogButtonBox.ButtonRole.ActionRole)
        self.copy.setToolTip(
            "Copy versions, screens, places, what is set up and the end of the log. Nothing is "
            "sent anywhere."
        )
        self.copy.setAutoDefault(False)
        self.copy.clicked.connect(self._copy)
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)
        buttons.rejected.connect(self.reject)
        return buttons

    @Slot()
    def _copy(self) -> None:
        QApplication.clipboard().setText(self._text)
        self.message.setText(
            "The diagnostics are copied. They hold paths of your folders and what is set up; "
            "read them before you send them."
        )

    @Slot()
    def _show_folder(self) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(Path(self._log).parent))):
            self.message.setText("No program here shows folders; copy the path above instead.")


def _text(text: str) -> QLabel:
    """Return a label whose text can be selected, as a whole of several lines."""
    label = QLabel(text, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse
        | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    return label


def _add_heading(form: QFormLayout, title: str) -> None:
    label = QLabel(title)
    bold = label.font()
    bold.setBold(True)
    label.setFont(bold)
    label.setContentsMargins(0, 8, 0, 0)
    form.addRow(label)


def _add_rows(form: QFormLayout, title: str, rows: tuple[tuple[str, str], ...]) -> None:
    _add_heading(form, title)
    for name, text in rows:
        form.addRow(QLabel(name, alignment=Qt.AlignmentFlag.AlignTop), _text(text))

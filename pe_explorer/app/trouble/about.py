"""About the program: its version, licences and log, and diagnostics to send by hand."""

from __future__ import annotations

import sys
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
from pe_explorer.widgets.fonts import embolden, scaled_font
from pe_explorer.widgets.messages import without_icons

_SUMMARY = (
    "An instrument for the positional encodings of transformers: see them, measure them, compare "
    "them and export them."
)
_LICENCES = {
    "PE Explorer": "MIT licence",
    "Qt for Python": "LGPL v3",
    "Colour maps": "Peter Kovesi (CC BY 4.0), matplotlib (CC0)",
    "Font": "DejaVu Sans, under its own free licence",
}
CITATION = (
    "The PE Explorer developers (2026). PE Explorer: an instrument for the positional encodings "
    f"of transformers (version {__version__}) [Computer software]."
)
"""How to cite the program; CITATION.cff says the same to other programs."""

_WIDTH = 580  # pixels


def show_about(
    parent: QWidget, state: Exploration, places: Mapping[str, Path | str]
) -> AboutDialog:
    """Open About; `places` are paths for the diagnostics, such as that of the settings."""
    log: Path | str = "No log is written, because the program was started without one."
    if trouble := QApplication.instance().findChild(Trouble):  # type: ignore[union-attr]
        log = trouble.log.place
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.StateLocation)
    dialog = AboutDialog(parent, diagnostics(state, {"state": folder, **places}, log), log)
    dialog.open()
    return dialog


def diagnostics(state: Exploration, places: Mapping[str, Path | str], log: Path | str) -> str:
    """Return a plain text on the program, the screens, the exploration, and the end of the log.

    `places` are paths to mention, `log` is the log or a sentence that says why there is none.
    """
    app = QApplication.instance()
    appearance = {
        "style": QApplication.style().objectName(),
        "theme": app.theme if isinstance(app, Application) else "none",
        "scheme of the system": QGuiApplication.styleHints().colorScheme().name,
        "font": QApplication.font().toString(),
    }
    screens = []
    for screen in QGuiApplication.screens():
        size = screen.size()
        screens.append(
            f"{size.width()} × {size.height()}, device pixel ratio {screen.devicePixelRatio():g}, "
            f"{screen.logicalDotsPerInch():g} dots per inch, {screen.refreshRate():g} Hz"
        )
    parts: dict[str, Mapping[str, object] | str] = {
        "Versions": versions(),
        "Screens": "\n".join(screens),
        "Appearance": appearance,
        "Paths": {**places, "log": log},
        "Exploration": session.shared(state).rstrip(),
        "End of the log": log if isinstance(log, str) else tail(log),
    }
    crashes = "" if isinstance(log, str) else tail(log.with_name(CRASHES))
    if "fatal" in crashes.lower():
        parts["Crashes"] = crashes
    sections = []
    for title, part in parts.items():
        if not isinstance(part, str):
            part = "\n".join(f"{name}: {value}" for name, value in part.items())
        sections.append(f"{title}\n{'-' * len(title)}\n{part}\n")
    return "\n".join(sections)


class AboutDialog(QDialog):
    """Shows what the program is, what it is made of and where its log is."""

    def __init__(self, parent: QWidget | None, text: str, log: Path | str) -> None:
        """Show `log`, a file or a sentence that says why there is none; `text` can be copied."""
        super().__init__(parent)
        self.setWindowTitle("About PE Explorer")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._text, self._log = text, log
        name = QLabel(f"PE Explorer {__version__}")
        name.setFont(scaled_font(1.7))
        self.message = QLabel(wordWrap=True)
        # Room for two lines, so that nothing moves when a message is shown.
        self.message.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        self.message.setAccessibleName("Message")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        without_icons(buttons)
        self.copy = buttons.addButton("Copy &diagnostics", QDialogButtonBox.ButtonRole.ActionRole)
        self.copy.setToolTip(
            "Copy versions, screens, paths, your exploration and the end of the log. Nothing is "
            "sent anywhere."
        )
        self.copy.setAutoDefault(False)
        self.copy.clicked.connect(self._copy)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.setContentsMargins(20, 18, 20, 14)
        layout.addWidget(name)
        layout.addWidget(QLabel(_SUMMARY, wordWrap=True))
        layout.addLayout(self._form())
        layout.addWidget(self.message)
        layout.addStretch(1)
        layout.addWidget(buttons)
        close = buttons.button(QDialogButtonBox.StandardButton.Close)
        close.setDefault(True)
        close.setFocus()
        self.setMinimumWidth(_WIDTH)
        # Qt would give it at most two thirds of the screen's height, and cut what it says.
        self.resize(_WIDTH, layout.totalHeightForWidth(_WIDTH))

    def _form(self) -> QFormLayout:
        """Return the facts under their headings."""
        licences, built_on = dict(_LICENCES), versions()
        if getattr(sys, "frozen", False):
            licences["All of them"] = "in the folder licences beside the program"
        del built_on["PE Explorer"]
        groups = {"Licences": licences, "Citation": {"Cite as": CITATION}, "Versions": built_on}
        form = QFormLayout(horizontalSpacing=18, verticalSpacing=4)
        for title, facts in {**groups, "Log": {}}.items():
            heading = QLabel(title)
            embolden(heading)
            heading.setContentsMargins(0, 8, 0, 0)
            form.addRow(heading)
            for name, text in facts.items():
                value = _selectable(text)
                value.setAccessibleName(f"{name}: {text}")
                form.addRow(QLabel(name, alignment=Qt.AlignmentFlag.AlignTop), value)
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
            self.place = _selectable(self._log)
            row.addWidget(self.place)
        self.place.setAccessibleName("Log")
        form.addRow(row)
        return form

    @Slot()
    def _copy(self) -> None:
        QApplication.clipboard().setText(self._text)
        self.message.setText(
            "The diagnostics were copied. They contain paths of your folders and your "
            "exploration; read them before you send them to anyone."
        )

    @Slot()
    def _show_folder(self) -> None:
        folder = Path(self._log).parent
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
            self.message.setText("No program here shows folders; copy the path above instead.")


def _selectable(text: str) -> QLabel:
    """Return a label whose text can be selected, also across lines."""
    label = QLabel(text, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
    by = Qt.TextInteractionFlag
    label.setTextInteractionFlags(by.TextSelectableByMouse | by.TextSelectableByKeyboard)
    return label

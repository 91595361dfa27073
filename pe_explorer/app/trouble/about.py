"""The About dialog: version, licences, location of the log, and diagnostics to copy."""

import sys
from collections.abc import Mapping
from html import escape
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from pe_explorer import __version__
from pe_explorer.app.application import TITLE, Application
from pe_explorer.app.trouble.trouble import ErrorHandler, ReportDialog, list_versions
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from pe_explorer.params import reason

CITATION = (
    "The PE Explorer developers (2026). PE Explorer: positional encodings of transformers "
    f"(version {__version__}) [Computer software]."
)  # how to cite the program, as in CITATION.cff

_ABOUT_TEXT = f"""
<h2>PE Explorer {__version__}</h2>
<p>A desktop program that explores the positional encodings of transformers: it shows, measures,
compares and exports them. It is unrelated to the Windows tool of the same name.</p>
<p><b>Licences</b>
<br>PE Explorer: MIT licence
<br>Qt for Python: LGPL v3
<br>Colour maps: Peter Kovesi (CC BY 4.0), matplotlib (CC0)
<br>Font: DejaVu Sans, under its own free licence
{{}}</p>
<p><b>Cite as</b><br>{CITATION}</p>
<p><b>Versions</b><br>{{}}</p>
<p><b>Log</b><br>{{}}</p>
<p>The diagnostics contain software versions, screen sizes, folder paths, your exploration and the
last lines of the log. PE Explorer does not send them anywhere. Read them before you share them.</p>
"""
_LICENCES_TEXT = "<br>The texts of the licences are in the folder “licences” next to the program."
_WIDTH = 580  # pixels


def show_about(parent: QWidget, state: Exploration, paths: Mapping[str, Path]) -> ReportDialog:
    """Open the About dialog; the diagnostics list `paths`, such as the path of the settings."""
    app = QApplication.instance()
    trouble = app.findChild(ErrorHandler)  # type: ignore[union-attr]
    log = trouble.log.location if trouble else "PE Explorer was started without a log."
    location = escape(str(log))
    if isinstance(log, Path):
        location += f'<br><a href="{log.parent.as_uri()}">Show folder</a>'
    licences = _LICENCES_TEXT if getattr(sys, "frozen", False) else ""
    text = _ABOUT_TEXT.format(
        licences, "<br>".join(map(": ".join, list_versions().items())), location
    )
    screens = [
        f"{screen.size().width()} × {screen.size().height()}, device pixel ratio "
        f"{screen.devicePixelRatio():g}, {screen.logicalDotsPerInch():g} dots per inch"
        for screen in QGuiApplication.screens()
    ]
    facts = {
        **list_versions(),
        "Screens": "; ".join(screens),
        "Style": QApplication.style().objectName(),
        "Theme": app.theme if isinstance(app, Application) else "none",
        "System colour scheme": QGuiApplication.styleHints().colorScheme().name,
        "Font": QApplication.font().toString(),
        **paths,
        "Log": log,
    }
    lines = [f"{name}: {value}" for name, value in facts.items()]
    lines += ["", "Exploration", session.dumps_for_sharing(state), "Last lines of the log"]
    try:
        end = log.read_text("utf-8", "replace")[-65_536:] if isinstance(log, Path) else log
    except OSError as error:
        end = f"{log} cannot be read ({reason(error)})."
    report = "\n".join(lines + end.splitlines()[-100:])
    dialog = ReportDialog(parent, f"About {TITLE}", text, "diagnostics", report)
    flag = Qt.TextInteractionFlag
    dialog.text.setTextInteractionFlags(flag.TextBrowserInteraction | flag.TextSelectableByKeyboard)
    dialog.text.setOpenExternalLinks(True)
    dialog.report.hide()
    # By default, Qt limits the dialog to two thirds of the screen's height and clips the text.
    dialog.resize(_WIDTH, dialog.heightForWidth(_WIDTH))
    dialog.open()
    return dialog

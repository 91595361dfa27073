"""About: what it tells, and what it copies."""

import importlib.metadata
import platform
import re
import sys

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from pe_explorer import __version__, encodings
from pe_explorer.app.trouble.about import CITATION, show_about
from pe_explorer.app.trouble.trouble import ErrorHandler
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from tests.app.windows import click_on
from tests.support.processes import ROOT


def report_on(window, state, places):
    """Return the diagnostics that About copies: facts, the exploration and the end of the log."""
    dialog = show_about(window, state, places)
    click_on(window, dialog.copy_button)
    assert "opied" in dialog.copy_button.text()
    dialog.close()
    facts, _, rest = QApplication.clipboard().text().partition("\n\nExploration\n")
    exploration, _, end = rest.partition("\n\nLast lines of the log\n")
    return facts.splitlines(), exploration, end.splitlines()


def test_diagnostics_say_what_is_needed_to_find_a_fault(window, trouble):
    state = Exploration(encodings.create("sinusoidal", dim=20, base=123.5), start=10**15, count=77)
    log = trouble.log.location
    assert "start: PE Explorer" in report_on(window, state, {})[2][-1]
    log.write_text("".join(f"line {number} é\n" for number in range(110)), encoding="utf-8")
    facts, exploration, end = report_on(window, state, {"settings": "/a b/settings.ini"})
    packages = {"NumPy": "numpy", "PySide6": "PySide6-Essentials", "pyqtgraph": "pyqtgraph"}
    installed = {name: importlib.metadata.version(package) for name, package in packages.items()}
    own = {"PE Explorer": __version__, "Python": platform.python_version()}
    for name, version in {**own, **installed}.items():
        assert any(fact.startswith(f"{name}: {version}") for fact in facts)
    width, height = QApplication.primaryScreen().size().toTuple()
    assert f"Screens: {width} × {height}, device pixel ratio 1" in "\n".join(facts)
    for fact in ("Platform plugin: offscreen", "Style: fusion", "Theme: light", f"Log: {log}"):
        assert fact in facts
    assert "settings: /a b/settings.ini" in facts
    assert session.loads(exploration).state == state
    assert end == [f"line {number} é" for number in range(10, 110)]
    log.write_bytes(b"x" * 200_000 + b"\n\xff\xfe\nlast\n")
    *_, end = report_on(window, state, {})
    assert end[1:] == ["\ufffd\ufffd", "last"]
    assert len(end[0]) < 70_000
    log.unlink()
    assert f"{log} cannot be read (" in report_on(window, state, {})[2][0]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_tells_version_licences_and_where_the_log_is(qapp, window, theme, tmp_path):
    qapp.set_theme(theme)
    trouble = ErrorHandler(qapp, tmp_path / ("folder " * 30))
    dialog = show_about(window, window.model.state, {})
    QApplication.processEvents()
    licences = ("MIT", "LGPL v3", "Peter Kovesi (CC BY 4.0)", "matplotlib (CC0)", "DejaVu Sans")
    for words in (f"PE Explorer {__version__}", *licences, "NumPy", "pyqtgraph", CITATION):
        assert words in dialog.text.text()
    assert "texts of the licences" not in dialog.text.text()
    assert str(trouble.log.location) in dialog.text.text()
    assert max(dialog.width(), dialog.height()) <= 700
    assert dialog.text.height() >= dialog.text.heightForWidth(dialog.text.width())
    close = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Close)
    assert dialog.focusWidget() is close
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    trouble.close()
    trouble.deleteLater()


def test_the_citation_is_that_of_the_file_and_of_what_is_new():
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    fields = dict(re.findall(r'(?m)^(?:  - )?([\w-]+): "?(.+?)"?$', cited))
    year, _, _ = fields["date-released"].partition("-")
    assert fields["version"] == __version__
    written = f"{fields['name']} ({year}). {fields['title']} (version {fields['version']})"
    assert f"{written} [Computer software]." == CITATION
    assert f"\n## {__version__}, " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


class Opener(QObject):
    """Hears of what Qt would show in a program of the desktop."""

    def __init__(self):
        super().__init__()
        self.opened = []

    @Slot(QUrl)
    def receive(self, url):
        self.opened.append(url.toLocalFile())


def test_a_link_shows_the_folder_of_the_log(window, trouble):
    opener = Opener()
    QDesktopServices.setUrlHandler("file", opener, "receive")
    dialog = show_about(window, window.model.state, {})
    dialog.text.setFocus()
    QTest.keyClick(dialog.text, Qt.Key.Key_Tab)
    QTest.keyClick(dialog.text, Qt.Key.Key_Return)
    QDesktopServices.unsetUrlHandler("file")
    assert opener.opened == [str(trouble.log.location.parent)]
    dialog.close()


def test_the_packed_program_without_a_log(window, monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    dialog = show_about(window, window.model.state, {})
    assert "texts of the licences" in dialog.text.text()
    assert "file:" not in dialog.text.text()  # no link to the folder of a log
    dialog.close()
    assert "log" in report_on(window, window.model.state, {})[2][0]

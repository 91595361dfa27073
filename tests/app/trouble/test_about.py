"""About: what it tells, and what it copies."""

import importlib.metadata
import platform
import re
import sys

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLabel

from pe_explorer import __version__, encodings
from pe_explorer.app.trouble.about import CITATION, AboutDialog, diagnostics, show_about
from pe_explorer.app.trouble.log import tail
from pe_explorer.app.trouble.trouble import Trouble
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from tests.support.processes import ROOT


@pytest.fixture
def state():
    return Exploration(
        encoding=encodings.create("sinusoidal", dim=20, base=123.5), start=10**15, count=77
    )


def section(text, title):
    """Return what stands under a title, up to the next empty line."""
    return text.partition(f"{title}\n{'-' * len(title)}\n")[2].partition("\n\n")[0]


def press(button):
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    QApplication.processEvents()


def test_diagnostics_say_what_is_needed_to_find_a_fault(qapp, state, tmp_path):
    log = tmp_path / "pe-explorer.log"
    log.write_text("".join(f"line {number} é\n" for number in range(60)), encoding="utf-8")
    text = diagnostics(state, {"settings": "/a b/settings.ini", "state": tmp_path}, log)
    versions = section(text, "Versions")
    assert f"PE Explorer: {__version__}\n" in versions
    assert f"Python: {platform.python_version()}\n" in versions
    for name, package in (
        ("NumPy", "numpy"),
        ("PySide6", "PySide6-Essentials"),
        ("pyqtgraph", "pyqtgraph"),
    ):
        assert f"{name}: {importlib.metadata.version(package)}" in versions
    assert "Platform plugin: offscreen" in versions
    screen = qapp.primaryScreen()
    assert section(text, "Screens").startswith(
        f"{screen.size().width()} × {screen.size().height()}, device pixel ratio 1"
    )
    assert section(text, "Appearance").splitlines()[:2] == ["style: fusion", "theme: light"]
    assert section(text, "Paths").splitlines() == [
        "settings: /a b/settings.ini",
        f"state: {tmp_path}",
        f"log: {log}",
    ]
    assert session.loads(section(text, "Exploration")).state == state
    assert section(text, "End of the log").splitlines() == [
        f"line {number} é" for number in range(10, 60)
    ]
    assert "Crashes" not in text
    (tmp_path / "crash.log").write_text("Fatal Python error: Segmentation fault\n")
    assert "Segmentation fault" in section(diagnostics(state, {}, log), "Crashes")


def test_the_tail_of_a_file_of_any_size_and_sort(tmp_path):
    path = tmp_path / "a.log"
    path.write_bytes(b"x" * 200_000 + b"\n\xff\xfe\nlast\n")
    assert tail(path, 2) == "\ufffd\ufffd\nlast"
    assert len(tail(path)) < 70_000
    path.write_bytes(b"")
    assert tail(path) == ""


def shown_text(dialog):
    return "\n".join(label.text() for label in dialog.findChildren(QLabel))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_tells_version_licences_and_where_the_log_is(qapp, window, theme, tmp_path):
    qapp.set_theme(theme)
    log = tmp_path / ("folder " * 30) / "pe-explorer.log"
    dialog = AboutDialog(window, "the text", log)
    dialog.open()
    QApplication.processEvents()
    said = shown_text(dialog)
    for words in (
        f"PE Explorer {__version__}",
        "MIT",
        "LGPL v3",
        "Peter Kovesi (CC BY 4.0)",
        "matplotlib (CC0)",
        "DejaVu Sans",
        "NumPy",
        "pyqtgraph",
        CITATION,
    ):
        assert words in said
    assert "in the folder licences" not in said
    assert dialog.place.text() == str(log)
    assert dialog.width() <= 700
    assert dialog.height() <= 700
    for label in dialog.findChildren(QLabel):
        assert label.height() >= label.heightForWidth(label.width()) or not label.wordWrap(), (
            label.text()
        )
    assert dialog.focusWidget() is dialog.findChild(QDialogButtonBox).button(
        QDialogButtonBox.StandardButton.Close
    )
    press(dialog.copy)
    assert QApplication.clipboard().text() == "the text"
    assert "copied" in dialog.message.text()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_the_citation_is_that_of_the_file_and_of_what_is_new():
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    fields = dict(re.findall(r'(?m)^(?:  - )?([\w-]+): "?(.+?)"?$', cited))
    year, _, _ = fields["date-released"].partition("-")
    assert fields["version"] == __version__
    written = f"{fields['name']} ({year}). {fields['title']} (version {fields['version']})"
    assert f"{written} [Computer software]." == CITATION
    assert f"\n## {__version__}, " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


class Opener(QObject):
    """Stands for the program that shows folders."""

    def __init__(self):
        super().__init__()
        self.opened = []

    @Slot(QUrl)
    def open_folder(self, url):
        self.opened.append(url.toLocalFile())


def test_the_folder_is_shown(window, tmp_path, monkeypatch):
    dialog = AboutDialog(window, "", tmp_path / "é b" / "pe-explorer.log")
    dialog.open()
    opener = Opener()
    QDesktopServices.setUrlHandler("file", opener, "open_folder")
    try:
        press(dialog.folder)
    finally:
        QDesktopServices.unsetUrlHandler("file")
    assert opener.opened == [str(tmp_path / "é b")]
    assert dialog.message.text() == ""
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: False)
    press(dialog.folder)
    assert dialog.message.text() == "No program here shows folders; copy the path above instead."
    dialog.close()


def test_it_is_opened_for_what_is_set_up_with_the_log_of_this_run(
    qapp, window, tmp_path, monkeypatch
):
    monkeypatch.setattr(sys, "frozen", True, raising=False)  # as the packed program
    alone = show_about(window, window.model.state, {})
    QApplication.processEvents()
    assert alone.place.text().startswith("No log is written")
    assert alone.place.height() >= alone.place.heightForWidth(alone.place.width())
    assert not hasattr(alone, "folder")
    assert "in the folder licences" in shown_text(alone)
    alone.close()
    trouble = Trouble(qapp, tmp_path / "state")
    window.model.set_encoding("binary", dim=5)
    window.model.announce()
    dialog = show_about(window, window.model.state, {"settings": "/s.ini"})
    press(dialog.copy)
    text = QApplication.clipboard().text()
    assert '"binary"' in section(text, "Exploration")
    assert "settings: /s.ini" in section(text, "Paths")
    assert "start: PE Explorer" in section(text, "End of the log")
    dialog.close()
    trouble.close()
    trouble.deleteLater()


def test_diagnostics_without_a_log(qapp, state, tmp_path):
    for log, says in (
        ("No log: no space.", "No log: no space."),
        (tmp_path / "missing.log", "missing.log"),
    ):
        assert says in section(diagnostics(state, {}, log), "End of the log")

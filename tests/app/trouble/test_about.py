"""About: what it tells, and what it copies."""

import importlib.metadata
import platform
import re
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLabel

from pe_explorer import __version__, encodings
from pe_explorer.app.trouble.about import CITATION, AboutDialog, diagnostics, show_about
from pe_explorer.app.trouble.log import tail
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from tests.app.windows import click_on, encode
from tests.support.processes import ROOT


def section(text, title):
    """Return what stands under a title, up to the next empty line."""
    return text.partition(f"{title}\n{'-' * len(title)}\n")[2].partition("\n\n")[0]


def texts_of(dialog):
    return "\n".join(label.text() for label in dialog.findChildren(QLabel))


def test_diagnostics_say_what_is_needed_to_find_a_fault(qapp, tmp_path):
    state = Exploration(encodings.create("sinusoidal", dim=20, base=123.5), start=10**15, count=77)
    log = tmp_path / "pe-explorer.log"
    assert "pe-explorer.log" in section(diagnostics(state, {}, log), "End of the log")
    assert "no space" in section(diagnostics(state, {}, "No log: no space."), "End of the log")
    log.write_text("".join(f"line {number} é\n" for number in range(60)), encoding="utf-8")
    text = diagnostics(state, {"settings": "/a b/settings.ini", "state": tmp_path}, log)
    versions = section(text, "Versions")
    packages = {"NumPy": "numpy", "PySide6": "PySide6-Essentials", "pyqtgraph": "pyqtgraph"}
    installed = {name: importlib.metadata.version(package) for name, package in packages.items()}
    own = {"PE Explorer": __version__, "Python": platform.python_version()}
    for name, version in {**own, **installed}.items():
        assert f"{name}: {version}" in versions
    assert "Platform plugin: offscreen" in versions
    width, height = qapp.primaryScreen().size().toTuple()
    assert section(text, "Screens").startswith(f"{width} × {height}, device pixel ratio 1")
    assert section(text, "Appearance").splitlines()[:2] == ["style: fusion", "theme: light"]
    paths = [f"state: {tmp_path}", f"log: {log}"]
    assert section(text, "Paths").splitlines() == ["settings: /a b/settings.ini", *paths]
    assert session.loads(section(text, "Exploration")).state == state
    end = [f"line {number} é" for number in range(10, 60)]
    assert section(text, "End of the log").splitlines() == end
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


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_tells_version_licences_and_where_the_log_is(qapp, window, theme, tmp_path):
    qapp.set_theme(theme)
    log = tmp_path / ("folder " * 30) / "pe-explorer.log"
    dialog = AboutDialog(window, "the text", log)
    dialog.open()
    QApplication.processEvents()
    licences = ("MIT", "LGPL v3", "Peter Kovesi (CC BY 4.0)", "matplotlib (CC0)", "DejaVu Sans")
    for words in (f"PE Explorer {__version__}", *licences, "NumPy", "pyqtgraph", CITATION):
        assert words in texts_of(dialog)
    assert "in the folder licences" not in texts_of(dialog)
    assert dialog.place.text() == str(log)
    assert max(dialog.width(), dialog.height()) <= 700
    wrapped = [label for label in dialog.findChildren(QLabel) if label.wordWrap()]
    assert all(label.height() >= label.heightForWidth(label.width()) for label in wrapped)
    close = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Close)
    assert dialog.focusWidget() is close
    click_on(window, dialog.copy)
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


def test_the_folder_is_shown_or_a_sentence_says_that_no_program_does(window, tmp_path, monkeypatch):
    dialog, opened, answers = AboutDialog(window, "", tmp_path / "é b" / "a.log"), [], [True, False]
    monkeypatch.setattr(
        QDesktopServices, "openUrl", lambda url: opened.append(url) or answers.pop(0)
    )
    dialog.open()
    for is_shown in (True, False):
        click_on(window, dialog.folder)
        assert opened.pop().toLocalFile() == str(tmp_path / "é b")
        assert (dialog.message.text() == "") == is_shown
    assert "No program" in dialog.message.text()
    dialog.close()


def test_it_is_opened_for_what_is_set_up_with_the_log_of_this_run(window, monkeypatch, request):
    monkeypatch.setattr(sys, "frozen", True, raising=False)  # as the packed program
    unlogged = show_about(window, window.model.state, {})
    QApplication.processEvents()
    assert unlogged.place.text().startswith("No log is written")
    assert unlogged.place.height() >= unlogged.place.heightForWidth(unlogged.place.width())
    assert not hasattr(unlogged, "folder")
    assert "in the folder licences" in texts_of(unlogged)
    unlogged.close()
    request.getfixturevalue("trouble")
    encode(window, "binary", dim=5)
    dialog = show_about(window, window.model.state, {"settings": "/s.ini"})
    click_on(window, dialog.copy)
    text = QApplication.clipboard().text()
    assert '"binary"' in section(text, "Exploration")
    assert "settings: /s.ini" in section(text, "Paths")
    assert "start: PE Explorer" in section(text, "End of the log")
    dialog.close()

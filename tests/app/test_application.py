"""The program from start to end: its window, its rest, its way out, and how it tests itself."""

import gc
import logging
import os
import signal
import sys

import numpy as np
import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication

from pe_explorer import caching, parts
from pe_explorer.app import run
from pe_explorer.app.application import Application
from pe_explorer.app.output import figure_files
from pe_explorer.app.self_test import SelfTest
from pe_explorer.app.settings.settings import find_settings_path, find_state_folder
from pe_explorer.app.trouble.trouble import ErrorHandler, list_versions
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.exploration import Exploration
from pe_explorer.files import export, opening
from pe_explorer.files.session import Session
from tests.app.settings.inis import ini, write_file
from tests.app.windows import close_message
from tests.configs.support import path_of
from tests.support.gestures import settle

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture
def handlers():
    """Handle signals afterwards as before."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("handlers")
def test_a_signal_leaves_and_quits_in_the_next_turn_unless_it_is_ignored(qapp, monkeypatch):
    done = []
    monkeypatch.setattr(Application, "quit", lambda self: done.append("quit"))
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    qapp.handle_signals(lambda: done.append("leave"))
    for number in SIGNALS:
        os.kill(os.getpid(), number)
        assert done == []
        settle()
        assert done == ["leave", "quit"] * (number != signal.SIGHUP), number
        done.clear()


def test_garbage_is_collected_when_it_is_due_and_caches_shrink_once_nothing_happens(
    qapp, monkeypatch
):
    (timer,) = [timer for timer in qapp.findChildren(QTimer) if timer.interval() == 1000]
    assert timer.isActive()
    collected, shrunk = [], []
    monkeypatch.setattr(gc, "collect", collected.append)
    monkeypatch.setattr(gc, "get_threshold", lambda: (5, 5, 5))
    monkeypatch.setattr(caching, "shrink_all", shrunk.append)
    for counts, due, shrinks in (
        ((5, 5, 5), [], 0),
        ((6, 5, 5), [0], 0),
        ((6, 9, 5), [1], 0),
        ((9, 5, 6), [2], 0),
        ((1, 0, 0), [], 0),
        ((1, 0, 0), [], 1),
        ((1, 0, 0), [], 0),  # once
        ((2, 0, 0), [], 0),
        ((2, 0, 0), [], 1),
    ):
        monkeypatch.setattr(gc, "get_count", lambda counts=counts: counts)
        timer.timeout.emit()
        assert (collected, len(shrunk)) == (due, shrinks), counts
        collected.clear()
        shrunk.clear()


# -- its window ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("handlers")
@pytest.mark.parametrize("theme", ["light", None])
def test_a_window_shows_what_it_is_given_and_backs_up_changes(qapp, monkeypatch, qtbot, theme):
    find_settings_path().parent.mkdir(parents=True)
    own = ("[own_windows]", "heatmap=60 50 420 310")
    write_file(
        find_settings_path(),
        ini("theme=dark", "maximised=perhaps", "panes=one clocks clocks", *own),
    )
    hook, begun = sys.excepthook, []

    def in_its_loop():
        (window,) = [w for w in qapp.topLevelWidgets() if isinstance(w, MainWindow)]
        assert window.isVisible()
        assert window.workspace.own_windows.names == ("heatmap",)
        assert qapp.theme == (theme or "dark")
        assert qapp.desktopFileName() == "org.pe_explorer.pe_explorer"
        assert not qapp.windowIcon().isNull()
        assert "maximised: 'perhaps'" in close_message(window)
        assert not window.start_cards.isVisible()
        assert (window.document.saved_version.shown_name, window.model.state.count) == ("a.json", 7)
        assert [pin.name for pin in window.model.state.pins] == ["bloom-7b1.json"]
        trouble = qapp.findChild(ErrorHandler)
        assert trouble.autosave is window.document.autosave
        assert trouble.autosave.can_write_backups
        window.model.set(count=8)
        settle(window.model)
        qtbot.waitUntil(lambda: any(find_state_folder().glob("*.json")))
        window.document.autosave.failed.emit("no space left")
        assert close_message(window) == "no space left"
        os.kill(os.getpid(), signal.SIGTERM)
        settle()
        assert not window.isVisible()
        window.deleteLater()
        return 7

    monkeypatch.setattr(run, "Application", lambda theme: begun.append(theme) or qapp)
    monkeypatch.setattr(Application, "exec", lambda self: in_its_loop())
    qapp.set_theme("light" if theme else "system")
    given = theme, "a.json", Session(Exploration(count=7)), None
    other = {"b.json": opening.read(path_of("bloom-7b1"))}
    assert run.run_window(*given, other) == 7
    assert begun == [theme or "system"]
    assert sys.excepthook is hook
    qapp.findChild(ErrorHandler).deleteLater()


# -- the self-test ---------------------------------------------------------------------------------


@pytest.fixture
def tested(window, qtbot, monkeypatch):
    """Return a function that tests the program, and returns problems, report and exit code."""

    def tested(before=lambda: None):
        lines, codes = [], []
        monkeypatch.setattr(QApplication, "exit", codes.append)
        hook, listeners = sys.excepthook, [*logging.getLogger().handlers]
        test = SelfTest(window, lines.append)
        test.begin()
        before()
        qtbot.waitUntil(lambda: bool(codes), timeout=60_000)  # all views are drawn
        assert (sys.excepthook, logging.getLogger().handlers) == (hook, listeners)
        assert not window.isVisible()
        return test.problems, lines, codes

    return tested


def test_a_sound_program_reports_its_parts_views_and_files(tested):
    problems, lines, codes = tested()
    assert (problems, codes) == ([], [0])
    assert lines[0] == "window: painted"
    found = {kind: f"{len(names)} ({', '.join(names)})" for kind, names in parts.discover().items()}
    summary = [f"{name}: {what}" for name, what in {**list_versions(), **found}.items()]
    assert lines[1 : 1 + len(summary)] == summary
    views, files = lines[1 + len(summary) : -4], lines[-4:]
    assert [line.partition(": drawn, ")[0] for line in views] == [
        f"view {name}" for name in parts.find_required_parts()["views"]
    ]
    assert [line.partition(": written, ")[0] for line in files] == [
        f"file {name}" for name in ("figure.png", "figure.pdf", "figure.svg", "table.npy")
    ]
    assert files[-1].endswith("shape (50, 128)")


def test_whatever_is_broken_is_named(tested, window, monkeypatch, caplog):
    def broken():
        logging.getLogger("any").error("planted")
        sys.excepthook(ValueError, ValueError("uncaught"), None)
        window.model.set_encoding("index")  # which has no clocks

    views = ("heatmap", "clocks", "no such")
    monkeypatch.setattr(parts, "find_required_parts", lambda: {"views": views})
    monkeypatch.setattr(parts, "describe_differences", lambda: ["a difference"])
    monkeypatch.setattr(sys, "excepthook", lambda *_: None)
    monkeypatch.setattr(figure_files, "save", lambda page, path, *_: path.write_bytes(b"<x/>"))
    monkeypatch.setattr(export, "write", lambda data, path, *_: np.save(path, np.ones(3)))
    problems, lines, codes = tested(broken)
    assert codes == [1]
    assert [problem.split(" (")[0] for problem in problems] == [
        "planted",
        "ValueError: uncaught",
        "a difference",
        "view clocks: shows a message instead of a plot",
        "view no such: it cannot be loaded",
        *(f"file {name}: it is damaged" for name in ("figure.png", "figure.pdf", "figure.svg")),
        "file table.npy: it is damaged",
    ]
    assert len([line for line in lines if line.startswith("view ")]) == 1
    caplog.clear()


def test_an_empty_picture_and_an_exception_are_named(tested, window, monkeypatch):
    def failing(*_):
        raise RuntimeError("planted")

    monkeypatch.setattr(parts, "find_required_parts", lambda: {"views": ("waves",)})
    monkeypatch.setattr(parts, "describe_differences", list)
    monkeypatch.setattr(type(window.view("waves")), "grab", lambda view: QPixmap())
    monkeypatch.setattr(figure_files, "save", failing)
    problems, _, codes = tested()
    empty = "view waves: the picture is empty (number of colours: 0)"
    assert (problems, codes) == ([empty, "RuntimeError: planted"], [1])

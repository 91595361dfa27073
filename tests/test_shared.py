"""The start of the program, progress, and reading of files."""

import gc
import importlib
import io
import json
import signal
import sys
import threading
from unittest.mock import patch

import pytest

from pe_explorer import json_text, registry
from pe_explorer.__main__ import main
from pe_explorer.json_text import JsonError, format_json, read_json
from pe_explorer.progress import (
    CancelledError,
    PartialProgress,
    Progress,
    TerminalProgress,
    make_part_reporter,
    report,
)
from pe_explorer.reading import UnreadableError, read_bytes, read_file_size

# -- the start -------------------------------------------------------------------------------------


@pytest.fixture
def interrupts():
    """Return the signal of Ctrl-C, and restore its handler afterwards."""
    before = signal.getsignal(signal.SIGINT)
    yield signal.SIGINT
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(("words", "module"), [(["list"], "main"), ([], "window")])
def test_main_starts_the_command_line_or_the_window(monkeypatch, interrupts, words, module):
    states = []

    def run():
        states.append((signal.getsignal(interrupts), gc.isenabled()))
        return 7

    monkeypatch.setattr(sys, "argv", ["pe-explorer", *words])
    monkeypatch.setattr(f"pe_explorer.commandline.{module}.main", run)
    monkeypatch.setattr(gc, "freeze", lambda: states.append(gc.isenabled()))
    for before, expected in (
        (signal.default_int_handler, signal.SIG_DFL),
        (signal.SIG_IGN, signal.SIG_IGN),  # the program runs in the background
    ):
        signal.signal(interrupts, before)
        assert main() == 7
        assert states == [False, (expected, True)]
        states.clear()


@pytest.mark.usefixtures("interrupts")
def test_an_internal_error_asks_for_a_report(monkeypatch, capsys):
    def broken():
        raise TypeError("planted")

    monkeypatch.setattr("pe_explorer.commandline.window.main", broken)
    monkeypatch.setattr(sys, "argv", ["pe-explorer"])
    assert main() == 3
    *traceback, line = capsys.readouterr().err.splitlines()
    assert traceback[-1] == "TypeError: planted"
    assert "internal error (TypeError)" in line
    monkeypatch.setattr(sys, "stderr", None)
    assert main() == 3


def test_classes_are_discovered_without_loading_private_modules(tmp_path, monkeypatch):
    (tmp_path / "rooms").mkdir()
    for name, text in {
        "__init__": "class Base: pass",
        "_private": "raise RuntimeError",
        "one": "from rooms import Base\nclass One(Base): name = 'one'\nclass Below(One): pass",
        "two": "from rooms.one import One\nclass Other: name = 'x'\nclass Two(One): name = 'two'",
    }.items():
        (tmp_path / f"rooms/{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    rooms = importlib.import_module("rooms")
    found = registry.find_subclasses_in("rooms", rooms.__path__, rooms.Base)
    assert [cls.__name__ for cls in found] == ["One", "Two"]


# -- progress --------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """A terminal that records flushed text."""

    seen, encoding, there = "", "UTF-8", True

    def isatty(self):
        return self.there

    def flush(self):
        self.seen = self.getvalue()


STEPS = [
    # seconds, share, phase, width of the terminal, and the new line
    (0.75, 0.1, "", 31, None),  # short work is not shown
    (1.0, 0.2, "", 31, " 20% |███              | 00:01"),
    (1.0625, 0.4, "", 31, None),  # too soon after the last update
    (1.0625, 0.4, "Reading", 31, "Reading:  40% |███     | 00:01"),
    (1.125, 0.3, "Reading", 31, None),
    (61.5, 0.5, "Reading", 31, "Reading:  50% |████    | 01:01"),
    (62.0, 0.75, "", 25, " 75% |████████   | 01:02      "),
    (63.0, 0.5, "Eighteen of all letters", 31, "Eighteen of all letters:  50% "),
    (64.0, 0.5, "So many more letters", 31, "So many more letters:  50% | |"),
    (65.0, 1.0, "", 31, "100% |█████████████████| 01:05"),
]


@pytest.mark.parametrize("kind", ["UTF-8", "ascii", None, "no terminal"])
def test_a_terminal_shows_progress_in_one_line(monkeypatch, kind):
    terminal, now, finished = Terminal(), [7.0], []
    terminal.encoding, terminal.there = kind, kind != "no terminal"
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    with TerminalProgress(lambda: finished.append(terminal.seen)) as bar:
        for seconds, share, phase, columns, line in STEPS:
            now[0] = 7.0 + seconds
            monkeypatch.setenv("COLUMNS", str(columns))
            before = terminal.seen
            bar.report(share, phase)
            if kind != "UTF-8" and line:
                line = line.replace("█", "#")
            drawn = terminal.seen.removeprefix(before)
            assert drawn == (f"\r{line}" if line and terminal.there else "")
        assert finished == [before]  # before the last line
    cleared = f"\r{' ' * 30}\r" if terminal.there else ""
    assert terminal.seen.removeprefix(before).removeprefix(drawn) == cleared
    assert bar.share == 1.0


def test_progress_of_parts_and_cancellation():
    whole, shares = Progress(), []
    part = PartialProgress(whole, 0.25, 0.5)
    assert not part.wait(0.001)
    for share, shown in ((0.0, 0.25), (0.5, 0.5), (0.25, 0.5), (1.0, 0.75)):
        report(part, share, f"at {share}")
        assert (whole.share, whole.phase) == (shown, f"at {share}")
    for share in (0.0, 0.5, 1.0):
        make_part_reporter(shares.append, 0.25, 0.5)(share)
    assert shares == [0.25, 0.5, 0.75]
    report(threading.Event(), 0.5)  # a plain event records nothing
    whole.set()
    assert part.is_set()
    with pytest.raises(CancelledError):
        report(part, 1.0)
    assert whole.share == 0.75


# -- reading ---------------------------------------------------------------------------------------


def nested(levels):
    return "[" * levels + "]" * levels


REFUSED = {
    "": "empty",
    " \n": "empty",
    "{": "not valid JSON (line 1, column 2: expecting property name",
    "[1,\n 2 3]": "not valid JSON (line 2, column 4: expecting ',' delimiter)",
    "[NaN]": "not valid JSON (NaN is not allowed)",
    "1e999": "not valid JSON ('1e999' is not allowed)",
    "9" * 5000: "thousands of digits",
    nested(json_text.MAX_NESTING + 1): "nested too deeply",
    nested(10**5): "nested too deeply",
    '{"a":' * json_text.MAX_NESTING + "[]" + "}" * json_text.MAX_NESTING: "nested too deeply",
}


def test_json_that_could_not_be_written_again_is_refused():
    for text, says in REFUSED.items():
        with pytest.raises(JsonError) as refused:
            read_json(text)
        assert str(refused.value).startswith(says) or says in str(refused.value), text[:50]
    document = {"é": [1, 2.5, None], "\ud800": {}}
    written = format_json(document)
    assert written == '{\n "é": [\n  1,\n  2.5,\n  null\n ],\n "\\ud800": {}\n}\n'
    assert read_json(written) == document
    assert read_json(nested(json_text.MAX_NESTING)) == json.loads(nested(json_text.MAX_NESTING))
    assert read_json("[-Infinity, 1e999, 0.5]", is_finite_only=False) == [-1e999, 1e999, 0.5]
    found = read_json('{"a": 1, "b": 2, "a": 3, "c": {"d": 4}, "a": 5}')
    assert (found, found.duplicate_names) == ({"a": 5, "b": 2, "c": {"d": 4}}, ("a",))
    assert type(found["c"]) is dict


def test_files_are_read_up_to_a_limit_and_devices_refused(tmp_path):
    for size, most in ((5, 3), (5, 5), (5, 9), (5, 1), (5, 0), (1, 9), (0, 9)):
        path = tmp_path / "some.bin"
        path.write_bytes(b"abcde"[:size])
        assert (read_file_size(path), read_bytes(path, most)) == (size, b"abcde"[: min(size, most)])
    assert read_bytes("/proc/self/status", 99) == b""  # its reported size is 0
    for place, says in ((tmp_path, "folder"), ("/dev/zero", "device")):
        for look in (read_file_size, lambda place: read_bytes(place, 9)):
            with pytest.raises(UnreadableError, match=says), patch("os.open", None):
                look(place)

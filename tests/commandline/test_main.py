import gc
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from pe_explorer import __version__, encodings, flags
from pe_explorer.commandline import process, window
from pe_explorer.commandline.main import main
from pe_explorer.commandline.process import NoQtError
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from tests.support import unknown
from tests.support.commands import error_line, exit_code
from tests.support.processes import ENVIRONMENT, run_program


@pytest.mark.parametrize(
    "name",
    ["loop.npy", "x" * 239 + ".npy", "x" * 251 + ".npy", "x" * 300 + ".npy", "nul\0.npy", ""],
    ids=ascii,
)
@pytest.mark.parametrize("more", [[], ["--carry", "omit"]], ids=["", "omit"])
def test_a_name_that_no_file_can_have_is_named(capsys, working_folder, name, more):
    (working_folder / "loop.npy").symlink_to("loop.npy")
    if more and len(name) in (243, 255):
        assert main(["export", "--dim", "2", "-o", name, *more]) == 0
        return
    line = error_line(capsys, "export", *more, "-o", name)
    assert f"--output: {name or repr('')}".replace("\0", r"\x00") in line
    assert os.listdir(working_folder) == ["loop.npy"]


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (NoQtError("no library"), 2, "pe-explorer: no library"),
        (OSError(5, "Input/output error", "a/file"), 2, "pe-explorer list: a/file: input/output "),
        (OSError(28, "No space left"), 2, "pe-explorer list: standard output: no space left"),
        (BrokenPipeError(), 141, ""),
        (KeyboardInterrupt(), 130, "pe-explorer list: interrupted"),
    ],
)
def test_what_stops_a_command_has_an_exit_code_and_a_line(capsys, error, code, said):
    with (
        patch("pe_explorer.commandline.listing.run", side_effect=error),
        patch("pe_explorer.commandline.process.drop_output") as dropped,
        patch("pe_explorer.commandline.process.ignore_signals") as ignored,
    ):
        assert main(["list"]) == code
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", bool(said))
    assert err.startswith(said)
    assert dropped.called == (code == 141 or "standard output" in said)
    assert ignored.called == (code == 130)


def test_the_self_test_says_what_is_wrong(capsys, monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    for problems, code, out, err in (
        ([], 0, "self-test: passed\n", ""),
        (["a part"], 1, "", "pe-explorer --self-test: a part\n"),
    ):
        with patch("pe_explorer.app.run.run_self_test", return_value=problems):
            assert main(["--self-test"]) == code
        assert capsys.readouterr() == (out, err)
    with patch("pe_explorer.app.run.run_self_test", side_effect=ImportError("no module x")):
        assert main(["--self-test"]) == 1
    assert "no module x" in capsys.readouterr().err
    for display, platform in (("", "offscreen"), (":0", None)):  # which needs none
        monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
        monkeypatch.setenv("DISPLAY", display)
        with (
            patch("pe_explorer.app.run.run_self_test", return_value=[]),
            patch("pe_explorer.commandline.main.require_qt") as required,
            monkeypatch.context() as system,
            open("/dev/full", "w") as full,
        ):
            system.setattr(sys, "stdout", full)
            assert main(["--self-test"]) == 2
        assert required.call_args.kwargs == {"window": True}
        assert os.environ.get("QT_QPA_PLATFORM") == platform


ODD = ["\n", "\r", "\r\n", "\x0b", "\x1c", "\x85", "\u2028", "\u2029", "\x1b[31m", "\x9b"]
ODD += ["\u202e", "\ud800", "\0"]


WITH_ODD = ["exp{}ort", "--theme da{}rk", "list mo{}re", "export --bo{}gus"]
WITH_ODD += [
    f"export -o t.npy {words}"
    for words in (
        *("--dim 4{}x", "--encoding in{}dex", "--positions 0:{}:x", "--pin binary=di{}m=4"),
        "--session no{}thing.json",
    )
]
WITH_ODD += ["export -o a{}folder/t.npy", "export -o t.a{}b", "code --for num{}py"]


@pytest.mark.parametrize("words", WITH_ODD)
def test_every_error_is_one_line_that_can_be_shown(capsys, working_folder, words):
    for odd in ODD:
        line = error_line(capsys, *(word.format(odd) for word in words.split(" ")))
        assert line.removesuffix("\n").isprintable()


PRINTING = ["check c.json", "check c.json --json", "check c.json c.json", "list", "list --models"]
PRINTING += ["check c.json --format github --assume llama --length 1e6", "list --exhibits", "code"]
PRINTING += ["list --models --csv", "code --figure heatmap", "--help", "--version"]


def test_what_cannot_be_printed_is_an_error(folder, capsys, monkeypatch):
    for words in PRINTING:
        for stream, says in ((None, "closed"), ("/dev/full", "no space left on device")):
            with monkeypatch.context() as system:
                system.chdir(folder)
                system.setattr(sys, "stdout", stream and open(stream, "w"))  # noqa: SIM115
                assert exit_code(words.split()) == 2, words
                sys.stdout.close()  # what it has not written yet is discarded
            (line,) = capsys.readouterr().err.splitlines()
            assert f"standard output: {says}" in line
    monkeypatch.setattr(sys, "stderr", None)
    assert exit_code(["list", "--csv"]) == 2
    sys.stderr.close()  # there is one now
    done = run_in_shell(folder, "check c.json 2>&-")
    assert (done.returncode, done.stdout == b"") == (0, False)


def test_lines_of_both_streams_come_in_their_order(folder, monkeypatch):
    monkeypatch.chdir(folder)
    with open("both", "a") as out, open("both", "a") as errors:
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", errors)
        assert main(["check", "c.json", "none.json", "c.json"]) == 2
    named = re.findall(r"(?m)^(?:pe-explorer check: )?(\w+\.json): ", Path("both").read_text())
    assert named == ["c.json", "none.json", "c.json"]


def test_the_window_runs_without_a_standard_output_and_without_collections(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(window, "require_qt", lambda *, window: print(window))
    opened = patch("pe_explorer.app.run.run_window", side_effect=lambda *given: print() or 7)
    try:
        with opened as run:
            assert (window.main(), main(["--theme", "dark"]), gc.isenabled()) == (7, 7, False)
    finally:
        gc.enable()
        sys.stdout.close()
    assert [call.args for call in run.call_args_list] == [(None,), ("dark",)]


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def test_a_signal_ends_a_command_at_once_or_after_it_has_tidied_up(capfd, monkeypatch):
    before = [signal.signal(signal.SIGHUP, signal.SIG_IGN), *map(signal.getsignal, SIGNALS)]
    with patch("os._exit") as ended, process.end_on_signal("it ends \ud800"):
        for number in SIGNALS:
            signal.raise_signal(number)
        assert [call.args for call in ended.call_args_list] == [(130,)] * 2  # not what nohup stops
        assert capfd.readouterr() == ("", 2 * "it ends \\ud800\n")
        process.raise_on_signal()
        monkeypatch.setattr("time.monotonic", lambda: 5.0)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)  # a terminal that closes sends it twice
        monkeypatch.setattr("time.monotonic", lambda: 6.0)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        process.ignore_signals()
        signal.raise_signal(signal.SIGINT)
    assert [*map(signal.getsignal, SIGNALS)] == before[1:]
    signal.signal(signal.SIGHUP, before[0])
    with ThreadPoolExecutor(1) as thread:  # only the main one can set handlers
        assert thread.submit(main, ["list", "--csv"]).result() == 2


@pytest.fixture
def folder(tmp_path):
    text = json.dumps({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4})
    (tmp_path / "c.json").write_text(text, encoding="utf-8")
    return tmp_path


def run_in_shell(folder, line):
    line = f"{shlex.quote(sys.executable)} -m pe_explorer {line}"
    return subprocess.run(
        line, shell=True, cwd=folder, env=ENVIRONMENT, capture_output=True, check=False
    )


def test_closed_streams_do_not_matter_where_nothing_is_printed(folder):
    done = run_in_shell(folder, "export --dim 2 -o t.npy >&- 2>&-")
    assert (done.returncode, done.stderr) == (0, b"")
    assert np.load(folder / "t.npy").shape == (50, 2)


def test_the_program_has_a_version_and_escapes_letters_that_a_terminal_cannot_show(monkeypatch):
    output = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", output)
    assert exit_code(["--version"]) == exit_code(["export", "--help"]) == 0
    version, *lines = output.buffer.getvalue().decode().splitlines()
    assert version == f"pe-explorer {__version__}"
    assert any(r"\u03c9" in line for line in lines)
    assert any(re.match(r" {30}\S", line) for line in lines)


INTERNAL = """
import sys
from unittest.mock import patch
from pe_explorer.__main__ import main
with patch("pe_explorer.{function}", side_effect=TypeError("planted")):
    sys.exit(main())
"""


@pytest.mark.parametrize(
    ("words", "function"),
    [
        ("check c.json", "analysis.configuration.context.report"),
        ("export -o t.npy", "files.export.write"),
        ("", "commandline.window.run"),
    ],
)
def test_an_internal_error_has_an_exit_code_of_its_own(folder, words, function):
    program = INTERNAL.format(function=function)
    done = run_program(folder, *words.split(), program=("-c", program))
    assert (done.returncode, done.stdout) == (3, "")
    *traceback, line = done.stderr.splitlines()
    assert "TypeError: planted" in traceback
    assert line.startswith("pe-explorer: internal error")
    assert "report it" in line
    assert __version__ in line
    assert not list(folder.glob("t.*"))


def test_the_list_has_every_encoding_and_parameter(capsys):
    assert main(["list"]) == 0
    listed = capsys.readouterr().out
    assert "(default: none)" in listed
    assert "default: )" not in listed
    for line in (
        "  --dim        1 to 65536 dimensions (default: 128)",
        "  only with --rope-type yarn:",
    ):
        assert line in listed.splitlines()
    assert "only with :" not in listed
    for name in encodings.names():
        scheme = encodings.find(name)
        assert f"{name}: " in listed
        assert scheme.family in listed
        for option in flags.parameters(scheme):
            assert f"  {option.flags[0]} " in listed
            assert option.parameter.limits in listed


def output_of(capsys, *arguments):
    """Run a command that must succeed, and return what it printed and said."""
    assert main(arguments) == 0
    return capsys.readouterr()


def test_each_dropped_part_of_a_session_is_reported_in_a_line(capsys, tmp_path):
    document = json.loads(session.dumps(Exploration(count=3)))
    document["encoding"] = {"name": "sinusoidal", "dim": -8}
    document["positions"] = {"start": 2, "count": -3}
    path = tmp_path / "a\nb.json"
    path.write_text(json.dumps(document))
    given = ["--session", str(path)]
    for command in ("code", "export"):
        out = [] if command == "code" else ["-o", str(tmp_path / "t.npy")]
        first, second = output_of(capsys, command, *given, *out).err.splitlines()
        assert first.startswith(f"pe-explorer {command}: ")
        for fact in (r"a\nb.json", "encoding.dim: ", "1 to 65536, got -8", "128"):
            assert fact in first
        assert re.search(r"positions\.count: .* got -3", second)
        # a problem with an encoding that is not used would only distract
        (line,) = output_of(capsys, command, *given, *out, "--encoding", "binary").err.splitlines()
        assert re.search(r"positions\.count: .* got -3", line)


def test_a_note_says_that_a_table_is_longer_than_its_header_says(capsys, tmp_path):
    np.save(tmp_path / "rows.npy", np.zeros((9, 4)))
    with open(tmp_path / "rows.npy", "ab") as file:
        file.write(b"x" * 77)
    given = ["--encoding", "learned", "--file", str(tmp_path / "rows.npy")]
    figure, data = str(tmp_path / "t.svg"), str(tmp_path / "t.npy")
    for command in (["code"], ["export", "-o", data], ["render", "heatmap", "-o", figure]):
        with patch("pe_explorer.app.render.run", return_value=""):
            (line,) = output_of(capsys, *command, *given).err.splitlines()
        assert line.startswith(f"pe-explorer {command[0]}: ")
        assert "77 bytes" in line


def test_an_unknown_encoding_or_pin_is_refused_only_where_it_is_needed(capsys, working_folder):
    Path("later.json").write_text(json.dumps(unknown.document(count=3)))
    given = ["--session", "later.json"]
    for command in (["export", "-o", "t.npy"], ["code"]):
        line = error_line(capsys, *command, *given)
        assert f"--session: later.json: {unknown.NOT_KNOWN}" in line
    assert output_of(capsys, "export", *given, "--encoding", "fraction", "-o", "t.npy").err == ""
    np.testing.assert_array_equal(np.load("t.npy"), encodings.create("fraction").table(range(3)))
    made = unknown.document({"name": "index", "dim": 16}, [("a helix", unknown.LATER)], count=3)
    Path("later.json").write_text(json.dumps(made))
    given = ["export", *given, "-o", "t.npy"]
    for show in ("pinned", "difference"):
        assert main([*given, "--show", show]) == 2
        assert f"--pin: {unknown.NOT_KNOWN}" in capsys.readouterr().err.splitlines()[-1]
    (line,) = output_of(capsys, *given).err.splitlines()
    assert f"pins[0].encoding.name: {unknown.NOT_KNOWN}" in line
    assert json.loads(Path("t.npy.session.json").read_text())["pins"] == made["pins"]

import json
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar
from unittest.mock import patch

import numpy as np
import pytest

from pe_explorer import __version__, encodings, flags
from pe_explorer.commandline.main import main
from pe_explorer.commandline.qt import NoQtError
from pe_explorer.encodings import EncodingError
from pe_explorer.encodings.index import Index
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from pe_explorer.params import ParameterError, Real, declare
from tests.support import unknown
from tests.support.commands import error_line
from tests.support.processes import ENVIRONMENT, run_program
from tests.support.unknown import use_schemes


def test_positions():
    for text, positions in {
        "0:50": range(50),
        "-5:5": range(-5, 5),
        "10:0:-3": range(10, 0, -3),
        "0:+5": range(5),
        "0:1_000_000:1e5": range(0, 10**6, 10**5),
        "1e12+1000": range(10**12, 10**12 + 1000),
        "1e+3+5": range(1000, 1005),
        "10^12+50": range(10**12, 10**12 + 50),
        "-2^20+64*2": range(-(2**20), -(2**20) + 128),
        "0:8Ki:1k": range(0, 8192, 1000),
        "1,500:2,000": range(1500, 2000),
        "2^53+1": range(2**53, 2**53 + 1),
        "-2^53:-9007199254740990": range(-(2**53), -(2**53) + 2),
        " 7 : 9 ": range(7, 9),
    }.items():
        assert flags.parse_positions(text) == positions, text
    refused = ["", ":", "5", "5:", ":5", "0:5:0", "5:5", "0+0", "0+-3", "1.5:3", "a:b", "nan:3"]
    refused += ["0:1,5", "0:1.500", "10^12:10^12+50", "9^9^9+1", "8K+1"]
    for text in [*refused, "0:1e999999999", "2^53+2", "1:2:3:4", "0:2e16"]:
        with pytest.raises(ParameterError, match="positions"):
            flags.parse_positions(text)


@pytest.mark.parametrize(
    "name",
    ["loop.npy", "x" * 239 + ".npy", "x" * 251 + ".npy", "x" * 300 + ".npy", "nul\0.npy", ""],
    ids=ascii,
)
@pytest.mark.parametrize("more", [[], ["--carry", "omit"]], ids=["", "omit"])
def test_a_name_that_no_file_can_have_is_named(capsys, tmp_path, monkeypatch, name, more):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop.npy").symlink_to("loop.npy")
    if more and len(name) in (243, 255):
        assert main(["export", "--dim", "2", "-o", name, *more]) == 0
        return
    line = error_line(capsys, "export", *more, "-o", name)
    assert f"--output: {name or repr('')}".replace("\0", r"\x00") in line
    assert os.listdir(tmp_path) == ["loop.npy"]


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
    ):
        assert main(["list"]) == code
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", bool(said))
    assert err.startswith(said)
    assert dropped.called == (code == 141 or "standard output" in said)


def test_the_self_test_says_what_is_wrong(capsys):
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
def test_every_error_is_one_line_that_can_be_shown(capsys, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    for odd in ODD:
        line = error_line(capsys, *(word.format(odd) for word in words.split(" ")))
        assert line.removesuffix("\n").isprintable()


@pytest.mark.parametrize("words", ["check c.json", "--help"])
def test_what_cannot_be_printed_is_an_error(folder, words):
    for stream, says in ((">&-", "closed"), (">/dev/full", "no space left on device")):
        done = run_in_shell(folder, f"{words} {stream}")
        assert done.returncode == 2, done
        (line,) = done.stderr.decode().splitlines()
        assert f"standard output: {says}" in line
    assert run_in_shell(folder, f"{words} >&- 2>&-").returncode == 2
    done = run_in_shell(folder, f"{words} 2>&-")
    assert done.returncode == 0
    assert done.stdout


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


@pytest.mark.parametrize("words", ["export --dim 2 -o t.npy", "render heatmap --dim 2 -o t.png"])
def test_closed_streams_do_not_matter_where_nothing_is_printed(tmp_path, words):
    done = run_in_shell(tmp_path, f"{words} >&- 2>&-")
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / words.split()[-1]).stat().st_size > 100


def test_the_program_has_a_version_and_letters_that_a_terminal_lacks_stop_nothing(tmp_path):
    assert run_program(tmp_path, "--version").stdout == f"pe-explorer {__version__}\n"
    done = run_program(tmp_path, "export", "--help", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert r"\u03c9" in done.stdout


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


@dataclass(frozen=True)
class Twisted(Index):
    """A scheme with a rule, and a parameter that is called like a flag of `render`."""

    name: ClassVar[str] = "twisted"
    scale: float = declare(Real(1.0, 0.0, 9.0, label="Scale", help="Must be odd."))

    def __post_init__(self):
        super().__post_init__()
        if self.scale % 2 == 0:
            raise EncodingError("scale", "must be odd")


def test_a_rule_of_a_scheme_names_the_flag(capsys, monkeypatch):
    use_schemes(monkeypatch, index=Index, twisted=Twisted)
    for command in (["code"], ["render", "heatmap", "-o", "p.png"]):
        words = [*command, "--encoding", "twisted", "--encoding-scale", "2"]
        assert ": --encoding-scale: must be odd\n" in error_line(capsys, *words)


def test_the_list_has_every_encoding_and_parameter(capsys):
    assert main(["list"]) == 0
    listed = capsys.readouterr().out
    assert "(default none)" in listed
    assert "default )" not in listed
    for name in encodings.names():
        scheme = encodings.find(name)
        assert f"{name}: " in listed
        assert scheme.family in listed
        for option in flags.parameters(scheme):
            assert f"  {option.flags[0]} " in listed
            assert option.parameter.limits in listed


def edited(path, **sections):
    """Write a session, edited by hand."""
    path.write_text(json.dumps(json.loads(session.dumps(Exploration(count=3))) | sections))
    return ["--session", str(path)]


def told(capsys, *arguments):
    """Run a command that must succeed, and return what it printed and said."""
    assert main(arguments) == 0
    return capsys.readouterr()


def test_what_is_dropped_of_a_session_is_told_a_line_each(capsys, tmp_path):
    wrong = {"name": "sinusoidal", "dim": -8}
    given = edited(tmp_path / "a\nb.json", encoding=wrong, positions={"start": 2, "count": -3})
    for command in ("code", "export"):
        out = [] if command == "code" else ["-o", str(tmp_path / "t.npy")]
        first, second = told(capsys, command, *given, *out).err.splitlines()
        assert first.startswith(f"pe-explorer {command}: ")
        for fact in (r"a\nb.json", "encoding.dim: -8", "1 to 65536", "128"):
            assert fact in first
        assert "positions.count: -3" in second


def test_a_session_of_a_later_version_is_told(capsys, tmp_path):
    later = edited(tmp_path / "s.json", schema=99)
    out, err = told(capsys, "code", *later)
    (line,) = err.splitlines()
    assert "s.json" in line
    assert "schema 99" in line
    assert told(capsys, "code", *edited(tmp_path / "s.json")) == (out, "")
    later = edited(tmp_path / "later.json", encoding={"name": "x-helix"})
    assert told(capsys, "code", *later, "--encoding", "binary").err == ""


def test_a_note_says_that_a_table_is_longer_than_its_header_says(capsys, tmp_path):
    np.save(tmp_path / "rows.npy", np.zeros((9, 4)))
    with open(tmp_path / "rows.npy", "ab") as file:
        file.write(b"x" * 77)
    given = ["--encoding", "learned", "--file", str(tmp_path / "rows.npy")]
    for command in (["code"], ["export", "-o", str(tmp_path / "t.npy")]):
        (line,) = told(capsys, *command, *given).err.splitlines()
        assert line.startswith(f"pe-explorer {command[0]}: ")
        assert "77 bytes" in line


def test_an_unknown_encoding_or_pin_is_refused_only_where_it_is_needed(
    capsys, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("later.json").write_text(json.dumps(unknown.document(count=3)))
    given = ["--session", "later.json"]
    for command in (["export", "-o", "t.npy"], ["code"]):
        line = error_line(capsys, *command, *given)
        assert f"--session: later.json: {unknown.NOT_KNOWN}" in line
    assert told(capsys, "export", *given, "--encoding", "fraction", "-o", "t.npy").err == ""
    np.testing.assert_array_equal(np.load("t.npy"), encodings.create("fraction").table(range(3)))
    made = unknown.document({"name": "index", "dim": 16}, [("a helix", unknown.LATER)], count=3)
    Path("later.json").write_text(json.dumps(made))
    given = ["export", *given, "-o", "t.npy"]
    for show in ("pinned", "difference"):
        assert main([*given, "--show", show]) == 2
        assert f"--pin: {unknown.NOT_KNOWN}" in capsys.readouterr().err.splitlines()[-1]
    (line,) = told(capsys, *given).err.splitlines()
    assert f"pins[0].encoding.name: {unknown.NOT_KNOWN}" in line
    assert json.loads(Path("t.npy.session.json").read_text())["pins"] == made["pins"]

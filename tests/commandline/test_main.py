import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from pe_explorer import __version__, encodings, flags
from pe_explorer.commandline.main import main, parse_positions
from pe_explorer.encodings import EncodingError
from pe_explorer.encodings.index import Index
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from pe_explorer.files.png import text_of
from pe_explorer.params import (
    Choice,
    ParameterError,
    Real,
    Whole,
    declare,
)
from tests.support import unknown
from tests.support.commands import error_line
from tests.support.processes import ENVIRONMENT, run_program
from tests.support.schemes import use_schemes


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
        assert parse_positions(text) == positions, text
    refused = ["", ":", "5", "5:", ":5", "0:5:0", "5:5", "0+0", "0+-3", "1.5:3", "a:b", "nan:3"]
    refused += ["0:1,5", "0:1.500", "10^12:10^12+50", "9^9^9+1", "8K+1"]
    for text in [*refused, "0:1e999999999", "2^53+2", "1:2:3:4", "0:2e16"]:
        with pytest.raises(ParameterError, match="positions"):
            parse_positions(text)


def test_distances_flags(tmp_path):
    line = "export --what distances --metric euclidean --reference -4 --positions -4:0 --dim 2 -o"
    assert main([*shlex.split(line), str(tmp_path / "d.npy")]) == 0
    expected = 2 * np.sin(np.arange(4) / 2)
    np.testing.assert_allclose(np.load(tmp_path / "d.npy"), expected, atol=1e-15)


def test_large_numbers_as_people_write_them(tmp_path):
    line = "export --dim 4 --base 1e12 --offset 1_000 --positions 1e12+2 -o"
    assert main([*shlex.split(line), str(tmp_path / "t.npy")]) == 0
    np.testing.assert_array_equal(
        np.load(tmp_path / "t.npy"),
        encodings.create("sinusoidal", dim=4, base=1e12).table([10**12 + 1000, 10**12 + 1001]),
    )


REFUSED = {  # what the line names
    "export -o x.npy --dim 0": ["--dim: 0", "1 to 65536", "nearest valid value is 1"],
    "export -o x.npy --dim 65537": ["--dim: 65537", "nearest valid value is 65536"],
    "export -o x.npy --dim 4.5": ["--dim", "'4.5'", "whole number"],
    "export -o x.npy --base 1": ["--base: 1 ", "above 1"],
    "export -o x.npy --base nan": ["--base", "nan"],
    "export -o x.npy --layout interleave": ["--layout: 'interleave'", "'interleaved'"],
    "export -o x.npy --dmi 4": ["--dmi", "did you mean '--dim'"],
    "export -o x.npy --encoding sinusoid": ["--encoding: 'sinusoid'", "'sinusoidal'"],
    "export -o x.npy --encoding index --base 3": ["--base: no such flag of index"],
    "export -o x.npy --encoding index --what frequencies": [
        *("--what", "index is not made of waves", "table, ", " distances, matrix"),
    ],
    "export -o x.npy --positions 0:0": ["--positions: '0:0' holds no position"],
    "export -o x.npy --positions 0:2e16": ["--positions", "2^53"],
    "export -o x.npy --metric cos": ["--metric: 'cos'", "similarity, dot, normalised-dot"],
    "export -o x.npy --reference 2^60": ["--reference", "-2^53 to 2^53"],
    "export -o x.npy --dtype bfloat16": ["--dtype: 'bfloat16'", "float64, float32, float16"],
    "export -o x.npy --what tables": ["--what: 'tables'", "did you mean 'table'"],
    "export -o t.txt": [".npy", ".csv"],
    "export -o no/t.npy": ["there is no folder"],
    "export": ["-o/--output"],
    "exprt": ["'exprt'"],
    "export -o x.npy --session=": ["--session: the name is empty"],
    "export -o x.npy --session ''": ["--session: the name is empty"],
    "code --for fortran": ["--for: 'fortran'"],
}


@pytest.mark.parametrize("line", REFUSED)
def test_bad_input_is_one_line_and_no_file(capsys, tmp_path, monkeypatch, line):
    monkeypatch.chdir(tmp_path)
    said = error_line(capsys, *shlex.split(line))
    assert [word for word in REFUSED[line] if word not in said] == []
    assert list(tmp_path.iterdir()) == []


# -- files that the system refuses -----------------------------------------------------------------


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


def test_an_error_of_a_file_names_the_file(capsys, monkeypatch):
    def fail(*given):
        raise OSError(5, "Input/output error", "some/file")

    monkeypatch.setattr(encodings, "find", fail)
    assert (
        error_line(capsys, "code")
        == "pe-explorer code: some/file: input/output error; choose another file\n"
    )


# -- one line, whatever the arguments hold ---------------------------------------------------------

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


# -- flags -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Twisted(Index):
    """A scheme that only this test knows."""

    name: ClassVar[str] = "twisted"
    head_dim: int = declare(Whole(4, 1, 64, label="Head width", help="Of one head."))
    scale: float = declare(Real(1.0, 0.0, 9.0, label="Scale", help="Must be even."))

    def __post_init__(self):
        super().__post_init__()
        if self.scale % 2 == 0:
            raise EncodingError("scale", "must be odd")


def test_flags_have_one_spelling_and_name_fields_that_do_not_go_together(capsys, monkeypatch):
    use_schemes(monkeypatch, index=Index, twisted=Twisted)
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^  --head-dim +1 to 64 \(default 4\)$", out, re.MULTILINE)
    twisted = ["code", "--encoding", "twisted"]
    assert "head_dim=8" in told(capsys, *twisted, "--head-dim", "8").out
    assert "--head-dim: 99" in error_line(capsys, *twisted, "--head-dim", "99")
    render = shlex.split("render heatmap --encoding twisted -o p.png")
    for line in (twisted, render):
        said = error_line(capsys, *line, "--encoding-scale", "2")
        assert said == f"pe-explorer {line[0]}: --encoding-scale: must be odd\n"


def test_list_and_help_have_every_encoding_and_parameter(capsys):
    assert main(["list"]) == 0
    listed = capsys.readouterr().out
    for name in encodings.names():
        scheme = encodings.find(name)
        assert f"{name}: " in listed
        assert scheme.family in listed
        with pytest.raises(SystemExit) as stop:
            main(["export", "--encoding", name, "--help"])
        assert stop.value.code == 0
        out = " ".join(capsys.readouterr().out.split())
        for option in flags.parameters(scheme):
            assert f"  {option.flags[0]} " in listed
            assert f"{option.flags[0]} " in out
            limits = option.parameter.limits
            assert limits in listed
            assert isinstance(option.parameter, Choice) or limits in out
            assert option.parameter.unit in out


# -- what a session has that cannot be used --------------------------------------------------------


def edited(path, **sections):
    """Write a session, edited by hand."""
    path.write_text(json.dumps(json.loads(session.dumps(Exploration(count=3))) | sections))
    return ["--session", str(path)]


def told(capsys, *arguments):
    """Run a command that must succeed, and return what it printed and said."""
    assert main(arguments) == 0
    return capsys.readouterr()


def test_what_is_dropped_of_a_session_is_told_a_line_each(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wrong = {"name": "sinusoidal", "dim": -8}
    given = edited(tmp_path / "a\nb.json", encoding=wrong, positions={"start": 2, "count": -3})
    picture = run_program(tmp_path, "render", "heatmap", *given, "--size", "300x200", "-o", "p.png")
    assert (picture.returncode, picture.stdout) == (0, "")
    said = {
        "render": picture.stderr,
        "code": told(capsys, "code", *given).err,
        "export": told(capsys, "export", *given, "-o", "t.npy").err,
    }
    for command, err in said.items():
        first, second = err.splitlines()
        assert first.startswith(f"pe-explorer {command}: ")
        for fact in (r"a\nb.json", "encoding.dim: -8", "1 to 65536", "128"):
            assert fact in first
        assert "positions.count: -3" in second
    line = error_line(capsys, "code", *given, "--positions", "0:0")
    assert "--positions" in line


def test_a_session_of_a_later_version_is_told(capsys, tmp_path):
    out, err = told(capsys, "code", *edited(tmp_path / "s.json", schema=99))
    plain = told(capsys, "code", *edited(tmp_path / "s.json"))
    assert (out, plain.err) == (plain.out, "")
    assert err.count("\n") == 1
    assert "s.json" in err
    assert "schema 99" in err
    later = edited(tmp_path / "later.json", encoding={"name": "x-helix"})
    assert told(capsys, "code", *later, "--encoding", "binary").err == ""


def test_a_drawn_picture_keeps_what_is_not_known(tmp_path):
    given = edited(tmp_path / "s.json", later=[1], views={"spectrum": {"scale": "log"}})
    done = run_program(tmp_path, "render", "heatmap", *given, "--size", "300x200", "-o", "p.png")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    document = json.loads(text_of((tmp_path / "p.png").read_bytes())[session.PNG_KEY])
    assert document["later"] == [1]
    assert document["views"]["spectrum"] == {"scale": "log"}


@pytest.mark.parametrize("words", ["export -o t.npy", "code", "render heatmap -o t.png"])
def test_a_note_says_that_a_table_is_longer_than_its_header_says(tmp_path, words):
    np.save(tmp_path / "rows.npy", np.zeros((9, 4)))
    with open(tmp_path / "rows.npy", "ab") as file:
        file.write(b"x" * 77)
    done = run_program(tmp_path, *words.split(), "--encoding", "learned", "--file", "rows.npy")
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"pe-explorer {words.split()[0]}: ")
    assert "77 bytes" in line


@pytest.mark.parametrize("positions", ["0:50:2", "50:0:-1", "0:4000000000:1000000000"])
def test_attention_of_every_so_many_th_position_is_exported(tmp_path, monkeypatch, positions):
    monkeypatch.chdir(tmp_path)
    words = ("export", "--what", "attention", "--positions", positions, "--carry", "omit")
    assert main([*words, "-o", "a.csv"]) == 0
    title, *lines = Path("a.csv").read_text().splitlines()
    assert title.split(",")[1:] == ["She", "told", "him", "that", "she", "only", "loved", "him."]
    asked = parse_positions(positions)[:8]
    words = ["She", "told", "him", "that", "she", "only", "loved", "him."]
    assert [line.split(",")[0] for line in lines] == words[: len(asked)]
    for line in lines:
        assert sum(map(float, line.split(",")[1:])) == pytest.approx(1)


PRINTING = (
    *("list", "list --models", "list --models --csv", "list --exhibits", "code", "check c.json"),
    *("check --json c.json", "check c.json c.json", "--help", "--version", "export --help"),
)


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


@pytest.mark.parametrize("words", PRINTING)
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
        ("list", "commandline.listing.run"),
        ("export -o t.npy", "files.export.write"),
        ("code --dim 4", "files.snippet.snippet"),
        ("render heatmap -o t.png", "commandline.render.run"),
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


@pytest.mark.parametrize("line", ["export -o t.npy", "code"])
def test_an_unknown_encoding_is_refused_unless_another_is_chosen(
    capsys, tmp_path, monkeypatch, line
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "later.json").write_text(json.dumps(unknown.document(count=3)))
    command, *rest = line.split()
    said = error_line(capsys, command, "--session", "later.json", *rest)
    assert f"--session: later.json: {unknown.NOT_KNOWN}" in said
    assert [path.name for path in tmp_path.iterdir()] == ["later.json"]
    out, err = told(capsys, command, "--session", "later.json", "--encoding", "fraction", *rest)
    assert err == ""
    if command == "export":
        rows = encodings.create("fraction").table(range(3))
        np.testing.assert_array_equal(np.load("t.npy"), rows)
        assert json.loads(Path("t.npy.session.json").read_text())["encoding"]["name"] == "fraction"
    else:
        assert "fraction" in out


@pytest.mark.parametrize("show", ["pinned", "difference"])
def test_an_unknown_pin_is_refused_only_where_it_is_needed(capsys, tmp_path, monkeypatch, show):
    monkeypatch.chdir(tmp_path)
    made = unknown.document({"name": "index", "dim": 16}, [("a helix", unknown.LATER)], count=3)
    (tmp_path / "later.json").write_text(json.dumps(made))
    given = ["export", "--session", "later.json", "-o", "t.npy"]
    assert main([*given, "--show", show]) == 2
    assert f"--pin: {unknown.NOT_KNOWN}" in capsys.readouterr().err.splitlines()[-1]
    assert [path.name for path in tmp_path.iterdir()] == ["later.json"]
    (line,) = told(capsys, *given).err.splitlines()
    assert f"pins[0].encoding.name: {unknown.NOT_KNOWN}" in line
    assert json.loads(Path("t.npy.session.json").read_text())["pins"] == made["pins"]

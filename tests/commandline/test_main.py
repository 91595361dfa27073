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
    FileName,
    Flag,
    Numbers,
    Optional,
    ParameterError,
    Real,
    Text,
    Whole,
    declare,
    declared,
    used,
)
from tests.support import unknown
from tests.support.cases import for_each
from tests.support.commands import error_line
from tests.support.processes import ENVIRONMENT, run_program
from tests.support.samples import stored_table
from tests.support.schemes import use_schemes


@for_each(
    ("text", "positions"),
    [
        ("0:50", range(50)),
        ("-5:5", range(-5, 5)),
        ("10:0:-3", range(10, 0, -3)),
        ("0:+5", range(5)),
        ("0:1_000_000:1e5", range(0, 10**6, 10**5)),
        ("1e12+1000", range(10**12, 10**12 + 1000)),
        ("1e+3+5", range(1000, 1005)),
        ("10^12+50", range(10**12, 10**12 + 50)),
        ("-2^20+64*2", range(-(2**20), -(2**20) + 128)),
        ("0:8Ki:1k", range(0, 8192, 1000)),
        ("1,500:2,000", range(1500, 2000)),
        ("2^53+1", range(2**53, 2**53 + 1)),
        ("-2^53:-9007199254740990", range(-(2**53), -(2**53) + 2)),
        (" 7 : 9 ", range(7, 9)),
    ],
)
def test_positions(text, positions):
    assert parse_positions(text) == positions


NONE = ["", ":", "5", "5:", ":5", "0:5:0", "5:5", "0+0", "0+-3", "1.5:3", "a:b", "nan:3"]
SPELT = ["0:1,5", "0:1.500", "10^12:10^12+50", "9^9^9+1", "8K+1"]


@for_each("text", [*NONE, *SPELT, "0:1e999999999", "2^53+2", "1:2:3:4", "0:2e16"])
def test_positions_refused(text):
    with pytest.raises(ParameterError, match="positions"):
        parse_positions(text)


def other_value(key, parameter):
    """Return a value that is not the default, and that every encoding can have."""
    if isinstance(parameter, FileName):
        return stored_table()
    if isinstance(parameter, Flag):
        return not parameter.default
    if isinstance(parameter, Choice):
        return list(parameter.choices)[-1]
    if key == "partial_rotary_factor":
        return 0.5
    if isinstance(parameter, Optional | Numbers):
        return parameter.default
    if isinstance(parameter, Text):
        return parameter.default
    return parameter.check(key, (parameter.comfort or (parameter.low, parameter.high))[1])


@pytest.mark.parametrize("name", encodings.names())
def test_every_declared_parameter_is_a_flag(tmp_path, name):
    scheme = encodings.find(name)
    chosen = {key: other_value(key, each) for key, each in declared(scheme).items()}
    e = encodings.create(name, **chosen)
    words = []
    for key, parameter in used(e).items():
        words += [flags.flag(key), parameter.format(chosen[key])]
    low = max(-2, e.domain[0])
    positions = f"{low}:{low + 5}"
    given = ["--encoding", name, *words, "--positions", positions, "-o", str(tmp_path / "t.npy")]
    assert main(["export", *given]) == 0
    np.testing.assert_array_equal(np.load(tmp_path / "t.npy"), e.table(range(low, low + 5)))


def test_distances_flags(tmp_path):
    flags = shlex.split(
        "--what distances --metric euclidean --reference -4 --positions -4:0 --dim 2"
    )
    assert main(["export", *flags, "-o", str(tmp_path / "d.npy")]) == 0
    np.testing.assert_allclose(
        np.load(tmp_path / "d.npy"), 2 * np.sin(np.arange(4) / 2), atol=1e-15
    )


def test_large_numbers_as_people_write_them(tmp_path):
    line = "export --dim 4 --base 1e12 --offset 1_000 --positions 1e12+2 -o"
    assert main([*shlex.split(line), str(tmp_path / "t.npy")]) == 0
    np.testing.assert_array_equal(
        np.load(tmp_path / "t.npy"),
        encodings.create("sinusoidal", dim=4, base=1e12).table([10**12 + 1000, 10**12 + 1001]),
    )


@for_each(
    ("flags", "words"),
    [
        (["--dim", "0"], ["--dim: 0", "1 to 65536", "nearest valid value is 1"]),
        (["--dim", "65537"], ["--dim: 65537", "nearest valid value is 65536"]),
        (["--dim", "4.5"], ["--dim", "'4.5'", "whole number"]),
        (["--base", "1"], ["--base: 1 ", "above 1", "must be greater than 1"]),
        (["--base", "nan"], ["--base", "nan"]),
        (["--layout", "interleave"], ["--layout: 'interleave'", "did you mean 'interleaved'"]),
        (["--dmi", "4"], ["--dmi", "did you mean '--dim'"]),
        (["--encoding", "sinusoid"], ["--encoding: 'sinusoid'", "did you mean 'sinusoidal'"]),
        (["--encoding", "index", "--base", "3"], ["--base: no such flag of index"]),
        (
            ["--encoding", "index", "--what", "frequencies"],
            [
                "--what",
                "index is not made of waves",
                "choose one of these: table, ",
                " distances, matrix",
            ],
        ),
        (["--positions", "0:0"], ["--positions: '0:0' holds no position"]),
        (["--positions", "0:2e16"], ["--positions", "2^53"]),
        (["--metric", "cos"], ["--metric: 'cos'", "cosine, dot, euclidean, sse, manhattan"]),
        (["--reference", "2^60"], ["--reference", "-2^53 to 2^53"]),
        (["--dtype", "bfloat16"], ["--dtype: 'bfloat16'", "float64, float32, float16"]),
        (["--what", "tables"], ["--what: 'tables'", "did you mean 'table'"]),
    ],
)
def test_bad_input_is_one_line_and_no_file(capsys, tmp_path, flags, words):
    line = error_line(capsys, "export", *flags, "-o", str(tmp_path / "t.npy"))
    assert line.startswith("pe-explorer export: --")
    for word in words:
        assert word in line
    assert list(tmp_path.iterdir()) == []


def test_bad_targets(capsys, tmp_path):
    assert "must end in .npy or .csv" in error_line(capsys, "export", "-o", str(tmp_path / "t.txt"))
    assert "there is no folder" in error_line(
        capsys, "export", "-o", str(tmp_path / "no" / "t.npy")
    )
    assert "-o/--output" in error_line(capsys, "export")
    assert "'exprt'" in error_line(capsys, "exprt")


# -- files that the system refuses -----------------------------------------------------------------


@for_each(
    "name",
    ["loop.npy", "x" * 239 + ".npy", "x" * 251 + ".npy", "x" * 300 + ".npy", "nul\0.npy", ""],
    ids=ascii,
)
@for_each("more", [[], ["--carry", "omit"]], ids=["", "omit"])
def test_a_name_that_no_file_can_have_is_named(capsys, tmp_path, monkeypatch, name, more):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop.npy").symlink_to("loop.npy")
    if more and len(name) in (243, 255):
        assert main(["export", "--dim", "2", "-o", name, *more]) == 0
        return
    line = error_line(capsys, "export", *more, "-o", name)
    assert line.startswith(
        f"pe-explorer export: --output: {name or repr('')}".replace("\0", r"\x00")
    )
    assert re.search("choose another name|must end in", line)
    assert os.listdir(tmp_path) == ["loop.npy"]


def test_an_error_of_a_file_names_the_file(capsys, monkeypatch):
    def fail(*given):
        raise OSError(5, "Input/output error", "some/file")

    monkeypatch.setattr(encodings, "find", fail)
    assert (
        error_line(capsys, "code")
        == "pe-explorer code: some/file: input/output error; choose another file\n"
    )


def test_a_session_without_a_name_is_an_error(capsys, tmp_path):
    target = tmp_path / "t.npy"
    assert (
        error_line(capsys, "export", "--session", "", "-o", str(target))
        == "pe-explorer export: --session: the name is empty; give the name of a file\n"
    )
    assert error_line(capsys, "export", "--session=", "-o", str(target)).startswith(
        "pe-explorer export: --session: the name is empty"
    )
    assert not target.exists()


# -- one line, whatever the arguments hold ---------------------------------------------------------

ODD = ["\n", "\r", "\r\n", "\x0b", "\x1c", "\x85", "\u2028", "\u2029", "\x1b[31m", "\x9b"]
ODD += ["\u202e", "\ud800", "\0"]


@for_each("odd", ODD, ids=ascii)
@for_each(
    "words",
    [
        ["exp{}ort"],
        ["--theme", "da{}rk"],
        ["list", "mo{}re"],
        ["export", "--bo{}gus"],
        ["export", "--dim", "4{}x", "-o", "t.npy"],
        ["export", "--encoding", "in{}dex", "-o", "t.npy"],
        ["export", "--positions", "0:{}:x", "-o", "t.npy"],
        ["export", "--pin", "binary di{}m=4", "-o", "t.npy"],
        ["export", "--session", "no{}thing.json", "-o", "t.npy"],
        ["export", "-o", "a{}folder/t.npy"],
        ["export", "-o", "t.a{}b"],
        ["code", "--for", "num{}py"],
    ],
    ids=" ".join,
)
def test_every_error_is_one_line_that_can_be_shown(capsys, tmp_path, monkeypatch, words, odd):
    monkeypatch.chdir(tmp_path)
    line = error_line(capsys, *(word.format(odd) for word in words))
    assert line.removesuffix("\n").isprintable()


def test_notes_on_a_session_are_a_line_each(capsys, tmp_path):
    given = edited(tmp_path / "a\nb.json", positions={"count": "x\ny"})
    err = told(capsys, "code", *given).err
    assert err.count("\n") == 1
    assert r"a\nb.json: positions.count: 'x\ny'" in err


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


@pytest.fixture
def twisted(monkeypatch):
    use_schemes(monkeypatch, index=Index, twisted=Twisted)


@pytest.mark.usefixtures("twisted")
def test_flags_are_spelled_the_same_everywhere(capsys, tmp_path):
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^  --head-dim +1 to 64 \(default 4\)$", out, re.MULTILINE)
    assert "head_dim=8" in told(capsys, "code", "--encoding", "twisted", "--head-dim", "8").out
    assert "--head-dim: 99" in error_line(
        capsys, "code", "--encoding", "twisted", "--head-dim", "99"
    )


@pytest.mark.usefixtures("twisted")
def test_fields_that_do_not_go_together_are_named_by_their_flags(capsys, tmp_path):
    assert (
        error_line(capsys, "code", "--encoding", "twisted", "--scale", "2")
        == "pe-explorer code: --encoding-scale: must be odd\n"
    )
    given = [
        *shlex.split("render heatmap --encoding twisted --encoding-scale 2 -o"),
        str(tmp_path / "p.png"),
    ]
    assert error_line(capsys, *given) == "pe-explorer render: --encoding-scale: must be odd\n"


def test_list_names_every_encoding_and_parameter(capsys):
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    for name in encodings.names():
        assert f"{name}: " in out
        scheme = encodings.find(name)
        assert (
            f"{scheme.family}; a row for each {scheme.rows.name}, "
            f"a column for each {scheme.columns.name}\n" in out
        )
        for option in flags.parameters(scheme):
            assert f"  {option.flags[0]} " in out
            assert option.parameter.limits in out


@pytest.mark.parametrize("name", encodings.names())
def test_help_has_units_and_limits(capsys, name):
    with pytest.raises(SystemExit) as stop:
        main(["export", "--encoding", name, "--help"])
    assert stop.value.code == 0
    out = " ".join(capsys.readouterr().out.split())
    for key, parameter in declared(encodings.find(name)).items():
        assert f"{flags.flag(key)} " in out
        assert isinstance(parameter, Choice) or parameter.limits in out
        assert parameter.unit in out


def test_module_and_version():
    done = subprocess.run(
        [sys.executable, "-m", "pe_explorer", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"pe-explorer {__version__}\n"


# -- what a session has that cannot be used --------------------------------------------------------


def edited(path, **sections):
    """Write a session, edited by hand."""
    path.write_text(json.dumps(json.loads(session.dumps(Exploration(count=3))) | sections))
    return ["--session", str(path)]


def told(capsys, *arguments):
    """Run a command that must succeed, and return what it printed and said."""
    assert main(arguments) == 0
    return capsys.readouterr()


@pytest.mark.parametrize("name", ["code", "export", "render"])
def test_what_is_dropped_of_a_session_is_told_a_line_each(capsys, tmp_path, name):
    given = edited(
        tmp_path / "bad.json",
        encoding={"name": "sinusoidal", "dim": -8},
        positions={"start": 2, "count": -3},
    )
    if name == "render":
        done = run_program(
            tmp_path, "render", "heatmap", *given, "--size", "300x200", "-o", "p.png"
        )
        assert (done.returncode, done.stdout) == (0, "")
        err = done.stderr
    else:
        err = told(
            capsys, name, *given, *(["-o", str(tmp_path / "t.npy")] if name == "export" else [])
        ).err
    lines = err.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith(
        f"pe-explorer {name}: {tmp_path / 'bad.json'}: encoding.dim: -8 is outside 1 to 65536"
    )
    assert lines[0].endswith("the default, 128, is used.")
    assert lines[1].startswith(f"pe-explorer {name}: {tmp_path / 'bad.json'}: positions.count: -3 ")


def test_a_session_of_a_later_version_is_told(capsys, tmp_path):
    given = edited(tmp_path / "s.json", schema=99)
    out, err = told(capsys, "code", *given)
    assert out == told(capsys, "code", *edited(tmp_path / "s.json")).out
    assert err.count("\n") == 1
    assert (
        "s.json: A later version wrote this session (schema 99; this version knows schema 1); "
        "settings that it does not know have no effect." in err
    )


def test_a_good_session_or_one_whose_encoding_is_not_used_says_nothing(capsys, tmp_path):
    assert told(capsys, "code", *edited(tmp_path / "good.json")).err == ""
    assert (
        told(
            capsys,
            "code",
            *edited(tmp_path / "later.json", encoding={"name": "x-helix"}),
            "--encoding",
            "binary",
        ).err
        == ""
    )


def test_a_wrong_flag_is_still_the_only_line(capsys, tmp_path):
    assert "--positions" in error_line(
        capsys,
        "code",
        *edited(tmp_path / "bad.json", positions={"count": -3}),
        "--positions",
        "0:0",
    )


def test_a_drawn_picture_keeps_what_is_not_known(tmp_path):
    given = edited(tmp_path / "s.json", later=[1], views={"spectrum": {"scale": "log"}})
    done = run_program(tmp_path, "render", "heatmap", *given, "--size", "300x200", "-o", "p.png")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    document = json.loads(text_of((tmp_path / "p.png").read_bytes())[session.PNG_KEY])
    assert document["later"] == [1]
    assert document["views"]["spectrum"] == {"scale": "log"}
    assert "quantity" in document["views"]["heatmap"]


def started(*words, **how):
    return subprocess.run(
        [sys.executable, "-m", "pe_explorer", *words],
        check=False,
        **{"stderr": subprocess.PIPE, "env": ENVIRONMENT, **how},
    )


@for_each("words", ["export -o t.npy", "code", "render heatmap -o t.png"])
def test_a_note_says_that_a_table_is_longer_than_its_header_says(tmp_path, words):
    np.save(tmp_path / "rows.npy", np.zeros((9, 4)))
    with open(tmp_path / "rows.npy", "ab") as file:
        file.write(b"x" * 77)
    done = run_program(tmp_path, *words.split(), "--encoding", "learned", "--file", "rows.npy")
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"pe-explorer {words.split()[0]}: ")
    assert "77 bytes" in line


@for_each("positions", ["0:50:2", "50:0:-1", "0:4000000000:1000000000"])
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


@for_each("words", ["export --dim 2 -o t.npy", "render heatmap --dim 2 -o t.png"])
def test_closed_streams_do_not_matter_where_nothing_is_printed(tmp_path, words):
    done = run_in_shell(tmp_path, f"{words} >&- 2>&-")
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / words.split()[-1]).stat().st_size > 100


@for_each("words", PRINTING)
def test_what_cannot_be_printed_is_an_error(folder, words):
    for stream, says in ((">&-", "closed"), (">/dev/full", "no space left on device")):
        done = run_in_shell(folder, f"{words} {stream}")
        assert done.returncode == 2, done
        (line,) = done.stderr.decode().splitlines()
        assert line.startswith("pe-explorer")
        assert f"standard output: {says}" in line
    done = run_in_shell(folder, f"{words} >&- 2>&-")
    assert done.returncode == 2
    done = run_in_shell(folder, f"{words} 2>&-")
    assert done.returncode == 0
    assert done.stdout


INTERNAL = """
import sys
from unittest.mock import patch
from pe_explorer.__main__ import main
with patch("pe_explorer.{function}", side_effect=TypeError("planted")):
    sys.exit(main())
"""


@for_each(
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


def test_letters_that_a_terminal_lacks_stop_nothing():
    done = started(
        "export",
        "--help",
        stdout=subprocess.PIPE,
        env={**ENVIRONMENT, "PYTHONIOENCODING": "cp1252"},
    )
    assert done.returncode == 0
    assert rb"\u03c9" in done.stdout


@pytest.mark.parametrize(
    "words", [("export", "-o", "t.npy"), ("code",)], ids=lambda words: words[0]
)
def test_a_session_with_an_unknown_encoding_is_refused_unless_another_is_chosen(
    capsys, tmp_path, monkeypatch, words
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "later.json").write_text(json.dumps(unknown.document(count=3)))
    command, *rest = words
    line = error_line(capsys, command, "--session", "later.json", *rest)
    assert line.startswith(
        f"pe-explorer {command}: --session: later.json: {unknown.NOT_KNOWN}; choose another"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["later.json"]
    assert main([command, "--session", "later.json", "--encoding", "fraction", *rest]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    if command == "export":
        np.testing.assert_array_equal(
            np.load("t.npy"), encodings.create("fraction").table(range(3))
        )
        assert json.loads(Path("t.npy.session.json").read_text())["encoding"]["name"] == "fraction"
    else:
        assert "fraction" in captured.out


@pytest.mark.parametrize("show", ["pinned", "difference"])
def test_an_unknown_pin_is_refused_only_where_it_is_needed(capsys, tmp_path, monkeypatch, show):
    monkeypatch.chdir(tmp_path)
    made = unknown.document({"name": "index", "dim": 16}, [("a helix", unknown.LATER)], count=3)
    (tmp_path / "later.json").write_text(json.dumps(made))
    assert main(["export", "--session", "later.json", "--show", show, "-o", "t.npy"]) == 2
    assert (
        capsys.readouterr()
        .err.splitlines()[-1]
        .startswith(f"pe-explorer export: --pin: {unknown.NOT_KNOWN};")
    )
    assert [path.name for path in tmp_path.iterdir()] == ["later.json"]
    assert main(["export", "--session", "later.json", "-o", "t.npy"]) == 0
    assert capsys.readouterr().err.splitlines() == [
        f"pe-explorer export: later.json: pins[0].encoding.name: {unknown.NOT_KNOWN}; the "
        "encoding is kept as it is, but cannot be shown."
    ]
    assert json.loads(Path("t.npy.session.json").read_text())["pins"] == made["pins"]

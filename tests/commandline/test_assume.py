"""Commands and unknown classes: what is assumed is chosen, or it is said."""

import json

import numpy as np
import pytest

from pe_explorer.commandline import main as cli
from pe_explorer.files import opening
from pe_explorer.files.session import SessionError
from tests.configs.support import llama, path_of, written
from tests.support.commands import checked, error_line

ROTATING = llama(model_type="unheard-of")
SILENT = llama(model_type="unheard-of", rope_theta=None)
LLAMA = str(path_of("llama-3.1-8b"))
COMMANDS = {
    "export": ["--what", "frequencies", "-o", "x.npy"],
    "render": ["frequencies", "-o", "x.svg"],
    "code": [],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_is_written_unless_llama_is_assumed(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    path = written(tmp_path, ROTATING)
    line = error_line(capsys, name, *COMMANDS[name], "--config", str(path))
    for word in ("--config", str(path), "model_type", "unheard-of", "--assume llama"):
        assert word in line
    assert list(tmp_path.iterdir()) == [path]
    if name == "render":
        return
    for fields in (ROTATING, SILENT):
        path = written(tmp_path, fields)
        assert cli.main([name, *COMMANDS[name], "--config", str(path), "--assume", "llama"]) == 0
        out, err = capsys.readouterr()
        assert err.count("\n") == 1
        assert err.startswith(f"pe-explorer {name}: {path}: warning: model_type: unheard-of")
        if name == "export":
            turns = np.load("x.npy").ravel()
            assert turns[1] == pytest.approx(1e4 ** (-1 / 64), rel=1e-14)
        else:
            assert "rope_theta=10000.0" in out


def test_a_known_class_needs_no_assumption_and_only_llama_can_be_assumed(capsys):
    for more in ([], ["--assume", "llama"]):
        assert cli.main(["code", "--config", LLAMA, *more]) == 0
        assert capsys.readouterr().err == ""
    for words, part in (
        (["code", "--assume", "llama"], "--config"),
        (["code", "--model", "llama-3.1-8b", "--assume", "llama"], "--config"),
        (["code", "--config", LLAMA, "--assume", "qwen2"], "'qwen2'"),
        (["check", LLAMA, "--assume", "qwen2"], "'qwen2'"),
    ):
        line = error_line(capsys, *words)
        assert "--assume: " in line
        assert part in line


def test_check_shows_the_reading_as_an_assumption(tmp_path, capsys):
    path = written(tmp_path, ROTATING)
    code, lines = checked(capsys, path)
    assert code == 1
    assert lines[0].startswith(f"{path}: unheard-of")
    assert "llama" in lines[0]
    assert "as transformers" not in lines[0]
    assert "full_attention: rope_theta: 10,000" in lines
    assert any(line.startswith("warning: model_type: unheard-of") for line in lines)
    assert checked(capsys, path, "--assume", "llama") == (code, lines)
    path = written(tmp_path, SILENT)
    code, lines = checked(capsys, path)
    assert code == 1
    assert "as transformers" not in lines[0]
    assert "full_attention: encoding: none" in lines
    (error,) = [line for line in lines if line.startswith("error: ")]
    assert "--assume llama" in error
    code, lines = checked(capsys, path, "--assume", "llama")
    assert (code, "full_attention: encoding: rope" in lines) == (1, True)


@pytest.mark.parametrize(("fields", "assumed"), [(ROTATING, "llama"), (SILENT, None)])
def test_json_says_what_is_assumed(fields, assumed, tmp_path, capsys):
    path = written(tmp_path, fields)
    assert cli.main(["check", "--json", "--semantics", "all", str(path)]) == 1
    readings = json.loads(capsys.readouterr().out)["readings"]
    assert [reading["assumed"] for reading in readings] == [assumed] * 4
    assert cli.main(["check", "--json", LLAMA]) == 0
    assert json.loads(capsys.readouterr().out)["readings"][0]["assumed"] is None


def test_two_files_are_compared_with_a_warning(tmp_path, capsys):
    one, other = written(tmp_path, ROTATING), str(path_of("llama-2-7b"))
    code, lines = checked(capsys, one, one)
    assert code == 1
    assert "as transformers" not in lines[0]
    warnings = [line for line in lines if line.startswith("warning: ")]
    assert warnings
    assert all(str(one) in line for line in warnings)
    assert checked(capsys, other, other)[0] == 0
    assert cli.main(["check", "--json", str(one), other]) == 1
    assert json.loads(capsys.readouterr().out)["readings"][0]["assumed"] == ["llama", None]
    path = str(written(tmp_path, SILENT))
    assert "unheard-of" in error_line(capsys, "check", path, LLAMA)
    assert checked(capsys, path, LLAMA, "--assume", "llama")[0] == 1


def test_the_window_opens_what_check_reads(tmp_path):
    opened = opening.read(written(tmp_path, ROTATING))
    assert opened.found.assumed == "llama"
    assert {check.assumed for check in opened.checks} == {"llama"}
    path = written(tmp_path, SILENT)
    with pytest.raises(SessionError, match="unheard-of"):
        opening.read(path)

"""Commands and unknown classes: what is assumed is chosen, or it is said."""

import json

import numpy as np
import pytest

from pe_explorer.commandline import main as cli
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


def test_a_known_class_needs_no_assumption(capsys):
    for more in ([], ["--assume", "llama"]):
        assert cli.main(["code", "--config", LLAMA, *more]) == 0
        assert capsys.readouterr().err == ""


def test_check_shows_the_reading_as_an_assumption(tmp_path, capsys):
    for fields, assumed in ((ROTATING, "llama"), (SILENT, None)):
        path = written(tmp_path, fields)
        code, (heading, *lines) = checked(capsys, path)
        assert code == 1
        assert heading.startswith(f"{path}: unheard-of")
        assert "as transformers" not in heading
        if assumed:
            assert "llama" in heading
            assert "full_attention: rope_theta: 10,000" in lines
            assert any(line.startswith("warning: model_type: unheard-of") for line in lines)
            assert checked(capsys, path, "--assume", "llama") == (code, [heading, *lines])
        else:
            assert "full_attention: encoding: none" in lines
            (error,) = [line for line in lines if line.startswith("error: ")]
            assert "--assume llama" in error
            code, lines = checked(capsys, path, "--assume", "llama")
            assert (code, "full_attention: encoding: rope" in lines) == (1, True)
        assert cli.main(["check", "--json", str(path)]) == 1
        (reading,) = json.loads(capsys.readouterr().out)["readings"]
        assert reading["assumed"] == assumed


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

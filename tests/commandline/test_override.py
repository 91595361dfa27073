"""`--override` replaces fields of a configuration before it is read, as vLLM does."""

import json

import pytest

from pe_explorer.commandline import main as cli
from tests.configs.support import llama, written
from tests.support.commands import error_line, exported

NEW = llama(rope_theta=None, rope_parameters={"rope_type": "default", "rope_theta": 5e5})


def checked(capsys, path, override, *more):
    """Return the exit code, and the only reading of `check --json`."""
    words = ["check", str(path), "--override", json.dumps(override), "--json", *more]
    code = cli.main(words)
    (reading,) = json.loads(capsys.readouterr().out)["readings"]
    return code, reading


def test_a_plain_field_is_replaced(tmp_path, capsys):
    code, reading = checked(capsys, written(tmp_path, llama()), {"rope_theta": 1e6})
    assert code == 0
    assert reading["layers"]["full_attention"]["parameters"]["rope_theta"] == 1e6


def test_a_rope_dictionary_is_replaced_whole_and_its_losses_are_warnings(tmp_path, capsys):
    override = {"rope_parameters": {"rope_type": "yarn", "factor": 4.0}}
    code, reading = checked(capsys, written(tmp_path, NEW), override)
    assert code == 1
    assert reading["layers"]["full_attention"]["parameters"]["rope_theta"] == 1e4
    (lost,) = [each for each in reading["findings"] if each["kind"] == "lost-field"]
    assert (lost["field"], lost["level"]) == ("rope_parameters", "warning")
    assert "500,000" in lost["happens"]
    code, reading = checked(capsys, written(tmp_path, NEW), {"rope_parameters": {"rope_theta": 7}})
    assert [each["kind"] for each in reading["findings"]].count("lost-field") == 1  # the type


def test_a_base_beside_the_dictionary_is_not_lost(tmp_path, capsys):
    override = {"rope_parameters": {"rope_type": "linear", "factor": 2.0}, "rope_theta": 5e5}
    _, reading = checked(capsys, written(tmp_path, NEW), override)
    assert "lost-field" not in [each["kind"] for each in reading["findings"]]


def test_nested_configurations_are_changed_field_by_field(tmp_path, capsys):
    path = written(tmp_path, {"model_type": "llava", "text_config": llama()})
    _, reading = checked(capsys, path, {"text_config": {"rope_theta": 1e6}})
    parameters = reading["layers"]["full_attention"]["parameters"]
    assert (parameters["rope_theta"], parameters["head_dim"]) == (1e6, 128)


def test_null_takes_a_field_away_and_a_class_can_be_named(tmp_path, capsys):
    path = written(tmp_path, llama(model_type="unheard-of", rope_scaling={"rope_type": "none"}))
    code, reading = checked(capsys, path, {"model_type": "llama", "rope_scaling": None})
    assert (code, reading["model_type"], reading["assumed"]) == (0, "llama", None)


def test_commands_start_from_the_changed_configuration_and_warn_of_losses(tmp_path, capsys):
    words = ["--config", str(written(tmp_path, llama())), "--override", '{"rope_theta": 1e6}']
    assert cli.main(["code", *words]) == 0
    assert "rope_theta=1000000.0" in capsys.readouterr().out
    numbers = exported(tmp_path, "--what", "frequencies", *words)
    assert numbers.ravel()[1] == pytest.approx(1e6 ** (-1 / 64), rel=1e-14)
    override = '{"rope_parameters": {"rope_type": "default"}}'
    assert cli.main(["code", "--config", str(written(tmp_path, NEW)), "--override", override]) == 0
    assert "rope_theta" in capsys.readouterr().err


def test_two_files_are_compared_with_the_same_override(tmp_path, capsys):
    one = written(tmp_path, llama())
    other = tmp_path / "other.json"
    other.write_text(json.dumps(llama(rope_theta=2e4)))
    assert cli.main(["check", str(one), str(other)]) == 1
    assert cli.main(["check", str(one), str(other), "--override", '{"rope_theta": 7}']) == 0


@pytest.mark.parametrize("text", ["", "{", "[1]", "7", "null", '"a"'])
def test_what_is_no_object_is_refused(text, tmp_path, capsys):
    path = written(tmp_path, llama())
    assert "--override" in error_line(capsys, "check", str(path), "--override", text)
    assert "--override" in error_line(capsys, "code", "--config", str(path), "--override", text)

"""Commands that start from a model's configuration."""

import json

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.commandline import main as cli
from tests.configs.support import config_file, fields_of, llama, path_of
from tests.support.commands import checked, error_line, exported, render_request

GEMMA, LLAMA = str(path_of("gemma-3-4b")), str(path_of("llama-3.1-8b"))


def test_other_flags_change_what_it_gives(tmp_path):
    words = ["--config", LLAMA, "--factor", "16", "--what", "frequencies"]
    numbers = exported(tmp_path, *words).ravel()
    e = encodings.from_config(LLAMA)["all"]
    assert numbers[-1] == pytest.approx(e.frequencies()[-1] / 2, rel=1e-15)
    assert numbers[0] == e.frequencies()[0]


def test_several_layer_types_are_drawn_as_encoding_and_pins_or_one_of_them():
    found = encodings.from_config(GEMMA)
    for words in (("--config", GEMMA), ("--model", "gemma-3-4b")):
        _, state, _ = render_request("frequencies", *words)
        assert state.encoding == found["full_attention"]
        assert [(pin.name, pin.encoding) for pin in state.pins] == [
            ("sliding_attention", found["sliding_attention"])
        ]
        _, state, _ = render_request("frequencies", *words, "--layers", "sliding_attention")
        assert (state.encoding, state.pins) == (found["sliding_attention"], ())


def test_code_of_one_layer_type_which_may_be_named_where_all_agree(capsys):
    gpt_oss = str(path_of("gpt-oss-20b"))
    for file, layer, facts in (
        (GEMMA, "full_attention", ("rope_theta=1000000.0", "rope_type='linear'")),
        (gpt_oss, "sliding_attention", ("rope_type='yarn'",)),
    ):
        assert cli.main(["code", "--config", file, "--layers", layer]) == 0
        out = capsys.readouterr().out
        assert all(fact in out for fact in facts)


def test_layers_without_an_encoding_are_not_given_that_of_others(tmp_path, capsys):
    fields = fields_of("gemma-3-4b")
    del fields["text_config"]["rope_scaling"]["factor"]
    path = tmp_path / "config.json"
    path.write_text(json.dumps(fields), encoding="utf-8")
    lack = "full_attention has no encoding: text_config.rope_scaling.factor: is missing"
    remedy = "Choose sliding_attention with --layers."
    words = ["code", "--config", str(path)]
    for chosen in ([], ["--layers", "full_attention"]):
        line = error_line(capsys, *words, *chosen)
        assert f"--config: {path}: {lack}" in line
        assert remedy in line
    assert cli.main([*words, "--layers", "sliding_attention"]) == 0
    assert "rope_theta=10000.0" in capsys.readouterr().out


def test_a_very_long_name_of_a_layer_type_is_cut_in_the_message(tmp_path, capsys):
    fields = fields_of("olmo-3-7b.new")
    fields["layer_types"][-2] = f"sliding_{5000 * '9'}"
    path = tmp_path / "config.json"
    path.write_text(json.dumps(fields), encoding="utf-8")
    line = error_line(capsys, "code", "--config", str(path))
    assert "sliding_9" in line
    assert "hoose full_attention or sliding_attention with --layers" in line
    assert len(line) < 600 + len(str(path))


NEW = llama(rope_theta=None, rope_parameters={"rope_type": "default", "rope_theta": 5e5})


def overridden(capsys, path, override, *more):
    """Return the exit code, and the only reading of `check --json`."""
    words = ["check", str(path), "--override", json.dumps(override), "--json", *more]
    code = cli.main(words)
    (reading,) = json.loads(capsys.readouterr().out)["readings"]
    return code, reading


def test_fields_are_replaced_one_by_one_and_null_takes_one_away(tmp_path, capsys):
    nested = {"model_type": "llava", "text_config": llama()}
    unheard = llama(model_type="unheard-of", rope_scaling={"rope_type": "none"})
    for fields, override, base in (
        (llama(), {"rope_theta": 1e6}, 1e6),
        (nested, {"text_config": {"rope_theta": 1e6}}, 1e6),
        (unheard, {"model_type": "llama", "rope_scaling": None}, 1e4),
        (NEW, {"rope_parameters": {"rope_type": "linear", "factor": 2.0}, "rope_theta": 5e5}, 5e5),
    ):
        code, reading = overridden(capsys, config_file(tmp_path, fields), override)
        assert (code, reading["assumed"]) == (0, None)
        parameters = reading["layers"]["full_attention"]["parameters"]
        assert (parameters["rope_theta"], parameters["head_dim"]) == (base, 128)
        assert "lost-field" not in [each["kind"] for each in reading["findings"]]


def test_a_rope_dictionary_is_replaced_whole_and_its_losses_are_warnings(tmp_path, capsys):
    override = {"rope_parameters": {"rope_type": "yarn", "factor": 4.0}}
    code, reading = overridden(capsys, config_file(tmp_path, NEW), override)
    assert code == 1
    assert reading["layers"]["full_attention"]["parameters"]["rope_theta"] == 1e4
    (lost,) = [each for each in reading["findings"] if each["kind"] == "lost-field"]
    assert (lost["field"], lost["level"]) == ("rope_parameters", "warning")
    assert "500,000" in lost["happens"]
    code, reading = overridden(
        capsys, config_file(tmp_path, NEW), {"rope_parameters": {"rope_theta": 7}}
    )
    assert [each["kind"] for each in reading["findings"]].count("lost-field") == 1  # the type


def test_commands_start_from_the_changed_configuration_and_warn_of_losses(tmp_path, capsys):
    words = ["--config", str(config_file(tmp_path, llama())), "--override", '{"rope_theta": 1e6}']
    assert cli.main(["code", *words]) == 0
    assert "rope_theta=1000000.0" in capsys.readouterr().out
    numbers = exported(tmp_path, "--what", "frequencies", *words)
    assert numbers.ravel()[1] == pytest.approx(1e6 ** (-1 / 64), rel=1e-14)
    override = '{"rope_parameters": {"rope_type": "default"}}'
    assert (
        cli.main(["code", "--config", str(config_file(tmp_path, NEW)), "--override", override]) == 0
    )
    assert "rope_theta" in capsys.readouterr().err


def test_two_files_are_compared_with_the_same_override(tmp_path, capsys):
    one = config_file(tmp_path, llama())
    other = tmp_path / "other.json"
    other.write_text(json.dumps(llama(rope_theta=2e4)))
    assert cli.main(["check", str(one), str(other)]) == 1
    assert cli.main(["check", str(one), str(other), "--override", '{"rope_theta": 7}']) == 0


@pytest.mark.parametrize("text", ["", "{", "[1]", "7", "null", '"a"'])
def test_what_is_no_object_is_refused(text, tmp_path, capsys):
    path = config_file(tmp_path, llama())
    assert "--override" in error_line(capsys, "check", str(path), "--override", text)
    assert "--override" in error_line(capsys, "code", "--config", str(path), "--override", text)


ROTATING = llama(model_type="unheard-of")
SILENT = llama(model_type="unheard-of", rope_theta=None)
COMMANDS = {
    "export": ["--what", "frequencies", "-o", "x.npy"],
    "render": ["frequencies", "-o", "x.svg"],
    "code": [],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_is_written_unless_llama_is_assumed(name, working_folder, capsys):
    path = config_file(working_folder, ROTATING)
    line = error_line(capsys, name, *COMMANDS[name], "--config", str(path))
    for word in ("--config", str(path), "model_type", "unheard-of", "--assume llama"):
        assert word in line
    assert list(working_folder.iterdir()) == [path]
    if name == "render":
        return
    for fields in (ROTATING, SILENT):
        path = config_file(working_folder, fields)
        assert cli.main([name, *COMMANDS[name], "--config", str(path), "--assume", "llama"]) == 0
        out, err = capsys.readouterr()
        assert err.count("\n") == 1
        assert err.startswith(f"pe-explorer {name}: {path}: warning: model_type: unheard-of")
        if name == "export":
            turns = np.load("x.npy").ravel()
            assert turns[1] == pytest.approx(1e4 ** (-1 / 64), rel=1e-14)
        else:
            assert "rope_theta=10000.0" in out


def test_check_shows_the_reading_as_an_assumption(tmp_path, capsys):
    for fields, assumed in ((ROTATING, "llama"), (SILENT, None)):
        path = config_file(tmp_path, fields)
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
    one, other = config_file(tmp_path, ROTATING), str(path_of("llama-2-7b"))
    code, lines = checked(capsys, one, one)
    assert code == 1
    assert "as transformers" not in lines[0]
    warnings = [line for line in lines if line.startswith("warning: ")]
    assert warnings
    assert all(str(one) in line for line in warnings)
    assert checked(capsys, other, other)[0] == 0
    assert cli.main(["check", "--json", str(one), other]) == 1
    assert json.loads(capsys.readouterr().out)["readings"][0]["assumed"] == ["llama", None]
    path = str(config_file(tmp_path, SILENT))
    assert "unheard-of" in error_line(capsys, "check", path, LLAMA)
    assert checked(capsys, path, LLAMA, "--assume", "llama")[0] == 1

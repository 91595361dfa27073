"""Commands that start from a model's configuration."""

import json

import pytest

from pe_explorer import encodings
from pe_explorer.commandline import main as cli
from tests.configs.support import fields_of, path_of
from tests.support.commands import drawn, error_line, exported

GEMMA, LLAMA = str(path_of("gemma-3-4b")), str(path_of("llama-3.1-8b"))


def test_other_flags_change_what_it_gives(tmp_path):
    words = ["--config", LLAMA, "--factor", "16", "--what", "frequencies"]
    numbers = exported(tmp_path, *words).ravel()
    e = encodings.from_config(LLAMA)["all"]
    assert numbers[-1] == pytest.approx(e.frequencies()[-1] / 2, rel=1e-15)
    assert numbers[0] == e.frequencies()[0]


@pytest.mark.parametrize("words", [("--config", GEMMA), ("--model", "gemma-3-4b")])
def test_several_layer_types_are_drawn_as_encoding_and_pins(words):
    _, state, _ = drawn("frequencies", *words)
    found = encodings.from_config(GEMMA)
    assert state.encoding == found["full_attention"]
    assert [(pin.name, pin.encoding) for pin in state.pins] == [
        ("sliding_attention", found["sliding_attention"])
    ]


def test_one_layer_type_can_be_drawn():
    _, state, _ = drawn("frequencies", "--config", GEMMA, "--layers", "sliding_attention")
    assert state.encoding == encodings.from_config(GEMMA)["sliding_attention"]
    assert state.pins == ()


def test_offsets_of_a_bias_are_shown_where_it_begins():
    _, state, _ = drawn("heatmap", "--config", str(path_of("bloom-7b1")))
    assert state.encoding == encodings.create("alibi", heads=32)
    assert state.start == encodings.find("alibi").first_range.start


def test_code_of_one_layer_type(capsys):
    assert cli.main(["code", "--config", GEMMA, "--layers", "full_attention"]) == 0
    out = capsys.readouterr().out
    assert "rope_theta=1000000.0" in out
    assert "rope_type='linear'" in out


def test_a_layer_type_may_be_named_where_all_agree(capsys):
    gpt_oss = str(path_of("gpt-oss-20b"))
    assert cli.main(["code", "--config", gpt_oss, "--layers", "sliding_attention"]) == 0
    assert "rope_type='yarn'" in capsys.readouterr().out


def test_layers_without_an_encoding_are_not_given_that_of_others(tmp_path, capsys):
    fields = fields_of("gemma-3-4b")
    del fields["text_config"]["rope_scaling"]["factor"]
    path = tmp_path / "config.json"
    path.write_text(json.dumps(fields), encoding="utf-8")
    lack = "full_attention has no encoding: text_config.rope_scaling.factor is missing"
    remedy = "choose sliding_attention with --layers"
    words = ["code", "--config", str(path)]
    for chosen in ([], ["--layers", "full_attention"]):
        line = error_line(capsys, *words, *chosen)
        assert f"--config: {path}: {lack}; {remedy}" in line
    assert cli.main([*words, "--layers", "sliding_attention"]) == 0
    assert "rope_theta=10000.0" in capsys.readouterr().out


def test_a_very_long_name_of_a_layer_type_is_cut_in_the_message(tmp_path, capsys):
    fields = fields_of("olmo-3-7b.new")
    fields["layer_types"][-2] = f"sliding_{5000 * '9'}"
    path = tmp_path / "config.json"
    path.write_text(json.dumps(fields), encoding="utf-8")
    line = error_line(capsys, "code", "--config", str(path))
    assert "sliding_9" in line
    assert "choose full_attention, sliding_attention with --layers" in line
    assert len(line) < 600 + len(str(path))

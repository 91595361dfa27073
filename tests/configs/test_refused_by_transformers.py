"""What transformers refuses or warns about is an error or a warning here.

Tried with transformers 5.24.0, and read in 4.46.3, 4.52.4 and 4.57.3.
"""

import json
import math

import pytest

from pe_explorer import configs, encodings
from pe_explorer.analysis.configuration import check
from pe_explorer.json_text import read_json
from tests.configs.support import LLAMA3, YARN, findings_of_kind, llama, scaled

VERSIONS = ("4.46", "4.52", "4.57", "5")


def levels(fields, kind, version="5"):
    return [item.level for item in findings_of_kind(configs.read(fields, version), kind)]


def schemes(fields, version="5"):
    return configs.read(fields, version, assume="llama").schemes


REFUSING = {
    "llama": ("5",),
    "gemma2": ("4.46", "5"),
    "gpt_neox": VERSIONS,
    "qwen2": ("4.46",),
    "mistral": (),
    "qwen3": (),
    "deepseek_v2": ("5",),
}


@pytest.mark.parametrize("model_type", REFUSING)
def test_indivisible_widths_are_an_error_in_some_classes(model_type):
    fields = llama(model_type=model_type, num_attention_heads=33)
    refusing = tuple(version for version in VERSIONS if not schemes(fields, version))
    assert refusing == REFUSING[model_type]
    for version in refusing:
        (finding,) = findings_of_kind(configs.read(fields, version), "contradiction")
        assert (finding.level, finding.field) == ("error", "num_attention_heads")
        assert "33" in finding.happens
        assert "4,096" in finding.happens


def test_head_dim_does_not_excuse_indivisible_widths_in_llama():
    assert not schemes(llama(num_attention_heads=33, head_dim=128))
    assert schemes(llama(num_attention_heads=33, head_dim=128), "4.57")
    assert schemes(llama(model_type="mistral", num_attention_heads=33, head_dim=128))
    rounded = llama(model_type="mistral", num_attention_heads=33)
    assert encodings.from_config(rounded)["all"].head_dim == 4096 // 33


@pytest.mark.parametrize("model_type", ["llama", "qwen3", "unheard-of"])
def test_an_unknown_layer_type_is_an_error(model_type):
    fields = llama(model_type=model_type, layer_types=["foo"] * 4)
    assert not schemes(fields)
    (finding,) = findings_of_kind(configs.read(fields, assume="llama"), "unknown-type")
    assert (finding.level, finding.field) == ("error", "layer_types")
    assert "'foo'" in finding.happens
    assert "full_attention" in finding.why


def test_a_misspelt_layer_type_does_not_affect_others():
    fields = llama(layer_types=["full_attention", "sliding_atention"] * 2)
    assert set(schemes(fields)) == {"full_attention"}
    (finding,) = findings_of_kind(configs.read(fields), "unknown-type")
    assert "'sliding_attention'?" in finding.why
    assert finding.layers == ("sliding_atention",)


def test_older_versions_check_layer_types_in_some_classes_only():
    foo = {"layer_types": ["full_attention", "foo"] * 2}
    assert levels(llama(model_type="qwen3", **foo), "unknown-type", "4.57") == ["error"]
    for version in ("4.46", "4.52", "4.57"):
        assert levels(llama(**foo), "unknown-type", version) == ["warning"]


def test_known_layer_types_have_no_finding():
    known = ("full_attention", "sliding_attention", "chunked_attention", "hybrid", "conv")
    for layer_type in (*known, "attention"):
        fields = llama(layer_types=["full_attention", layer_type] * 2)
        assert not levels(fields, "unknown-type")


SMALL = {
    "linear": (scaled(rope_type="linear", factor=0.5), "every pair"),
    "yarn": (scaled(**{**YARN, "factor": 0.5}), "up to 2 times"),
    "llama3": (scaled(**{**LLAMA3, "factor": 0.5}), "up to 2 times"),
    "ntk": (
        llama(
            model_type="hunyuan_v1_dense",
            rope_scaling={"rope_type": "dynamic", "factor": 2.0, "alpha": 0.5},
        ),
        "except the first",
    ),
}


@pytest.mark.parametrize("rope_type", SMALL)
def test_a_factor_below_1_is_a_warning(rope_type):
    fields, words = SMALL[rope_type]
    (finding,) = findings_of_kind(configs.read(fields), "factor-below-1")
    assert finding.level == "warning"
    assert words in finding.why
    assert "2 times as fast" in finding.why
    # The effect in the message is correct.
    (e,) = encodings.from_config(fields).values()
    faster = e.frequencies() / e.unscaled.frequencies()
    assert abs(faster.max() - 2) < 1e-9
    assert faster.min() > 0.999
    assert (faster > 1.001).sum() == e.pairs if rope_type == "linear" else faster[0] < 1.001


def test_dynamic_with_a_factor_below_1_slows_less():
    fields = scaled(rope_type="dynamic", factor=0.5)
    (finding,) = findings_of_kind(configs.read(fields), "factor-below-1")
    assert finding.level == "warning"
    assert "slow" in finding.why
    assert "fast" not in finding.why
    (e,) = encodings.from_config(fields, sequence_length=100_000).values()
    assert (e.frequencies() <= e.unscaled.frequencies()).all()


def test_a_factor_of_at_least_1_has_no_finding():
    for rope_type in ("linear", "dynamic", "yarn", "llama3"):
        for factor in (1.0, 4.0):
            fields = scaled(**{**LLAMA3, **YARN, "rope_type": rope_type, "factor": factor})
            assert not levels(fields, "factor-below-1")


def test_sped_up_pairs_reach_unseen_angles_within_training():
    checked = check(scaled(rope_type="linear", factor=0.5))
    (finding,) = [item for item in checked.findings if item.kind == "beyond-training"]
    assert finding.level == "warning"
    assert "32,768" in finding.happens
    # Pairs that did not complete a turn in training have unseen angles.
    count = sum(32768 * 1e4 ** (-2 * pair / 128) < math.tau for pair in range(64))
    assert f"{count} of 64 pairs" in finding.why
    assert checked.is_misleading


def test_repeated_fields_are_noted(tmp_path):
    text = json.dumps(scaled(**YARN)).replace('"factor"', '"factor": 8.0, "factor"')
    text = text.replace('"hidden_size"', '"hidden_size": 64, "hidden_size"')
    path = tmp_path / "config.json"
    path.write_text(text, encoding="utf-8")
    for source in (path, read_json(text)):
        noted = findings_of_kind(configs.read(source), "repeated-field")
        assert [(item.level, item.field) for item in noted] == [
            ("note", "hidden_size"),
            ("note", "rope_scaling.factor"),
        ]
        (e,) = encodings.from_config(source).values()
        assert (e.factor, e.head_dim) == (4.0, 128)  # the last values win
    assert not findings_of_kind(configs.read(scaled(**YARN)), "repeated-field")


def test_notes_on_repeated_fields_are_limited(tmp_path):
    path = tmp_path / "config.json"
    objects = ",".join(f'"o{number}": {{"a": 1, "a": 2}}' for number in range(10_000))
    path.write_text(f'{{"model_type": "llama", {objects}}}', encoding="utf-8")
    assert 1 <= len(findings_of_kind(configs.read(path), "repeated-field")) <= 100

"""The formats of Mistral and Meta are read as their publishers' code reads them."""

import json

import numpy as np
import pytest

from pe_explorer import configs, encodings
from pe_explorer.analysis.configuration import check
from tests.configs.formulas import scaled_by_yarn, turning
from tests.configs.support import CASES, findings_of_kind

FULL, SLIDING, CHUNKED = "full_attention", "sliding_attention", "chunked_attention"
MISTRAL = json.loads((CASES / "mistral-params.json").read_text())
META = {"dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8, "multiple_of": 1024}
META |= {"ffn_dim_multiplier": 1.3, "rope_theta": 500000.0}


def llama3(factor):
    """Return the frequencies of Llama 3.1 with a factor."""
    ends = {"low_freq_factor": 1, "high_freq_factor": 4}
    lengths = {"factor": factor, "original_max_position_embeddings": 8192}
    return turning(128, 5e5, "llama3", **lengths, **ends)


def test_mistral_scales_by_yarn_without_a_factor_of_scores():
    read = encodings.read_config(CASES / "mistral-params.json")
    (e,) = read.encodings.values()
    np.testing.assert_allclose(e.frequencies(), scaled_by_yarn(128, 1e9, 16, 16384), rtol=1e-12)
    assert (e.layout, e.attention_factor) == ("interleaved", 1.0)
    assert (read.trained, read.stated) == (16384, 262144)
    (layers,) = read.layers.values()
    assert layers.indices == tuple(range(40))
    (note,) = [finding for finding in check(MISTRAL).findings if finding.kind == "query-factor"]
    assert note.field == "llama_4_scaling.beta"
    assert f"{1 + 0.1 * np.log(16):.4f}" in note.happens
    assert not findings_of_kind(read, "unread-field")


def test_apply_scale_switches_the_attention_factor():
    scaled = {**MISTRAL["yarn"], "apply_scale": True}
    (e,) = encodings.from_config({**MISTRAL, "yarn": scaled}).values()
    assert e.attention_factor == pytest.approx(0.1 * np.log(16) + 1, rel=1e-12)


def test_windows_of_mistral_can_be_a_pattern():
    plain = {name: value for name, value in MISTRAL.items() if name not in ("yarn", "max_seq_len")}
    read = configs.read({**plain, "sliding_window": 4096})
    assert {name: item.window for name, item in read.layers.items()} == {SLIDING: 4096}
    read = configs.read({**plain, "sliding_window": [None, 4096, 4096, 4096]})
    assert read.layers[FULL].indices == tuple(range(0, 40, 4))
    assert read.layers[SLIDING].window == 4096


def test_llama_2_and_3_rotate_neighbouring_channels():
    (e,) = encodings.from_config(META).values()
    assert (e.layout, e.rope_type, e.head_dim) == ("interleaved", "default", 128)
    (e,) = encodings.from_config({**META, "rope_theta": None}).values()
    assert e.rope_theta == 10000
    for other in ({"dim": 256}, {"n_heads": 4, "model_type": None}):
        with pytest.raises(encodings.EncodingError):
            encodings.from_config(other)


def test_llama_3_1_is_scaled_and_the_missing_factor_is_a_warning():
    read = encodings.read_config({**META, "use_scaled_rope": True})
    (e,) = read.encodings.values()
    np.testing.assert_allclose(e.frequencies(), llama3(8), rtol=1e-12)
    (warning,) = [finding for finding in read.findings if finding.level == "warning"]
    assert warning.field == "use_scaled_rope"
    read = encodings.read_config({**META, "use_scaled_rope": True, "rope_scaling_factor": 32})
    (e,) = read.encodings.values()
    np.testing.assert_allclose(e.frequencies(), llama3(32), rtol=1e-12)
    assert not [item for item in read.findings if item.level == "warning"]
    low = {"use_scaled_rope": True, "rope_scaling_factor": 8, "rope_high_freq_factor": 0.5}
    (error,) = configs.read({**META, **low}).findings
    assert (error.level, error.field.partition(".")[0]) == ("error", "use_scaled_rope")


def test_every_fourth_layer_of_llama_4_has_no_positions():
    more = {"nope_layer_interval": 4, "attention_chunk_size": 8192}
    read = configs.read({**META, **more})
    assert read.layers[configs.NO_POSITIONS].indices == tuple(range(3, 32, 4))
    assert read.layers[CHUNKED].window == 8192


def test_params_json_keeps_its_paths_and_names_no_version():
    assert not [finding for finding in configs.read(MISTRAL).findings if finding.versions]
    for name, rope_type in (("yarn", "default"), ("llama_4_scaling", "yarn")):
        (e,) = encodings.from_config({**MISTRAL, name: {}}).values()
        assert e.rope_type == rope_type  # an empty object has no effect
    wrong = {"yarn.alpha": {"yarn": {**MISTRAL["yarn"], "alpha": "one"}}, "yarn": {"yarn": [1]}}
    wrong |= {"n_layers": {"n_layers": 2.5}, "llama_4_scaling": {"llama_4_scaling": [1]}}
    for name, fields in wrong.items():
        with pytest.raises(encodings.EncodingError) as error:
            encodings.from_config({**MISTRAL, **fields})
        assert error.value.name == name

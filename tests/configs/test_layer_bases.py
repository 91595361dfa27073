"""Layers of one type that differ in their base, or in whether they are scaled, are kept apart."""

import numpy as np
import pytest

from pe_explorer import configs, encodings
from tests.configs.support import found

FULL, SLIDING = "full_attention", "sliding_attention"
GRANITE = {
    "model_type": "granite_swa",
    "hidden_size": 512,
    "num_attention_heads": 4,
    "num_hidden_layers": 6,
    "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0},
    "layer_types": [FULL, SLIDING, SLIDING] * 2,
    "layer_rope_theta": [500000, 10000, 10000, 0, 10000, 20000],
}
MOLMO = {
    "model_type": "molmo2_text",
    "hidden_size": 512,
    "num_attention_heads": 4,
    "head_dim": 128,
    "num_hidden_layers": 8,
    "max_position_embeddings": 65536,
    "rope_parameters": {
        "rope_type": "yarn",
        "rope_theta": 1e6,
        "factor": 8.0,
        "original_max_position_embeddings": 8192,
    },
    "rope_scaling_layers": [3, 7],
}


def test_each_base_has_an_encoding_with_its_layers():
    read = encodings.read_config(GRANITE)
    bases = {FULL: (500000, (0,)), SLIDING: (10000, (1, 2, 4)), f"{SLIDING}.20000": (20000, (5,))}
    assert read.encodings.keys() - {configs.WITHOUT} == bases.keys()
    for layer, (base, indices) in bases.items():
        assert read.layers[layer].indices == indices
        exponents = np.arange(0, 128, 2) / 128
        assert read.encodings[layer].frequencies() == pytest.approx(base**-exponents, rel=1e-12)
    assert read.layers[configs.WITHOUT].indices == (3,)
    assert read.layers[f"{SLIDING}.20000"].window == 128


def test_without_the_list_all_layers_have_the_base_of_the_file():
    read = configs.read({**GRANITE, "layer_rope_theta": None})
    assert {each["rope_theta"] for _, each in read.schemes.values()} == {10000.0}


def test_a_base_of_zero_takes_the_positions_of_a_layer():
    fields = {**GRANITE, "model_type": "muse_glimmer_text", "sliding_window": 64}
    read = configs.read({**fields, "layer_rope_theta": [1e4, 1e4, 0, 1e4, 1e4, 0]})
    assert read.layers[configs.WITHOUT].indices == (0, 2, 3, 5)  # full layers have none either


def test_layers_outside_of_the_list_are_not_scaled():
    read = encodings.read_config(MOLMO)
    plain, scaled = read.encodings[f"{FULL}.unscaled"], read.encodings[FULL]
    assert read.layers[FULL].indices == (3, 7)
    assert read.layers[f"{FULL}.unscaled"].indices == (0, 1, 2, 4, 5, 6)
    assert plain.frequencies() == pytest.approx(1e6 ** -(np.arange(0, 128, 2) / 128), rel=1e-12)
    assert scaled.frequencies()[-1] == pytest.approx(plain.frequencies()[-1] / 8, rel=1e-12)
    assert not found(configs.read(MOLMO), "no-effect")


def test_a_base_below_zero_is_refused_by_its_field():
    with pytest.raises(configs.ConfigError, match="layer_rope_theta"):
        configs.read({**GRANITE, "layer_rope_theta": [-1.0] * 6})

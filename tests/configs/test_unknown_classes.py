"""Configurations of classes that nobody has read yet: as llama, with what their fields say."""

import pytest

from pe_explorer import configs
from tests.configs.support import YARN, found, kinds, llama
from tests.support.cases import for_each


def read(**changes):
    return configs.read(llama(model_type="unheard-of", **changes))


def test_it_is_read_as_llama_with_a_note():
    configuration = read()
    assert configuration.schemes == configs.read(llama()).schemes
    (note,) = found(configuration, "default")
    assert (note.level, note.field) == ("note", "model_type")
    assert configuration.model_type == "unheard-of"


def test_a_file_without_a_class_is_read_as_llama():
    fields = llama()
    del fields["model_type"]
    assert configs.read(fields).schemes == configs.read(llama()).schemes


def test_it_has_no_sizes_of_its_own():
    configuration = configs.read({"model_type": "unheard-of", "rope_theta": 1e4})
    assert configuration.schemes == {}
    assert kinds(configuration, "error") == ["missing"]
    assert (configuration.trained, configuration.stated) == (None, None)
    assert configuration.layers["full_attention"].indices == ()


@for_each(
    ("fields", "parameter", "value"),
    [
        ({"rotary_emb_base": 5e5, "rope_theta": None}, "rope_theta", 5e5),
        ({"rope_ratio": 50, "rope_theta": None}, "rope_theta", 5e5),
        ({"rotary_pct": 0.25}, "partial_rotary_factor", 0.25),
        ({"partial_rotary_factor": 0.5}, "partial_rotary_factor", 0.5),
        ({"rotary_dim": 32}, "partial_rotary_factor", 0.25),
        ({"kv_channels": 64}, "head_dim", 64),
        ({"qk_rope_head_dim": 64}, "head_dim", 64),
        ({"rope_interleave": True}, "layout", "interleaved"),
    ],
)
def test_fields_of_any_class_count(fields, parameter, value):
    _, parameters = read(**fields).schemes["full_attention"]
    assert parameters[parameter] == value


def test_layers_of_any_class_count():
    layers = read(no_rope_layers=[1, 0, 1, 0]).layers
    assert layers["full_attention"].indices == (0, 2)
    assert layers["none"].indices == (1, 3)
    types = ["sliding_attention", "full_attention"] * 2
    configuration = read(layer_types=types, sliding_window=64, rope_local_base_freq=100.0)
    bases = {layer: p["rope_theta"] for layer, (_, p) in configuration.schemes.items()}
    assert bases == {"full_attention": 1e4, "sliding_attention": 100.0}
    assert configuration.layers["sliding_attention"].window == 64
    mixed = read(layer_types=["linear_attention", "full_attention"] * 2).layers
    assert mixed["none"].indices == (0, 2)


def test_a_window_that_is_switched_off():
    assert list(read(sliding_window=64).layers) == ["sliding_attention"]
    assert list(read(sliding_window=64, use_sliding_window=False).layers) == ["full_attention"]


@pytest.mark.parametrize(
    ("fields", "scheme"),
    [
        ({"alibi": True}, "alibi"),
        ({"attn_config": {"alibi": True}}, "alibi"),
        ({"position_embedding_type": "alibi"}, "alibi"),
        ({"position_embedding_type": "absolute"}, "learned"),
        ({"position_embedding_type": "rotary"}, "rope"),
    ],
)
def test_other_schemes(fields, scheme):
    name, _ = read(**fields).schemes["full_attention"]
    assert name == scheme


def test_relative_positions_have_no_encoding():
    configuration = read(relative_attention_num_buckets=32)
    assert configuration.schemes == {}
    assert kinds(configuration, "error") == ["no-encoding"]


def test_positions_that_are_none():
    configuration = read(position_embedding_type="nope")
    assert configuration.schemes == {}
    assert list(configuration.layers) == ["none"]
    assert kinds(configuration, "error") == []


def test_several_layer_types_in_a_new_dictionary():
    nested = {
        "full_attention": {**YARN, "rope_theta": 1e6},
        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
    }
    types = ["sliding_attention", "full_attention"] * 2
    schemes = read(rope_parameters=nested, rope_theta=None, layer_types=types).schemes
    assert schemes["full_attention"][1]["rope_type"] == "yarn"
    assert schemes["full_attention"][1]["rope_theta"] == 1e6
    assert schemes["sliding_attention"][1]["rope_theta"] == 1e4

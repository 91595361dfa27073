"""Opening a configuration: encoding, pins, positions and panes."""

import pytest

from pe_explorer import encodings
from pe_explorer.exploration.layer_types import describe_layers, make_model_exploration
from tests.configs.support import OLD_NAMES, llama, path_of

_WITHOUT_ENCODING = ("deberta-v3-base", "t5-small")


def read(name):
    return encodings.read_config(path_of(name))


def test_full_attention_becomes_the_encoding_and_others_pins():
    found = read("gemma-3-4b")
    state = make_model_exploration(found)
    assert state.encoding == found.encodings["full_attention"]
    assert [(pin.name, pin.encoding) for pin in state.pins] == [
        ("sliding_attention", found.encodings["sliding_attention"])
    ]
    assert (state.positions, state.name) == (range(131072), "full_attention")
    assert {"full_attention", "sliding_attention"} <= set(describe_layers(found).split())


def test_without_full_attention_the_longest_window_becomes_the_encoding():
    near, far = "sliding_attention", "chunked_attention"
    types = {near: 1e4, far: 1e6}
    fields = llama(
        layer_types=[near, far, near, far],
        rope_parameters={name: {"rope_theta": base} for name, base in types.items()},
        rope_theta=None,
    )
    found = encodings.read_config(fields)
    for layer, window in ((far, 100), (near, None)):
        longer = {
            name: type(layers)(layers.indices, window if name == layer else 50, layers.trained)
            for name, layers in found.layers.items()
        }
        state = make_model_exploration(type(found)(**{**vars(found), "layers": longer}))
        assert state.encoding == found.encodings[layer]


def test_a_bias_shows_offsets_up_to_0():
    state = make_model_exploration(read("bloom-7b1"))
    assert state.positions == range(-2047, 1)
    assert (state.position, state.reference, state.metric) == (0, 0, "euclidean")
    assert (state.panes.views, state.panes.arrangement) == (("heatmap", "distances"), "stacked")


def test_without_a_length_4096_positions_are_shown():
    fields = llama(max_position_embeddings=None, model_type="x")
    state = make_model_exploration(encodings.read_config(fields, assume="llama"))
    assert state.positions == range(4096)


def test_a_rotary_model_shows_frequencies_and_context():
    found = read("llama-3.1-8b")
    state = make_model_exploration(found)
    assert state.panes.views == ("frequencies", "context")
    assert (state.panes.arrangement, state.panes.active) == ("stacked", "frequencies")
    assert (state.name, describe_layers(found)) == ("", "")


def test_the_sentence_counts_layers_without_positions():
    assert "12 of 48 layers" in describe_layers(read("llama-4-scout"))


@pytest.mark.parametrize("name", sorted({*OLD_NAMES} - {*_WITHOUT_ENCODING}))
def test_every_configuration_opens_with_its_training_length(name):
    found = read(name)
    state = make_model_exploration(found)
    assert state.count == (found.trained or 4096)
    assert state.encoding in found.encodings.values()
    assert {pin.encoding for pin in state.pins} | {state.encoding} == set(found.encodings.values())


def test_more_layer_types_than_pins_are_left_out():
    kinds = "full sliding chunked window indexed compressed_sparse heavily_compressed"
    kinds += " reference_sliding deepseek_sparse qwen_sparse"
    types = [*(f"{kind}_attention" for kind in kinds.split()), "hybrid", "hybrid_sliding"]
    for count, omitted in ((12, "3 more"), (9, "")):
        layer_types = types[:count]
        parameters = {name: {"rope_theta": 1e4 + place} for place, name in enumerate(layer_types)}
        fields = llama(layer_types=layer_types, rope_parameters=parameters, num_hidden_layers=count)
        found = encodings.read_config(fields)
        state = make_model_exploration(found)
        assert (len(state.pins), state.compared) == (8, 0)
        assert "more" not in describe_layers(found).replace(omitted, "")
        assert omitted in describe_layers(found)

"""Configurations of unknown classes: refused, or read like llama with what their fields say."""

import pytest

from pe_explorer import configs, encodings
from pe_explorer.analysis.configuration import check
from pe_explorer.encodings import EncodingError
from tests.configs.support import YARN, found, kinds, llama


def read(**changes):
    return configs.read(llama(**{"model_type": "unheard-of", **changes}), assume="llama")


def test_it_is_refused_with_the_remedy():
    for model_type in ("unheard-of", None):
        for reader in (encodings.read_config, encodings.from_config):
            with pytest.raises(EncodingError) as caught:
                reader(llama(model_type=model_type))
            assert caught.value.name == "model_type"
            assert 'assume="llama"' in str(caught.value)
            assert "--assume llama" in str(caught.value)
            assert (model_type or "missing") in str(caught.value)


def test_it_is_read_like_llama_with_a_warning_if_that_is_assumed():
    configuration = read()
    assert configuration.schemes == configs.read(llama()).schemes
    (warning,) = found(configuration, "unknown-class")
    assert (warning.level, warning.field) == ("warning", "model_type")
    assert (configuration.model_type, configuration.assumed) == ("unheard-of", "llama")
    assert encodings.from_config(llama(model_type="unheard-of"), assume="llama")
    nameless = read(model_type=None)
    assert (nameless.schemes, nameless.assumed) == (configs.read(llama()).schemes, "llama")
    for assume in ("llama", "llama-if-rotary"):  # nothing is, of a known class
        known = configs.read(llama(), assume=assume)
        assert (known, known.assumed) == (configs.read(llama()), "")
    for assume in ("qwen2", "", True, ["llama"]):
        with pytest.raises(EncodingError, match="llama") as caught:
            encodings.read_config(llama(), assume=assume)
        assert caught.value.name == "assume"


WITH_ROTATION = {
    "a base": {"rope_theta": 1e4},
    "a base under another name": {"swa_rope_theta": 1e4},
    "a dictionary": {"rope_scaling": YARN},
    "a new dictionary": {"rope_parameters": {"rope_theta": 1e4}},
    "a rotary part": {"rotary_pct": 0.25},
    "channels": {"qk_rope_head_dim": 64},
    "a type of positions": {"position_embedding_type": "rotary"},
    "a slope": {"alibi": True},
    "a field of an object": {"attn_config": {"rope": True, "rope_theta": 1e4}},
}
WITHOUT_ROTATION = {
    "nothing": {},
    "null": {"rope_scaling": None},
    "what is off": {"use_rope": False, "alibi": False},
    "an empty dictionary": {"rope_parameters": {}},
    "a table": {"position_embedding_type": "absolute"},
    "properties": {"property": 1, "scope": "x", "proprietary": True},
    "rotation of images": {"vision_config": {"rope_theta": 1e4}},
}


def with_fields(fields):
    return {**llama(model_type="unheard-of", rope_theta=None), **fields}


@pytest.mark.parametrize("name", WITH_ROTATION)
def test_a_field_on_rotation_is_enough_for_readers_who_see_the_assumption(name):
    document = with_fields(WITH_ROTATION[name])
    checked = check(document)
    assert checked.assumed == "llama"
    assert [(f.level, f.field) for f in found(checked, "unknown-class")] == [
        ("warning", "model_type")
    ]
    assert checked.sheets[0].encoding is not None


@pytest.mark.parametrize("name", WITHOUT_ROTATION)
def test_without_one_there_is_no_encoding_unless_llama_is_assumed(name):
    document = with_fields(WITHOUT_ROTATION[name])
    checked = check(document)
    (error,) = found(checked, "unknown-class")
    assert (error.level, error.field) == ("error", "model_type")
    assert error.layers == ("full_attention",)
    assert checked.assumed == ""
    assert [sheet.encoding for sheet in checked.sheets] == [None]
    assumed = check(document, assume="llama")
    assert (assumed.assumed, kinds(assumed, "error")) == ("llama", [])
    assert assumed.sheets[0].encoding is not None


def test_code_of_its_own_is_named():
    code = {"AutoConfig": "configuration_x.X", "AutoModelForCausalLM": "modeling_x.XForCausalLM"}
    (warning,) = found(read(auto_map=code), "unknown-class")
    assert "auto_map" in warning.happens
    (note,) = found(configs.read(llama(auto_map=code)), "own-code")
    assert (note.level, note.field) == ("note", "auto_map")
    assert "llama" in note.why
    for other in ({"AutoTokenizer": "tokenization_x.T"}, "modeling_x", None):
        assert found(configs.read(llama(auto_map=other)), "own-code") == []
    within = {"model_type": "llava", "text_config": llama(), "auto_map": code}
    (note,) = found(configs.read(within), "own-code")
    assert note.field == "auto_map"


def test_it_has_no_sizes_of_its_own():
    configuration = configs.read({"model_type": "unheard-of", "rope_theta": 1e4}, assume="llama")
    assert configuration.schemes == {}
    assert kinds(configuration, "error") == ["missing"]
    assert (configuration.trained, configuration.stated) == (None, None)
    assert configuration.layers["full_attention"].indices == ()


@pytest.mark.parametrize(
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


def test_other_schemes():
    for fields, scheme in (
        ({"alibi": True}, "alibi"),
        ({"attn_config": {"alibi": True}}, "alibi"),
        ({"position_embedding_type": "alibi"}, "alibi"),
        ({"position_embedding_type": "absolute"}, "learned"),
        ({"position_embedding_type": "rotary"}, "rope"),
    ):
        assert read(**fields).schemes["full_attention"][0] == scheme
    relative = read(relative_attention_num_buckets=32)
    assert (relative.schemes, kinds(relative, "error")) == ({}, ["no-encoding"])
    none = read(position_embedding_type="nope")
    assert (none.schemes, list(none.layers), kinds(none, "error")) == ({}, ["none"], [])


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

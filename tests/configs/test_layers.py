"""Layer types, windows and encodings by every rule."""

import pytest

from pe_explorer import configs
from tests.configs.support import LLAMA3, YARN, findings_of_kind, kinds, llama

FULL, SLIDING, CHUNKED = "full_attention", "sliding_attention", "chunked_attention"
WITHOUT = configs.NO_POSITIONS
COMPRESSED, HEAVILY = "compressed_sparse_attention", "heavily_compressed_attention"
NEW = "unheard-of"


def configuration_of(semantics="5", **fields):
    return configs.read(llama(**fields), semantics, assume="llama")


LAYERS = [  # the fields; the layers of each type, with any window
    ({}, {FULL: (0, 1, 2, 3)}),
    ({"num_hidden_layers": None}, {FULL: tuple(range(32))}),
    ({"layer_types": [SLIDING, FULL, FULL, SLIDING], "sliding_window": 64},
     {FULL: (1, 2), SLIDING: (0, 3, 64)}),
    ({"layer_types": ["attention", "mamba", "attention"]}, {FULL: (0, 2), WITHOUT: (1,)}),
    ({"layers_block_type": ["mamba", "attention"]}, {FULL: (1,), WITHOUT: (0,)}),
    ({"hybrid_override_pattern": "M*-E*"}, {FULL: (1, 4), WITHOUT: (0, 2, 3)}),
    ({"hybrid_override_pattern": "M*X*"}, {FULL: (0, 1, 2, 3)}),
    ({"block_types": ["recurrent", "attention", "recurrent"]}, {FULL: (1,), WITHOUT: (0, 2, 3)}),
    ({"attn_layer_indices": [1, 3]}, {FULL: (1, 3), WITHOUT: (0, 2)}),
    ({"full_attn_idxs": [0]}, {FULL: (0,), WITHOUT: (1, 2, 3)}),
    ({"compress_ratios": [0, 4, 128, 4, 0], "sliding_window": 9},
     {SLIDING: (0, 9), COMPRESSED: (1, 3), HEAVILY: (2,)}),
    ({"compress_ratios": [0, 5]}, {FULL: (0, 1, 2, 3)}),
    ({"attn_layer_period": 2}, {FULL: (0, 2), WITHOUT: (1, 3)}),
    ({"attn_layer_period": 3, "attn_layer_offset": 1}, {FULL: (1,), WITHOUT: (0, 2, 3)}),
    ({"model_type": "mistral", "sliding_window": 64}, {SLIDING: (0, 1, 2, 3, 64)}),
    ({"model_type": "mistral", "sliding_window": 0}, {FULL: (0, 1, 2, 3)}),
    ({"model_type": NEW, "sliding_window": 64}, {SLIDING: (0, 1, 2, 3, 64)}),
    ({"model_type": NEW, "sliding_window": 64, "use_sliding_window": False}, {FULL: (0, 1, 2, 3)}),
    ({"model_type": "qwen2", "sliding_window": 64}, {FULL: (0, 1, 2, 3)}),
    (
        {"model_type": "qwen2", "sliding_window": 64, "use_sliding_window": True,
         "max_window_layers": 3},
        {FULL: (0, 1, 2), SLIDING: (3, 64)},
    ),
    (
        {"model_type": "qwen2_moe", "sliding_window": 64, "use_sliding_window": True,
         "max_window_layers": 2},
        {FULL: (1, 2, 3), SLIDING: (0, 64)},
    ),
    ({"model_type": "gemma3", "sliding_window": 64, "sliding_window_pattern": 2},
     {FULL: (1, 3), SLIDING: (0, 2, 64)}),
    ({"model_type": "exaone4", "sliding_window": 64, "sliding_window_pattern": "LLG"},
     {SLIDING: (0, 1, 3, 64), WITHOUT: (2,)}),
    ({"model_type": "modernbert", "local_attention": 65, "global_attn_every_n_layers": 2},
     {FULL: (0, 2), SLIDING: (1, 3, 32)}),
    ({"model_type": "modernbert", "local_attention": 1, "global_attn_every_n_layers": 4},
     {FULL: (0,), SLIDING: (1, 2, 3, 1)}),
    ({"model_type": "qwen3_next", "full_attention_interval": 2}, {FULL: (1, 3), WITHOUT: (0, 2)}),
    ({"model_type": "llama4", "attention_chunk_size": 100, "no_rope_layers": [1, 0, 1, 1]},
     {CHUNKED: (0, 2, 3, 100), WITHOUT: (1,)}),
    ({"model_type": "llama4", "attention_chunk_size": 100, "no_rope_layer_interval": 2},
     {CHUNKED: (0, 2, 100), WITHOUT: (1, 3)}),
    ({"model_type": "llama4", "attention_chunk_size": 0}, {FULL: (0, 1, 2), WITHOUT: (3,)}),
    ({"model_type": "smollm3", "sliding_window": 64, "no_rope_layers": [1, 1, 0]},
     {FULL: (0, 1), WITHOUT: (2,)}),
    ({"model_type": NEW, "num_hidden_layers": None, "no_rope_layers": [1, 0, 1]},
     {FULL: (0, 2), WITHOUT: (1,)}),
    ({"model_type": "granite_swa", "sliding_window": 64, "layer_rope_theta": [1e4, 1e5, 1e3, 0]},
     {FULL: (0,), SLIDING: (1, 64), f"{SLIDING}.1000": (2, 64), WITHOUT: (3,)}),
    ({"model_type": "molmo2_text", "rope_scaling_layers": [1, 2]},
     {FULL: (1, 2), f"{FULL}.unscaled": (0, 3)}),
    ({"model_type": "mllama_text_model", "cross_attention_layers": [1]},
     {FULL: (0, 2, 3), WITHOUT: (1,)}),
    ({"model_type": "gemma4", "sliding_window": 64, "layer_types": [SLIDING] * 3},
     {FULL: (2,), SLIDING: (0, 1, 64)}),
    ({"model_type": "whisper", "encoder_layers": 2, "decoder_layers": 3},
     {"encoder": (0, 1), "decoder": (0, 1, 2)}),
    ({"model_type": "t5"}, {FULL: ()}),
    ({"model_type": NEW, "position_embedding_type": "nope"}, {WITHOUT: (0, 1, 2, 3)}),
]  # fmt: skip


def test_layers_and_windows_by_every_rule():
    for fields, expected in LAYERS:
        actual = {}
        for layer, group in configuration_of(**fields).layers.items():
            actual[layer] = group.indices + (() if group.window is None else (group.window,))
        assert actual == expected, fields


GRANITE = {"model_type": "granite_swa", "layer_rope_theta": [1e4, 1e5, 1e3, 0]}
GEMMA = {"model_type": "gemma4", "layer_types": [SLIDING, FULL]}
ALIBI = {"heads": 32, "symmetric": False}
SCHEMES = [  # the fields; the encoding and some parameters of each layer type
    (GRANITE, {FULL: ("rope", {"rope_theta": 1e4}), SLIDING: ("rope", {"rope_theta": 1e5}),
               f"{SLIDING}.1000": ("rope", {"rope_theta": 1e3})}),
    ({"model_type": "molmo2_text", "rope_scaling": YARN, "rope_scaling_layers": [1, 2]},
     {FULL: ("rope", {"rope_type": "yarn"}),
      f"{FULL}.unscaled": ("rope", {"rope_type": "default"})}),
    (GEMMA, {FULL: ("rope", {"head_dim": 512}), SLIDING: ("rope", {"head_dim": 256})}),
    ({**GEMMA, "head_dim": 64, "global_head_dim": 96},
     {FULL: ("rope", {"head_dim": 96}), SLIDING: ("rope", {"head_dim": 64})}),
    ({"model_type": "gptj"}, {FULL: ("rope", {"partial_rotary_factor": 64 / 128})}),
    ({"model_type": "deepseek_v3", "qk_rope_head_dim": 64, "partial_rotary_factor": 0.5},
     {FULL: ("rope", {"head_dim": 64, "partial_rotary_factor": 0.5})}),
    ({"model_type": "bloom"}, {FULL: ("alibi", ALIBI)}),
    ({"model_type": "bloom", "hidden_size": 4097}, {}),  # not a multiple of the heads
    ({"model_type": "falcon", "alibi": True}, {FULL: ("alibi", ALIBI)}),
    ({"model_type": "falcon", "alibi": False}, {FULL: ("rope", {"head_dim": 128})}),
    ({"model_type": "baichuan", "hidden_size": 5120}, {FULL: ("alibi", ALIBI)}),
    ({"model_type": "baichuan"}, {FULL: ("rope", {"head_dim": 128})}),
    ({"model_type": "mpt"}, {FULL: ("alibi", ALIBI)}),
    ({"model_type": "mpt", "attn_config": {"alibi": True}}, {FULL: ("alibi", ALIBI)}),
    ({"model_type": "mpt", "attn_config": {"alibi": True, "alibi_bias_max": 8}},
     {FULL: ("alibi", ALIBI)}),
    ({"model_type": "mpt", "attn_config": {"alibi": True, "alibi_bias_max": 16}}, {}),
    ({"model_type": "mpt", "attn_config": {"alibi": False}}, {FULL: ("learned", {})}),
    ({"model_type": "granitemoehybrid", "position_embedding_type": "rope"}, {FULL: ("rope", {})}),
    ({"model_type": "granitemoehybrid", "position_embedding_type": "nope"}, {}),
    ({"model_type": "bert", "position_embedding_type": "absolute"}, {FULL: ("learned", {})}),
    ({"model_type": "bert", "position_embedding_type": "relative_key"}, {}),
    ({"model_type": "bert", "position_embedding_type": "mine"}, {FULL: ("learned", {})}),
    ({"model_type": "llama", "position_embedding_type": "alibi"}, {FULL: ("rope", {})}),
    *(({"model_type": NEW, "position_embedding_type": name}, {FULL: (scheme, {})}) for
      name, scheme in (("alibi", "alibi"), ("learned", "learned"), ("rotary", "rope"),
                       ("learned_absolute", "learned"), ("mine", "rope"))),
    ({"model_type": NEW, "alibi": True}, {FULL: ("alibi", ALIBI)}),
    ({"model_type": NEW, "attn_config": {"alibi": True}}, {FULL: ("alibi", ALIBI)}),
    ({"model_type": NEW, "alibi": "yes"}, {FULL: ("rope", {})}),
    ({"model_type": NEW, "relative_attention_num_buckets": 32}, {}),
]  # fmt: skip


def test_encodings_by_every_rule():
    for fields, expected in SCHEMES:
        actual = {}
        for layer, (name, parameters) in configuration_of(**fields).schemes.items():
            keys = expected.get(layer, ("", {}))[1]
            actual[layer] = name, {key: parameters[key] for key in keys}
        assert actual == expected, fields


ERRORS = [  # the fields, and the field of the error
    ({"model_type": "bloom", "hidden_size": 4097}, "num_attention_heads"),
    ({"model_type": "bloom", "num_attention_heads": None, "n_head": 33}, "n_head"),
    ({"model_type": "mpt", "attn_config": {"alibi_bias_max": 16}}, "attn_config.alibi_bias_max"),
    ({"model_type": NEW, "alibi": True, "num_attention_heads": None}, "num_attention_heads"),
    ({"model_type": NEW, "num_attention_heads": None}, "num_attention_heads"),
    ({"model_type": NEW, "hidden_size": None}, "hidden_size"),
    ({"model_type": NEW, "relative_attention_num_buckets": 32}, "relative_attention_num_buckets"),
    ({"layer_types": [FULL, "full_atention"] * 2}, "layer_types"),
]


def test_layers_without_an_encoding_name_the_field_that_they_need():
    for fields, field in ERRORS:
        errors = [
            finding
            for finding in configuration_of(**fields).findings
            if finding.level == configs.ERROR
        ]
        assert [error.field for error in errors] == [field], fields


def test_an_unknown_position_type_is_reported():
    for model_type in ("bert", NEW):
        (warning,) = findings_of_kind(
            configuration_of(model_type=model_type, position_embedding_type="mine"), "unknown-type"
        )
        assert (warning.level, warning.field) == ("warning", "position_embedding_type")
        assert "'mine'" in warning.happens
        assert ("bert" if model_type == "bert" else "llama") in warning.why


def test_errors_name_the_path_in_the_right_dictionary():
    new, old = {"rope_theta": 1e6}, {"rope_type": "linear", "factor": 2.0}
    for wrong, path in (
        ({"rope_theta": -1.0}, f"rope_parameters.{FULL}.rope_theta"),
        ({"factor": -1.0}, "rope_scaling.factor"),
    ):
        first = {name: wrong.get(name, value) for name, value in new.items()}
        second = {name: wrong.get(name, value) for name, value in old.items()}
        fields = {"rope_parameters": {FULL: first}, "rope_scaling": second}
        with pytest.raises(configs.ConfigError) as exc_info:
            configuration_of(model_type="gemma3", layer_types=[FULL], **fields)
        assert exc_info.value.name == path


def test_the_length_in_use_is_a_whole_number_of_positions():
    for length in (0, -1, True, 2.0, "4", 2**53 + 1):
        with pytest.raises(configs.ConfigError) as exc_info:
            configs.read(llama(), sequence_length=length)
        assert exc_info.value.name == "sequence_length"
    dynamic = llama(rope_scaling={"rope_type": "dynamic", "factor": 2.0})
    for length in (None, 1, 2**53):
        ((_, parameters),) = configs.read(dynamic, sequence_length=length).schemes.values()
        assert parameters["sequence_length"] == length


def test_an_override_reports_the_values_that_it_drops():
    for name, value, text in (
        ("rope_theta", 1e6, "1,000,000"),
        ("rope_theta", 500_000, "500,000"),
        ("rope_theta", 1234.56789, "1,234.6"),
        ("rope_type", "yarn", "yarn"),
        ("type", "linear", "linear"),
        ("partial_rotary_factor", 0.25, "0.25"),
        ("partial_rotary_factor", True, "true"),
        ("partial_rotary_factor", [1, 2], "2 numbers"),
        ("rope_type", None, "None"),
    ):
        source = llama(rope_theta=None, rope_parameters={name: value, "factor": 2.0})
        read = configs.read(configs.OverriddenConfig(source, {"rope_parameters": {"factor": 4.0}}))
        (lost,) = findings_of_kind(read, configs.LOST_FIELD)
        assert lost.field == "rope_parameters"
        assert lost.happens.endswith(f" {name} {text}")


AT_MOST = [  # the largest allowed number, and fields with it
    (100_000, lambda count: {"num_hidden_layers": count}),
    (2**53, lambda length: {"max_position_embeddings": length}),
    (32, lambda count: {"layer_types": [f"kind {number}" for number in range(count)]}),
    (1000, lambda count: {"rope_scaling": {f"field {number}": 1 for number in range(count)}}),
    (32_768, lambda count: {"rope_scaling": {"rope_type": "longrope", "factor": 2.0,
                            "short_factor": [1.0] * count, "long_factor": [1.0] * 64}}),
    (2**20, lambda width: {"head_dim": width}),
]  # fmt: skip


def test_numbers_are_read_up_to_their_limits():
    for limit, fields in AT_MOST:
        configuration_of(**fields(limit))
        with pytest.raises(configs.ConfigError) as exc_info:
            configuration_of(**fields(limit + 1))
        assert next(iter(fields(1))) in exc_info.value.name


TOP = "max_position_embeddings"
LONG = {"rope_type": "longrope", "factor": 8.0, "original_max_position_embeddings": 4096}
LONG |= {"short_factor": [1.0] * 64, "long_factor": [2.0] * 64}
ORIGINAL = {"original_max_position_embeddings": 4096}
LENGTHS = [  # the fields; training length, stated length and its path
    ({}, (32_768, 32_768, TOP)),
    ({TOP: None, "n_positions": 1024}, (1024, 1024, "n_positions")),
    ({TOP: None, "model_type": NEW}, (None, None, TOP)),
    ({"rope_scaling": YARN}, (32_768, 131_072, "rope_scaling.factor")),
    ({"rope_scaling": YARN, TOP: 131_072}, (32_768, 131_072, TOP)),
    ({"rope_scaling": YARN, TOP: 131_073}, (32_768, 131_073, TOP)),
    ({"rope_scaling": LLAMA3}, (8192, 65_536, "rope_scaling.factor")),
    ({"rope_scaling": LONG}, (4096, 32_768, TOP)),
    ({"rope_scaling": {"rope_type": "linear", "factor": 2.0}}, (32_768, 32_768, TOP)),
    ({"rope_scaling": {"rope_type": "linear", "factor": 2.0, **ORIGINAL}}, (4096, 32_768, TOP)),
    ({"model_type": "bert", TOP: 512}, (512, 512, TOP)),
    ({"model_type": "roberta", TOP: 514, "pad_token_id": 1}, (512, 512, TOP)),
]


def test_stated_lengths_and_their_paths():
    for fields, lengths in LENGTHS:
        actual = configuration_of(**fields)
        assert (actual.trained, actual.stated, actual.paths["stated"]) == lengths, fields
        assert (actual.trained is not None) or "trained-length" in kinds(actual)
    window = configuration_of(model_type="mistral", sliding_window=64).layers[SLIDING]
    assert (window.window, window.trained) == (64, 64)
    assert (
        configuration_of(model_type="mistral", sliding_window=10**6).layers[SLIDING].trained
        == 32_768
    )


def test_paths_of_a_model_within_another_and_its_type():
    inner = {"model_type": "llava", "text_config": llama(), "torch_dtype": "float16"}
    actual = configs.read(inner)
    assert (actual.model_type, actual.dtype) == ("llama", "float16")
    assert actual.paths == {
        "length": f"text_config.{TOP}",
        "stated": f"text_config.{TOP}",
        "window": "text_config.sliding_window",
        "dtype": "torch_dtype",
    }
    inner["text_config"] |= {"dtype": "bfloat16"}
    actual = configs.read(inner)
    assert (actual.dtype, actual.paths["dtype"]) == ("bfloat16", "text_config.dtype")
    assert (configuration_of().dtype, configuration_of().paths["dtype"]) == (None, "dtype")
    assert configuration_of(model_type="falcon", alibi=True).paths["rounded_slopes"] == "alibi"


def test_an_override_must_be_an_object():
    assert configs.parse_override('{"a": {"b": 1}}') == {"a": {"b": 1}}
    for text in ("", "{", "[1]", "7", '"a"', "null"):
        with pytest.raises(configs.ConfigError) as exc_info:
            configs.parse_override(text)
        assert exc_info.value.name == "override"

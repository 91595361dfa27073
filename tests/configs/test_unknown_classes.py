"""Configurations of unknown classes, which are refused or read like llama."""

import pytest

from pe_explorer import configs, encodings
from pe_explorer.analysis.configuration import check
from pe_explorer.configs.classes import list_base_fields, list_fields
from pe_explorer.encodings import EncodingError
from tests.configs.support import NAMES, YARN, findings_of_kind, kinds, llama, path_of


def read(**changes):
    return configs.read(llama(**{"model_type": "unheard-of", **changes}), assume="llama")


def test_unknown_classes_are_refused_with_a_remedy():
    for model_type in ("unheard-of", None):
        for reader in (encodings.read_config, encodings.from_config):
            with pytest.raises(EncodingError) as exc_info:
                reader(llama(model_type=model_type))
            assert exc_info.value.name == "model_type"
            assert 'assume="llama"' in str(exc_info.value)
            assert "--assume llama" in str(exc_info.value)
            assert (model_type or "missing") in str(exc_info.value)


def test_unknown_classes_can_be_read_like_llama():
    configuration = read()
    assert configuration.schemes == configs.read(llama()).schemes
    (warning,) = findings_of_kind(configuration, "unknown-class")
    assert (warning.level, warning.field) == ("warning", "model_type")
    assert (configuration.model_type, configuration.assumed) == ("unheard-of", "llama")
    assert encodings.from_config(llama(model_type="unheard-of"), assume="llama")
    nameless = read(model_type=None)
    assert (nameless.schemes, nameless.assumed) == (configs.read(llama()).schemes, "llama")
    for assume in ("llama", "llama-if-rotary"):  # nothing is assumed for a known class
        known = configs.read(llama(), assume=assume)
        assert (known, known.assumed) == (configs.read(llama()), "")
    for assume in ("qwen2", "", True, ["llama"]):
        with pytest.raises(EncodingError, match="llama") as exc_info:
            encodings.read_config(llama(), assume=assume)
        assert exc_info.value.name == "assume"


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
def test_a_rotary_field_is_enough_to_assume_llama(name):
    document = with_fields(WITH_ROTATION[name])
    checked = check(document)
    assert checked.assumed == "llama"
    assert [(f.level, f.field) for f in findings_of_kind(checked, "unknown-class")] == [
        ("warning", "model_type")
    ]
    assert checked.sheets[0].encoding is not None


@pytest.mark.parametrize("name", WITHOUT_ROTATION)
def test_without_a_rotary_field_there_is_no_encoding(name):
    document = with_fields(WITHOUT_ROTATION[name])
    checked = check(document)
    (error,) = findings_of_kind(checked, "unknown-class")
    assert (error.level, error.field) == ("error", "model_type")
    assert error.layers == ("full_attention",)
    assert checked.assumed == ""
    assert [sheet.encoding for sheet in checked.sheets] == [None]
    assumed = check(document, assume="llama")
    assert (assumed.assumed, kinds(assumed, "error")) == ("llama", [])
    assert assumed.sheets[0].encoding is not None


def test_custom_code_is_reported():
    code = {"AutoConfig": "configuration_x.X", "AutoModelForCausalLM": "modeling_x.XForCausalLM"}
    (warning,) = findings_of_kind(read(auto_map=code), "unknown-class")
    assert "auto_map" in warning.happens
    (note,) = findings_of_kind(configs.read(llama(auto_map=code)), "own-code")
    assert (note.level, note.field) == ("note", "auto_map")
    assert "llama" in note.why
    for other in ({"AutoTokenizer": "tokenization_x.T"}, "modeling_x", None):
        assert findings_of_kind(configs.read(llama(auto_map=other)), "own-code") == []
    within = {"model_type": "llava", "text_config": llama(), "auto_map": code}
    (note,) = findings_of_kind(configs.read(within), "own-code")
    assert note.field == "auto_map"


def test_unknown_classes_have_no_default_sizes():
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
def test_fields_of_any_class_are_read(fields, parameter, value):
    _, parameters = read(**fields).schemes["full_attention"]
    assert parameters[parameter] == value


def test_fields_for_lists_the_fields_of_any_class():
    assert {"rope_theta", "rotary_emb_base"} < {*list_fields("base_field")}
    assert {"partial_rotary_factor", "rotary_pct"} < {*list_fields("part_field")}
    assert "rope_local_base_freq" in list_base_fields("sliding_attention")
    assert list_base_fields("unheard-of") == ()


def test_layer_fields_of_any_class_are_read():
    types = ["sliding_attention", "full_attention"] * 2
    configuration = read(layer_types=types, sliding_window=64, rope_local_base_freq=100.0)
    bases = {layer: p["rope_theta"] for layer, (_, p) in configuration.schemes.items()}
    assert bases == {"full_attention": 1e4, "sliding_attention": 100.0}
    assert configuration.layers["sliding_attention"].window == 64


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


def note_on(**fields):
    """Return the note on unread fields of a known class, or None."""
    notes = findings_of_kind(configs.read(llama(**fields)), "unread-field")
    assert len(notes) <= 1
    return notes[0] if notes else None


UNREAD = {
    "swa_rope_theta": 1e6,
    "hybrid_layer_pattern": [0, 1, 1, 0],
    "mla_use_nope": True,
    "yarn": {"factor": 16, "original_max_position_embeddings": 16384},
    "max_trained_positions": 4096,
    "indexer_rope_interleave": True,
    "indexer_types": ["full", "shared"],
    "index_topk": 2048,
    "use_dynamic_ntk": True,
    "max_seq_len": 131072,
    "sliding_window_size": 4096,
    "global_attn_every_n_layers": 3,
    "relative_attention": True,
    "position_embedding_type": "absolute",
}


def test_unread_fields_share_one_note():
    for name, value in UNREAD.items():
        note = note_on(**{name: value})
        assert (note.level, note.field) == ("note", name)
    note = note_on(**UNREAD)
    named = f"{note.field} {note.happens}"
    assert sum(name in named for name in UNREAD) == 9
    assert str(len(UNREAD) - 9) in named
    assert len(note.line) < 500


def test_nested_unread_fields_have_full_paths():
    note = note_on(llama_4_scaling={"beta": 0.1, "original_max_position_embeddings": 16384})
    assert note.field == "llama_4_scaling.original_max_position_embeddings"
    text = llama(swa_rope_theta=5e5)
    (note,) = findings_of_kind(
        configs.read({"model_type": "llava", "text_config": text}), "unread-field"
    )
    assert note.field == "text_config.swa_rope_theta"
    nested = {"full_attention": {"rope_theta": 1e6}, "other_attention": {"rope_theta": 7.0}}
    note = note_on(rope_theta=None, rope_parameters=nested)
    assert note.field == "rope_parameters.other_attention.rope_theta"


SILENT = {
    "a value that is off": {"mla_use_nope": False, "swa_rope_theta": None, "yarn": {}},
    "windows that are off": {
        "model_type": "qwen2",
        "use_sliding_window": False,
        "sliding_window": 64,
        "max_window_layers": 2,
    },
    "a rule beside the list": {"layer_types": ["full_attention"] * 4, "full_attention_interval": 4},
    "a number under two names": {"n_positions": 32768, "n_ctx": 32768, "swa_rope_theta": 10000.0},
    "layers that are alike": {"attn_type_list": [1, 1, 1, 1]},
    "another model": {"vision_config": {"rope_theta": 1e4, "num_position_embeddings": 2304}},
    "experts": {"mlp_layer_types": ["dense", "sparse"], "moe_layer_interval": 2},
    "sizes": {"model_type": "deepseek_v3", "qk_rope_head_dim": 64, "qk_nope_head_dim": 128},
    "a dictionary that has findings of its own": {"rope_scaling": {**YARN, "yarn_factor": 2}},
}


@pytest.mark.sampled(20)
@pytest.mark.parametrize("name", SILENT)
def test_irrelevant_fields_are_not_noted(name):
    assert note_on(**SILENT[name]) is None


def test_unread_fields_are_not_noted_after_an_error():
    stopped = llama(rope_scaling={"rope_type": "linear"}, swa_rope_theta=5e5)
    assert findings_of_kind(configs.read(stopped), "unread-field") == []
    unknown = llama(model_type="unheard-of", swa_rope_theta=5e5)
    (note,) = findings_of_kind(configs.read(unknown, assume="llama"), "unread-field")
    assert note.field == "swa_rope_theta"


@pytest.mark.parametrize("name", NAMES)
def test_published_files_have_no_unread_fields(name):
    for version in configs.SEMANTICS:
        notes = findings_of_kind(configs.read(path_of(name), version), "unread-field")
        if name.startswith("modernbert"):  # its class does not read that field
            assert [note.field for note in notes] == ["position_embedding_type"]
        else:
            assert notes == []

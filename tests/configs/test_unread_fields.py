"""Fields that are about positions by their names, and that nothing reads, are noted."""

import pytest

from pe_explorer import configs
from tests.configs.support import NAMES, YARN, found, llama, path_of


def note_on(**fields):
    """Return the note on a file of a known class, or None without one."""
    notes = found(configs.read(llama(**fields)), "unread-field")
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


def test_fields_are_noted_by_their_paths_all_of_a_file_in_one_note():
    for name, value in UNREAD.items():
        note = note_on(**{name: value})
        assert (note.level, note.field) == ("note", name)
    note = note_on(**UNREAD)
    named = f"{note.field} {note.happens}"
    assert sum(name in named for name in UNREAD) == 9
    assert str(len(UNREAD) - 9) in named
    assert len(note.line) < 500


def test_fields_within_objects_have_their_paths():
    note = note_on(llama_4_scaling={"beta": 0.1, "original_max_position_embeddings": 16384})
    assert note.field == "llama_4_scaling.original_max_position_embeddings"
    text = llama(swa_rope_theta=5e5)
    (note,) = found(configs.read({"model_type": "llava", "text_config": text}), "unread-field")
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


def test_what_says_nothing_is_not_noted():
    for name, fields in SILENT.items():
        assert note_on(**fields) is None, name
    stopped = llama(rope_scaling={"rope_type": "linear"}, swa_rope_theta=5e5)
    assert found(configs.read(stopped), "unread-field") == []
    unknown = llama(model_type="unheard-of", swa_rope_theta=5e5)
    (note,) = found(configs.read(unknown, assume="llama"), "unread-field")
    assert note.field == "swa_rope_theta"


@pytest.mark.parametrize("name", NAMES)
def test_published_files_have_none(name):
    for version in configs.SEMANTICS:
        notes = found(configs.read(path_of(name), version), "unread-field")
        if name.startswith("modernbert"):  # its class does not read that field
            assert [note.field for note in notes] == ["position_embedding_type"]
        else:
            assert notes == []

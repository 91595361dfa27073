"""Each field about positions of transformers' own configurations is read, or reported.

A field is changed in the default configuration of each class. If neither the reading nor a finding
changes, and no finding named the field before, then nothing read it without a word.
"""

import re
from functools import cache

import pytest

from pe_explorer import configs
from tests.configs.support import recorded

ABOUT = re.compile(
    r"rope|rotary|alibi|theta|(?<![a-z])nope|(?<![a-z])pos(?!t|itive)|window|sliding|sinus|relative"
    r"|layer_types|layers_block_type|yarn|n_ctx|seq_len|context_len|indexer|compress_r|swa_"
    r"|original_max|temperature_tuning|floor_scale"
)
IRRELEVANT = {
    # Sizes, and layers without attention.
    *("mlp_layer_types", "qk_nope_head_dim", "num_sliding_attention_heads", "mlp_rope_theta"),
    # All pairs of a text have the same position.
    "mrope_section",
    # Positions in images, videos and sound.
    *("image_seq_length", "video_seq_length", "position_id_per_seconds", "window_size"),
    *("num_conv_pos_embeddings", "num_conv_pos_embedding_groups", "max_source_positions"),
    *("positional_embedding_temperature", "positional_encoding_temperature"),
    # Written by a class that never reads it.
    *("learned_pos_emb", "use_complex_transposed_convolution"),
}
SETTLED = {
    "max_window_layers": "use_sliding_window is false",
    "use_sliding_window": "sliding_window is null",
    "sliding_window": "no layer has a window",
    "sliding_window_pattern": "layer_types lists the layers",
    "_sliding_window_pattern": "layer_types lists the layers",
    "prefix_dense_sliding_window_pattern": "layer_types lists the layers",
    "no_rope_layer_interval": "no_rope_layers lists the layers",
    "original_max_position_embeddings": "nothing is scaled",
    "partial_rotary_factor": "qk_rope_head_dim states the same part",
}
"""Fields without effect because of other fields in the same file."""

SETTLED_IN = {
    "granite_swa": r"rope_theta",  # layer_rope_theta has a base for each layer
    "granitemoe_swa": r"rope_theta",
    "molmo2": r"rope_scaling_layers",  # all layers, in another order
    "molmo2_text": r"rope_scaling_layers",
    "laguna": r"sliding_attention\..*",  # no layer has a window
    "mellum": r"sliding_attention\..*",
    "zaya": r"hybrid_sliding\..*",
    "musicflamingo": r"rope_.*",  # for audio; the text model has another
    "higgs_audio_v2": r"max_position_embeddings",
    "grounding-dino": r"position_embedding_type",  # for images
    "mm-grounding-dino": r"position_embedding_type",
    "ministral3": r"rope_parameters\.max_position_embeddings",  # no class reads it
}
"""Such paths in single classes."""


@cache
def names():
    return sorted(name for name, item in recorded().items() if item.get("config"))


def position_fields(values, path=()):
    """Yield the path and the value of each field of the text model about positions."""
    for name, value in values.items():
        if isinstance(value, dict):
            if name in configs_of_text or not name.endswith(("_config", "encoder", "decoder")):
                yield from position_fields(value, (*path, name))
        elif ABOUT.search(name):
            yield (*path, name), value


configs_of_text = ("text_config", "llm_config", "language_config", "vlm_config")


def changed(value):
    """Return another value of the same type, or None."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value * 2 or 2
    if isinstance(value, str):
        return "linear" if value != "linear" else "default"
    if isinstance(value, list) and value != value[::-1]:
        return value[::-1]
    return None


def replaced(values, path, value):
    name, *rest = path
    return {**values, name: replaced(values[name], rest, value) if rest else value}


def reading(values):
    try:
        actual = configs.read(values, assume=configs.LLAMA_IF_ROTARY)
    except configs.ConfigError as error:
        return str(error), ""
    lines = " ".join(finding.line for finding in actual.findings)
    return (actual.schemes, actual.layers, actual.trained, actual.stated, lines), lines


@pytest.mark.sampled(120)
@pytest.mark.parametrize("name", names())
def test_each_field_about_positions_is_read_or_reported(name):
    values = recorded()[name]["config"]
    before, lines = reading(values)
    if not before[0]:
        return  # no positions, or an error says that they are not supported
    silent = []
    for path, value in position_fields(values):
        field, other = path[-1], changed(value)
        if other is None or field in IRRELEVANT or field in SETTLED or ".".join(path) in lines:
            continue
        after, _ = reading(replaced(values, path, other))
        if after == before:
            silent.append(".".join(path))
    settled = re.compile(rf"(?:.*\.)?{SETTLED_IN.get(name, '-')}")
    assert not [path for path in silent if not settled.fullmatch(path)]

"""The rules by which versions of transformers read a configuration."""

import re
from dataclasses import dataclass, replace

from pe_explorer.configs.values import ConfigError
from pe_explorer.params import describe_bad_choice


@dataclass(frozen=True)
class Semantics:
    """The rules of one version of transformers, from tests or its `modeling_rope_utils.py`.

    Attributes
    ----------
    name : str
        The version with these rules.
    version : tuple of int
        The version whose classes apply, such as (5, 12); empty for the newest release of `name`.
    reads_parameters : bool
        Whether the version reads the dictionary `rope_parameters`.
    has_training_ramp : bool
        Whether YaRN's ramp depends on the training length instead of `max_position_embeddings`.
    reads_mscale : bool
        Whether the version reads `mscale` and `mscale_all_dim`.
    has_yarn_quotient : bool
        Whether YaRN's factor is `max_position_embeddings` divided by the training length,
        even if the file has a `factor`.
    reads_truncate : bool
        Whether the version reads `truncate`; otherwise the ends of the ramp are always rounded.
    has_top_longrope : bool
        Whether LongRoPE reads its training length only at the top level, and replaces
        `factor` by the quotient of the two lengths.
    has_long_default : bool
        Whether LongRoPE uses the long list unless the length in use is below the training length.
    layer_types : tuple of str
        The layer types that the version accepts, including old names; empty if it accepts
        all. See `ALLOWED_LAYER_TYPES` in its `configuration_utils.py`.
    """

    name: str
    version: tuple[int, ...] = ()
    reads_parameters: bool = False
    has_training_ramp: bool = True
    reads_mscale: bool = True
    has_yarn_quotient: bool = False
    reads_truncate: bool = True
    reads_top_level: bool = True
    is_long_list_default: bool = False
    layer_types: tuple[str, ...] = ()


_LAYER_TYPES_4 = ("full_attention", "sliding_attention", "chunked_attention", "linear_attention")
_LAYER_TYPES_5 = (
    *_LAYER_TYPES_4,
    "window_attention",
    "indexed_attention",
    "compressed_sparse_attention",
    "heavily_compressed_attention",
    "minimax_m3_sparse",
    "conv",
    "moe",
    "hybrid",
    "hybrid_sliding",
    "reference_sliding_attention",
    "deepseek_sparse_attention",
    "qwen_sparse_attention",
)

NEW_RULES = Semantics("5", reads_parameters=True, reads_top_level=False, layer_types=_LAYER_TYPES_5)

_ALL_RULES = (
    Semantics(
        "4.46",
        has_training_ramp=False,
        reads_mscale=False,
        reads_truncate=False,
        is_long_list_default=True,
    ),
    Semantics("4.52", has_yarn_quotient=True, reads_truncate=False),
    Semantics("4.57", layer_types=_LAYER_TYPES_4),
    NEW_RULES,
)
SEMANTICS = {rules.name: rules for rules in _ALL_RULES}
"""The selectable versions, oldest first."""


def find_semantics(name: str) -> Semantics:
    """Return the rules of a version, such as ``5``, ``4.57`` or ``5.12.1``.

    A version without its own rules has the rules of the closest older version. Raise
    `ConfigError` if no older version has rules, or if `name` is not a version 4 or 5.
    """
    if isinstance(name, str) and name in SEMANTICS:
        return SEMANTICS[name]
    match = re.fullmatch(r"([45])\.(\d{1,3})(?:\.\d{1,3})?", name if isinstance(name, str) else "")
    version = (int(match[1]), int(match[2])) if match else (0, 0)
    candidate_rules = [r for r in _ALL_RULES if tuple(map(int, r.name.split("."))) <= version]
    if not candidate_rules:
        raise ConfigError("semantics", describe_bad_choice(name, SEMANTICS))
    return replace(candidate_rules[-1], version=version)

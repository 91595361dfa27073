"""The defaults of model classes for missing fields, from `resources/classes.json`."""

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pe_explorer.assets import find_asset
from pe_explorer.configs.semantics import Semantics

_METADATA_KEYS = ("source", "same_as", "before_5", "until")
"""Keys of an entry that are not attributes of `ModelClass`."""


@dataclass(frozen=True)
class ModelClass:
    """The defaults of one model class, and the fields that the class reads.

    Attributes
    ----------
    name : str
        The model type, without the suffix `_text`.
    known : bool
        Whether `classes.json` lists the class. An unknown class is read like Llama if
        `assume` allows it.
    scheme : str
        `rope`, `alibi`, `learned`, `sinusoidal`, `none` (no positions) or `other` (not supported).
    why : str
        Why a class of the scheme `other` is not supported, such as ``it reads images``.
    inner, inner_type : str
        The field that contains the text model, and the model type if that field names no type.
    switch : str
        The field that enables RoPE, if the class has no positions without it.
    base, part, layout, head_dim, full_head_dim, rotary_dim, hidden_size, heads, count, length
        Defaults: base, rotary part, layout, head dimension (and that of full layers, if different),
        rotary dimension, width, number of heads, number of layers, `max_position_embeddings`.
    original, window : int or None
        Defaults of the training length at the top level, and of the window.
    published : tuple of float
        The bases of published models, if they differ from the default.
    bases : {layer type: base}
        The default bases, if they depend on the layer type.
    base_fields : {layer type: field}
        The fields of bases that depend on the layer type; other layer types use `base_field`.
    base_field, part_field : str
        The fields of the base and of the rotary part.
    rule : str
        The order of layer types: `all` (equal layers), `every` (every n-th layer is full),
        `late` (only the last layers have a window), `alternate` (every other layer has a
        window) or `no_rope_layers` (a field of the file marks the layers with positions).
    interval : int
        The n of the rules `every` and `no_rope_layers`, unless the file states n.
    full_first, last_full : bool
        Whether the first of every n layers is full, and whether the last layer is always full.
    others : str
        The type of the layers that are not full.
    pattern : tuple of str
        The layer types, repeated as needed, if the file lists no types.
    without_positions : tuple of str
        The layer types that have no positions if other layers have a window.
    switches : str
        The field with a number for each layer, which is 0 for a layer without positions.
    layer_bases : bool
        Whether the numbers in `switches` are the bases of the layers.
    scaled_layers : str
        The field with the indices of the layers that `rope_scaling` scales; by default, all layers.
    skipped : str
        The field with the indices of layers that do not attend to the text.
    indexer : str
        The layout of the indexer, a second attention that selects keys; empty if there is
        no indexer.
    indexed : tuple of str
        The layer types with an indexer; empty for all types.
    by_layer_type : bool
        Whether the class reads `rope_parameters` only by layer type.
    scaled : tuple of str
        The layer types that `rope_scaling` scales; empty for all types, `none` for no type.
    labels : {layer type: key}
        The keys of `rope_parameters`, if they differ from the layer types.
    plain_yarn : bool
        Whether YaRN does not scale cosines and sines.
    scaling : mapping
        The default rope dictionary; by layer type if `by_layer_type` is true.
    renamed : {rope type: rope type}
        The rope types that have another meaning in this class.
    neutral : tuple of str
        Fields of the rope dictionary that published files contain but the class ignores.
    window_field : str
        The field of the window. If `window_switch` is true, the window applies only if
        `use_sliding_window` is true.
    window_divisor : int
        The divisor of the value of `window_field`.
    latent, alpha, mscales, top_length : bool
        Whether the class has multi-head latent attention; reads `alpha` of static NTK; reads
        `short_mscale` of LongRoPE; copies the training length from the dictionary to the top level.
    alibi : str
        The field that enables ALiBi, `always`, or `unless 4096` (unless the width is 4096).
    rounded_slopes : bool
        Whether the class rounds the slopes of ALiBi to bfloat16.
    row_offset, extra_rows : int
        The number of rows before position 0, and the number of rows beyond the stated length.
    after_padding : bool
        Whether positions begin after the row of `pad_token_id`.
    length_field : str
        The field of the length, in addition to the usual fields.
    spacing : str
        The spacing of sinusoidal encodings.
    equal_heads : tuple of str
        The versions that require a width divisible by the number of heads, if the encoding
        depends on the heads.
    checks_layers : bool
        Whether version 4.57 refuses unknown layer types; version 5 always does.
    decoder : str
        The scheme of the decoder; `same` for the scheme of the encoder, empty if
        there is no decoder.
    """

    name: str
    is_listed: bool = True
    scheme: str = "rope"
    why: str = ""
    inner: str = ""
    inner_type: str = ""
    switch: str = ""
    base: float = 1e4
    part: float = 1.0
    layout: str = "half"
    head_dim: int | None = None
    full_head_dim: int | None = None
    rotary_dim: int | None = None
    hidden_size: int | None = None
    heads: int | None = None
    count: int | None = None
    length: int | None = None
    original: int | None = None
    window: int | None = None
    published: tuple[float, ...] = ()
    bases: Mapping[str, float] = field(default_factory=dict)
    base_fields: Mapping[str, str] = field(default_factory=dict)
    base_field: str = "rope_theta"
    part_field: str = "partial_rotary_factor"
    rule: str = "all"
    interval: int = 0
    interval_field: str = "sliding_window_pattern"
    full_first: bool = False
    last_full: bool = False
    others: str = "sliding_attention"
    pattern: tuple[str, ...] = ()
    without_positions: tuple[str, ...] = ()
    switches: str = ""
    layer_bases: bool = False
    scaled_layers: str = ""
    skipped: str = ""
    indexer: str = ""
    indexed: tuple[str, ...] = ()
    by_layer_type: bool = False
    scaled: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    plain_yarn: bool = False
    scaling: Mapping[str, Any] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    neutral: tuple[str, ...] = ()
    window_field: str = "sliding_window"
    window_switch: bool = False
    window_divisor: int = 1
    latent: bool = False
    alpha: bool = False
    mscales: bool = False
    top_length: bool = False
    alibi: str = ""
    rounded_slopes: bool = False
    row_offset: int = 0
    extra_rows: int = 0
    after_padding: bool = False
    length_field: str = ""
    spacing: str = "paper"
    equal_heads: tuple[str, ...] = ()
    checks_layers: bool = False
    decoder: str = ""

    def find_base_field(self, layer: str) -> str:
        """Return the field name of a layer type's base; empty if the class reads no base."""
        return self.base_fields.get(layer, self.base_field)

    def find_default_base(self, layer: str) -> float:
        """Return the default base of a layer type."""
        return self.bases.get(layer, self.base)

    def find_scaling(self, layer: str) -> Mapping[str, Any]:
        """Return the default rope dictionary of a layer type."""
        return self.scaling.get(layer, {}) if self.by_layer_type else self.scaling


def find_class(model_type: str, rules: Semantics) -> ModelClass:
    """Return the class of a model type under the rules of a version.

    An unknown class has no default sizes, and can read any field that other classes read.
    """
    entries = _entries()
    name = model_type if model_type in entries else model_type.removesuffix("_text")
    if name not in entries:
        return ModelClass(name, is_listed=False)
    entry = dict(entries[name])
    if "same_as" in entry:
        entry = {**entries[entry["same_as"]], **entry}
    if not rules.reads_parameters:
        entry.update(entry.get("before_5", {}))
    selected_version = rules.version or _parse_version(rules.name)
    for version, changes in entry.get("until", {}).items():  # newest version first
        if len(selected_version) > 1 and _parse_version(version) >= selected_version:
            entry.update(changes)
    attributes: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in entry.items()
        if key not in _METADATA_KEYS and value is not None
    }
    return ModelClass(name, **attributes)


def list_changed_versions(name: str) -> tuple[str, ...]:
    """Return the last 5.x version before each change of a class."""
    versions = _entries().get(name, {}).get("until", {})
    return tuple(version for version in versions if version[0] == "5")


def find_known_version(rules: Semantics) -> str:
    """Return the newest known version that is not newer than the selected version.

    If all known versions are newer, return the oldest known version.
    """
    versions = sorted(map(_parse_version, _read_document()["versions"]), reverse=True)
    newest_version = next(
        (version for version in versions if version <= rules.version), versions[-1]
    )
    return ".".join(map(str, newest_version))


def _parse_version(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


@functools.cache
def list_fields(attribute: str) -> tuple[str, ...]:
    """Return the values of `base_field`, `base_fields` or `part_field` in all classes."""
    default = getattr(ModelClass(""), attribute)
    names = [default] if default else []
    for entry in _entries().values():
        value = entry.get(attribute) or ()
        names += [value] if isinstance(value, str) else value.values() if value else ()
    return tuple(dict.fromkeys(filter(None, names)))


@functools.cache
def list_base_fields(layer: str) -> tuple[str, ...]:
    """Return the names of the fields that a class uses for the base of only this layer type."""
    names = (entry.get("base_fields", {}).get(layer) for entry in _entries().values())
    return tuple(dict.fromkeys(filter(None, names)))


@functools.cache
def _entries() -> Mapping[str, Mapping[str, Any]]:
    return _read_document()["classes"]


@functools.cache
def _read_document() -> Mapping[str, Any]:
    return json.loads(find_asset("classes.json").read_bytes())

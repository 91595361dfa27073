"""The type of each layer, and its attention window."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pe_explorer.configs._fields import Fields
from pe_explorer.configs._findings import value_text
from pe_explorer.configs._model import COUNTS, TextModel
from pe_explorer.configs.values import NOTE, WARNING, WITHOUT

FULL, SLIDING, CHUNKED = "full_attention", "sliding_attention", "chunked_attention"
_OLD_NAMES = {"attention": FULL, "mamba": "linear_attention"}
UNSCALED = "unscaled"
"""Suffix of a layer type for the layers that `rope_scaling` does not scale."""

POSITIONLESS_TYPES = ("linear_attention", "conv", "recurrent", "moe", "mlp", "ssm")
"""Layer types without positions: they process tokens in order, or each token separately."""


@dataclass(frozen=True)
class LayerGroup:
    """The layers of one type.

    `window` is the number of keys that a query sees, or None if a query sees all keys. `base` is
    None unless the file lists a base for each layer.
    """

    indices: tuple[int, ...]
    window: int | None
    base: float | None = None


def layer_groups(model: TextModel) -> Mapping[str, LayerGroup]:
    """Return the layers of each type: full attention first, layers without positions last."""
    types, window = _layer_types(model), _window(model)
    bases = model.fields.non_negative_numbers(model.cls.switches) if model.cls.layer_bases else ()
    indices: dict[str, list[int]] = {}
    for index, name in enumerate(_group_names(model, types, window, bases)):
        indices.setdefault(name, []).append(index)
    if not types:
        indices = {_uniform_type(window): []}
    _note_positionless(model, len(indices.get(WITHOUT, ())), len(types))
    order = sorted(
        indices, key=lambda name: (name == WITHOUT, kind_of(name) != FULL, indices[name])
    )
    groups = {}
    for name in order:
        width = window if kind_of(name) in (SLIDING, CHUNKED) else None
        first_index = next(iter(indices[name]), len(bases))
        base = bases[first_index] if first_index < len(bases) and name != WITHOUT else None
        groups[name] = LayerGroup(tuple(indices[name]), width, base)
    return groups


def _group_names(
    model: TextModel, types: Sequence[str], window: int | None, bases: Sequence[float]
) -> Iterator[str]:
    rotated = _rotary_layers(model, len(types)) or ()
    skipped = model.fields.indices(model.cls.skipped)
    scaled = model.fields.indices(model.cls.scaled_layers)
    # In exaone4, full-attention layers have positions only if no layer has a window.
    without_positions = {
        *POSITIONLESS_TYPES,
        *(() if window is None else model.cls.without_positions),
    }
    first_bases: dict[str, float] = {}
    for index, kind in enumerate(types):
        if kind in without_positions or index in skipped or not all(rotated[index : index + 1]):
            yield WITHOUT
        elif scaled and index not in scaled:
            yield f"{kind}.{UNSCALED}"
        elif index < len(bases) and first_bases.setdefault(kind, bases[index]) != bases[index]:
            yield f"{kind}.{value_text(bases[index]).replace(',', '')}"
        else:
            yield kind


def kind_of(layer: str) -> str:
    """Return the layer type without its suffix, which transformers does not use."""
    return layer.partition(".")[0]


def _uniform_type(window: int | None) -> str:
    return FULL if window is None else SLIDING


def _window(model: TextModel) -> int | None:
    name, cls = model.cls.window_field, model.cls
    switch = model.fields.flag("use_sliding_window")
    if (cls.window_switch and not switch) or (not cls.known and switch is False):
        return None
    if model.fields.is_null(name):
        return None
    # Some files write 0 for no window.
    if name in model.fields and model.fields.number(name) == 0:
        return None
    width = model.integer((name,), cls.window)
    return None if width is None else max(1, width // cls.window_divisor)


def _layer_types(model: TextModel) -> list[str]:
    listed_names = listed_types(model.fields)
    if listed_names:
        _check_count(model, len(listed_names))
        types = [_OLD_NAMES.get(name, name) for name in listed_names]
    else:
        types = _types_by_rule(model)
    if model.cls.last_full and types and types[-1] != FULL:
        if listed_names:
            why = f"{model.cls.name} always uses {FULL} in its last layer"
            happens = f"ends with {types[-1]}"
            model.record(WARNING, "overridden", "layer_types", happens, why)
        types[-1] = FULL
    return types


def listed_types(fields: Fields) -> list[str]:
    """Return the layer types that a file lists, in any of the supported forms."""
    count = fields.count("num_hidden_layers") or 0
    for name, read_types in _LAYER_TYPE_READERS.items():
        types = read_types(fields, name, count) if name in fields else []
        if types:
            return types
    return []


def _read_list(fields: Fields, name: str, _layer_count: int) -> list[str]:
    return list(fields.strings(name) or ())


def _read_letters(fields: Fields, name: str, _layer_count: int) -> list[str]:
    letters = fields.text(name) or ""
    kinds = {"M": "linear_attention", "*": FULL, "-": "mlp", "E": "moe"}
    return [kinds[letter] for letter in letters] if set(letters) <= kinds.keys() else []


def _read_block(fields: Fields, name: str, count: int) -> list[str]:
    kinds = fields.strings(name) or ("",)
    return [kinds[index % len(kinds)] for index in range(count)]


def _read_full_indices(fields: Fields, name: str, count: int) -> list[str]:
    full = fields.indices(name)
    return [FULL if index in full else "linear_attention" for index in range(count)]


def _read_ratios(fields: Fields, name: str, count: int) -> list[str]:
    kinds = {0: SLIDING, 4: "compressed_sparse_attention", 128: "heavily_compressed_attention"}
    ratios = fields.get(name)
    if not isinstance(ratios, list) or any(ratio not in (*kinds,) for ratio in ratios):
        return []
    return [kinds[ratio] for ratio in ratios][: count or None]


def _read_period(fields: Fields, name: str, count: int) -> list[str]:
    period, first = fields.integer(name) or 1, int(fields.number("attn_layer_offset") or 0)
    return [FULL if i % period == first else "linear_attention" for i in range(count)]


_LAYER_TYPE_READERS: Mapping[str, Callable[[Fields, str, int], list[str]]] = {
    "layer_types": _read_list,
    "layers_block_type": _read_list,
    "hybrid_override_pattern": _read_letters,  # Nemotron-H
    "block_types": _read_block,  # RecurrentGemma
    "attn_layer_indices": _read_full_indices,  # Bamba
    "full_attn_idxs": _read_full_indices,  # LFM2
    "compress_ratios": _read_ratios,  # DeepSeek V4
    "attn_layer_period": _read_period,  # Jamba
}


def _check_count(model: TextModel, listed: int) -> None:
    name = model.fields.first(*COUNTS)
    if name is None or model.fields.count(name) == listed:
        return
    happens = f"has {listed:,} entries, but {name} is {model.fields.count(name):,}"
    model.record(WARNING, "contradiction", "layer_types", happens)


def _layer_count(model: TextModel) -> int:
    name = model.fields.first(*COUNTS)
    if name is not None:
        return model.fields.count(name) or 0
    return model.integer(COUNTS, model.cls.count) or 0


def _types_by_rule(model: TextModel) -> list[str]:
    cls, count = model.cls, _layer_count(model)
    window = _window(model)
    switches = model.fields.non_negative_numbers("no_rope_layers")
    if not count and switches:
        count = len(switches)
    if cls.pattern:
        return [cls.pattern[index % len(cls.pattern)] for index in range(count)]
    if cls.rule == "every" and (window is not None or cls.others != SLIDING):
        return _every_nth_full(model, count)
    if cls.rule == "no_rope_layers":
        kind = FULL if window is None else cls.others
        return [kind] * len(_rotary_layers(model, count) or ())
    if cls.rule in ("late", "alternate"):
        return _windows_by_index(model, count, window)
    return [_uniform_type(window)] * count


def _every_nth_full(model: TextModel, count: int) -> list[str]:
    cls = model.cls
    interval = cls.interval
    if cls.interval_field in model.fields:
        pattern = model.fields.values[cls.interval_field]
        # EXAONE writes LLLG: three layers with a window, then one layer without a window.
        if isinstance(pattern, str) and pattern:
            interval = len(pattern)
        else:
            interval = model.fields.integer(cls.interval_field) or cls.interval
    elif count:
        effect = f"by default, one in {interval} layers of {cls.name} has full attention"
        model.note_missing(cls.interval_field or "layer_types", effect)
    full_index = 0 if cls.full_first else interval - 1
    return [FULL if index % interval == full_index else cls.others for index in range(count)]


def _windows_by_index(model: TextModel, count: int, window: int | None) -> list[str]:
    if window is None:
        return [FULL] * count
    stated_number = model.fields.number("max_window_layers")
    boundary = count if stated_number is None else int(stated_number)
    if model.cls.rule == "alternate":
        return [SLIDING if i % 2 == 0 and i < boundary else FULL for i in range(count)]
    return [SLIDING if i >= boundary else FULL for i in range(count)]


def _rotary_layers(model: TextModel, count: int) -> tuple[bool, ...] | None:
    """Return whether each layer has RoPE, or None if all layers of the class have RoPE."""
    by_switches = model.cls.rule == "no_rope_layers"
    if model.cls.known and not by_switches and not model.cls.switches:
        return None
    numbers = model.fields.non_negative_numbers(model.cls.switches or "no_rope_layers")
    if numbers or not by_switches:
        return tuple(map(bool, numbers)) or None
    interval = model.fields.integer("no_rope_layer_interval") or model.cls.interval
    if "no_rope_layer_interval" not in model.fields:
        effect = f"by default, one in {interval} layers of {model.cls.name} has no positions"
        model.note_missing("no_rope_layers", effect)
    return tuple((index + 1) % interval != 0 for index in range(count))


def _note_positionless(model: TextModel, number: int, count: int) -> None:
    if not number:
        return
    names = ("no_rope_layers", "layer_types", "layers_block_type", "hybrid_override_pattern")
    by_switches = "no_rope_layers" if model.cls.rule == "no_rope_layers" else ""
    field = model.fields.first(*names) or by_switches or model.cls.interval_field
    happens = f"{number:,} of {count:,} layers have no positions"
    model.record(NOTE, "no-encoding", field or "layer_types", happens, layer=WITHOUT)

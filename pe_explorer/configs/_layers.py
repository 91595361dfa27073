"""The type of each layer, and the window of its attention."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pe_explorer.configs._fields import Fields
from pe_explorer.configs._findings import to_text
from pe_explorer.configs._model import DEPTH_FIELDS, TextModel
from pe_explorer.configs.values import NO_POSITIONS, NOTE, WARNING

FULL_ATTENTION = "full_attention"
SLIDING_ATTENTION = "sliding_attention"
CHUNKED_ATTENTION = "chunked_attention"
_HYBRID_TYPES = ("linear_attention", FULL_ATTENTION)
_TYPES_BY_RATIO = {
    0: SLIDING_ATTENTION,
    4: "compressed_sparse_attention",
    128: "heavily_compressed_attention",
}
_OLD_NAMES = {"attention": FULL_ATTENTION, "mamba": "linear_attention"}
UNSCALED_SUFFIX = "unscaled"
"""The suffix of layer types to which `rope_scaling` does not apply."""

POSITIONLESS_TYPES = ("linear_attention", "conv", "recurrent", "moe", "mlp", "ssm")
"""Layer types without positional encodings: they process tokens in order or separately."""


@dataclass(frozen=True)
class LayerGroup:
    """The layers of one type.

    `window` is the number of keys that a query sees, or None if a query sees all keys. `base` is
    None unless the file lists a base for each layer.
    """

    indices: tuple[int, ...]
    window: int | None
    base: float | None = None


def group_layers(model: TextModel) -> Mapping[str, LayerGroup]:
    """Return the layers of each type: full attention first, layers without positions last."""
    types, window = _read_layer_types(model), _read_window(model)
    bases = model.fields.read_layer_numbers(model.cls.switches) if model.cls.layer_bases else ()
    indices: dict[str, list[int]] = {}
    for index, name in enumerate(_list_group_names(model, types, window, bases)):
        indices.setdefault(name, []).append(index)
    if not types:
        indices = {_find_uniform_type(window): []}
    if number := len(indices.get(NO_POSITIONS, ())):
        names = ("no_rope_layers", "layer_types", "layers_block_type", "hybrid_override_pattern")
        default_field = names[0] if model.cls.rule == names[0] else model.cls.interval_field
        field = model.fields.find_name(*names) or default_field or "layer_types"
        happens = f"{number:,} of {len(types):,} layers use no positional encoding"
        model.record(NOTE, "no-encoding", field, happens, layer=NO_POSITIONS)

    def rank(name: str) -> tuple[bool, bool, list[int]]:
        return name == NO_POSITIONS, find_kind(name) != FULL_ATTENTION, indices[name]

    groups = {}
    for name in sorted(indices, key=rank):
        width = window if find_kind(name) in (SLIDING_ATTENTION, CHUNKED_ATTENTION) else None
        first_index = next(iter(indices[name]), len(bases))
        base = bases[first_index] if first_index < len(bases) and name != NO_POSITIONS else None
        groups[name] = LayerGroup(tuple(indices[name]), width, base)
    return groups


def _list_group_names(
    model: TextModel, types: Sequence[str], window: int | None, bases: Sequence[float]
) -> Iterator[str]:
    switches = _read_layer_switches(model, len(types))
    skipped_indices = model.fields.indices(model.cls.skipped)
    scaled_indices = model.fields.indices(model.cls.scaled_layers)
    # In exaone4, full-attention layers use an encoding only if no layer uses a sliding window.
    positionless_types = {*POSITIONLESS_TYPES}
    if window is not None:
        positionless_types |= {*model.cls.without_positions}
    first_bases: dict[str, float] = {}
    for index, kind in enumerate(types):
        has_rope = index not in skipped_indices and all(switches[index : index + 1])
        if kind in positionless_types or not has_rope:
            yield NO_POSITIONS
        elif scaled_indices and index not in scaled_indices:
            yield f"{kind}.{UNSCALED_SUFFIX}"
        elif index < len(bases) and first_bases.setdefault(kind, bases[index]) != bases[index]:
            yield f"{kind}.{to_text(bases[index]).replace(',', '')}"
        else:
            yield kind


def find_kind(layer: str) -> str:
    """Return the layer type without its suffix, which transformers does not use."""
    return layer.partition(".")[0]


def _find_uniform_type(window: int | None) -> str:
    return FULL_ATTENTION if window is None else SLIDING_ATTENTION


def _read_window(model: TextModel) -> int | None:
    name, cls = model.cls.window_field, model.cls
    switch = model.fields.flag("use_sliding_window")
    if (cls.window_switch and not switch) or (not cls.is_listed and switch is False):
        return None
    # In some files, null or 0 means that there is no window.
    if model.fields.is_null(name) or model.fields.number(name) == 0:
        return None
    width = model.integer((name,), cls.window)
    return None if width is None else max(1, width // cls.window_divisor)


def _read_layer_types(model: TextModel) -> list[str]:
    listed_names = _read_listed_types(model.fields)
    types = [_OLD_NAMES.get(name, name) for name in listed_names] or _make_types_by_rule(model)
    count_field = model.fields.find_name(*DEPTH_FIELDS)
    if listed_names and count_field is not None:
        count = model.fields.read_layer_count(count_field)
        if count != len(types):
            happens = f"has {len(types):,} entries, but {count_field} is {count:,}"
            model.record(WARNING, "contradiction", "layer_types", happens)
    if model.cls.last_full and types and types[-1] != FULL_ATTENTION:
        if listed_names:
            why = f"{model.cls.name} always uses {FULL_ATTENTION} in its last layer"
            happens = f"ends with {types[-1]}"
            model.record(WARNING, "overridden", "layer_types", happens, why)
        types[-1] = FULL_ATTENTION
    return types


_LAYER_FIELDS = (
    "layer_types",
    "layers_block_type",
    "hybrid_override_pattern",
    "block_types",
    "attn_layer_indices",
    "full_attn_idxs",
    "compress_ratios",
    "attn_layer_period",
)


def _read_listed_types(fields: Fields) -> list[str]:
    """Return the layer types from the first field that lists them, or [] if no field does."""
    count = fields.read_layer_count("num_hidden_layers") or 0
    types = (_read_types(fields, name, count) for name in _LAYER_FIELDS if name in fields)
    return next(filter(None, types), [])


def _read_types(fields: Fields, name: str, count: int) -> list[str]:
    match name:
        case "hybrid_override_pattern":  # Nemotron-H
            letters = fields.text(name) or ""
            kinds = {"M": "linear_attention", "*": FULL_ATTENTION, "-": "mlp", "E": "moe"}
            return [kinds[letter] for letter in letters] if set(letters) <= kinds.keys() else []
        case "block_types":  # RecurrentGemma
            types = fields.read_strings(name) or ("",)
            return [types[index % len(types)] for index in range(count)]
        case "attn_layer_indices" | "full_attn_idxs":  # Bamba, LFM2
            full_indices = fields.indices(name)
            return [_HYBRID_TYPES[index in full_indices] for index in range(count)]
        case "compress_ratios":  # DeepSeek V4
            ratios = fields.get(name)
            # Ratios in the file may be unhashable, so look them up in a list.
            if not isinstance(ratios, list) or any(
                ratio not in [*_TYPES_BY_RATIO] for ratio in ratios
            ):
                return []
            return [_TYPES_BY_RATIO[ratio] for ratio in ratios][: count or None]
        case "attn_layer_period":  # Jamba
            period, offset = fields.integer(name) or 1, int(fields.number("attn_layer_offset") or 0)
            return [_HYBRID_TYPES[index % period == offset] for index in range(count)]
    return list(fields.read_strings(name) or ())


def _make_types_by_rule(model: TextModel) -> list[str]:
    cls, window = model.cls, _read_window(model)
    name = model.fields.find_name(*DEPTH_FIELDS)
    count = model.fields.read_layer_count(name) if name else model.integer(DEPTH_FIELDS, cls.count)
    switches = model.fields.read_layer_numbers("no_rope_layers")
    count = count or len(switches)
    if cls.pattern:
        return [cls.pattern[index % len(cls.pattern)] for index in range(count)]
    if cls.rule == "every" and (window is not None or cls.others != SLIDING_ATTENTION):
        return _make_interval_types(model, count)
    if cls.rule == "no_rope_layers":
        kind = FULL_ATTENTION if window is None else cls.others
        return [kind] * len(_read_layer_switches(model, count))
    if cls.rule in ("late", "alternate") and window is not None:
        stated_boundary = model.fields.number("max_window_layers")
        boundary = count if stated_boundary is None else int(stated_boundary)
        indices = range(max(boundary, 0), count)
        if cls.rule == "alternate":
            indices = range(0, min(boundary, count), 2)
        return [SLIDING_ATTENTION if i in indices else FULL_ATTENTION for i in range(count)]
    return [_find_uniform_type(window)] * count


def _make_interval_types(model: TextModel, count: int) -> list[str]:
    cls, interval = model.cls, model.cls.interval
    if cls.interval_field in model.fields:
        pattern = model.fields.values[cls.interval_field]
        # EXAONE writes LLLG for three layers with a window and one layer without a window.
        if isinstance(pattern, str) and pattern:
            interval = len(pattern)
        else:
            interval = model.fields.integer(cls.interval_field) or cls.interval
    elif count:
        effect = f"by default, one in {interval} layers of {cls.name} has full attention"
        model.note_missing_field(cls.interval_field or "layer_types", effect)
    full_index = 0 if cls.full_first else interval - 1
    types = {True: FULL_ATTENTION, False: cls.others}
    return [types[index % interval == full_index] for index in range(count)]


def _read_layer_switches(model: TextModel, count: int) -> tuple[bool, ...]:
    """Return whether each layer has RoPE; empty if all layers of the class have RoPE."""
    has_switches = model.cls.rule == "no_rope_layers"
    if model.cls.is_listed and not has_switches and not model.cls.switches:
        return ()
    numbers = model.fields.read_layer_numbers(model.cls.switches or "no_rope_layers")
    if numbers or not has_switches:
        return tuple(map(bool, numbers))
    step = model.fields.integer("no_rope_layer_interval") or model.cls.interval
    if "no_rope_layer_interval" not in model.fields:
        effect = f"by default, one in {step} layers of {model.cls.name} uses no positional encoding"
        model.note_missing_field("no_rope_layers", effect)
    return tuple((index + 1) % step != 0 for index in range(count))

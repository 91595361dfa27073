"""Finds fields of a configuration, outside of rope dictionaries, that have no effect."""

from collections.abc import Iterable, Iterator, Mapping

from pe_explorer.configs._dictionaries import find_in_dictionary
from pe_explorer.configs._fields import Fields
from pe_explorer.configs._findings import NoEncodingError, listed, value_text
from pe_explorer.configs._model import TextModel
from pe_explorer.configs._rope import rotary_layer
from pe_explorer.configs._rope_fields import (
    LAYER_TYPES,
    ROPE_PARAMETERS,
    ROPE_SCALING,
    base_field,
    is_nested,
    layer_of,
    part_field,
)
from pe_explorer.configs._scaling import RotaryLayer
from pe_explorer.configs.classes import other_fields
from pe_explorer.configs.values import NOTE, WARNING, Scheme

_RULE_OF_FIELD = {
    "no_rope_layers": "no_rope_layers",
    "no_rope_layer_interval": "no_rope_layers",
}
_ROPE_FIELDS = ("rope_theta", ROPE_SCALING, ROPE_PARAMETERS)


def find_unused(model: TextModel, schemes: Mapping[str, Scheme]) -> None:
    """Find fields without effect, for all layer types."""
    rotating = [layer for layer, (name, _) in schemes.items() if name == "rope"]
    if not rotating:
        _find_without_rope(model, schemes)
        return
    _find_unread(model, rotating)
    _find_two_dictionaries(model)
    _find_scaled_layers(model, rotating)
    for layer in rotating:
        try:
            find_in_dictionary(model, layer)
        except NoEncodingError:
            continue
        _find_two_bases(rotary_layer(model, layer))


def _find_without_rope(model: TextModel, schemes: Mapping[str, Scheme]) -> None:
    """Note fields of rotation in a model that does not rotate."""
    name = next((scheme for scheme, _ in schemes.values()), "")
    if not name:
        return
    for field in _ROPE_FIELDS:
        if model.fields.values.get(field):
            happens = f"has no effect; the model has {name}"
            model.findings.add(NOTE, "no-effect", model.fields.path(field), happens)


def _find_unread(model: TextModel, layers: Iterable[str]) -> None:
    """Find fields of bases, parts and layers that the class does not read."""
    if model.cls.known:
        for name in (*_unread_numbers(model, layers), *_unread_rules(model)):
            _add_unread(model, name)


def _unread_numbers(model: TextModel, layers: Iterable[str]) -> Iterator[str]:
    """Yield the bases and rotary parts of other classes whose numbers are not those in use."""
    bases = {base_field(model, layer) for layer in layers} | set(model.cls.base_fields.values())
    read = {*bases, part_field(model), model.cls.part_field, "partial_rotary_factor"}
    known = (*other_fields("base_field"), *other_fields("part_field"), *other_fields("base_fields"))
    in_use = {number for layer in layers for number in _numbers_in_use(model, layer)}
    for name in known:
        if name in model.fields and name not in read and model.fields.number(name) not in in_use:
            yield name


def _unread_rules(model: TextModel) -> Iterator[str]:
    """Yield fields that choose layers or another encoding in other classes."""
    for name, rule in _RULE_OF_FIELD.items():
        if name in model.fields and model.cls.rule != rule:
            yield name
    if "global_head_dim" in model.fields and model.cls.full_head_dim is None:
        yield "global_head_dim"
    if model.fields.values.get("alibi") is True and not model.cls.alibi:
        yield "alibi"


def _numbers_in_use(model: TextModel, layer: str) -> tuple[float, ...]:
    """Return base and rotary part, which a field may repeat under another name."""
    rotary = rotary_layer(model, layer)
    return rotary.rope.base, rotary.part


def _add_unread(model: TextModel, name: str) -> None:
    happens = f"has no effect; {model.cls.name} does not read it"
    model.findings.add(WARNING, "no-effect", model.fields.path(name), happens)


def _find_two_dictionaries(model: TextModel) -> None:
    """Find a dictionary that another one replaces, or that the class does not read."""
    old, new = model.fields.within(ROPE_SCALING), model.fields.within(ROPE_PARAMETERS)
    cls = model.cls
    if old is not None and cls.scaled == "none":
        happens = f"has no effect; {cls.name} does not read it"
        model.findings.add(WARNING, "no-effect", model.fields.path(ROPE_SCALING), happens)
    if new is None:
        return
    if not cls.by_layer_type:
        _find_two_forms(model, old, new)
    elif model.rules.reads_parameters and not is_nested(new):
        bases = listed([value_text(cls.base_of(layer)) for layer in LAYER_TYPES[:2]])
        happens = f"has no effect without layer types in it; {cls.name} takes {bases}"
        why = "write an object for full_attention and one for sliding_attention"
        model.findings.add(WARNING, "no-effect", model.fields.path(ROPE_PARAMETERS), happens, why)


def _find_two_forms(model: TextModel, old: Fields | None, new: Fields) -> None:
    """Find a dictionary of the new form that contradicts one of the old form."""
    if old is None or {**old.values, "rope_theta": None} == {**new.values, "rope_theta": None}:
        return
    taken = f"{ROPE_SCALING} is taken whole"
    unread = f"transformers {model.rules.name} does not read it"
    happens = f"has no effect; {taken if model.rules.reads_parameters else unread}"
    why = "say everything in one of the two"
    model.findings.add(WARNING, "two-forms", model.fields.path(ROPE_PARAMETERS), happens, why)


def _find_scaled_layers(model: TextModel, layers: Iterable[str]) -> None:
    """Note layer types that a scaling does not reach."""
    scaled = model.cls.scaled
    if ROPE_SCALING not in model.fields or scaled in ("", "none"):
        return
    for layer in layers:
        if layer != scaled:
            happens = f"scales {scaled} only; {layer} stays as it is"
            model.findings.add(
                NOTE, "no-effect", model.fields.path(ROPE_SCALING), happens, layer=layer
            )


def _find_two_bases(rotary: RotaryLayer) -> None:
    """Find a base at the top level that is not the one in use."""
    model, layer = rotary.model, rotary.layer
    name = base_field(model, layer) or "rope_theta"
    new = layer_of(model.fields.within(ROPE_PARAMETERS), layer)
    inner = None if new is None else new.positive("rope_theta")
    if name not in model.fields or inner is None or name == "rope_ratio":
        return
    top = model.fields.positive(name) or 0.0
    path = model.fields.path(name)
    if rotary.rope.base_path == path or rotary.rope.base == top:
        return
    happens = f"{value_text(top)} at the top level has no effect"
    why = (
        f"{rotary.rope.base_path.rpartition('.')[0]} has {value_text(rotary.rope.base)}, but "
        f"programs that read {name} from the file, transformers 4 among them, get {value_text(top)}"
    )
    model.findings.add(WARNING, "two-forms", path, happens, why, layer)

"""The fields of a configuration that describe the rotation of one layer type.

Old files have `rope_theta` and the dictionary `rope_scaling`; new files have all fields in the
dictionary `rope_parameters`, which is flat or has a dictionary for each layer type. Both forms give
the same result.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pe_explorer.configs._fields import Fields
from pe_explorer.configs._findings import to_text
from pe_explorer.configs._layers import find_kind, group_layers
from pe_explorer.configs._model import TextModel
from pe_explorer.configs.classes import list_base_fields, list_fields
from pe_explorer.configs.values import WARNING
from pe_explorer.params import join_words

ROPE_SCALING, ROPE_PARAMETERS = "rope_scaling", "rope_parameters"


@dataclass(frozen=True)
class RopeFields:
    """The fields that describe the rotation of one layer type.

    Attributes
    ----------
    fields : Fields
        The dictionary of the layer type; empty if neither the file nor the class has one.
    is_nested : bool
        Whether the file has one dictionary for each layer type.
    is_default : bool
        Whether the dictionary is the default of the class because the file has no dictionary.
    base : float
        The base in use.
    base_path : str
        The path of the base; empty if the base is the default of the class.
    part : float or None
        The rotary part: a number of channels if `part_path` ends in `rotary_dim`, otherwise a share
        of the head; None if no field states the rotary part.
    part_path : str
        The path of the rotary part.
    """

    fields: Fields
    is_nested: bool
    is_default: bool
    base: float
    base_path: str
    part: float | None
    part_path: str


def read_rope_fields(model: TextModel, layer: str) -> RopeFields:
    """Return the rope fields that apply to a layer type under the model's rules."""
    kind = find_kind(layer)
    dictionary = find_rope_dictionary(model, kind)
    default = Fields(model.cls.find_scaling(kind), f"{ROPE_SCALING}.")
    fields = default if dictionary is None else dictionary
    flat_prefixes = [f"{model.fields.path(name)}." for name in (ROPE_SCALING, ROPE_PARAMETERS)]
    is_flat = fields.prefix in flat_prefixes and not _has_copied_dictionary(model)
    base, base_path = _read_base_and_path(model, fields, layer)
    part, part_path = None, ""
    should_read_part = dictionary is None or model.rules.reads_parameters
    if "partial_rotary_factor" in fields and should_read_part:
        part = fields.read_positive_number("partial_rotary_factor")
        part_path = "" if dictionary is None else fields.path("partial_rotary_factor")
    elif (name := part_field(model)) in model.fields:
        part, part_path = model.fields.read_positive_number(name), model.fields.path(name)
    is_nested = dictionary is not None and not is_flat
    return RopeFields(fields, is_nested, dictionary is None, base, base_path, part, part_path)


def _has_copied_dictionary(model: TextModel) -> bool:
    """Return whether transformers copies a flat dictionary to each layer type."""
    return model.cls.by_layer_type and model.rules.reads_parameters


def find_type_field(model: TextModel, fields: Fields) -> str | None:
    """Return the name of the field that contains the rope type, or None if it is missing.

    `rope_type` takes precedence over `type`. Some classes merge `rope_scaling` into
    dictionaries by layer type, which already contain `rope_type`, so `type` has no effect.
    """
    is_rope_scaling = fields.prefix == f"{model.fields.path(ROPE_SCALING)}."
    is_merged = is_rope_scaling and _has_copied_dictionary(model) and not model.cls.labels
    return fields.find_name("rope_type") if is_merged else fields.find_name("rope_type", "type")


def is_nested(fields: Fields) -> bool:
    """Return whether a rope dictionary contains a dictionary for each layer type."""
    return any(isinstance(fields.values[name], Mapping) for name in fields)


def find_layer_dictionary(fields: Fields | None, layer: str) -> Fields | None:
    """Return the rope dictionary of a layer type; a flat dictionary applies to all layer types."""
    if fields is None or not is_nested(fields):
        return fields
    return fields.read_subfields(layer)


def find_rope_dictionary(model: TextModel, layer: str) -> Fields | None:
    """Return the file's rope dictionary for a layer type, or None if the file has none for it."""
    fields, cls = model.fields, model.cls
    old_fields = find_layer_dictionary(fields.read_subfields(ROPE_SCALING), layer)
    if cls.scaled and layer not in cls.scaled:
        old_fields = None
    layer = cls.labels.get(layer, layer)
    new_fields = fields.read_subfields(ROPE_PARAMETERS) if model.rules.reads_parameters else None
    if not cls.by_layer_type:
        # The old dictionary replaces the new dictionary; transformers does not merge them.
        return old_fields or find_layer_dictionary(new_fields, layer)
    # The class reads the new dictionary only if it is nested by layer type.
    if new_fields is None or not is_nested(new_fields):
        return old_fields
    layer_fields = new_fields.read_subfields(layer)
    if layer_fields is None or old_fields is None:
        return layer_fields or old_fields
    values = {**layer_fields.values, **{name: old_fields.values[name] for name in old_fields}}
    paths = {name: layer_fields.path(name) for name in layer_fields.values}
    paths |= {name: old_fields.path(name) for name in old_fields}
    return Fields(values, layer_fields.prefix, paths, layer_fields.used_paths)


def _read_base_and_path(model: TextModel, fields: Fields, layer: str) -> tuple[float, str]:
    if model.cls.layer_bases and (listed_base := group_layers(model)[layer].base):
        return listed_base, model.fields.path(model.cls.switches)
    layer = find_kind(layer)
    if model.rules.reads_parameters and "rope_theta" in fields:
        name = "rope_theta"
    else:
        fields, name = model.fields, find_base_field_name(model, layer)
    if value := fields.read_positive_number(name):
        # The base is 10,000 times `rope_ratio`.
        return (value * 1e4 if name == "rope_ratio" else value), fields.path(name)
    default = model.cls.find_default_base(layer)
    if name and model.cls.published and ROPE_PARAMETERS not in model.fields:
        happens = f"is missing, so the default {to_text(default)} is used"
        bases_text = join_words([to_text(base) for base in model.cls.published], "or")
        why = f"published {model.cls.name} models use {bases_text}. Copy the original value"
        model.record(WARNING, "lost-base", name, happens, why, layer)
    elif name:
        model.note_default(name, to_text(default), layer)
    return default, ""


def find_base_field_name(model: TextModel, layer: str) -> str:
    """Return the name of the top-level field for the base; empty if the class reads no base."""
    if model.cls.is_listed:
        return model.cls.find_base_field(layer)
    fields = (*list_base_fields(layer), *list_fields("base_field"))
    return model.fields.find_name(*fields) or "rope_theta"


def part_field(model: TextModel) -> str:
    """Return the name of the top-level field for the rotary part."""
    if model.cls.is_listed:
        # Files converted to the new form have `partial_rotary_factor` instead of the class's field.
        return model.fields.find_name(model.cls.part_field) or "partial_rotary_factor"
    return model.fields.find_name(*list_fields("part_field")) or "partial_rotary_factor"

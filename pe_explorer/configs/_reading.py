"""Read a configuration, and determine the scheme of each layer type."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pe_explorer.configs._findings import Findings, NoEncodingError, to_text
from pe_explorer.configs._kinds import find_scheme_groups, read_schemes
from pe_explorer.configs._model import LENGTH_FIELDS, META, MISTRAL, TextModel, find_model
from pe_explorer.configs._positions import check_arguments, find_assumed_class, note_unread_fields
from pe_explorer.configs._rope import read_rotary_layers, softmax_factor
from pe_explorer.configs._rope_fields import find_type_field
from pe_explorer.configs._scaling import (
    ORIGINAL_FIELD,
    TYPE_FIELDS,
    RotaryLayer,
    read_training_length,
)
from pe_explorer.configs._source import load_with_override
from pe_explorer.configs._unused import record_unused_fields
from pe_explorer.configs._versions import find_attention_factor, record_differences
from pe_explorer.configs.classes import find_known_version, list_changed_versions
from pe_explorer.configs.semantics import NEW_RULES, find_semantics
from pe_explorer.configs.values import NO_POSITIONS, NOTE, Configuration, Layers, Scheme


def read(
    source: Any,
    semantics: str = NEW_RULES.name,
    sequence_length: int | None = None,
    assume: str | None = None,
) -> Configuration:
    """Return the meaning of a model's configuration; see `encodings.read_config`.

    Raise `ConfigError` if the file cannot be read or a field has an invalid value; the message
    names the file or the path of the field.
    """
    rules = find_semantics(semantics)
    check_arguments(sequence_length, assume)
    findings, version = Findings(), find_known_version(rules)
    if rules.version and not f"{semantics}.".startswith(f"{version}."):
        why = f"using the rules of {version}, the closest older version"
        findings.add(NOTE, "version", "semantics", f"{semantics} is not a known version", why)
    model = find_model(load_with_override(source, findings), rules, sequence_length, findings)
    groups = find_scheme_groups(model)
    assumed = find_assumed_class(model, assume, groups)
    schemes = read_schemes(model, groups) if model.cls.is_listed or assumed else {}
    trained, stated, length_path = find_lengths(model, schemes)
    rotary_layer = next((layer for layer, (name, _) in schemes.items() if name == "rope"), None)
    if trained is None and rotary_layer is not None:
        happens = "is missing, so the training length is unknown"
        why = "without it, unseen angles cannot be determined"
        model.record(NOTE, "trained-length", LENGTH_FIELDS[0], happens, why)
    record_unused_fields(model, schemes)
    if model.cls.name not in (META, MISTRAL):  # transformers does not read these formats
        record_differences(model, groups, schemes)
    _note_effects(model, schemes)
    # Report unread fields only if there was no error, because an error ends the reading early.
    if schemes.keys() == groups.keys() - {NO_POSITIONS}:
        note_unread_fields(model.fields, findings)
    layers = {}
    for layer, group in groups.items():
        known_lengths = [length for length in (trained, group.window) if length is not None]
        layers[layer] = Layers(group.indices, group.window, min(known_lengths, default=None))
    dtype_path, dtype = _read_dtype(model)
    return Configuration(
        schemes=schemes,
        layers=layers,
        findings=findings.list_in_order(),
        model_type=model.cls.name,
        assumed=assumed,
        trained=trained,
        stated=stated,
        softmax_factor=1.0 if rotary_layer is None else softmax_factor(model, rotary_layer),
        dtype=dtype,
        paths={**_list_paths(model), "dtype": dtype_path, "stated": length_path},
    )


def find_changed_versions(source: Any) -> tuple[str, ...]:
    """Return the last 5.x version before each change in how transformers reads the class."""
    findings = Findings()
    document = load_with_override(source, findings)
    return list_changed_versions(find_model(document, NEW_RULES, None, findings).cls.name)


def _read_dtype(model: TextModel) -> tuple[str, str | None]:
    for fields in (model.fields, *reversed(model.containers)):
        name = fields.find_name("dtype", "torch_dtype")
        if name is not None:
            return fields.path(name), fields.text(name)
    return model.fields.path("dtype"), None


def _list_paths(model: TextModel) -> Mapping[str, str]:
    names = {
        "length": model.fields.find_name(*LENGTH_FIELDS) or LENGTH_FIELDS[0],
        "window": model.cls.window_field,
    }
    if model.cls.rounded_slopes:
        names["rounded_slopes"] = model.cls.alibi
    return {key: model.fields.path(name) for key, name in names.items()}


# -- lengths ---------------------------------------------------------------------------------------


_BETA_FIELD = "llama_4_scaling_beta"
_EXTENDING_TYPES = ("yarn", "llama3")
"""Rope types whose factor can imply a length above `max_position_embeddings`."""


def find_lengths(
    model: TextModel, schemes: Mapping[str, Scheme]
) -> tuple[int | None, int | None, str]:
    """Return the training length, the length stated in the file, and the path of its field."""
    stated_length = model.length()
    path = model.fields.path(model.fields.find_name(*LENGTH_FIELDS) or LENGTH_FIELDS[0])
    for rotary, parameters in read_rotary_layers(model, schemes):
        original_length = rotary.fields.integer(ORIGINAL_FIELD)
        if parameters["rope_type"] in (*_EXTENDING_TYPES, "longrope"):
            original_length = _find_original_length(rotary)
        elif original_length is None:  # only yarn, llama3 and longrope need a training length
            continue
        if parameters["rope_type"] in _EXTENDING_TYPES and original_length is not None:
            extended_length = parameters["factor"] * original_length
            if (stated_length or 0) < extended_length < math.inf:
                return original_length, int(extended_length), rotary.fields.path("factor")
        return original_length, stated_length, path
    return stated_length, stated_length, path


def _find_original_length(rotary: RotaryLayer) -> int | None:
    try:
        if rotary.model.rules.reads_parameters or rotary.rope_type == "longrope":
            return read_training_length(rotary)
        return rotary.fields.integer(ORIGINAL_FIELD) or read_training_length(rotary)
    except NoEncodingError:
        return None


# -- notes on surprising effects -------------------------------------------------------------------


def _note_effects(model: TextModel, schemes: Mapping[str, Scheme]) -> None:
    # Use separate findings, because `model` already contains the notes on defaults.
    for rotary, parameters in read_rotary_layers(replace(model, findings=Findings()), schemes):
        rotary = replace(rotary, model=model)
        _note_training_length(rotary)
        _note_rope_type(rotary)
        _note_attention_factors(rotary, parameters)
    _note_query_factors(model, schemes)


def _note_training_length(rotary: RotaryLayer) -> None:
    model = rotary.model
    name = model.fields.find_name(*LENGTH_FIELDS)
    is_length_read = ORIGINAL_FIELD in TYPE_FIELDS[rotary.rope_type]
    has_top_level_length = ORIGINAL_FIELD in model.fields or model.cls.original
    if name is None or ORIGINAL_FIELD in rotary.fields or (is_length_read and has_top_level_length):
        return
    happens = f"assuming a training length of {to_text(model.fields.integer(name))}"
    why = "if this length was raised by hand, pass the original length with --trained"
    path, flag = model.fields.path(name), "--trained"
    model.findings.add(NOTE, "trained-length", path, happens, why, rotary.layer, flag=flag)


def _note_query_factors(model: TextModel, schemes: Mapping[str, Scheme]) -> None:
    _, stated_length, _ = find_lengths(replace(model, findings=Findings()), schemes)
    last_position = (model.sequence_length or stated_length or 1) - 1
    scale = model.fields.number("attn_scale")
    floor_scale = model.fields.read_positive_number("floor_scale")
    if model.fields.get("attn_temperature_tuning") and scale and floor_scale:
        factor = 1 + scale * math.log1p((last_position + 1) // floor_scale)
        happens = f"multiplies queries of layers without an encoding by {factor:.4f} at position"
        happens = f"{happens} {last_position:,}"
        formula = f"1 + {to_text(scale)} · ln(1 + floor((p + 1) / {to_text(floor_scale)}))"
        why = f"the factor at position p is {formula}"
        model.record(NOTE, "query-factor", "attn_temperature_tuning", happens, why)
    for rotary, parameters in read_rotary_layers(model, schemes):
        fields = rotary.fields
        beta = fields.number(_BETA_FIELD)
        if beta is None or _BETA_FIELD not in model.cls.neutral:
            continue
        original_length = parameters.get(ORIGINAL_FIELD) or fields.integer(ORIGINAL_FIELD)
        if length := original_length or stated_length:
            factor = 1 + beta * math.log1p(last_position // length)
            happens = f"multiplies queries by {factor:.4f} at position {last_position:,}"
            formula = f"1 + {to_text(beta)} · ln(1 + floor(p / {length:,}))"
            why = f"the factor at position p is {formula}"
            rotary.record(NOTE, "query-factor", _BETA_FIELD, happens, why)


def _note_rope_type(rotary: RotaryLayer) -> None:
    name = find_type_field(rotary.model, rotary.fields) or "rope_type"
    if rotary.fields.values.get(name) == "su":
        rotary.record(NOTE, "old-name", name, "'su' is the old name of longrope", "write longrope")
    width, part = rotary.head_dim, rotary.width
    if rotary.rope_type == "proportional" and 2 <= part < width:
        counts = f"{part // 2} of {width // 2} pairs"
        happens = f'"proportional" rotates {counts} with frequencies base^(-2i/{width})'
        why = f"a program that assumes a rotary part of {to_text(rotary.part)} rotates them"
        why = f"{why} more slowly, with frequencies base^(-2i/{part})"
        rotary.record(NOTE, "proportional", name, happens, why)
    if rotary.rope_type == "dynamic":
        happens = 'the "dynamic" type changes the frequencies as the sequence grows'
        why = "keys cached earlier were rotated with different frequencies"
        rotary.record(NOTE, "cached-keys", name, happens, why)
    if rotary.rope_type == "longrope" and not rotary.model.rules.is_long_list_default:
        happens = "takes effect once a text is longer than the training length"
        why = "keys cached before then were rotated with short_factor and do not match later keys"
        rotary.record(NOTE, "cached-keys", "long_factor", happens, why)


def _note_attention_factors(rotary: RotaryLayer, parameters: Mapping[str, Any]) -> None:
    factor = find_attention_factor(parameters)
    square = factor * factor
    # Encodings refuse factors whose square is 0 or infinite.
    if factor != 1 and 0 < square < math.inf:
        direction, ratio = ("small", square) if square > 1 else ("large", 1 / square)
        happens = f"{rotary.rope_type} multiplies cosines and sines by {factor:.4f}"
        has_both_mscales = rotary.fields.number("mscale") and rotary.fields.number("mscale_all_dim")
        mscale_field = "mscale" if has_both_mscales else "short_mscale"
        names = ("attention_factor", mscale_field, "rope_type", "type")
        name = rotary.fields.find_name(*names) or "rope_type"
        why = f"without this factor, scores are too {direction} by a factor of {ratio:.4f}"
        rotary.record(NOTE, "attention-factor", name, happens, why)
    factor = softmax_factor(replace(rotary.model, findings=Findings()), rotary.layer)
    if factor != 1:  # only in multi-head latent attention
        scale = to_text(rotary.fields.number("mscale_all_dim"))
        happens = f"{scale} multiplies scores before softmax by {factor:.4f}"
        why = "without this factor, scores are too small"
        rotary.record(NOTE, "softmax-factor", "mscale_all_dim", happens, why)

"""Functions that compare the meanings of a configuration under all versions of transformers."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pe_explorer.configs._findings import Findings, to_text
from pe_explorer.configs._kinds import read_schemes
from pe_explorer.configs._layers import LayerGroup
from pe_explorer.configs._model import TextModel
from pe_explorer.configs._rope import INDEXER_SUFFIX, read_rotary_layer
from pe_explorer.configs._rope_fields import ROPE_PARAMETERS, ROPE_SCALING
from pe_explorer.configs._scaling import ORIGINAL_FIELD, compute_mscale
from pe_explorer.configs.classes import find_class
from pe_explorer.configs.semantics import NEW_RULES, SEMANTICS
from pe_explorer.configs.values import NOTE, WARNING, Scheme
from pe_explorer.params import join_words

_PARAMETER_PHRASES = {
    "rope_theta": "the base",
    "rope_type": "the type",
    "factor": "the factor",
    ORIGINAL_FIELD: "the training length",
    "truncate": "the rounding of the ramp",
    "attention": "the attention factor",
    "list": "the list in use",
}
"""Phrases for the compared parameters, which determine all other parameters."""


def record_differences(
    model: TextModel, groups: Mapping[str, LayerGroup], schemes: Mapping[str, Scheme]
) -> None:
    """Add findings about parameters that differ under other versions of transformers."""
    variants = {}
    for name, rules in SEMANTICS.items():
        if name != model.rules.name:
            cls = find_class(model.cls.name, rules)
            variant = replace(model, rules=rules, cls=cls, findings=Findings())
            variants[name] = read_schemes(variant, groups)
    if _record_unread_dictionary(model, schemes, variants):
        # Compare only with versions that agree on whether to read the dictionary.
        is_read = model.rules.reads_parameters
        variants = {v: variants[v] for v in variants if SEMANTICS[v].reads_parameters is is_read}
    for layer, (name, parameters) in schemes.items():
        if name == "rope" and not layer.endswith(INDEXER_SUFFIX):
            _compare_layer(model, layer, parameters, variants)


def _record_unread_dictionary(
    model: TextModel, schemes: Mapping[str, Scheme], variants: Mapping[str, Mapping[str, Scheme]]
) -> bool:
    """Return whether some versions ignore `rope_parameters`, and add a finding if they do."""
    has_new_field = model.fields.read_subfields(ROPE_PARAMETERS) is not None
    has_old_field = model.fields.read_subfields(ROPE_SCALING) is not None
    # In most classes, `rope_scaling` replaces `rope_parameters` under all versions.
    if not has_new_field or (has_old_field and not model.cls.by_layer_type):
        return False
    reads_parameters = model.rules.reads_parameters
    all_schemes = {**variants, model.rules.name: schemes}
    old_versions = [name for name, rules in SEMANTICS.items() if not rules.reads_parameters]
    newest_schemes = all_schemes[NEW_RULES.name]
    differing_versions = [name for name in old_versions if all_schemes[name] != newest_schemes]
    if not differing_versions or (not reads_parameters and schemes == newest_schemes):
        return False
    path = model.fields.path(ROPE_PARAMETERS)
    if reads_parameters:
        happens = f"is not read by transformers {join_words(differing_versions)}"
        version = differing_versions[-1]
        why = f"under {version}, the model has {_summarise(all_schemes[version])}"
        model.findings.add(NOTE, "versions", path, happens, why)
    else:
        happens = f"has no effect under transformers {model.rules.name}"
        why = f"this version does not read the field, so the model has {_summarise(schemes)}"
        model.findings.add(WARNING, "versions", path, happens, why)
    return True


def _summarise(schemes: Mapping[str, Scheme]) -> str:
    rotary_values = [values for name, values in schemes.values() if name == "rope"]
    if not rotary_values:
        return "no usable parameters"
    bases = join_words(dict.fromkeys(to_text(values["rope_theta"]) for values in rotary_values))
    types = list(dict.fromkeys(str(values["rope_type"]) for values in rotary_values))
    scaling = "no scaling" if types == ["default"] else join_words(types)
    return f"the base {bases} and {scaling}"


def _compare_layer(
    model: TextModel,
    layer: str,
    parameters: Mapping[str, Any],
    variants: Mapping[str, Mapping[str, Scheme]],
) -> None:
    current_values = _make_comparison_values(parameters)
    differences: dict[tuple[str, str], list[str]] = {}
    for version, schemes in variants.items():
        variant = _make_comparison_values(schemes[layer][1]) if layer in schemes else {}
        for name in _find_differing_names(current_values, variant):
            differences.setdefault((name, to_text(variant[name])), []).append(version)
    for (name, value), versions in differences.items():
        path, is_in_file = _find_field(model, layer, name)
        if name == "factor" and model.findings.has("contradiction", path):
            continue  # another finding already reports this factor
        level = WARNING if NEW_RULES.name in versions and is_in_file else NOTE
        if name == "truncate":  # some versions do not read this field
            ignoring_versions = [model.rules.name] if current_values[name] else versions
            happens, why = f"false is ignored by transformers {join_words(ignoring_versions)}", ""
        else:
            happens = f"{_PARAMETER_PHRASES[name]} is {to_text(current_values[name])}"
            happens = f"{happens} under transformers {model.rules.name}"
            why = f"under {join_words(versions)} it is {value}"
        model.findings.add(level, "versions", path, happens, why, layer, versions)


def _find_differing_names(values: Mapping[str, Any], variant: Mapping[str, Any]) -> list[str]:
    common_names = [name for name in _PARAMETER_PHRASES if name in values and name in variant]
    differing_names = [name for name in common_names if values[name] != variant[name]]
    cause = next((name for name in differing_names if name in ("rope_type", "factor")), None)
    # The remaining parameters differ only as a consequence of this difference.
    if cause is not None:
        differing_names = differing_names[: differing_names.index(cause) + 1]
    # A different training length changes the ramp anyway, so `truncate` is not reported.
    if ORIGINAL_FIELD in differing_names:
        differing_names = [name for name in differing_names if name != "truncate"]
    return differing_names


def _make_comparison_values(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    values = dict(parameters)
    if values.get("rope_type") == "longrope":
        length = values["sequence_length"]
        is_long = length is not None and length > values[ORIGINAL_FIELD]
        values["list"] = "the long one" if is_long else "the short one"
        if values["attention"] is not None:
            del values["factor"]
    if "attention" in values:
        values["attention"] = find_attention_factor(parameters)
    return values


def find_attention_factor(parameters: Mapping[str, Any]) -> float:
    """Return the attention factor of an encoding with the given parameters.

    If the parameters contain no attention factor and the scaling factor s is above 1, return
    0.1 · ln s + 1 for YaRN, or √(1 + ln s / ln L) for LongRoPE, where L is the training
    length. In all other cases without an attention factor, return 1.
    """
    stated_factor = parameters.get("attention")
    if stated_factor is not None:
        return float(stated_factor)
    rope_type, factor = parameters["rope_type"], parameters.get("factor", 1.0)
    if rope_type == "longrope" and factor > 1 and parameters[ORIGINAL_FIELD] > 1:
        return math.sqrt(1 + math.log(factor) / math.log(parameters[ORIGINAL_FIELD]))
    return compute_mscale(factor, 1) if rope_type == "yarn" else 1.0


def _find_field(model: TextModel, layer: str, name: str) -> tuple[str, bool]:
    rotary = read_rotary_layer(replace(model, findings=Findings()), layer)
    if name == "rope_theta":
        path = rotary.rope.base_path
        return path or model.fields.path(model.cls.base_field), bool(path)
    fields = {
        "rope_type": ("rope_type", "type"),
        "attention": ("mscale", "attention_factor", "short_mscale", "rope_type", "type"),
        "list": ("long_factor",),
    }.get(name, (name,))
    field = rotary.fields.find_name(*fields)
    return rotary.fields.path(field or fields[0]), field is not None and not rotary.rope.is_default

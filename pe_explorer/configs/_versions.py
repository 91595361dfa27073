"""Comparison of a configuration's meaning under all versions of transformers."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pe_explorer.configs._findings import Findings, value_text
from pe_explorer.configs._kinds import schemes_of
from pe_explorer.configs._layers import LayerGroup
from pe_explorer.configs._model import TextModel
from pe_explorer.configs._rope import INDEXER, rotary_layer
from pe_explorer.configs._rope_fields import ROPE_PARAMETERS, ROPE_SCALING
from pe_explorer.configs._scaling import ORIGINAL, concentration
from pe_explorer.configs.classes import class_of
from pe_explorer.configs.semantics import NEWEST, SEMANTICS, Semantics
from pe_explorer.configs.values import NOTE, WARNING, Scheme
from pe_explorer.params import listed

_Parameters = Mapping[str, Any]
_COMPARED_NAMES = ("rope_theta", "rope_type", "factor", ORIGINAL, "truncate", "attention", "list")
"""The parameters from which all other parameters follow."""

_NOUNS = {
    "rope_theta": "the base",
    "rope_type": "the type",
    "factor": "the factor",
    ORIGINAL: "the training length",
    "attention": "the attention factor",
    "list": "the list in use",
}


def find_differences(
    model: TextModel, groups: Mapping[str, LayerGroup], schemes: Mapping[str, Scheme]
) -> None:
    """Add findings about parameters that differ under other versions."""
    variants: Mapping[str, Mapping[str, Scheme]] = {
        name: schemes_of(with_rules(model, rules), groups)
        for name, rules in SEMANTICS.items()
        if name != model.rules.name
    }
    if _find_unread_dictionary(model, schemes, variants):
        # Compare only the versions that also read, or also ignore, the dictionary.
        reads = model.rules.reads_parameters
        variants = {v: variants[v] for v in variants if SEMANTICS[v].reads_parameters is reads}
    for layer, (name, parameters) in schemes.items():
        if name == "rope" and not layer.endswith(INDEXER):
            _compare_layer(model, layer, parameters, variants)


def with_rules(model: TextModel, rules: Semantics) -> TextModel:
    """Return the text model under the rules of another version, with separate findings."""
    cls = class_of(model.cls.name, rules)
    return replace(model, rules=rules, cls=cls, findings=Findings())


def _find_unread_dictionary(
    model: TextModel, schemes: Mapping[str, Scheme], variants: Mapping[str, Mapping[str, Scheme]]
) -> bool:
    """Add a finding and return True if some versions differ because they ignore the dictionary."""
    if not _reads_new_dictionary(model):
        return False
    reads = model.rules.reads_parameters
    newest = schemes if reads else variants[NEWEST.name]
    old_versions = [name for name, rules in SEMANTICS.items() if not rules.reads_parameters]
    older = {name: schemes if name == model.rules.name else variants[name] for name in old_versions}
    differing = [name for name in old_versions if older[name] != newest]
    if not differing or (not reads and schemes == newest):
        return False
    path = model.fields.path(ROPE_PARAMETERS)
    if reads:
        happens = f"is not read by transformers {listed(differing)}"
        why = f"the model has {_summary(older[differing[-1]])} there"
        model.findings.add(NOTE, "versions", path, happens, why)
    else:
        happens = f"has no effect under transformers {model.rules.name}"
        why = f"this version does not read the field, so the model has {_summary(schemes)}"
        model.findings.add(WARNING, "versions", path, happens, why)
    return True


def _reads_new_dictionary(model: TextModel) -> bool:
    """Return whether any version reads `rope_parameters`, which `rope_scaling` may replace."""
    has_new, has_old = (
        model.fields.subfields(name) is not None for name in (ROPE_PARAMETERS, ROPE_SCALING)
    )
    return has_new and (model.cls.by_layer_type or not has_old)


def _summary(schemes: Mapping[str, Scheme]) -> str:
    rotating = [values for name, values in schemes.values() if name == "rope"]
    if not rotating:
        return "no usable parameters"
    bases = listed(list(dict.fromkeys(value_text(values["rope_theta"]) for values in rotating)))
    types = list(dict.fromkeys(str(values["rope_type"]) for values in rotating))
    scaling = "no scaling" if types == ["default"] else listed(types)
    return f"the base {bases} and {scaling}"


def _compare_layer(
    model: TextModel,
    layer: str,
    parameters: _Parameters,
    variants: Mapping[str, Mapping[str, Scheme]],
) -> None:
    current = _comparable(parameters)
    differences: dict[tuple[str, str], list[str]] = {}
    for version, schemes in variants.items():
        variant = _comparable(schemes[layer][1]) if layer in schemes else {}
        for name in _differing_names(current, variant):
            differences.setdefault((name, value_text(variant[name])), []).append(version)
    for (name, value), versions in differences.items():
        path, is_in_file = _field_of(model, layer, name)
        if name == "factor" and model.findings.has("contradiction", path):
            continue  # the other finding covers this field
        level = WARNING if NEWEST.name in versions and is_in_file else NOTE
        if name == "truncate":  # some versions do not read this field
            ignoring = [model.rules.name] if current[name] else versions
            happens, why = f"false is ignored by transformers {listed(ignoring)}", ""
        else:
            happens = f"{_NOUNS[name]} is {value_text(current[name])} under transformers"
            happens = f"{happens} {model.rules.name}"
            why = f"under {listed(versions)} it is {value}"
        model.findings.add(level, "versions", path, happens, why, layer, versions)


def _differing_names(first: _Parameters, second: _Parameters) -> list[str]:
    common = [name for name in _COMPARED_NAMES if name in first and name in second]
    differing = [name for name in common if first[name] != second[name]]
    cause = next((name for name in differing if name in ("rope_type", "factor")), None)
    # The remaining parameters differ only as a consequence.
    if cause is not None:
        differing = differing[: differing.index(cause) + 1]
    # A different training length always changes the ramp.
    if ORIGINAL in differing:
        differing = [name for name in differing if name != "truncate"]
    return differing


def _comparable(parameters: _Parameters) -> _Parameters:
    values = dict(parameters)
    if values.get("rope_type") == "longrope":
        length = values["sequence_length"]
        is_long = length is not None and length > values[ORIGINAL]
        values["list"] = "the long one" if is_long else "the short one"
        if values["attention"] is not None:
            del values["factor"]
    if "attention" in values:
        values["attention"] = attention_in_use(parameters)
    return values


def attention_in_use(parameters: Mapping[str, Any]) -> float:
    """Return the attention factor of an encoding with the given parameters.

    Without a stated factor, YaRN uses 0.1 · ln factor + 1 and LongRoPE √(1 + ln factor / ln
    original); factors up to 1 give 1.
    """
    stated_factor = parameters.get("attention")
    if stated_factor is not None:
        return float(stated_factor)
    rope_type, factor = parameters["rope_type"], parameters.get("factor", 1.0)
    if rope_type == "longrope" and factor > 1 and parameters[ORIGINAL] > 1:
        return math.sqrt(1 + math.log(factor) / math.log(parameters[ORIGINAL]))
    return concentration(factor, 1) if rope_type == "yarn" else 1.0


def _field_of(model: TextModel, layer: str, name: str) -> tuple[str, bool]:
    rotary = rotary_layer(replace(model, findings=Findings()), layer)
    if name == "rope_theta":
        path = rotary.rope.base_path
        return path or model.fields.path(model.cls.base_field), bool(path)
    fields = {
        "rope_type": ("rope_type", "type"),
        "attention": ("mscale", "attention_factor", "short_mscale", "rope_type", "type"),
        "list": ("long_factor",),
    }.get(name, (name,))
    field = rotary.fields.first(*fields)
    return rotary.fields.path(field or fields[0]), field is not None and not rotary.rope.of_class

"""Applies `--override` to a configuration before it is read."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pe_explorer.configs._findings import Findings, value_text
from pe_explorer.configs._source import load
from pe_explorer.configs.values import WARNING, ConfigError
from pe_explorer.json_text import JsonError, read_json
from pe_explorer.params import quoted, reason

LOST_FIELD = "lost-field"
"""The kind of finding for a field that an override removes."""

_LOST = (("rope_theta",), ("rope_type", "type"), ("partial_rotary_factor",))
"""Fields that a rope dictionary needs, each with all its names."""


@dataclass(frozen=True)
class Overridden:
    """A configuration with some fields replaced; it can be read wherever a file can.

    Attributes
    ----------
    source : path or mapping
    override : mapping
        New values of fields. Configurations within it (`text_config`) change field by field;
        other objects are replaced entirely, as vLLM's `--hf-overrides` does.
    """

    source: Any
    override: Mapping[str, Any]


def override_from(text: str) -> Mapping[str, Any]:
    """Parse the value of `--override`; raise `ConfigError` unless it is a JSON object."""
    remedy = 'write an object such as {"rope_theta": 1000000}'
    try:
        found = read_json(text, only_finite=False)
    except JsonError as error:
        raise ConfigError("override", f"is {reason(error)}", remedy) from None
    if not isinstance(found, Mapping):
        raise ConfigError("override", f"{quoted(text)} is not an object with fields", remedy)
    return found


def load_overridden(source: Any, findings: Findings) -> Mapping[str, Any]:
    """Return the fields of a configuration, with any override of the source applied.

    A finding warns about a rope dictionary that loses its base or type.
    """
    if not isinstance(source, Overridden):
        return load(source)
    return _changed(load(source.source), source.override, "", findings)


def _changed(
    values: Mapping[str, Any], override: Mapping[str, Any], prefix: str, findings: Findings
) -> Mapping[str, Any]:
    changed = dict(values)
    for name, new in override.items():
        old, path = values.get(name), f"{prefix}{name}"
        if not isinstance(old, Mapping) or not isinstance(new, Mapping):
            changed[name] = new
        elif name.endswith("_config"):
            changed[name] = _changed(old, new, f"{path}.", findings)
        else:
            changed[name] = new
            _warn_of_loss(old, new, {**values, **override}, path, findings)
    return changed


def _warn_of_loss(
    old: Mapping[str, Any],
    new: Mapping[str, Any],
    around: Mapping[str, Any],
    path: str,
    findings: Findings,
) -> None:
    for names in _LOST:
        name = next((each for each in names if each in old), "")
        if name and not any(each in new for each in names) and name not in around:
            happens = f"is replaced entirely, which drops {name} {value_text(old[name])}"
            findings.add(WARNING, LOST_FIELD, path, happens, f"add {name} to the override")

"""Decides how to read a class that `classes.json` does not list, and finds custom code."""

from collections.abc import Iterable, Mapping

from pe_explorer.configs._findings import shortened
from pe_explorer.configs._model import TextModel
from pe_explorer.configs._positions import has_rotary_field
from pe_explorer.configs.values import ERROR, LLAMA, LLAMA_IF_ROTARY, NOTE, WARNING, ConfigError
from pe_explorer.params import not_one_of

UNKNOWN_CLASS = "unknown-class"
"""The kind of finding for an unknown class."""


def require_assumption(value: object) -> None:
    """Raise `ConfigError` unless `assume` has an allowed value."""
    allowed = (LLAMA, LLAMA_IF_ROTARY)
    if value is not None and value not in allowed:
        raise ConfigError("assume", not_one_of(value, allowed))


def assumed_class(model: TextModel, assume: str | None, layers: Iterable[str]) -> str:
    """Return the class that an unknown one is assumed to work like, and add a finding.

    It is empty for a known class, and if the layers have no encoding because no field is about
    rotation. Raises `ConfigError` for an unknown class if `assume` is None.
    """
    code = _own_code(model)
    if model.cls.known:
        if code:
            why = f"it may differ from {model.cls.name} in transformers, whose rules are used here"
            model.findings.add(NOTE, "own-code", code, "refers to custom code", why)
        return ""
    name = shortened(model.cls.name)
    happens = f"{name} is an unknown class" if name else "is missing, so the class is unknown"
    if code:
        happens += f" with custom code ({code})"
    if assume is None:
        remedy = f'to read it like {LLAMA}, pass --assume {LLAMA} (assume="{LLAMA}" in Python)'
        raise ConfigError(model.type_path, happens, remedy)
    if assume == LLAMA_IF_ROTARY and not has_rotary_field(model.fields):
        happens += ", and no field is about RoPE or ALiBi"
        why = f"pass --assume {LLAMA} to read it like {LLAMA} anyway"
        for layer in layers:
            model.findings.add(
                ERROR, UNKNOWN_CLASS, model.type_path, happens, why, layer, flag="--assume"
            )
        return ""
    why = f"this reading assumes the layout, defaults and layers of {LLAMA}, which may be wrong"
    model.findings.add(WARNING, UNKNOWN_CLASS, model.type_path, happens, why)
    return LLAMA


def _own_code(model: TextModel) -> str:
    for fields in (model.fields, *model.outer):
        names = fields.get("auto_map")
        if isinstance(names, Mapping) and any(str(name).startswith("AutoModel") for name in names):
            return fields.path("auto_map")
    return ""

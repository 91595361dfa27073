"""Reads a configuration: one pass over the file, then layer type by layer type."""

from collections.abc import Mapping
from typing import Any

from pe_explorer.configs._fields import LARGEST_WHOLE
from pe_explorer.configs._findings import Findings, NoEncodingError
from pe_explorer.configs._kinds import groups_of, schemes_of
from pe_explorer.configs._layers import LayerGroup
from pe_explorer.configs._lengths import lengths
from pe_explorer.configs._model import LENGTHS, TextModel, find_model
from pe_explorer.configs._remarks import find_remarks
from pe_explorer.configs._rope import softmax_factor
from pe_explorer.configs._source import load
from pe_explorer.configs._unused import find_unused
from pe_explorer.configs._versions import find_differences
from pe_explorer.configs.semantics import NEWEST, semantics_of
from pe_explorer.configs.values import ConfigError, Configuration, Layers, Scheme
from pe_explorer.params import quoted


def read(
    source: Any, semantics: str = NEWEST.name, sequence_length: int | None = None
) -> Configuration:
    """Return what a model's configuration means, as `encodings.read_config` describes it.

    Raises `ConfigError` if the file cannot be read, or a field holds what it cannot mean; the
    message names the file, or the path of the field.
    """
    rules = semantics_of(semantics)
    length = _checked_length(sequence_length)
    findings = Findings()
    model = find_model(load(source), rules, length, findings)
    groups = groups_of(model)
    schemes = schemes_of(model, groups)
    trained, stated, stated_path = lengths(model, schemes)
    find_unused(model, schemes)
    find_differences(model, groups, schemes)
    find_remarks(model, schemes)
    dtype_path, dtype = _dtype(model)
    return Configuration(
        schemes=schemes,
        layers={layer: _layers(group, trained) for layer, group in groups.items()},
        findings=findings.sorted(),
        model_type=model.cls.name,
        trained=trained,
        stated=stated,
        softmax_factor=_softmax(model, schemes),
        dtype=dtype,
        paths={**_paths(model), "dtype": dtype_path, "stated": stated_path},
    )


def _checked_length(value: Any) -> int | None:
    """Return a length in positions."""
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if value is not None and not (is_whole and 1 <= value <= LARGEST_WHOLE):
        raise ConfigError("sequence_length", f"{quoted(value)} is not a whole number of positions")
    length: int | None = value
    return length


def _layers(group: LayerGroup, trained: int | None) -> Layers:
    known = [length for length in (trained, group.window) if length is not None]
    return Layers(group.indices, group.window, min(known, default=None))


def _softmax(model: TextModel, schemes: Mapping[str, Scheme]) -> float:
    for layer, (name, _) in schemes.items():
        if name == "rope":
            try:
                return softmax_factor(model, layer)
            except NoEncodingError:
                break
    return 1.0


def _dtype(model: TextModel) -> tuple[str, str | None]:
    """Return the path and the name of the type of the weights, None where it is unknown.

    The newer of its two names wins, and the text model's comes first.
    """
    for fields in (model.fields, *reversed(model.outer)):
        name = fields.first("dtype", "torch_dtype")
        if name is not None:
            return fields.path(name), fields.text(name)
    return model.fields.path("dtype"), None


def _paths(model: TextModel) -> Mapping[str, str]:
    """Return the paths of the fields that findings on frequencies are about."""
    names = {
        "length": model.fields.first(*LENGTHS) or LENGTHS[0],
        "window": model.cls.window_field,
    }
    if model.cls.rounded_slopes:
        names["rounded_slopes"] = model.cls.alibi
    return {each: model.fields.path(name) for each, name in names.items()}

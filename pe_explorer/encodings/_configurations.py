"""Creation of encodings from a model's configuration."""

from dataclasses import dataclass, fields
from typing import Any

from pe_explorer import configs, encodings
from pe_explorer.configs import CONFIGURATION, ConfigurationMeaning
from pe_explorer.encodings.abilities.base import Encoding
from pe_explorer.encodings.abilities.checks import EncodingError
from pe_explorer.params import drop_unused_fields, with_remedy

ALL_LAYERS = "all"  # the key of an encoding that all layers share


@dataclass(frozen=True)
class EncodedConfiguration(ConfigurationMeaning):
    """The meaning of a configuration under one version of transformers, with its encodings.

    Encodings are stored by layer type. If all layers with positions have the same encoding,
    the mapping is ``{"all": encoding}``.
    """

    encodings: dict[str, Encoding]

    def require_encodings(self) -> dict[str, Encoding]:
        """Return the encodings; raise `EncodingError` if no layer has an encoding."""
        if not self.encodings:
            raise EncodingError(CONFIGURATION, self.unavailable_reason())
        return self.encodings

    def unavailable_reason(self, layer: str = "") -> str:
        """Return why a layer type or, if `layer` is empty, every layer has no encoding."""
        errors = [finding for finding in self.findings if finding.level == configs.ERROR]
        if layer:
            errors = [error for error in errors if layer in error.layers]
        if not errors:
            return "no layer of the model uses a positional encoding"
        subject = f"{configs.shorten(layer)} has no" if layer else "no layer has an"
        error = errors[0]
        problem = f"{subject} encoding: {error.field}: {error.happens}"
        return with_remedy(problem, "" if error.flag else error.why)


def read(
    source: Any, semantics: str, sequence_length: int | None, assume: str | None
) -> EncodedConfiguration:
    """Return the meaning of a configuration; see `encodings.read_config`."""
    try:
        meaning = configs.read(source, semantics, sequence_length, assume)
    except configs.ConfigError as error:
        raise EncodingError(error.name, error.fault, error.remedy) from None
    layer_encodings = {
        layer: encodings.create(name, **parameters)
        for layer, (name, parameters) in meaning.schemes.items()
    }
    layers = [layer for layer in meaning.layers if layer != configs.NO_POSITIONS]
    meanings = [_find_effective_parameters(e) for e in layer_encodings.values()]
    if layers == list(layer_encodings) and meanings and meanings.count(meanings[0]) == len(layers):
        layer_encodings = {ALL_LAYERS: next(iter(layer_encodings.values()))}
    values = {field.name: getattr(meaning, field.name) for field in fields(ConfigurationMeaning)}
    return EncodedConfiguration(**values, encodings=layer_encodings)


def _find_effective_parameters(e: Encoding) -> tuple[type[Encoding], dict[str, Any]]:
    items = drop_unused_fields(e).parameters.items()
    return type(e), {name: value for name, value in items if name not in e.ineffective_parameters}

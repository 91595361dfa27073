"""Creation of encodings from a model's configuration."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from pe_explorer import configs
from pe_explorer.configs import CONFIGURATION, Layers, Meaning
from pe_explorer.encodings.abilities.base import Encoding
from pe_explorer.encodings.abilities.checks import EncodingError
from pe_explorer.params import only_used, with_remedy

Create = Callable[..., Encoding]

ALL = "all"
"""The key of an encoding that all layers share."""


@dataclass(frozen=True)
class ReadConfiguration(Meaning):
    """The meaning of a configuration under one version of transformers, with its encodings.

    Encodings are stored by layer type, or as ``{"all": encoding}`` if all layers with positions
    have the same one.
    """

    encodings: dict[str, Encoding]

    def require(self) -> dict[str, Encoding]:
        """Return the encodings; raise `EncodingError` if there are none."""
        if not self.encodings:
            raise EncodingError(CONFIGURATION, self.unavailable_reason())
        return self.encodings

    def unavailable_reason(self, layer: str = "") -> str:
        """Return why a layer type, or by default every layer, has no encoding."""
        errors = [finding for finding in self.findings if finding.level == configs.ERROR]
        if layer:
            errors = [error for error in errors if layer in error.layers]
        if not errors:
            return "no layer of the model has positions"
        subject = f"{configs.shortened(layer)} has no" if layer else "no layer has an"
        error = errors[0]
        problem = f"{subject} encoding: {error.field}: {error.happens}"
        return with_remedy(problem, "" if error.flag else error.why)


def read(
    source: Any, semantics: str, sequence_length: int | None, assume: str | None, create: Create
) -> ReadConfiguration:
    """Return the meaning of a configuration; see `encodings.read_config`."""
    try:
        meaning = configs.read(source, semantics, sequence_length, assume)
    except configs.ConfigError as error:
        raise EncodingError(error.name, error.fault, error.remedy) from None
    encodings = {
        layer: create(name, **parameters) for layer, (name, parameters) in meaning.schemes.items()
    }
    values = {field.name: getattr(meaning, field.name) for field in fields(Meaning)}
    return ReadConfiguration(**values, encodings=_merged(encodings, meaning.layers))


def _merged(encodings: dict[str, Encoding], layers: Mapping[str, Layers]) -> dict[str, Encoding]:
    with_positions = [layer for layer in layers if layer != configs.WITHOUT]
    if not encodings or list(encodings) != with_positions:
        return encodings
    first, *more = encodings.values()
    if any(_effective_parameters(e) != _effective_parameters(first) for e in more):
        return encodings
    return {ALL: first}


def _effective_parameters(e: Encoding) -> tuple[type[Encoding], dict[str, Any]]:
    parameters = only_used(e).parameters.items()
    return type(e), {name: value for name, value in parameters if name not in e.without_effect}

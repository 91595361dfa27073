"""Makes encodings from the meaning of a model's configuration."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from pe_explorer import configs
from pe_explorer.configs import CONFIGURATION, Layers, Meaning
from pe_explorer.encodings.abilities.base import Encoding
from pe_explorer.encodings.abilities.checks import EncodingError
from pe_explorer.params import only_used

Create = Callable[..., Encoding]

ALL = "all"
"""The key of an encoding that all layers have."""


@dataclass(frozen=True)
class ReadConfiguration(Meaning):
    """What a configuration means under one version of transformers, with encodings."""

    # By the layer type, ``{"all": encoding}`` where all those with positions agree; empty for none.
    encodings: dict[str, Encoding]

    def require(self) -> dict[str, Encoding]:
        """Return the encodings; raise `EncodingError` where there are none."""
        if not self.encodings:
            raise EncodingError(CONFIGURATION, self.unavailable_reason())
        return self.encodings

    def unavailable_reason(self, layer: str = "") -> str:
        """Return why a layer type has no encoding, or by default why none has."""
        errors = [each for each in self.findings if each.level == configs.ERROR]
        if layer:
            errors = [each for each in errors if layer in each.layers]
        if not errors:
            return "no layer of the model has positions"
        subject = f"{configs.shortened(layer)} has no" if layer else "no layer has an"
        return f"{subject} encoding: {errors[0].field} {errors[0].happens}"


def read(
    source: Any, semantics: str, sequence_length: int | None, assume: str | None, create: Create
) -> ReadConfiguration:
    """Return what a configuration means; see `encodings.read_config`."""
    try:
        found = configs.read(source, semantics, sequence_length, assume)
    except configs.ConfigError as error:
        raise EncodingError(error.name, error.fault, error.remedy) from None
    made = {layer: create(name, **given) for layer, (name, given) in found.schemes.items()}
    others = {field.name: getattr(found, field.name) for field in fields(Meaning)}
    return ReadConfiguration(**others, encodings=_merged(made, found.layers))


def _merged(made: dict[str, Encoding], layers: Mapping[str, Layers]) -> dict[str, Encoding]:
    """Return one encoding for all layers, if they differ only in parameters without effect."""
    with_positions = [layer for layer in layers if layer != configs.WITHOUT]
    if not made or list(made) != with_positions:
        return made
    first, *others = made.values()
    if any(_meaning(other) != _meaning(first) for other in others):
        return made
    return {ALL: first}


def _meaning(e: Encoding) -> tuple[type[Encoding], dict[str, Any]]:
    parameters = only_used(e).parameters
    return type(e), {n: value for n, value in parameters.items() if n not in e.without_effect}

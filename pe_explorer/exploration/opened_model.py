"""Opened configurations of models, and comparisons between them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pe_explorer.params import drop_unused_fields, join_words, to_one_line

if TYPE_CHECKING:
    from pe_explorer.analysis.configuration import ConfigurationCheck
    from pe_explorer.encodings import EncodedConfiguration, Encoding

_ALL_LAYERS = "all"  # the layer type if all layers have the same encoding
_MAX_NAME_LENGTH, _MAX_FILE_NAME_LENGTH = (
    60,
    45,
)  # maximum numbers of characters; longer names are shortened


@dataclass(frozen=True)
class OpenedModel:
    """An opened configuration."""

    name: str  # the name of the file or of the model
    document: Mapping[str, Any]  # the parsed JSON
    configuration: EncodedConfiguration  # the meaning, with at least one encoding
    trained: int | None = None  # the training length, if the user has changed it
    compared: tuple[OpenedModel, ...] = ()  # the configurations to compare with

    @cached_property
    def checks(self) -> tuple[ConfigurationCheck, ...]:
        """The checks under all versions of transformers, newest first."""
        from pe_explorer.analysis.configuration import check_versions

        return check_versions(self.document, self.trained)

    @cached_property
    def layers(self) -> dict[str, Encoding]:
        """The encodings by layer type, the current encoding first."""
        return sort_layers(self.configuration)

    @property
    def label(self) -> str:
        """The name of the file, with the assumed class if the model class is unknown."""
        name = shorten_name(self.name)[:_MAX_FILE_NAME_LENGTH]
        return f"{name} as {self.configuration.assumed}" if self.configuration.assumed else name

    @property
    def names(self) -> Mapping[str, Encoding]:
        """The encodings by layer type, or a single encoding by its label.

        The label is empty unless other configurations are compared.
        """
        return name_layers(self.layers, self.label if self.compared else "")

    def with_training_length(self, trained: int | None) -> OpenedModel:
        """Return a copy with another training length; None means the length in the file."""
        trained = None if trained == self.configuration.trained else trained
        return self if trained == self.trained else replace(self, trained=trained)

    def verdict(self, other_model: OpenedModel) -> str:
        """Return a sentence that states whether another model has the same meaning."""
        from pe_explorer.analysis.sheet_words import list_differences

        encodings, other_encodings = (
            {layer: drop_unused_fields(e) for layer, e in model.layers.items()}
            for model in (self, other_model)
        )
        names = sorted({*encodings, *other_encodings} - {_ALL_LAYERS}) or [_ALL_LAYERS]
        fallback, other_fallback = encodings.get(_ALL_LAYERS), other_encodings.get(_ALL_LAYERS)
        different_layers = [
            n for n in names if encodings.get(n, fallback) != other_encodings.get(n, other_fallback)
        ]
        rows = list_differences(self.checks[0], other_model.checks[0])
        verdict = f"is equivalent to {self.name}"
        if different_layers:
            layers = join_words(map(shorten_name, different_layers))
            location = f" in {layers}" if {*different_layers} - {_ALL_LAYERS} else ""
            verdict = f"differs from {self.name}{location}"
        elif rows:
            verdict = f"has the same encodings as {self.name} but differs in {rows[0][0]}"
        if assumed_class := other_model.configuration.assumed:
            verdict += f", assuming that its unknown class works like {assumed_class}"
        return f"{other_model.name} {verdict}."


def sort_layers(configuration: EncodedConfiguration) -> dict[str, Encoding]:
    """Return the encodings by layer type; full attention or the widest window comes first."""

    def rank_layer(layer: str) -> tuple[bool, float]:
        window = configuration.layers[layer].window if layer in configuration.layers else None
        return layer in (_ALL_LAYERS, "full_attention"), math.inf if window is None else window

    main = max(configuration.encodings, key=rank_layer)
    return {main: configuration.encodings[main], **configuration.encodings}


def shorten_name(name: str) -> str:
    """Shorten a name to the maximum length of a pin's name, and replace a blank name."""
    return to_one_line(name)[:_MAX_NAME_LENGTH].strip() or "layers"


def name_layers(layers: Mapping[str, Encoding], label: str = "") -> dict[str, Encoding]:
    """Return the encodings by layer type; if there is only one encoding, its key is `label`."""
    names = map(shorten_name, layers) if len(layers) > 1 else [label]
    return dict(zip(names, layers.values(), strict=True))

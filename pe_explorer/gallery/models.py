"""Published models: what their configurations say of positions, and how they are looked at.

The program begins with the names, as ``resources/gallery/models.json`` lists them with the current
encoding of each. What a model says is ``resources/models/NAME.json``: its source, the date on which
the numbers were taken from there, and the configuration. It is read when it is needed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from pe_explorer import encodings
from pe_explorer.assets import asset
from pe_explorer.encodings import Encoding
from pe_explorer.exploration import Exploration, changes
from pe_explorer.exploration.opened_model import OpenedModel
from pe_explorer.params import ParameterError, did_you_mean, quoted
from pe_explorer.pictures import with_options

if TYPE_CHECKING:
    from pe_explorer.encodings import ReadConfiguration

NOTE = "What its configuration says, at the positions of its training."


@dataclass(frozen=True)
class PublishedModel:
    """A published model."""

    name: str
    title: str
    parameters: Mapping[str, Any]

    @cached_property
    def encoding(self) -> Encoding:
        """Its encoding, which quickly distinguishes most models from an exploration."""
        return encodings.create(**self.parameters)

    @cached_property
    def document(self) -> Mapping[str, Any]:
        """Its file: `source`, `date` and `config`."""
        path = asset(f"models/{self.name}.json")
        return dict(json.loads(path.read_text(encoding="utf-8")))

    @property
    def config(self) -> Mapping[str, Any]:
        """Its configuration, as far as it concerns positions."""
        return dict(self.document["config"])

    @cached_property
    def found(self) -> ReadConfiguration:
        """The meaning of its configuration."""
        return encodings.read_config(self.config)

    @cached_property
    def exploration(self) -> Exploration:
        """The exploration as which its configuration opens."""
        return exploration_of(OpenedModel(self.title, self.config, self.found))

    @property
    def step(self) -> str:
        """The name of the step of undo that shows it."""
        return f"model {self.title}"

    def matches(self, state: Exploration) -> bool:
        """Return whether an exploration is this one, apart from cursor and panes."""
        same = self.encoding == state.intention.encoding
        return same and not changes(self.exploration, state)


def exploration_of(opened: OpenedModel) -> Exploration:
    """Return the exploration that a configuration opens as, with its length of training."""
    from pe_explorer.exploration.layer_types import (
        model_exploration,  # only here: reads configurations
    )

    state = model_exploration(opened.configuration).with_(opened=opened)
    return with_options(state, "context", trained=opened.configuration.trained)


@cache
def models() -> dict[str, PublishedModel]:
    """Return the models by their names."""
    listed = json.loads(asset("gallery/models.json").read_text(encoding="utf-8"))
    return {name: PublishedModel(name, e["title"], e["encoding"]) for name, e in listed.items()}


def find(name: str) -> PublishedModel:
    """Return a model; raises `ParameterError` with the nearest name for one that is not known."""
    if name in models():
        return models()[name]
    hint, remedy = did_you_mean(name, models()), "see pe-explorer list --models"
    raise ParameterError("model", f"no model is called {quoted(name)}{hint}", remedy)

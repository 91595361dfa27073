"""Published models, with their configurations and explorations.

At startup, the program loads only the names and encodings from
``resources/gallery/models.json``. ``resources/models/NAME.json`` contains a model's
source, date of access and configuration.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from pe_explorer import encodings
from pe_explorer.assets import find_asset
from pe_explorer.encodings import Encoding
from pe_explorer.exploration import Exploration, changes
from pe_explorer.exploration.opened_model import OpenedModel
from pe_explorer.params import ParameterError, format_fault, suggest_choice
from pe_explorer.pictures import with_options

if TYPE_CHECKING:
    from pe_explorer.encodings import EncodedConfiguration

NOTE = "Show the encoding in its configuration, at its training length."


@dataclass(frozen=True)
class PublishedModel:
    """A published model, whose file is read only when needed."""

    name: str
    title: str
    parameters: Mapping[str, Any]

    @cached_property
    def encoding(self) -> Encoding:
        """The encoding of the model, which is available without reading the file."""
        return encodings.create(**self.parameters)

    @cached_property
    def document(self) -> Mapping[str, Any]:
        """The content of the model's file: `source`, `date` and `config`."""
        return dict(json.loads(find_asset(f"models/{self.name}.json").read_text(encoding="utf-8")))

    @property
    def config(self) -> Mapping[str, Any]:
        """The part of the configuration that concerns positions."""
        return dict(self.document["config"])

    @cached_property
    def configuration(self) -> EncodedConfiguration:
        """The result of interpreting the configuration."""
        return encodings.read_config(self.config)

    @cached_property
    def exploration(self) -> Exploration:
        """The exploration that shows the model."""
        return make_exploration(OpenedModel(self.title, self.config, self.configuration))

    @property
    def step(self) -> str:
        """The name of the undo step for opening the model."""
        return f"model {self.title}"

    def matches(self, state: Exploration) -> bool:
        """Return whether an exploration equals the model's, ignoring the cursor and panes."""
        has_same_encoding = self.encoding == state.intention.encoding
        return has_same_encoding and not changes(self.exploration, state)


def make_exploration(opened: OpenedModel) -> Exploration:
    """Return the exploration that shows an opened model, with the model's training length."""
    # Import the module here because it is slow to load.
    from pe_explorer.exploration.layer_types import make_model_exploration

    state = make_model_exploration(opened.configuration).with_(opened=opened)
    return with_options(state, "context", trained=opened.configuration.trained)


@cache
def models() -> dict[str, PublishedModel]:
    """Return all models by name."""
    entries = json.loads(find_asset("gallery/models.json").read_text(encoding="utf-8")).items()
    return {key: PublishedModel(key, entry["title"], entry["encoding"]) for key, entry in entries}


def find(name: str) -> PublishedModel:
    """Return a published model; if unknown, raise `ParameterError` with the most similar name."""
    if name in models():
        return models()[name]
    fault = f"{format_fault('the name of a model', name)}{suggest_choice(name, models())}"
    raise ParameterError("model", fault, "see pe-explorer list --models")

"""Finds the part of a configuration that describes the text model, and its class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pe_explorer.configs._fields import Fields
from pe_explorer.configs._findings import Findings, brief, figure
from pe_explorer.configs.classes import ModelClass, class_of
from pe_explorer.configs.semantics import Semantics
from pe_explorer.configs.values import NOTE, WARNING
from pe_explorer.values import frozen

_PARTS = ("text_config", "llm_config", "language_config", "thinker_config")
"""Where configurations of several models have the one that reads text."""

_MOST_LEVELS = 3

_MISPLACED = ("rope_theta", "rope_scaling", "rope_parameters", "partial_rotary_factor")
"""Fields that have no effect beside the part of the text model."""

LENGTHS = ("max_position_embeddings", "n_positions", "seq_length", "max_seq_len")
HEADS = ("num_attention_heads", "n_head", "n_heads", "num_heads", "encoder_attention_heads")
SIZES = ("hidden_size", "n_embd", "d_model", "n_embed")
COUNTS = ("num_hidden_layers", "n_layer", "n_layers", "num_layers")


@frozen
class Model:
    """One configuration under one version's rules, ready to be read.

    Attributes
    ----------
    fields : Fields
        Of the text model.
    outer : tuple of Fields
        The objects that the part of the text model lies in, the outermost first.
    cls : ModelClass
    rules : Semantics
    sequence_length : int or None
        The longest length in use.
    findings : Findings
    """

    fields: Fields
    outer: tuple[Fields, ...]
    cls: ModelClass
    rules: Semantics
    sequence_length: int | None
    findings: Findings

    def whole(self, names: tuple[str, ...], default: int | None, layer: str = "") -> int | None:
        """Return the number in the first of the fields, or the default of the class."""
        name = self.fields.first(*names)
        if name is not None:
            return self.fields.whole(name)
        if default is not None:
            self.note_default(names[0], figure(default), layer)
        return default

    def length(self) -> int | None:
        """Return how many positions the file, or its class, allows."""
        return self.whole(LENGTHS, self.cls.length)

    def needed_length(self, layer: str, why: str) -> int:
        """Return the length; layers that need it have no encoding without it."""
        length = self.length()
        if length is None:
            self.findings.error("missing", self.fields.path(LENGTHS[0]), "is missing", why, layer)
        return length

    def note_default(self, name: str, taken: str, layer: str = "") -> None:
        """Note that a field is missing, and what the class takes instead."""
        self.note_taken(
            self.fields.path(name), f"{taken} is taken, the default of {self.like}", layer
        )

    def note_taken(self, path: str, why: str, layer: str = "") -> None:
        """Note that a field is missing, and what follows."""
        self.findings.add(NOTE, "default", path, "is missing", why, layer)

    @property
    def like(self) -> str:
        """The class whose defaults are taken."""
        return self.cls.name if self.cls.known else "llama"


def find_model(
    document: Mapping[str, Any], rules: Semantics, length: int | None, findings: Findings
) -> Model:
    """Return the model of a configuration, with notes on what its class could not tell."""
    fields = Fields(document)
    outer: list[Fields] = []
    while (name := fields.first(*_PARTS)) and len(outer) < _MOST_LEVELS:
        inner = fields.within(name)
        if inner is None:
            break
        outer.append(fields)
        fields = inner
    named = next((each for each in (fields, *reversed(outer)) if "model_type" in each), fields)
    cls = class_of(named.text("model_type") or "", rules)
    if not cls.known:
        _note_unknown(cls, named, findings)
    model = Model(fields, tuple(outer), cls, rules, length, findings)
    for each in outer:
        _find_misplaced(each, fields, findings)
    return model


def telling_fields(document: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the fields by which an object is known as a configuration, none where it is none."""
    telling = ("model_type", *_MISPLACED, *_PARTS, *LENGTHS, *HEADS, *SIZES)
    return tuple(name for name in telling if name in document)


def _note_unknown(cls: ModelClass, named: Fields, findings: Findings) -> None:
    happens = f"{brief(cls.name)} is not known here" if cls.name else "is missing"
    why = "read as llama is, so layout and defaults may be others"
    findings.add(NOTE, "default", named.path("model_type"), happens, why)


def _find_misplaced(outer: Fields, inner: Fields, findings: Findings) -> None:
    """Find fields that stand beside the part of the text model, and say another thing."""
    for name in _MISPLACED:
        value = outer.values.get(name)
        if not value or value == inner.values.get(name):
            continue
        happens = f"has no effect beside {inner.prefix.removesuffix('.')}"
        why = f"move it to {inner.path(name)}"
        findings.add(WARNING, "misplaced", outer.path(name), happens, why)

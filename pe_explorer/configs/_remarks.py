"""Notes on what a configuration means rightly, and what programs make of it wrongly."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pe_explorer.configs._findings import Findings, figure
from pe_explorer.configs._model import LENGTHS, Model
from pe_explorer.configs._rope import ask, softmax_factor
from pe_explorer.configs._rope_fields import named_type
from pe_explorer.configs._scaling import ORIGINAL, USED, Asked
from pe_explorer.configs._versions import attention_in_use
from pe_explorer.configs.values import NOTE, Scheme

_RAISED = 4
"""How many times the trained length people raise `max_position_embeddings` to, as a guess."""


def find_remarks(model: Model, schemes: Mapping[str, Scheme]) -> None:
    """Note what is easily missed: lengths, cached keys, factors of scores, old names."""
    for layer, (name, parameters) in schemes.items():
        if name == "rope":
            # What was taken by default has been found before.
            asked = ask(replace(model, findings=Findings()), layer)
            _note_trained(model, asked)
            _note_type(model, asked)
            _note_cached_keys(model, asked)
            _note_attention(model, asked, parameters)
            _note_softmax(model, asked)


def _note_trained(model: Model, asked: Asked) -> None:
    """Note that the length of the file is taken as the trained one, as nothing else says it."""
    name = model.fields.first(*LENGTHS)
    reads_original = ORIGINAL in USED[asked.rope_type]
    says_original = ORIGINAL in asked.fields or ORIGINAL in model.fields or model.cls.original
    if name is None or (reads_original and says_original):
        return
    length = model.fields.whole(name) or 0
    happens = f"{figure(length)} is taken as trained length"
    why = f"if it was raised by hand, say --trained {max(1, length // _RAISED)}"
    _add(model, asked, "trained-length", model.fields.path(name), happens, why)


def _note_type(model: Model, asked: Asked) -> None:
    """Note an old name, and a type that is easily taken for another."""
    name = named_type(model, asked.fields) or "rope_type"
    path = asked.fields.path(name)
    if asked.fields.values.get(name) == "su":
        _add(model, asked, "old-name", path, "'su' is the old name of longrope", "write longrope")
    width, part = asked.head_dim, int(asked.head_dim * asked.part)
    if asked.rope_type == "proportional" and 2 <= part < width:
        happens = f"proportional turns {part // 2} of {width // 2} pairs, by base^(-2i/{width})"
        why = f"a program that reads a rotary part of {figure(asked.part)} turns them by base^"
        _add(model, asked, "proportional", path, happens, f"{why}(-2i/{part}), more slowly")


def _note_cached_keys(model: Model, asked: Asked) -> None:
    """Note frequencies that change while a text grows."""
    if asked.rope_type == "dynamic":
        path = asked.fields.path(named_type(model, asked.fields) or "rope_type")
        happens = "dynamic changes the frequencies with each longer text"
        why = "keys that were cached before it grew were turned by other ones"
        _add(model, asked, "cached-keys", path, happens, why)
    if asked.rope_type == "longrope" and not model.rules.long_unless_short:
        path = asked.fields.path("long_factor")
        happens = "counts once a text is longer than the trained length"
        why = "keys that were cached before were turned by short_factor, and do not match"
        _add(model, asked, "cached-keys", path, happens, why)


def _note_attention(model: Model, asked: Asked, parameters: Mapping[str, Any]) -> None:
    """Note a factor of cosines and sines, which some programs leave out."""
    factor = attention_in_use(parameters)
    square = factor * factor
    if factor == 1 or not 0 < square < math.inf:  # no encoding takes such a factor
        return
    size = f"{square:.4f} times too small" if square > 1 else f"{1 / square:.4f} times too large"
    happens = f"{asked.rope_type} multiplies cosines and sines by {factor:.4f}"
    both = asked.fields.number("mscale") and asked.fields.number("mscale_all_dim")
    names = ("attention_factor", "mscale" if both else "short_mscale", "rope_type", "type")
    path = asked.fields.path(asked.fields.first(*names) or "rope_type")
    why = f"a program that ignores that makes scores {size}"
    _add(model, asked, "attention-factor", path, happens, why)


def _note_softmax(model: Model, asked: Asked) -> None:
    """Note the factor of softmax scores in multi-head latent attention."""
    factor = softmax_factor(replace(model, findings=Findings()), asked.layer)
    if factor == 1:
        return
    path = asked.fields.path("mscale_all_dim")
    scale = figure(asked.fields.number("mscale_all_dim"))
    happens = f"{scale} multiplies scores before softmax by {factor:.4f}"
    why = "a program that ignores that makes them too small"
    _add(model, asked, "softmax-factor", path, happens, why)


def _add(model: Model, asked: Asked, kind: str, path: str, happens: str, why: str) -> None:
    model.findings.add(NOTE, kind, path, happens, why, asked.layer)

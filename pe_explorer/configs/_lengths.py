"""The length of a model's training, and the length that its file promises."""

from __future__ import annotations

from collections.abc import Mapping

from pe_explorer.configs._findings import NoEncodingError
from pe_explorer.configs._model import LENGTHS, Model
from pe_explorer.configs._rope import ask
from pe_explorer.configs._scaling import ORIGINAL, trained_length
from pe_explorer.configs.values import Scheme

_STRETCHED = ("yarn", "longrope", "llama3")
_PROMISING = ("yarn", "llama3")
"""Rope types whose factor can promise more than `max_position_embeddings` says."""


def lengths(model: Model, schemes: Mapping[str, Scheme]) -> tuple[int | None, int | None, str]:
    """Return the trained and the stated length, None where nothing says them, and who states it.

    The last is the path of the field.
    """
    stated = model.length()
    path = model.fields.path(model.fields.first(*LENGTHS) or LENGTHS[0])
    trained = stated
    for layer, (name, parameters) in schemes.items():
        if name != "rope" or parameters["rope_type"] not in _STRETCHED:
            continue
        original = _original(model, layer)
        trained = original
        if parameters["rope_type"] in _PROMISING and original is not None:
            promised = int(parameters["factor"] * original)
            if promised > (stated or 0):
                stated, path = promised, ask(model, layer).fields.path("factor")
        break
    return trained, stated, path


def _original(model: Model, layer: str) -> int | None:
    """Return the original length: what the file says, whether or not the version uses it."""
    try:
        asked = ask(model, layer)
        if model.rules.reads_parameters or asked.rope_type == "longrope":
            return trained_length(asked)
        return asked.fields.whole(ORIGINAL) or trained_length(asked)
    except NoEncodingError:
        return None

"""The length of a model's training, and the length that its file states."""

from collections.abc import Mapping

from pe_explorer.configs._findings import NoEncodingError
from pe_explorer.configs._model import LENGTHS, TextModel
from pe_explorer.configs._rope import rotary_layer
from pe_explorer.configs._scaling import ORIGINAL, trained_length
from pe_explorer.configs.values import Scheme

_EXTENDING_TYPES = ("yarn", "longrope", "llama3")
_LENGTH_BY_FACTOR = ("yarn", "llama3")
"""Rope types whose factor can state a longer length than `max_position_embeddings`."""


def lengths(model: TextModel, schemes: Mapping[str, Scheme]) -> tuple[int | None, int | None, str]:
    """Return the trained and the stated length, None where unknown, and the path of the latter."""
    stated = model.length()
    path = model.fields.path(model.fields.first(*LENGTHS) or LENGTHS[0])
    trained = stated
    for layer, (name, parameters) in schemes.items():
        if name != "rope" or parameters["rope_type"] not in _EXTENDING_TYPES:
            continue
        original = _original(model, layer)
        trained = original
        if parameters["rope_type"] in _LENGTH_BY_FACTOR and original is not None:
            promised = int(parameters["factor"] * original)
            if promised > (stated or 0):
                stated, path = promised, rotary_layer(model, layer).fields.path("factor")
        break
    return trained, stated, path


def _original(model: TextModel, layer: str) -> int | None:
    """Return the original length of the file, whether or not the version uses it."""
    try:
        rotary = rotary_layer(model, layer)
        if model.rules.reads_parameters or rotary.rope_type == "longrope":
            return trained_length(rotary)
        return rotary.fields.whole(ORIGINAL) or trained_length(rotary)
    except NoEncodingError:
        return None

"""Positional encodings, with one file per scheme.

>>> from pe_explorer import encodings
>>> e = encodings.create("sinusoidal", dim=128, base=1e4)
>>> e.table(range(50)).shape
(50, 128)
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from pe_explorer.encodings.abilities import needs
from pe_explorer.encodings.abilities.base import Axis, Encoding, ValueFacts
from pe_explorer.encodings.abilities.bias import Bias
from pe_explorer.encodings.abilities.checks import EncodingError
from pe_explorer.encodings.abilities.line import LinearRows, Multiples
from pe_explorer.encodings.abilities.rotary import Rotary
from pe_explorer.encodings.abilities.stored import Stored, TableFileError, is_file_based
from pe_explorer.encodings.abilities.unknown import Unknown, find_axes, require_known
from pe_explorer.encodings.abilities.waves import CodeAngles, Periodic, Steady, Waves
from pe_explorer.numeric.positions import LIMIT
from pe_explorer.params import declared, describe_bad_choice, join_words, suggest_choice
from pe_explorer.registry import find_subclasses_in

if TYPE_CHECKING:
    from pe_explorer.encodings._configurations import EncodedConfiguration as EncodedConfiguration


@cache
def _load_schemes() -> dict[str, type[Encoding]]:
    schemes = find_subclasses_in(__name__, __path__, Encoding)
    schemes.sort(key=lambda scheme: scheme.rank)
    return {scheme.name: scheme for scheme in schemes}


def names() -> tuple[str, ...]:
    """Return the names of all encodings, best known first."""
    return tuple(_load_schemes())


def find(name: str) -> type[Encoding]:
    """Return the class of an encoding; raise `EncodingError` if the name is unknown."""
    try:
        return _load_schemes()[name]
    except (KeyError, TypeError):
        raise EncodingError("encoding", describe_bad_choice(name, names())) from None


def create(name: str, **parameters: Any) -> Encoding:
    """Return an encoding with the given parameters, and defaults for missing parameters.

    Raises
    ------
    EncodingError
        If a name or parameter is unknown, or a value is outside its limits. The message states the
        limits and the nearest valid value.
    """
    scheme = find(name)
    known = declared(scheme)
    for parameter in parameters:
        if parameter not in known:
            hint = suggest_choice(parameter, known)
            problem = f"is not a parameter of {name}, which has {join_words(known)}{hint}"
            raise EncodingError(parameter, problem)
    return scheme(**parameters)


def read_config(
    source: Any, semantics: str = "5", sequence_length: int | None = None, assume: str | None = None
) -> EncodedConfiguration:
    """Return the encodings, layers, findings and lengths of a model's configuration.

    Parameters
    ----------
    source : path or mapping
        A `config.json` of at most 16 MB, a folder that contains one, or the parsed JSON.
    semantics : str
        The version of transformers whose rules apply, such as "4.57", "5" or "5.12.1".
    sequence_length : int, optional
        The longest length in use, in positions; by default, at most the training length.
    assume : str, optional
        How to read an unknown class: "llama" reads it like Llama, and "llama-if-rotary"
        does so only if a field concerns RoPE or ALiBi. A finding states the assumption.

    Raises
    ------
    EncodingError
        If an argument is invalid, the configuration cannot be read, or its class is unknown
        and `assume` is None. The message names the file or the path of the field.
    """
    from pe_explorer.encodings import _configurations  # not needed when the program starts

    return _configurations.read(source, semantics, sequence_length, assume)


def from_config(
    source: Any, semantics: str = "5", sequence_length: int | None = None, assume: str | None = None
) -> dict[str, Encoding]:
    """Return the encoding of each layer type.

    If all layers have the same encoding, return ``{"all": encoding}``.

    See `read_config` for the parameters.

    Raises
    ------
    EncodingError
        If `read_config` raises this error, or if no layer has an encoding.
    """
    return read_config(source, semantics, sequence_length, assume).require_encodings()

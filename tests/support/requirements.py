"""What there must be of encodings: pictures that are drawn, and quantities that are written.

Each picture and each quantity says so in its own test file, in a class `Definition` that derives
from one of these and that `tests.support.oracles` finds.
"""

from typing import ClassVar

import numpy as np
import pytest

from pe_explorer import quantities
from pe_explorer.analysis.comparison import Subject
from pe_explorer.encodings import EncodingError
from pe_explorer.quantities import QuantityInput

START, COUNT = 3, 41
NOTHING, WAVES, STEADY = frozenset(), frozenset({"waves"}), frozenset({"steady"})
PAIRS, FLOAT32, ROTARY, BIAS = (
    frozenset({need}) for need in ("pairs", "float32_angles", "rotary", "bias")
)


class PictureRequirements:
    """What a picture needs of an encoding, by the names in `encodings.needs`."""

    needs = NOTHING
    with_options: ClassVar = {}
    """What it needs with other options, by the flags that choose them."""


class QuantityRequirements:
    """A quantity: what it needs of an encoding, and whether its numbers are right."""

    needs = NOTHING
    differs = False
    """Whether the difference of two encodings has it."""

    @staticmethod
    def check(found, defined, positions):
        """Compare the numbers of an encoding with its definition.

        The metric is Euclidean, and distances are from the second of the positions; all else is
        as it is when the program starts.
        """
        raise NotImplementedError


def quantity_input(e, less=None, **fields):
    """Return what is asked of a quantity; what is no field is an option."""
    show = "current" if less is None else "difference"
    usual = {"positions": range(START, START + COUNT), "reference": START, "position": START}
    options = {name: fields.pop(name) for name in fields.keys() & quantities.options().keys()}
    return QuantityInput(Subject(show, e, less), **{**usual, **fields}, options=options)


def whole(data):
    out = np.full(data.shape, np.nan)
    data.fill(data.index, out)
    return out


def numbers_of(name, e, less=None, **fields):
    return whole(quantities.data(name, quantity_input(e, less, **fields)))


def by_parts(data, size):
    """Return all numbers of a quantity, a few rows at a time."""
    parts = []
    for start in range(0, len(data.index), size):
        part = data.index[start : start + size]
        parts.append(np.empty((len(part), *data.shape[1:])))
        data.fill(part, parts[-1])
    return np.concatenate(parts)


def error_of(call, *arguments, **options):
    with pytest.raises(EncodingError) as caught:
        call(*arguments, **options)
    assert "\n" not in str(caught.value)
    return caught.value


def refusal(way, name, ask):
    """Return the sentence of an error, an empty text where there is none."""
    try:
        way(name, ask)
    except EncodingError as error:
        return error.sentence
    return ""

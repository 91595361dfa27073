"""Requirements of pictures and quantities for encodings.

Each picture and each quantity declares its requirements in its test file, in a class `Definition`
that derives from one of these classes and that `tests.support.oracles` finds.
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
    frozenset({need}) for need in ("pairs", "code_angles", "rotary", "bias")
)


class PictureRequirements:
    """The requirements of a picture for an encoding, by the names in `encodings.needs`."""

    needs = NOTHING
    with_options: ClassVar = {}
    """The requirements with other options, by the flags that choose these options."""


class QuantityRequirements:
    """The requirements of a quantity, and a check of its numbers."""

    needs = NOTHING
    differs = False
    """Whether the quantity exists for the difference of two encodings."""

    @staticmethod
    def check(found, defined, positions):
        """Compare the numbers of an encoding with its definition.

        The metric is Euclidean, and distances are measured from the second position. All other
        fields have their defaults.
        """
        raise NotImplementedError


def quantity_input(e, less=None, **fields):
    """Return the input of a quantity; names that are not fields are options."""
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
    """Return all numbers of a quantity, computed a few rows at a time."""
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
    """Return the sentence of an error, or an empty text if there is none."""
    try:
        way(name, ask)
    except EncodingError as error:
        return error.sentence
    return ""

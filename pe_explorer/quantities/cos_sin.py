"""The cosines and sines that models store for rotary encodings."""

from typing import ClassVar

from pe_explorer.encodings import Encoding
from pe_explorer.encodings.abilities import needs
from pe_explorer.quantities._base import Asked, Data, Quantity
from pe_explorer.quantities.table import TableRows


class CosSin(Quantity):
    """Cosines, then sines, in the order of the layout: (n, 2 · rotary width)."""

    name: ClassVar[str] = "cos-sin"
    help: ClassVar[str] = "the cosines, then the sines, that queries and keys are turned with"
    rank: ClassVar[int] = 60

    @staticmethod
    def needs(e: Encoding) -> str:
        """Return why an encoding does not rotate queries and keys, or an empty text."""
        return needs.rotary(e)

    @staticmethod
    def data(asked: Asked) -> Data:
        """Return the rows of a rotary encoding, shape (n, 2 · rotary width)."""
        return TableRows.data(asked)

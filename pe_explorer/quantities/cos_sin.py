"""The cosines and sines that models store for rotary encodings."""

from pe_explorer.encodings import needs
from pe_explorer.quantities._base import Quantity
from pe_explorer.quantities.table import TableRows


class CosSin(Quantity):
    """Cosines, then sines, in the order of the layout: (n, 2 · rotary width)."""

    name = "cos-sin"
    help = "the cosines, then the sines, that queries and keys are turned with"
    rank = 60
    need = needs.rotary

    data = staticmethod(TableRows.data)

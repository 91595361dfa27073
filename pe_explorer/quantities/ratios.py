"""How fast the pairs turn, against those of the pinned encoding."""

from pe_explorer.analysis.specification import compare, unscaled
from pe_explorer.encodings import needs
from pe_explorer.quantities._base import Asked, Data, Quantity, known


class Ratios(Quantity):
    """The frequency of each wave divided by that of the compared pin: (pairs,).

    Without a pin, it is divided by what the encoding itself has before any scaling.
    """

    name = "ratios"
    help = "the frequency of each wave divided by that of the compared pin"
    rank = 73
    differs = True
    compares = True
    need = needs.steady

    @staticmethod
    def data(asked: Asked) -> Data:
        e = asked.encoding
        found = compare(e, asked.subject.less or unscaled(e))
        return known("wave", ("ratio",), found.ratios)

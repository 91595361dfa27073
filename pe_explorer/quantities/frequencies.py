"""The frequencies of the waves."""

from pe_explorer.encodings import Steady, needs
from pe_explorer.quantities._base import Asked, Data, Quantity, known


class WaveFrequencies(Quantity):
    """The frequency of each wave in radians per position: (waves,)."""

    name = "frequencies"
    help = "the frequency of each wave in radians per position"
    rank = 50
    over = "waves"
    need = needs.steady

    @staticmethod
    def data(asked: Asked) -> Data:
        assert isinstance(asked.encoding, Steady)
        return known("wave", ("radians per position",), asked.encoding.frequencies())

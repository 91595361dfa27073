"""The frequencies of the waves."""

from typing import ClassVar

from pe_explorer.encodings import Waves
from pe_explorer.encodings.abilities import needs
from pe_explorer.quantities._base import Asked, Data, Quantity, known


class WaveFrequencies(Quantity):
    """The frequency of each wave in radians per position: (waves,)."""

    name: ClassVar[str] = "frequencies"
    help: ClassVar[str] = "the frequency of each wave in radians per position"
    rank: ClassVar[int] = 50
    over: ClassVar[str] = "waves"
    need: ClassVar[needs.Need] = needs.waves

    @staticmethod
    def data(asked: Asked) -> Data:
        """Return the frequencies, shape (waves,)."""
        assert isinstance(asked.encoding, Waves)
        return known("wave", ("radians per position",), asked.encoding.frequencies())

"""The frequencies of the waves."""

from typing import ClassVar

from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, Waves
from pe_explorer.encodings.abilities import needs
from pe_explorer.quantities._base import Asked, Data, Quantity, titled


class WaveFrequencies(Quantity):
    """The frequency of each wave in radians per position: (waves,)."""

    name: ClassVar[str] = "frequencies"
    help: ClassVar[str] = "the frequency of each wave in radians per position"
    rank: ClassVar[int] = 50
    over: ClassVar[str] = "waves"

    @staticmethod
    def needs(e: Encoding) -> str:
        """Return why an encoding has no waves, or an empty text."""
        return needs.waves(e)

    @staticmethod
    def data(asked: Asked) -> Data:
        """Return the frequencies, shape (waves,)."""
        assert isinstance(asked.encoding, Waves)
        values = asked.encoding.frequencies()

        def fill(part: range, out: Floats) -> None:
            out[:] = values[part.start : part.stop]

        titles = titled("wave", lambda: iter(("radians per position",)))
        return Data(range(len(values)), None, titles, fill)

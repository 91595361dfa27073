"""The wavelengths of the waves."""

from typing import ClassVar

from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, Waves
from pe_explorer.encodings.abilities import needs
from pe_explorer.quantities._base import Asked, Data, Quantity, titled


class Wavelengths(Quantity):
    """The positions that a turn of each wave takes: (waves,)."""

    name: ClassVar[str] = "wavelengths"
    help: ClassVar[str] = "how many positions a turn of each wave takes"
    rank: ClassVar[int] = 51
    over: ClassVar[str] = "waves"

    @staticmethod
    def needs(e: Encoding) -> str:
        """Return why an encoding has no waves, or an empty text."""
        return needs.waves(e)

    @staticmethod
    def data(asked: Asked) -> Data:
        """Return the wavelengths, shape (waves,); inf for a wave that stands still."""
        e = asked.encoding
        assert isinstance(e, Waves)
        values = e.wavelengths()

        def fill(part: range, out: Floats) -> None:
            out[:] = values[part.start : part.stop]

        titles = titled("wave", lambda: iter((f"{e.rows.plural} per turn",)))
        return Data(range(len(values)), None, titles, fill)

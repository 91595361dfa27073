"""The wavelengths of the waves."""

from typing import ClassVar

from pe_explorer.encodings import Waves
from pe_explorer.encodings.abilities import needs
from pe_explorer.quantities._base import Asked, Data, Quantity, known


class Wavelengths(Quantity):
    """The positions that a turn of each wave takes: (waves,)."""

    name: ClassVar[str] = "wavelengths"
    help: ClassVar[str] = "how many positions a turn of each wave takes"
    rank: ClassVar[int] = 51
    over: ClassVar[str] = "waves"
    need: ClassVar[needs.Need] = needs.waves

    @staticmethod
    def data(asked: Asked) -> Data:
        """Return the wavelengths, shape (waves,); inf for a wave that stands still."""
        e = asked.encoding
        assert isinstance(e, Waves)
        return known("wave", (f"{e.rows.plural} per turn",), e.wavelengths())

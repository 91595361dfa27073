"""The wavelengths of the waves."""

from pe_explorer.encodings import Steady, needs
from pe_explorer.quantities._base import Asked, Data, Quantity, known


class Wavelengths(Quantity):
    """The positions that a turn of each wave takes: (waves,)."""

    name = "wavelengths"
    help = "how many positions a turn of each wave takes"
    rank = 51
    over = "waves"
    need = needs.steady

    @staticmethod
    def data(asked: Asked) -> Data:
        """Return the wavelengths, shape (waves,); inf for a wave that stands still."""
        e = asked.encoding
        assert isinstance(e, Steady)
        return known("wave", (f"{e.rows.plural} per turn",), e.wavelengths())

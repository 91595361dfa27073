"""How fast the pairs turn, against those of the pinned encoding."""

from typing import ClassVar

from pe_explorer.analysis.specification import compare, unscaled
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding
from pe_explorer.encodings.abilities import needs
from pe_explorer.quantities._base import Asked, Data, Quantity, titled


class Ratios(Quantity):
    """The frequency of each wave divided by that of the compared pin: (pairs,).

    Without a pin, it is divided by what the encoding itself has before any scaling.
    """

    name: ClassVar[str] = "ratios"
    help: ClassVar[str] = "the frequency of each wave divided by that of the compared pin"
    rank: ClassVar[int] = 73
    differs: ClassVar[bool] = True
    compares: ClassVar[bool] = True

    @staticmethod
    def needs(e: Encoding) -> str:
        """Return why an encoding has no waves, or an empty text."""
        return needs.waves(e)

    @staticmethod
    def data(asked: Asked) -> Data:
        """Return the ratios, shape (pairs,)."""
        e = asked.encoding
        values = compare(e, asked.subject.less or unscaled(e)).ratios

        def fill(part: range, out: Floats) -> None:
            out[:] = values[part.start : part.stop]

        titles = titled("wave", lambda: iter(("ratio",)))
        return Data(range(len(values)), None, titles, fill)

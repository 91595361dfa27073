"""How a rotary encoding weighs offsets."""

from typing import ClassVar

from pe_explorer.arrays import Floats
from pe_explorer.encodings import Rotary
from pe_explorer.encodings.abilities import needs
from pe_explorer.quantities._base import Asked, Data, Quantity, titled


class Score(Quantity):
    """The mean over the pairs of cos(offset · ω): (m,); the positions are offsets."""

    name: ClassVar[str] = "score"
    help: ClassVar[str] = "how well a query matches an equal key, by their offset"
    rank: ClassVar[int] = 70
    over: ClassVar[str] = "offsets"
    by_offset: ClassVar[bool] = True
    need: ClassVar[needs.Need] = needs.rotary

    @staticmethod
    def data(asked: Asked) -> Data:
        """Return the scores, shape (m,)."""
        e = asked.encoding
        assert isinstance(e, Rotary)

        def fill(part: range, out: Floats) -> None:
            out[:] = e.score(part)

        titles = titled("offset", lambda: ("score",))
        return Data(asked.positions, None, titles, fill)

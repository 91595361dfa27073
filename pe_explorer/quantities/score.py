"""How a rotary encoding weighs offsets."""

from pe_explorer.encodings import needs
from pe_explorer.encodings.rope import Rope
from pe_explorer.quantities._base import Asked, Data, Quantity, curve


class Score(Quantity):
    """The mean over the pairs of cos(offset · ω): (m,); the positions are offsets."""

    name = "score"
    help = "how well a query matches an equal key, by their offset"
    rank = 70
    over = "offsets"
    by_offset = True
    need = needs.score

    @staticmethod
    def data(asked: Asked) -> Data:
        e = asked.encoding
        assert isinstance(e, Rope)
        return curve(asked, "offset", "score", e.score)

"""The biases that are added to attention scores."""

from pe_explorer.arrays import Floats
from pe_explorer.encodings import Bias as Biases
from pe_explorer.encodings.abilities import needs
from pe_explorer.quantities._base import Asked, Data, Quantity, titled

_CHUNK_NUMBERS = 1 << 18  # numbers that are computed together, more than there can be heads


class BiasByOffset(Quantity):
    """The biases of each head, by offset: (heads, m); the positions are offsets."""

    name = "bias"
    help = "what is added to the scores of each head, by offset"
    rank = 80
    by_offset = True
    need = needs.bias

    @staticmethod
    def data(asked: Asked) -> Data:
        e, offsets = asked.encoding, asked.positions
        assert isinstance(e, Biases)
        step = _CHUNK_NUMBERS // e.width  # a scheme may compute all heads at once

        def fill(part: range, out: Floats) -> None:
            for start in range(0, len(offsets), step):
                stop = start + step
                out[:, start:stop] = e.bias(offsets[start:stop], part)

        titles = titled("head", lambda: map(str, offsets))
        return Data(range(e.width), len(offsets), titles, fill)

"""Effects of offsets on attention scores: rotary scores, their upper bound, and biases."""

from functools import partial

from pe_explorer.analysis import distance, score_bound
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Bias, Steady, needs
from pe_explorer.encodings.rope import Rope
from pe_explorer.quantities._base import Data, Quantity, QuantityInput, make_curve_data

_CHUNK_VALUES = 1 << 18  # number of values computed together; must be at least the number of heads


class Score(Quantity):
    """The attention score of a query with an equal key, by offset: (m,).

    The score is the mean of cos(offset · ω) over all pairs.
    """

    name = "score"
    rank = 70
    curve_axis = "offsets"
    has_offsets = True
    need = needs.score

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        e = inputs.encoding
        assert isinstance(e, Rope)
        return make_curve_data(inputs, "offset", "score", e.score)


class ScoreBound(Quantity):
    """The upper bound of the attention score from the RoFormer paper, by offset: (m,).

    The values are the means of abs(S_j) over the n pairs, where S_j is the sum of
    exp(i·offset·ω) over the first j pairs. At offset 0, the value is (n + 1)/2. The
    relative error is at most 1e-13. See `analysis.score_bound` for the complete bound.

    Source: Su et al., RoFormer, 2021, arXiv:2104.09864, section 3.4.3.
    """

    name = "score-bound"
    rank = 71
    curve_axis = "offsets"
    has_offsets = True
    need = needs.score_bound

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        e = inputs.encoding
        assert isinstance(e, Steady)
        title = distance.measure(distance.SCORE_BOUND)
        return make_curve_data(inputs, "offset", title, partial(score_bound.from_reference, e, 0))


class BiasByOffset(Quantity):
    """The bias added to the scores of each head, by offset: (heads, m)."""

    name = "bias"
    rank = 80
    has_offsets = True
    need = needs.bias

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        e, offsets = inputs.encoding, inputs.positions
        assert isinstance(e, Bias)
        step = _CHUNK_VALUES // e.width  # some encodings compute all heads together

        def fill(part: range, out: Floats) -> None:
            for start in range(0, len(offsets), step):
                out[:, start : start + step] = e.bias(offsets[start : start + step], part)

        return Data(range(e.width), len(offsets), "head", lambda: map(str, offsets), fill)

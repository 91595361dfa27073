"""RoFormer's upper bound of the score by the offset."""

from functools import partial

from pe_explorer.analysis import distance, score_bound
from pe_explorer.encodings import Steady, needs
from pe_explorer.quantities._base import Asked, Data, Quantity, curve


class ScoreBound(Quantity):
    """RoFormer's upper bound of the score: (m,), without unit; the positions are offsets.

    It is the mean over n pairs of abs(S_j), where S_j is the sum of exp(i·offset·ω) over the first
    j pairs: (n + 1)/2 at offset 0. `analysis.score_bound` says what it bounds. Relative error: at
    most 1e-13.

    Source: Su et al., RoFormer, 2021, arXiv:2104.09864, section 3.4.3.
    """

    name = "score-bound"
    help = "RoFormer's upper bound of the score, which decays with the offset"
    rank = 71
    over = "offsets"
    by_offset = True
    need = needs.score_bound

    @staticmethod
    def data(asked: Asked) -> Data:
        e = asked.encoding
        assert isinstance(e, Steady)
        title = distance.measure(distance.SCORE_BOUND)
        return curve(asked, "offset", title, partial(score_bound.from_reference, e, 0))

"""RoFormer's upper bound of the score, which shows how scores decay with the offset.

The score of a query and a key at offset m is the real part of Σ h_i·exp(i·m·ω_i) over n pairs,
where h_i depends only on their channels. Summed by parts, with h_n = 0, it is at most

    max |h_{i+1} - h_i| · Σ_j |S_j(m)|,    S_j(m) = Σ_{i<j} exp(i·m·ω_i),    j = 1 .. n.

This module computes the factor that depends on the offset, divided by n: the mean of |S_j|. It is
(n + 1)/2 at offset 0, equal for m and -m, and independent of the amplitude of the waves.

The relative error is at most 1e-13 at any offset.

Source: Su et al., RoFormer, 2021, arXiv:2104.09864, section 3.4.3.
"""

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.encodings import Steady
from pe_explorer.numeric import rotation
from pe_explorer.numeric.positions import Positions, len_of
from pe_explorer.numeric.turns import half_steps_of
from pe_explorer.progress import Reporter, no_report


def from_reference(
    e: Steady, reference: int, positions: Positions, report: Reporter = no_report
) -> Floats:
    """Return the mean of |S_j| over the pairs, fastest first, for each position, shape (m,).

    The offset of a position is the position minus `reference`. It needs memory for three numbers
    per position and a few blocks of phasors.
    """
    turns = e.turns if len(e.turns) == e.pairs else e.turns.part(slice(e.pairs))
    ends = np.zeros(len_of(positions), dtype=np.complex128)  # S_j of the last pair so far
    sums = np.zeros(len_of(positions))
    half_steps = half_steps_of(positions, -reference)
    for rows, _, block in rotation.sweep(turns, half_steps, None, report):
        partial_sums = ends[rows, None] + np.cumsum(block, axis=1)
        ends[rows] = partial_sums[:, -1]
        sums[rows] += np.abs(partial_sums).sum(axis=1)
    return sums / e.pairs

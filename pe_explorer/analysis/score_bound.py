"""RoFormer's upper bound of the score, which shows how scores decay with the offset.

For n pairs, the score of a query and a key at offset m is the real part of Σ_k
h_k·exp(i·m·ω_k), where h_k depends only on the channels of pair k. Summation by parts,
with h_n = 0, gives the upper bound

    max |h_{k+1} - h_k| · Σ_j |S_j(m)|,    S_j(m) = Σ_{k<j} exp(i·m·ω_k),    j = 1 .. n.

This module computes the mean of |S_j|, the part of the bound that depends on the
offset. This mean is (n + 1)/2 at offset 0, equal for m and -m, and independent of the
amplitude of the waves. Its relative error is at most 1e-13 at any offset.

Source: Su et al., RoFormer, 2021, arXiv:2104.09864, section 3.4.3.
"""

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.encodings import Steady
from pe_explorer.numeric import rotation
from pe_explorer.numeric.positions import Positions, count_positions
from pe_explorer.numeric.turns import to_half_steps
from pe_explorer.progress import Reporter, ignore_progress


def from_reference(
    e: Steady, reference: int, positions: Positions, report: Reporter = ignore_progress
) -> Floats:
    """Return the mean of |S_j| over all j for each position, shape (m,).

    The offset is the position minus `reference`. The sums S_j begin with the fastest pair.
    """
    turns = e.turns if len(e.turns) == e.pairs else e.turns.part(slice(e.pairs))
    sums = np.zeros(count_positions(positions))
    last_sums = np.zeros(len(sums), dtype=np.complex128)  # last S_j of the previous block
    for rows, _, block in rotation.sweep(turns, to_half_steps(positions, -reference), None, report):
        partial_sums = last_sums[rows, None] + np.cumsum(block, axis=1)
        last_sums[rows] = partial_sums[:, -1]
        sums[rows] += np.abs(partial_sums).sum(axis=1)
    return sums / e.pairs

"""Tables of phasors, computed by rotation: products of a few exact phasors.

Because exp(iω(a + b)) is exp(iωa)·exp(iωb), three short lists of exact phasors give millions of
phasors, with one or two complex products for each. Phases are counted in half-steps; see `turns`.

The error of a product is relative to the larger of its two angles. Each block is therefore rotated
from the row in its middle, the anchor, by angles no larger than those at the ends of the block. The
sine of an anchor is recomputed if its angle is below 1 rad.
"""

import math
from collections.abc import Iterator
from itertools import chain

import numpy as np

from pe_explorer.arrays import Floats, Ints, Phasors
from pe_explorer.numeric.positions import Positions, count_positions
from pe_explorer.numeric.turns import Turns
from pe_explorer.progress import Reporter, ignore_progress

Amplitude = Floats | Phasors | None

_MAX_BLOCK_ROWS = 64  # maximum number of rows in a block, and a multiple of all smaller block sizes
_MAX_SINGLE_ROWS = 8  # maximum number of rows after the last full block to compute individually
_CHUNK_PHASORS = 2**14  # number of phasors to compute together, so that they fit into the CPU cache


def sweep(
    turns: Turns,
    half_steps: Positions,
    amplitude: Amplitude = None,
    report: Reporter = ignore_progress,
) -> Iterator[tuple[slice, slice, Phasors]]:
    """Yield blocks of exp(iωp)·amplitude, each as a slice of rows, a slice of waves and an array.

    Each block is valid until the next block is requested, so the memory use does not depend
    on the number of positions. The phasors of a `range` of half-steps are computed by
    rotation; those of an array are computed one by one. `amplitude` contains a factor for
    each wave. `report` is called with the completed share.
    """
    rotated_steps = range(0)
    if isinstance(half_steps, range):
        count = count_rotated_rows(half_steps)
        rotated_steps, half_steps = half_steps[:count], half_steps[count:]
    first, single_steps = count_positions(rotated_steps), np.asarray(half_steps)
    count = first + len(single_steps)
    for waves, tile in turns.tiles:
        factor = None if amplitude is None else amplitude[waves]
        single_rows = _compute_exact_blocks(tile, single_steps, factor, first)
        for rows, block in chain(_compute_rotated_blocks(tile, rotated_steps, factor), single_rows):
            yield rows, waves, block
            report((waves.start + (waves.stop - waves.start) * rows.stop / count) / len(turns))


def count_rotated_rows(half_steps: range) -> int:
    """Return the number of rows to compute by rotation, without a few rows after full blocks."""
    count = count_positions(half_steps)
    remainder = count % _MAX_BLOCK_ROWS
    return count - remainder if remainder <= _MAX_SINGLE_ROWS else count


def find_zero_row(half_steps: range) -> int:
    """Return the row with phase 0, where rotation would give inexact sines, or -1."""
    return half_steps.index(0) if 0 in half_steps else -1


def gather(turns: Turns, half_steps: Positions, amplitude: Amplitude = None) -> Phasors:
    """Return the blocks of `sweep` as one array, shape (n, m)."""
    out = np.empty((len(half_steps), len(turns)), dtype=np.complex128)
    for rows, waves, block in sweep(turns, half_steps, amplitude):
        out[rows, waves] = block
    return out


def anchors(
    turns: Turns, half_steps: range, amplitude: Amplitude = None
) -> tuple[Phasors, Iterator[tuple[slice, Phasors]]]:
    """Return fine phasors and anchors, whose products (see `rotate`) are exp(iωp)·amplitude.

    The fine phasors, shape (b, m), are those of b consecutive multiples of the step,
    starting at -(b//2). The iterator yields slices of rows and the anchors in these rows,
    shape (a, m), which are the phasors in the middle of every b rows.
    """
    count = count_positions(half_steps)
    cube_root = math.ceil(count ** (1 / 3))
    b = min(_MAX_BLOCK_ROWS, 1 << (cube_root - 1).bit_length()) if count else 1
    a = min(b, -(-count // b)) or 1
    fine, middle = turns.multiples(half_steps.step, b, a)
    return fine, _compute_anchor_blocks(turns, half_steps, amplitude, b, middle)


def rotate(anchors: Phasors, fine: Phasors, out: Phasors) -> Phasors:
    """Fill `out`, shape (n, m), with every anchor rotated by every fine phasor; return `out`.

    Row i·b + j becomes anchors[i]·fine[j], where b is the number of fine phasors. If fewer
    than b rows remain at the end, these rows use the middle part of the fine phasors.
    """
    block_count, remainder = divmod(len(out), len(fine))
    end = block_count * len(fine)
    whole_blocks = out[:end].reshape(block_count, len(fine), out.shape[1])
    np.multiply(anchors[:block_count, None, :], fine, out=whole_blocks)
    if remainder:
        first = len(fine) // 2 - remainder // 2
        np.multiply(anchors[block_count], fine[first : first + remainder], out=out[end:])
    return out


def _compute_anchor_blocks(
    turns: Turns, half_steps: range, amplitude: Amplitude, b: int, middle: Phasors
) -> Iterator[tuple[slice, Phasors]]:
    count = count_positions(half_steps)
    start, step = half_steps.start, half_steps.step
    size = len(middle) * b
    last = (count - 1) // b * b
    last_centre = start + step * (last + (count - last) // 2)
    for group in range(0, count, size * _MAX_BLOCK_ROWS):
        stop = min(group + size * _MAX_BLOCK_ROWS, count)
        starts = range(group, stop, size)
        phases = [start + step * (first + b // 2) for first in starts]
        coarse_phasors = turns.phasors(np.array([*phases, last_centre]))
        if amplitude is not None:
            coarse_phasors *= amplitude
        for first, phase, phasor in zip(starts, phases, coarse_phasors[:-1], strict=True):
            rows = slice(first, min(first + size, count))
            phasors = phasor * middle
            centres = phase + step * b * np.arange(-(-(rows.stop - first) // b))
            if rows.stop == count:
                centres[-1] = last_centre
                phasors[len(centres) - 1] = coarse_phasors[-1]
            min_distance = np.abs(centres).min()
            is_near = min_distance * np.abs(turns.frequencies) < 2
            if is_near.any() and (amplitude is None or not np.iscomplexobj(amplitude)):
                is_small, sines = turns.find_small_sines(
                    centres
                )  # products are inaccurate close to 0
                factor = 1.0 if amplitude is None else amplitude.real
                factors = np.broadcast_to(factor, is_small.shape)
                phasors.imag[: len(centres)][is_small] = sines * factors[is_small]
            yield rows, phasors


def _compute_rotated_blocks(
    turns: Turns, half_steps: range, amplitude: Amplitude
) -> Iterator[tuple[slice, Phasors]]:
    if not half_steps:
        return
    fine, blocks = anchors(turns, half_steps, amplitude)
    anchors_per_block = max(1, _CHUNK_PHASORS // fine.size)
    buffer = np.empty((anchors_per_block * len(fine), len(turns)), dtype=np.complex128)
    zero_row = find_zero_row(half_steps)
    for rows, row_anchors in blocks:
        for start in range(rows.start, rows.stop, len(buffer)):
            stop = min(start + len(buffer), rows.stop)
            k = (start - rows.start) // len(fine)
            out = rotate(row_anchors[k : k + anchors_per_block], fine, buffer[: stop - start])
            if start <= zero_row < stop:
                out[zero_row - start] = 1.0 if amplitude is None else amplitude
            yield slice(start, stop), out


def _compute_exact_blocks(
    turns: Turns, half_steps: Ints | Floats, amplitude: Amplitude, first: int
) -> Iterator[tuple[slice, Phasors]]:
    for start in range(0, len(half_steps), _MAX_BLOCK_ROWS):
        block = turns.phasors(half_steps[start : start + _MAX_BLOCK_ROWS])
        if amplitude is not None:
            block = block * amplitude
        yield slice(first + start, first + start + len(block)), block

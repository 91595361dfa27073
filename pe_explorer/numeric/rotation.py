"""Tables of phasors, filled by rotation: a few exact ones, multiplied with each other.

The phasor exp(iω(a + b)) is exp(iωa)·exp(iωb), so three short lists of exact phasors give
millions, each by one or two complex products. Phases are counted in half-steps: see `turns`.

The error of a product is relative to the larger of its two angles. So each block is turned from
the row in its middle, the anchor, by angles that are no larger than those of the block's ends; and
the sine of an anchor's angle below 1 rad is made anew.
"""

import math
from collections.abc import Iterator
from itertools import chain

import numpy as np

from pe_explorer.arrays import Floats, Ints, Phasors
from pe_explorer.numeric.positions import Positions, len_of
from pe_explorer.numeric.turns import Turns
from pe_explorer.progress import Reporter, no_report

Amplitude = Floats | Phasors | None

_BLOCK_ROWS = 64  # most phases in a block; smaller blocks divide it
_FEW_ROWS = 8  # rows that are not rotated: their angles are smaller than a step between two of them
_CHUNK_PHASORS = 2**14  # phasors that are computed together, few enough for the cache


def sweep(
    turns: Turns,
    half_steps: Positions,
    amplitude: Amplitude = None,
    report: Reporter = no_report,
) -> Iterator[tuple[slice, slice, Phasors]]:
    """Yield exp(iωp)·amplitude for all positions, block by block.

    Memory: a few blocks, whatever the number of positions.

    Parameters
    ----------
    turns : Turns
        The frequencies of m waves.
    half_steps : range or array of shape (n,)
        Two to a position. A `range` is filled by rotation, anything else, which may be what
        `turns.half_steps_of` returns, phase by phase.
    amplitude : (m,) float64 or complex128, optional
        What the phasors of each wave are multiplied by.
    report : function, optional
        Called after each block with the share that is done.

    Yields
    ------
    rows, waves : slice
        Where the block belongs in an array of shape (n, m).
    block : complex128
        Valid until the next block is asked for.
    """
    rotated = range(0)
    if isinstance(half_steps, range):
        count = rotated_rows(half_steps)
        rotated, half_steps = half_steps[:count], half_steps[count:]
    first, rest = len_of(rotated), np.asarray(half_steps)
    count = first + len(rest)
    for waves, tile in turns.tiles:
        factor = None if amplitude is None else amplitude[waves]
        scattered = _scattered(tile, rest, factor, first)
        for rows, block in chain(_rotated(tile, rotated, factor), scattered):
            yield rows, waves, block
            report((waves.start + (waves.stop - waves.start) * rows.stop / count) / len(turns))


def rotated_rows(half_steps: range) -> int:
    """Return how many phases of a progression are filled by rotation: all but the last few."""
    count = len_of(half_steps)
    rest = count % _BLOCK_ROWS
    return count - rest if rest <= _FEW_ROWS else count


def row_of_zero(half_steps: range) -> int:
    """Return the row of phase 0, whose sines rotation may leave just beside 0; -1 for none."""
    return half_steps.index(0) if 0 in half_steps else -1


def gather(turns: Turns, half_steps: Positions, amplitude: Amplitude = None) -> Phasors:
    """Return the blocks of `sweep` as one array, shape (n, m)."""
    shape = (len(half_steps), len(turns))
    out = np.empty(shape, dtype=np.complex128)
    for rows, waves, block in sweep(turns, half_steps, amplitude):
        out[rows, waves] = block
    return out


def anchors(
    turns: Turns, half_steps: range, amplitude: Amplitude = None
) -> tuple[Phasors, Iterator[tuple[slice, Phasors]]]:
    """Return what `rotate` turns into exp(iωp)·amplitude for an arithmetic progression.

    Parameters
    ----------
    turns : Turns
        The frequencies of m waves.
    half_steps : range
        Two to a position.
    amplitude : (m,) float64 or complex128, optional
        What the phasors of each wave are multiplied by.

    Returns
    -------
    fine : (b, m) complex128
        Phasors of b multiples of the step, from -b//2 on.
    blocks : iterator of (rows, anchors)
        Rows, and the phasors, shape (a, m), of the one in the middle of every b of them.
    """
    count = len_of(half_steps)
    cube_root = math.ceil(count ** (1 / 3))
    b = min(_BLOCK_ROWS, 1 << (cube_root - 1).bit_length()) if count else 1
    a = min(b, -(-count // b)) or 1
    fine, middle = turns.multiples(half_steps.step, b, a)
    return fine, _anchored(turns, half_steps, amplitude, b, middle)


def rotate(anchors: Phasors, fine: Phasors, out: Phasors) -> Phasors:
    """Fill `out`, shape (n, m), with every anchor turned by every fine phasor.

    Parameters
    ----------
    anchors : (a, m) complex128
    fine : (b, m) complex128
    out : (n, m) complex128, n <= a·b
        Row i·b + j becomes anchors[i]·fine[j]. The last rows, if fewer than b, take the middle
        of the fine phasors.
    """
    whole, rest = divmod(len(out), len(fine))
    end = whole * len(fine)
    turned = out[:end].reshape(whole, len(fine), out.shape[1])
    np.multiply(anchors[:whole, None, :], fine, out=turned)
    if rest:
        first = len(fine) // 2 - rest // 2
        np.multiply(anchors[whole], fine[first : first + rest], out=out[end:])
    return out


def _anchored(
    turns: Turns, half_steps: range, amplitude: Amplitude, b: int, middle: Phasors
) -> Iterator[tuple[slice, Phasors]]:
    """Yield rows, and the phasors of the one in the middle of every b of them."""
    count = len_of(half_steps)
    start, step = half_steps.start, half_steps.step
    size = len(middle) * b
    last = (count - 1) // b * b
    centre_of_last = start + step * (last + (count - last) // 2)
    for group in range(0, count, size * _BLOCK_ROWS):
        stop = min(group + size * _BLOCK_ROWS, count)
        firsts = range(group, stop, size)
        phases = [start + step * (first + b // 2) for first in firsts]
        coarse = turns.phasors(np.array([*phases, centre_of_last]))
        if amplitude is not None:
            coarse *= amplitude
        for first, phase, phasor in zip(firsts, phases, coarse[:-1], strict=True):
            rows = slice(first, min(first + size, count))
            phasors = phasor * middle
            centres = phase + step * b * np.arange(-(-(rows.stop - first) // b))
            if rows.stop == count:
                centres[-1] = centre_of_last
                phasors[len(centres) - 1] = coarse[-1]
            nearest = np.abs(centres).min()
            is_small = nearest * np.abs(turns.frequencies) < 2
            if is_small.any() and (amplitude is None or not np.iscomplexobj(amplitude)):
                small, sines = turns.small_sines(centres)  # to full relative precision
                factor = np.broadcast_to(1.0 if amplitude is None else amplitude.real, small.shape)
                phasors.imag[: len(centres)][small] = sines * factor[small]
            yield rows, phasors


def _rotated(
    turns: Turns, half_steps: range, amplitude: Amplitude
) -> Iterator[tuple[slice, Phasors]]:
    """Yield the rows and the phasors of a progression, all in the same piece of memory."""
    if not half_steps:
        return
    fine, blocks = anchors(turns, half_steps, amplitude)
    together = max(1, _CHUNK_PHASORS // fine.size)
    shape = (together * len(fine), len(turns))
    scratch = np.empty(shape, dtype=np.complex128)
    zero = row_of_zero(half_steps)
    for rows, starts in blocks:
        for start in range(rows.start, rows.stop, len(scratch)):
            stop = min(start + len(scratch), rows.stop)
            k = (start - rows.start) // len(fine)
            out = scratch[: stop - start]
            rotate(starts[k : k + together], fine, out)
            if start <= zero < stop:
                out[zero - start] = 1.0 if amplitude is None else amplitude
            yield slice(start, stop), out


def _scattered(
    turns: Turns, half_steps: Ints | Floats, amplitude: Amplitude, first: int
) -> Iterator[tuple[slice, Phasors]]:
    """Yield the rows, from a first one on, and the phasors of phases, each made by itself."""
    for start in range(0, len(half_steps), _BLOCK_ROWS):
        block = turns.phasors(half_steps[start : start + _BLOCK_ROWS])
        if amplitude is not None:
            block = block * amplitude
        yield slice(first + start, first + start + len(block)), block

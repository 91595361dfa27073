"""The points of the clocks as smooth discs, computed per pixel and not per point."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.caching import cached
from pe_explorer.pictures.clock_face import Face, Grid

__all__ = ["splat"]

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

_CACHED = 1 << 15  # pixels handled at a time
_MOST_BYTES = 1 << 24  # of bands in the cache
_CROWDED = 200  # points, above which they are mixed
_GOLDEN = 0.6180339887
_BINS = 4  # of angle per pixel of the circle
_NO_RANK = -2  # neither that of a point nor that of none


class _Window(NamedTuple):
    """The bins of angle whose discs reach each pixel of a band, as two runs of 2^level bins."""

    left: Ints
    right: Ints


class _Band(NamedTuple):
    """The pixels near one circle: all clocks of a page have the same ones."""

    x: Ints
    y: Ints
    middles: Floats  # of the pixels, shape (2, pixels)
    reach: float  # from a disc's middle to where it ends
    bins: int
    pad: int
    levels: int
    # Of the discs that graze a pixel, cover half of it, cover all of it.
    windows: tuple[_Window, ...]

    @property
    def nbytes(self) -> int:
        windows = sum(window.left.nbytes + window.right.nbytes for window in self.windows)
        return self.x.nbytes + self.y.nbytes + self.middles.nbytes + windows


@cached(_MOST_BYTES)
def _band(radius: float, dot: float) -> _Band:
    half = math.ceil(radius + dot) + 1
    steps = np.arange(-half, half) + 0.5
    far = np.hypot(steps[:, None], steps)
    row, column = np.nonzero(np.abs(far - radius) < dot + 0.5)
    bins = math.ceil(_BINS * 2 * math.pi * radius)
    x, y = steps[column], steps[row]
    angle = np.arctan2(y, x) / (2 * np.pi) % 1 * bins
    halves = []
    for reach in (dot + 0.5, dot, dot - 0.5):
        half_width = _half_width(far[row, column], radius, reach)
        halves.append(half_width * bins / (2 * np.pi))
    pad = math.ceil(max(width.max() for width in halves)) + 1
    levels = (2 * pad + 1).bit_length()
    padded = bins + 2 * pad
    windows = tuple(_window(angle + pad, width, padded) for width in halves)
    middles = np.stack([x, y]).astype(np.float32)
    return _Band(column - half, row - half, middles, dot + 0.5, bins, pad, levels, windows)


def _half_width(
    far: npt.NDArray[np.float64], radius: float, reach: float
) -> npt.NDArray[np.float64]:
    """Return the largest angle between a pixel and the middle of a disc that still reaches it."""
    cosine = (radius**2 + far**2 - reach**2) / (2 * radius * far)
    width: npt.NDArray[np.float64] = np.arccos(np.clip(cosine, -1, 1))
    return width


def _window(angle: npt.NDArray[np.float64], half: npt.NDArray[np.float64], row: int) -> _Window:
    low = np.floor(angle - half).astype(np.int64)
    high = np.floor(angle + half).astype(np.int64)
    level = np.log2(high - low + 1).astype(np.int64)
    first = level * row
    return _Window(first + low, first + high - (1 << level) + 1)


def splat(
    face: Face, colours: npt.NDArray[np.uint8], width: int, height: int
) -> npt.NDArray[np.uint32]:
    """Return the points as smooth discs: premultiplied ARGB, shape (height, width).

    All points lie on a circle, so the discs that reach a pixel are those within a window of
    angle, and the topmost is the maximum of their ranks: two look-ups in a table of running
    maxima, whatever the number of points. Where that disc only grazes the pixel, the topmost
    that covers half of it and the topmost that covers it all show through.
    """
    grid = face.grid
    band = _band(grid.radius * grid.ratio, grid.dot * grid.ratio)
    stack = _stack(len(face.order))
    # The last shade is that of no point, whose rank is -1.
    shades = np.append(_argb(colours, face.order[stack]), np.uint32(0))
    together = max(1, _CACHED // len(band.x))
    pixels = []
    for start in range(0, grid.shown, together):
        group = slice(start, start + together)
        x = face.x[stack, group]
        y = face.y[stack, group]
        pixels.append(_coloured(x, y, band, shades))
    return _placed(grid, band, np.concatenate(pixels, axis=1), width, height)


def _stack(count: int) -> slice | Ints:
    """Return the order in which points are drawn, the topmost last.

    Many points are mixed evenly: they cover a circle several times over, and drawn in order only
    the last turn would be seen.
    """
    if count <= _CROWDED:
        return slice(None)
    step = round(count * _GOLDEN)
    while math.gcd(step, count) > 1:
        step += 1
    return np.arange(count) * step % count


def _coloured(
    x: Floats, y: Floats, band: _Band, shades: npt.NDArray[np.uint32]
) -> npt.NDArray[np.uint32]:
    """Return the pixels of the bands of some clocks, shape (pixels, clocks)."""
    table = _running_maxima(_ranks(x, y, band), band.levels)
    shape = len(band.x), x.shape[1]
    mixed = np.zeros((*shape, 4), dtype=np.float32)
    above = np.full(shape, _NO_RANK, dtype=np.int16)
    left = np.ones(shape, dtype=np.float32)
    for window in band.windows:
        top = np.maximum(table[window.left], table[window.right])
        seen = np.where(top == above, np.float32(0), _cover(x, y, top, band)) * left
        mixed += _shared(shades[top], seen)
        above, left = top, left - seen
    channels = (mixed + np.float32(0.5)).astype(np.uint8)
    return channels.view(np.uint32)[..., 0]


def _cover(x: Floats, y: Floats, ranks: npt.NDArray[np.int16], band: _Band) -> Floats:
    """Return how much of the pixels of a band the points of given ranks cover, clock by clock."""
    clocks = x.shape[1]
    places = ranks.astype(np.int64) * clocks + np.arange(clocks)
    across = band.middles[0][:, None] - x.ravel()[places]
    down = band.middles[1][:, None] - y.ravel()[places]
    far = np.sqrt(across * across + down * down)
    cover: Floats = np.clip(np.float32(band.reach) - far, 0, 1)
    cover[ranks < 0] = 0
    return cover


def _ranks(x: Floats, y: Floats, band: _Band) -> npt.NDArray[np.int16]:
    """Return the last point in each bin of angle, -1 for none, shape (pad + bins + pad, clocks)."""
    count, clocks = x.shape
    pad, bins = band.pad, band.bins
    ranks = np.full((bins + 2 * pad, clocks), -1, dtype=np.int16)
    angle = np.arctan2(y, x) * np.float32(bins / (2 * np.pi))
    places = angle.astype(np.int64) % bins + pad
    ranks[places, np.arange(clocks)] = np.arange(count, dtype=np.int16)[:, None]
    # The circle is closed: both ends are repeated beyond the other one.
    ranks[:pad] = ranks[bins : bins + pad]
    ranks[bins + pad :] = ranks[pad : 2 * pad]
    return ranks


def _running_maxima(ranks: npt.NDArray[np.int16], levels: int) -> npt.NDArray[np.int16]:
    """Return the maxima over the 2^level bins from each bin on, level by level.

    The shape is (levels · bins, clocks).
    """
    table = np.empty((levels, *ranks.shape), dtype=np.int16)
    table[0] = ranks
    for level in range(1, levels):
        below, reach = table[level - 1], 1 << level - 1
        np.maximum(below[:-reach], below[reach:], out=table[level, :-reach])
        table[level, -reach:] = below[-reach:]
    return table.reshape(-1, ranks.shape[1])


def _argb(colours: npt.NDArray[np.uint8], order: Floats) -> npt.NDArray[np.uint32]:
    """Return the colour of each point."""
    places = np.rint(order * (len(colours) - 1)).astype(np.int64)
    red, green, blue = colours[places].astype(np.uint32).T
    argb: npt.NDArray[np.uint32] = 255 << 24 | red << 16 | green << 8 | blue
    return argb.astype(np.uint32, copy=False)


def _shared(colours: npt.NDArray[np.uint32], seen: Floats) -> Floats:
    """Return opaque colours, premultiplied by how much of them is seen: the last axis has four."""
    channels: Floats = colours.view(np.uint8).reshape(*colours.shape, 4) * seen[..., None]
    return channels


def _placed(
    grid: Grid, band: _Band, pixels: npt.NDArray[np.uint32], width: int, height: int
) -> npt.NDArray[np.uint32]:
    """Return an image with a band of pixels for each clock; what lies outside is left out."""
    margin = math.ceil(band.y.max()) + 1
    out = np.zeros((height + 2 * margin, width + 2 * margin), dtype=np.uint32)
    flat, row = out.reshape(-1), out.shape[1]
    places = band.y * row + band.x
    for centre, colours in zip(grid.centres, pixels.T, strict=True):
        left = _within(round(centre[0] * grid.ratio), width) + margin
        top = _within(round(centre[1] * grid.ratio), height) + margin
        flat[places + (top * row + left)] = colours
    return out[margin : margin + height, margin : margin + width]


def _within(place: int, most: int) -> int:
    return min(max(place, 0), most)

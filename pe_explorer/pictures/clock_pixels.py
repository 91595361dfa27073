"""Draw the points of clocks as smooth discs, at a cost per pixel rather than per point."""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.arrays import Ints
from pe_explorer.caching import cached
from pe_explorer.pictures.clock_face import ClockGrid, Face

Floats32 = npt.NDArray[np.float32]
Places = npt.NDArray[np.int32]
Shades = npt.NDArray[np.uint64]

_CHUNK = 1 << 15  # pixels coloured at a time
_CACHE_BYTES = 1 << 22  # cache size for bands and for the image indices of their pixels
_MOST_IN_ORDER = 200  # number of points above which the drawing order is mixed
_GOLDEN_SECTION = 0.6180339887
_BINS_PER_PIXEL = 4  # angular bins per pixel of the circle
_POINT = np.dtype([("x", np.float32), ("y", np.float32), ("shade", np.uint64)])
_FULL_COVER = 256  # weight of a fully covered pixel
_HALF_UNIT = np.uint64(0x0080_0080_0080_0080)  # rounds the upper byte of each channel


class _Window(NamedTuple):
    """The angular bins whose discs reach each pixel of a band, as two runs of 2^power bins."""

    left: Ints
    right: Ints


class _Band(NamedTuple):
    """The pixels near one circle, shared by all clocks of a page."""

    x: Ints
    y: Ints
    middles: Floats32  # centres of the pixels, shape (2, pixels)
    reach: float  # radius of a disc including its smooth edge
    bins: int
    pad: int
    powers: int
    # Windows of discs that touch a pixel, cover half of it, and cover all of it.
    windows: tuple[_Window, ...]

    @property
    def nbytes(self) -> int:
        windows = sum(window.left.nbytes + window.right.nbytes for window in self.windows)
        return self.x.nbytes + self.y.nbytes + self.middles.nbytes + windows


@cached(_CACHE_BYTES)
def _band(radius: float, dot: float) -> _Band:
    half = math.ceil(radius + dot) + 1
    steps = np.arange(-half, half) + 0.5
    far = np.hypot(steps[:, None], steps)
    row, column = np.nonzero(np.abs(far - radius) < dot + 0.5)
    far = far[row, column]
    bins = math.ceil(_BINS_PER_PIXEL * 2 * math.pi * radius)
    x, y = steps[column], steps[row]
    angle = np.arctan2(y, x) / (2 * np.pi) % 1 * bins
    halves = []
    for reach in (
        dot + 0.5,
        dot,
        dot - 0.5,
    ):  # distances at which a disc touches, half covers and covers a pixel
        cosine = (radius**2 + far**2 - reach**2) / (2 * radius * far)
        halves.append(np.arccos(np.clip(cosine, -1, 1)) * bins / (2 * np.pi))
    pad = math.ceil(max(width.max() for width in halves)) + 1
    powers = (2 * pad + 1).bit_length()
    padded = bins + 2 * pad
    windows = tuple(_window(angle + pad, width, padded) for width in halves)
    middles = np.stack([x, y]).astype(np.float32)
    return _Band(column - half, row - half, middles, dot + 0.5, bins, pad, powers, windows)


def _window(angle: npt.NDArray[np.float64], half: npt.NDArray[np.float64], row: int) -> _Window:
    low = np.floor(angle - half).astype(np.int64)
    high = np.floor(angle + half).astype(np.int64)
    power = np.log2(high - low + 1).astype(np.int64)
    first = power * row
    return _Window(first + low, first + high - (1 << power) + 1)


@cached(_CACHE_BYTES)
def _band_places(grid: ClockGrid, width: int, height: int) -> Ints:
    """Return the image index of each pixel of the bands, shape (pixels, clocks).

    Pixels outside the image have the index after the last pixel.
    """
    band = _band(grid.radius * grid.ratio, grid.dot * grid.ratio)
    left, top = (np.rint(np.array(grid.centres) * grid.ratio)).astype(np.int64).T
    column, row = band.x[:, None] + left, band.y[:, None] + top
    inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
    return np.where(inside, row * width + column, width * height)


def splat(
    face: Face, colours: npt.NDArray[np.uint8], width: int, height: int
) -> npt.NDArray[np.uint32]:
    """Return the points as smooth discs: premultiplied ARGB, shape (height, width).

    All points lie on a circle, so the discs that reach a pixel lie in a window of angles. The
    topmost disc has the maximum rank, which takes two look-ups in a table of running maxima,
    however many points there are. If that disc covers the pixel only partly, the pixel also shows
    the topmost disc that covers at least half of it, and the topmost disc that covers it
    completely.
    """
    grid = face.grid
    band = _band(grid.radius * grid.ratio, grid.dot * grid.ratio)
    places = _band_places(grid, width, height)
    stack = drawing_order(len(face.order))
    shades = _spread(colours, face.order[stack])
    together = max(1, _CHUNK // len(band.x))
    pixels = np.zeros(height * width + 1, dtype=np.uint32)
    for start in range(0, grid.clock_count, together):
        group = slice(start, start + together)
        x, y = face.x[stack, group], face.y[stack, group]
        pixels[places[:, group]] = _coloured(x, y, band, shades)
    return pixels[:-1].reshape(height, width)


def drawing_order(count: int) -> slice | Ints:
    """Return the order in which points are drawn, the topmost last.

    If many points cover a circle several times, they are mixed evenly. In their original order,
    only the last turn would be visible.
    """
    if count <= _MOST_IN_ORDER:
        return slice(None)
    step = round(count * _GOLDEN_SECTION)
    while math.gcd(step, count) > 1:
        step += 1
    return np.arange(count) * step % count


def _coloured(x: Floats32, y: Floats32, band: _Band, shades: Shades) -> npt.NDArray[np.uint32]:
    """Return the pixels of the bands of some clocks, shape (pixels, clocks)."""
    table = _running_maxima(_ranks(x, y, band), band.powers)
    points = _points(x, y, shades)
    middle_x, middle_y = band.middles[:, :, None]
    shape = len(band.x), x.shape[1]
    mixed = np.full(shape, _HALF_UNIT)
    left = np.ones(shape, dtype=np.float32)
    above = used = np.zeros(shape, dtype=np.int32)
    for window in band.windows:
        top = np.maximum(table.take(window.left, axis=0), table.take(window.right, axis=0))
        point = points.take(top)
        across, down = middle_x - point["x"], middle_y - point["y"]
        cover = np.float32(band.reach) - np.sqrt(across * across + down * down)
        left -= left * cover.clip(0, 1) * (top != above)
        # Round the sums, so that full cover is exact.
        total = _FULL_COVER - (left * np.float32(_FULL_COVER) + np.float32(0.5)).astype(np.int32)
        mixed += point["shade"] * (total - used).astype(np.uint64)
        above, used = top, total
    # Take the upper byte of each channel.
    return mixed.view(np.uint8)[:, 1::2].copy().view(np.uint32)


def _points(x: Floats32, y: Floats32, shades: Shades) -> npt.NDArray[np.void]:
    """Return one placeholder per clock for "no point", then the points, as records."""
    count, clocks = x.shape
    points = np.empty((1 + count, clocks), dtype=_POINT)
    points["x"][0] = points["y"][0] = np.inf  # infinitely far, so that nothing is covered
    points["x"][1:], points["y"][1:] = x, y
    points["shade"] = shades[:, None]
    return points.ravel()


def _ranks(x: Floats32, y: Floats32, band: _Band) -> Places:
    """Return the last point in each angular bin, shape (pad + bins + pad, clocks).

    A point is encoded as its rank, starting at 1, times the number of clocks, plus its clock.
    Smaller values mean no point.
    """
    count, clocks = x.shape
    pad, bins = band.pad, band.bins
    ranks = np.zeros((pad + bins + pad, clocks), dtype=np.int32)
    angle = np.arctan2(y, x) * np.float32(bins / (2 * np.pi))
    # Negative bins index from the end, which matches negative angles.
    places = angle.astype(np.int64) * clocks + np.arange(clocks)
    closed = ranks[pad : pad + bins].reshape(-1)
    closed[places.ravel()] = np.arange(clocks, clocks + count * clocks, dtype=np.int32)
    # The circle is closed, so repeat each end beyond the other.
    ranks[:pad] = ranks[bins : bins + pad]
    ranks[bins + pad :] = ranks[pad : 2 * pad]
    return ranks


def _running_maxima(ranks: Places, powers: int) -> Places:
    """Return the maximum of 2^power bins starting at each bin, shape (powers · bins, clocks)."""
    table = np.empty((powers, *ranks.shape), dtype=np.int32)
    table[0] = ranks
    for power in range(1, powers):
        below, reach = table[power - 1], 1 << power - 1
        np.maximum(below[:-reach], below[reach:], out=table[power, :-reach])
        table[power, -reach:] = below[-reach:]
    return table.reshape(-1, ranks.shape[1])


def _spread(colours: npt.NDArray[np.uint8], order: Floats32) -> Shades:
    """Return a transparent colour for "no point", then each point's colour, 16 bits per channel.

    The upper bytes are zero, so that one multiplication weights all channels.
    """
    places = np.rint(order * (len(colours) - 1)).astype(np.int64)
    channels = np.zeros((1 + len(places), 4), dtype=np.uint16)
    channels[1:, :3] = colours[places, ::-1]
    channels[1:, 3] = 255
    return channels.view(np.uint64).ravel()

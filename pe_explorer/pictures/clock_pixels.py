"""Draw the points of clocks as smooth discs, at a cost per pixel rather than per point."""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.arrays import Ints
from pe_explorer.caching import cache_results
from pe_explorer.pictures.clock_face import ClockFaces, ClockGrid, Floats32

Ranks = npt.NDArray[np.int32]
Shades = npt.NDArray[np.uint64]

_CHUNK_SIZE = 1 << 15  # number of pixels coloured at a time
_MAX_CACHE_BYTES = 1 << 22  # maximum size of each cache in bytes
_MAX_ORDERED_POINTS = 200  # maximum number of points drawn in their original order
_GOLDEN_SECTION = 0.6180339887
_BINS_PER_PIXEL = 4  # number of angular bins per pixel of a circle's circumference
_POINT_DTYPE = np.dtype([("x", np.float32), ("y", np.float32), ("shade", np.uint64)])
_FULL_WEIGHT = 256  # weight of a fully covered pixel
_HALF_UNIT = np.uint64(0x0080_0080_0080_0080)  # rounds each 16-bit channel to its upper byte


class _BinWindow(NamedTuple):
    """For each pixel of a band, the range of angular bins whose discs reach the pixel.

    `left` and `right` are table indices of two runs of 2^power bins that together cover the
    range.
    """

    left: Ints
    right: Ints


class _PixelBand(NamedTuple):
    """The pixels near one circle, shared by all clocks of a page."""

    x: Ints
    y: Ints
    middles: Floats32  # centres of the pixels, shape (2, pixels)
    reach: float  # radius of a disc including its smooth edge
    bins: int
    padding: int
    powers: int
    # Three windows, for discs that touch a pixel, cover half of it, and cover all of it.
    windows: tuple[_BinWindow, ...]

    @property
    def nbytes(self) -> int:
        windows = sum(window.left.nbytes + window.right.nbytes for window in self.windows)
        return self.x.nbytes + self.y.nbytes + self.middles.nbytes + windows


@cache_results(_MAX_CACHE_BYTES)
def _make_band(radius: float, dot: float) -> _PixelBand:
    half = math.ceil(radius + dot) + 1
    steps = np.arange(-half, half) + 0.5
    radii = np.hypot(steps[:, None], steps)
    row, column = np.nonzero(np.abs(radii - radius) < dot + 0.5)
    radii = radii[row, column]
    bins = math.ceil(_BINS_PER_PIXEL * 2 * math.pi * radius)
    x, y = steps[column], steps[row]
    angle = np.arctan2(y, x) / (2 * np.pi) % 1 * bins
    half_widths = []
    # Distances at which a disc touches a pixel, covers half of it, and covers all of it.
    for reach in (dot + 0.5, dot, dot - 0.5):
        cosine = (radius**2 + radii**2 - reach**2) / (2 * radius * radii)
        half_widths.append(np.arccos(np.clip(cosine, -1, 1)) * bins / (2 * np.pi))
    padding = math.ceil(max(width.max() for width in half_widths)) + 1
    powers = (2 * padding + 1).bit_length()
    padded_bin_count = bins + 2 * padding
    windows = tuple(_to_window(angle + padding, width, padded_bin_count) for width in half_widths)
    middles = np.stack([x, y]).astype(np.float32)
    return _PixelBand(column - half, row - half, middles, dot + 0.5, bins, padding, powers, windows)


def _to_window(
    angle: npt.NDArray[np.float64], half: npt.NDArray[np.float64], row: int
) -> _BinWindow:
    low = np.floor(angle - half).astype(np.int64)
    high = np.floor(angle + half).astype(np.int64)
    power = np.log2(high - low + 1).astype(np.int64)
    first = power * row
    return _BinWindow(first + low, first + high - (1 << power) + 1)


@cache_results(_MAX_CACHE_BYTES)
def _find_band_indices(grid: ClockGrid, width: int, height: int) -> Ints:
    """Return the index in the image of each pixel of the bands, shape (pixels, clocks).

    The index of a pixel outside the image is the number of pixels in the image.
    """
    band = _make_band(grid.radius * grid.ratio, grid.dot_radius * grid.ratio)
    left, top = (np.rint(np.array(grid.centres) * grid.ratio)).astype(np.int64).T
    column, row = band.x[:, None] + left, band.y[:, None] + top
    inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
    return np.where(inside, row * width + column, width * height)


def draw_points(
    face: ClockFaces, colours: npt.NDArray[np.uint8], width: int, height: int
) -> npt.NDArray[np.uint32]:
    """Draw the points as smooth discs; return premultiplied ARGB of shape (height, width).

    The points of a clock lie on a circle, so the discs that reach a pixel belong to a range
    of angles. The topmost disc has the maximum rank in this range. Two look-ups in a table
    of running maxima find this rank, independently of the number of points. If this disc
    covers the pixel only partly, the pixel also shows the topmost disc that covers at least
    half of it, and the topmost disc that covers all of it.
    """
    grid = face.grid
    band = _make_band(grid.radius * grid.ratio, grid.dot_radius * grid.ratio)
    places = _find_band_indices(grid, width, height)
    stack = make_drawing_order(len(face.order))
    shades = _make_point_shades(colours, face.order[stack])
    group_size = max(1, _CHUNK_SIZE // len(band.x))
    pixels = np.zeros(height * width + 1, dtype=np.uint32)
    for start in range(0, grid.clock_count, group_size):
        group = slice(start, start + group_size)
        x, y = face.x[stack, group], face.y[stack, group]
        pixels[places[:, group]] = _colour_pixels(x, y, band, shades)
    return pixels[:-1].reshape(height, width)


def make_drawing_order(count: int) -> slice | Ints:
    """Return the order in which points are drawn, the topmost last.

    If there are many points, they are shuffled, because they may cover a circle several
    times. In their original order, only the points of the last turn would be visible.
    """
    if count <= _MAX_ORDERED_POINTS:
        return slice(None)
    step = round(count * _GOLDEN_SECTION)
    while math.gcd(step, count) > 1:
        step += 1
    return np.arange(count) * step % count


def _colour_pixels(
    x: Floats32, y: Floats32, band: _PixelBand, shades: Shades
) -> npt.NDArray[np.uint32]:
    """Return the colours of the band pixels for a group of clocks, shape (pixels, clocks)."""
    table = _compute_running_maxima(_compute_ranks(x, y, band), band.powers)
    points = _points(x, y, shades)
    pixel_x, pixel_y = band.middles[:, :, None]
    shape = len(band.x), x.shape[1]
    colours = np.full(shape, _HALF_UNIT)
    uncovered_share = np.ones(shape, dtype=np.float32)
    previous_top = weight = np.zeros(shape, dtype=np.int32)
    for window in band.windows:
        top = np.maximum(table.take(window.left, axis=0), table.take(window.right, axis=0))
        point = points.take(top)
        dx, dy = pixel_x - point["x"], pixel_y - point["y"]
        cover = np.float32(band.reach) - np.sqrt(dx * dx + dy * dy)
        uncovered_share -= uncovered_share * cover.clip(0, 1) * (top != previous_top)
        # Round the sum of the weights, so that the weights of a covered pixel add up exactly.
        rest = (uncovered_share * np.float32(_FULL_WEIGHT) + np.float32(0.5)).astype(np.int32)
        colours += point["shade"] * (_FULL_WEIGHT - rest - weight).astype(np.uint64)
        previous_top, weight = top, _FULL_WEIGHT - rest
    # The upper byte of each channel is the colour.
    return colours.view(np.uint8)[:, 1::2].copy().view(np.uint32)


def _points(x: Floats32, y: Floats32, shades: Shades) -> npt.NDArray[np.void]:
    """Return records: one placeholder per clock for "no point", then the points."""
    count, clocks = x.shape
    points = np.empty((1 + count, clocks), dtype=_POINT_DTYPE)
    points["x"][0] = points["y"][0] = np.inf  # so far away that a placeholder covers nothing
    points["x"][1:], points["y"][1:] = x, y
    points["shade"] = shades[:, None]
    return points.ravel()


def _compute_ranks(x: Floats32, y: Floats32, band: _PixelBand) -> Ranks:
    """Return the last point in each angular bin, shape (pad + bins + pad, clocks).

    A point is encoded as its rank, starting at 1, times the number of clocks, plus its
    clock. A value less than the number of clocks means that the bin contains no point.
    """
    count, clocks = x.shape
    padding, bins = band.padding, band.bins
    ranks = np.zeros((padding + bins + padding, clocks), dtype=np.int32)
    angle = np.arctan2(y, x) * np.float32(bins / (2 * np.pi))
    # Negative angles yield negative indices, which count from the end.
    indices = angle.astype(np.int64) * clocks + np.arange(clocks)
    circle = ranks[padding : padding + bins].reshape(-1)
    circle[indices.ravel()] = np.arange(clocks, clocks + count * clocks, dtype=np.int32)
    # Repeat the bins at both ends, because the circle is closed.
    ranks[:padding] = ranks[bins : bins + padding]
    ranks[bins + padding :] = ranks[padding : 2 * padding]
    return ranks


def _compute_running_maxima(ranks: Ranks, powers: int) -> Ranks:
    """Return the maximum of 2^power bins starting at each bin, shape (powers · bins, clocks)."""
    table = np.empty((powers, *ranks.shape), dtype=np.int32)
    table[0] = ranks
    for power in range(1, powers):
        maxima, reach = table[power - 1], 1 << power - 1
        np.maximum(maxima[:-reach], maxima[reach:], out=table[power, :-reach])
        table[power, -reach:] = maxima[-reach:]
    return table.reshape(-1, ranks.shape[1])


def _make_point_shades(colours: npt.NDArray[np.uint8], order: Floats32) -> Shades:
    """Return a transparent colour for "no point", then each point's colour, 16 bits per channel.

    The upper bytes are zero, so that a single multiplication weights all channels.
    """
    indices = np.rint(order * (len(colours) - 1)).astype(np.int64)
    channels = np.zeros((1 + len(indices), 4), dtype=np.uint16)
    channels[1:, :3] = colours[indices, ::-1]
    channels[1:, 3] = 255
    return channels.view(np.uint64).ravel()

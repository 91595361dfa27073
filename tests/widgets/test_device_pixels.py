"""Cells, lines and curves on screens and in pictures of any ratio of device pixels to pixels."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from pe_explorer.colours import maps
from pe_explorer.widgets.axes import RangeAxis, ValueAxis
from pe_explorer.widgets.curve import CurveItem, dashed_pen
from pe_explorer.widgets.plot import ImagePlot, RangePlot
from pe_explorer.widgets.theme import colours, palette_of

RATIOS = (0.5, 1.0, 1.1, 1.25, 1.5, 2.0, 3.7, 4.0)
ROWS, COLUMNS = 37, 64

every_ratio = pytest.mark.parametrize("ratio", RATIOS)


def chessboard():
    """Return an image plot in which every cell differs from its neighbours."""
    plot = ImagePlot(RangeAxis("left", "position"), RangeAxis("bottom", "dimension"))
    plot.set_range(COLUMNS, ROWS)
    indices = (np.add.outer(np.arange(ROWS), np.arange(COLUMNS)) % 2 * 254).astype(np.uint8)
    plot.show_image(indices, QRectF(-0.5, -0.5, COLUMNS, ROWS), "grey", (0.0, 1.0))
    return plot, ROWS, COLUMNS


def off_by(found, across, down):
    """Return by how many device pixels the edges of a chessboard are off, at most; none may be
    missing.
    """
    row, column = (int((edges[0] + edges[1]) / 2) for edges in (down, across))
    worst = 0.0
    for line, true in ((found[row, :, 0], across), (found[:, column, 0], down)):
        inside = slice(int(true[0]) + 2, int(true[-1]) - 1)  # within the frame
        changes = np.flatnonzero(np.diff(line[inside])) + inside.start + 1
        assert len(changes) == len(true) - 2
        worst = max(worst, float(np.abs(changes - true[1:-1]).max()))
    return worst


@every_ratio
def test_cells_and_their_colour_bar_lie_where_their_axes_say(scene, ratio):
    board = scene(*chessboard())
    found, across, down = board.drawn(ratio)
    assert off_by(found, across, down) <= 0.5 + 1e-6
    bar = board.plot.bar
    strip = (bar.mapToScene(6.0, 0.0).x() + 6 + board.place[0]) * ratio  # in the middle of it
    middles = np.arange(int(np.ceil(down[0])) + 1, int(down[-1]) - 1) + 0.5
    greys = maps.table("grey", 255)[:, 0].astype(int)
    shades = found[middles.astype(int), int(strip), 2]  # red, as in the table
    brightest, darkest = (
        greys[((down[-1] - middles - off) / (down[-1] - down[0]) * 255).clip(0, 254).astype(int)]
        for off in (-1, 1)
    )
    assert (shades <= brightest).all()
    assert (shades >= darkest).all()


# -- lines ---------------------------------------------------------------------------------------


def runs(line):
    """Return the lengths of the runs of True."""
    changes = np.flatnonzero(np.diff(np.r_[False, line, False].astype(int)))
    return (changes[1::2] - changes[::2]).tolist()


def lined(cursor=None):
    plot = RangePlot(ValueAxis("left"), RangeAxis("bottom", "position"))
    plot.set_range(100, 2.0, bottom=-1.0)
    plot.set_cursor(cursor, None)
    return plot


@every_ratio
def test_ticks_frame_and_cursor_are_as_wide_as_the_picture_is_large(scene, ratio):
    one = scene(lined(40.0))
    one.plot.dress(palette_of("light"), ratio)
    (found, across, down), width = one.drawn(ratio), max(1, round(ratio))
    inked = (found < 250).any(axis=2)
    below = inked[int(down[1] + 2.5 * ratio), int(across[0]) - 2 : int(across[-1]) + 3]
    assert len(runs(below)) > 3  # ticks
    assert set(runs(below)) == {width}
    column = inked[int(down[0] - 4 * ratio) : int((down[0] + down[1]) / 2), int(across[60])]
    assert runs(column) == [width]  # the frame above
    dark = (found < 60).all(axis=2)[int(down[0]) + 3 : int(down[1]) - 3]
    rows = dark[:, int(across[39]) : int(across[43])]
    assert {tuple(runs(row)) for row in rows} == {(), (width,)}
    one.plot.show_numbers(False)
    frame = np.s_[int(down[1] - 5 * ratio) : int(down[1] + 2.5 * ratio), int(across[55])]
    assert (one.drawn(ratio)[0][frame] == found[frame]).all()


def curved(y):
    plot, curve = lined(), CurveItem()
    curve.setPen(colours(palette_of("light")).accent)
    curve.setData(np.arange(100.0), y)
    plot.add(curve)
    return plot, curve


@every_ratio
def test_a_level_curve_is_as_thick_as_the_picture_is_large(scene, ratio):
    inside, _, (top, bottom) = scene(curved(np.full(100, 0.3))[0]).ink(ratio, 3, 97)
    thick = inside.sum(axis=0)
    off = 0.03 if ratio > 1 else 0.25  # of one pixel: Qt's own
    np.testing.assert_allclose(thick, max(1.0, ratio), rtol=off)
    middle = np.arange(len(inside)) + int(top) + 8.5
    np.testing.assert_allclose(middle @ inside / thick, top + (bottom - top) * 0.35, atol=0.6)


@pytest.mark.parametrize("ratio", [1.0, 2.0, 4.0])
def test_dashes_are_as_long_and_as_thick_as_the_picture_is_large(scene, ratio):
    plot, curve = curved(np.full(100, 0.3))
    pen = dashed_pen(QColor(colours(palette_of("light")).accent), 1, (12, 6))
    pen.setCosmetic(True)
    curve.setPen(pen)
    inside, _, _ = scene(plot).ink(ratio, 3, 97)
    inked = runs((inside > 0.3).any(axis=0))[1:-1]
    assert inked == pytest.approx([12 * ratio] * len(inked), abs=1.5)
    assert (inside.sum(axis=0) > 0.3).mean() == pytest.approx(2 / 3, abs=0.05)
    assert inside.sum(axis=0).max() == pytest.approx(ratio, rel=0.3)


@pytest.mark.parametrize("ratio", [1.5, 2.0, 4.0])
def test_a_steep_curve_is_as_thick_and_peaks_are_whole(scene, ratio):
    y = np.where(np.arange(100) % 20 == 10, 0.8, -0.8)
    inside, _, (top, bottom) = scene(curved(y)[0]).ink(ratio, 3, 97)
    row = inside[int((top + bottom) / 2) - int(top) - 8]
    assert row.sum() == pytest.approx(10 * ratio, rel=0.1)  # five peaks, up and down
    inked = np.flatnonzero((inside > 0.5).any(axis=1)) + int(top) + 8
    high, low = (top + (bottom - top) * part for part in (0.1, 0.9))
    assert abs(inked[0] + ratio / 2 - high) <= ratio
    assert abs(inked[-1] + 1 - ratio / 2 - low) <= 1.0


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_curve_has_gaps_where_it_has_no_numbers(scene, ratio):
    y = np.full(100, 0.3)
    y[40:60], y[20] = np.nan, np.inf
    inside, across, _ = scene(curved(y)[0]).ink(ratio, 3, 97)
    inked = (inside > 0.5).any(axis=0)
    cells = np.array([10, 20, 30, 41, 58, 70])
    middles = ((across[cells] + across[cells + 1]) / 2).astype(int)
    assert inked[middles].tolist() == [True, False, True, False, False, True]


def test_a_curve_is_seen_at_once_where_the_range_changes(scene):
    plot, curve = curved(np.full(100, 0.3))
    one = scene(plot)
    one.drawn(2.0)
    plot.set_range(100, 2000.0, bottom=1000.0)
    curve.setData(np.arange(100.0), np.full(100, 2500.0))
    inside, _, _ = one.ink(2.0, 5, 97)
    np.testing.assert_allclose(inside.sum(axis=0), 2.0, rtol=0.03)


@pytest.mark.parametrize("value", [np.nan, 5.0, 1e300, -1e300])
def test_a_curve_that_is_not_in_sight_takes_no_room(scene, value):
    inside, _, _ = scene(curved(np.full(100, value))[0]).ink(2.0, 3, 97)
    assert inside.max() < 0.01

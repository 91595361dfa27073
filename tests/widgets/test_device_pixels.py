"""Cells, lines and curves on screens and in pictures of any ratio of device pixels to pixels."""

import json

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QWidget

from pe_explorer.colours import maps
from pe_explorer.widgets.axes import RangeAxis, ValueAxis
from pe_explorer.widgets.plot import ImagePlot, RangePlot
from pe_explorer.widgets.theme import colours, palette_of
from tests.support.images import pixels
from tests.support.processes import ROOT, run_program

RATIOS = (0.5, 1.0, 1.1, 1.25, 1.5, 2.0, 3.7, 4.0)
ROWS, COLUMNS = 37, 64
PLACE = 33, 21  # pixels: no whole number of device pixels at most ratios


def shown_plot(make):
    """Return a widget with a plot somewhere in it, and the plot."""
    outer = QWidget()
    outer.resize(640, 420)
    canvas = pg.GraphicsLayoutWidget(parent=outer)
    canvas.setBackground("#ffffff")
    canvas.setGeometry(*PLACE, 560, 370)
    plot = make()
    canvas.addItem(plot, 0, 0)
    outer.show()
    for _ in range(4):
        QApplication.processEvents()
    return outer, canvas, plot


def chessboard():
    """Return an image plot in which every cell differs from its neighbours."""
    plot = ImagePlot(RangeAxis("left", "position"), RangeAxis("bottom", "dimension"))
    plot.set_range(COLUMNS, ROWS)
    indices = (np.add.outer(np.arange(ROWS), np.arange(COLUMNS)) % 2 * 254).astype(np.uint8)
    plot.show_image(indices, QRectF(-0.5, -0.5, COLUMNS, ROWS), "grey", (0.0, 1.0))
    return plot


def drawn(widget, ratio):
    """Return the pixels of a widget in a picture of some ratio."""
    image = QImage(
        round(widget.width() * ratio), round(widget.height() * ratio), QImage.Format.Format_RGB32
    )
    image.setDevicePixelRatio(ratio)
    image.fill(0xFFFFFFFF)
    painter = QPainter(image)
    widget.render(painter, widget.rect().topLeft())
    painter.end()
    return pixels(image)


def edges(axis, cells, ratio):
    """Return where an axis says that its cells begin and end, in device pixels of the outer
    widget.
    """
    low = axis.mapToScene(0.0, 0.0)
    first, length = (
        (low.y() + PLACE[1], axis.size().height())
        if axis.orientation in ("left", "right")
        else (low.x() + PLACE[0], axis.size().width())
    )
    return (first + length * np.arange(cells + 1) / cells) * ratio


def off_by(found, plot, ratio):
    """Return by how many device pixels the edges of a chessboard are off, at most; none may be
    missing.
    """
    across, down = edges(plot.bottom, COLUMNS, ratio), edges(plot.left, ROWS, ratio)
    row, column = (
        found[int((down[0] + down[1]) / 2), :, 0],
        found[:, int((across[0] + across[1]) / 2), 0],
    )
    worst = 0.0
    for line, true in ((row, across), (column, down)):
        inside = slice(int(true[0]) + 2, int(true[-1]) - 1)  # within the frame
        changes = np.flatnonzero(np.diff(line[inside])) + inside.start + 1
        assert len(changes) == len(true) - 2
        worst = max(worst, float(np.abs(changes - true[1:-1]).max()))
    return worst


@pytest.mark.parametrize("ratio", RATIOS)
def test_cells_of_a_picture_lie_on_the_nearest_device_pixels(qapp, ratio):
    outer, _canvas, plot = shown_plot(chessboard)
    assert off_by(drawn(outer, ratio), plot, ratio) <= 0.5 + 1e-6
    outer.close()


def report_screen():
    """Print how far off cells on the screen of this process are, its ratio, and the width of the
    cursor.
    """
    app = QApplication([])
    outer, _canvas, plot = shown_plot(chessboard)
    ratio = outer.devicePixelRatioF()
    print(json.dumps([ratio, off_by(pixels(outer.grab().toImage()), plot, ratio)]))
    outer.close()
    app.processEvents()


@pytest.mark.parametrize("ratio", [1.25, 1.5, 2.0])
def test_cells_on_a_screen_lie_on_the_nearest_device_pixels(ratio):
    script = "from tests.widgets.test_device_pixels import report_screen; report_screen()"
    screen = {"QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": str(ratio)}
    done = run_program(ROOT, program=("-c", script), **screen)
    assert done.returncode == 0, done.stderr
    found, off = json.loads(done.stdout)
    assert found == ratio
    assert off <= 0.5 + 1e-6


@pytest.mark.parametrize("ratio", RATIOS)
def test_a_colour_bar_has_its_colours_where_its_axis_has_their_numbers(qapp, ratio):
    outer, _canvas, plot = shown_plot(chessboard)
    down = edges(plot.bar.axis, 1, ratio)
    strip = (plot.bar.mapToScene(6.0, 0.0).x() + 6 + PLACE[0]) * ratio  # in the middle of it
    shades = drawn(outer, ratio)[:, int(strip), 2]  # red, as in the table below
    middles = np.arange(int(np.ceil(down[0])) + 1, int(down[1]) - 1) + 0.5
    greys = maps.table("grey", 255)[:, 0].astype(int)
    brightest, darkest = (
        greys[((down[1] - middles - off) / (down[1] - down[0]) * 255).clip(0, 254).astype(int)]
        for off in (-1, 1)
    )
    found = shades[middles.astype(int)]
    assert (found <= brightest).all()
    assert (found >= darkest).all()
    outer.close()


# -- lines ---------------------------------------------------------------------------------------


def runs(line):
    """Return the lengths of the runs of True."""
    changes = np.flatnonzero(np.diff(np.r_[False, line, False].astype(int)))
    return (changes[1::2] - changes[::2]).tolist()


def lined():
    plot = RangePlot(ValueAxis("left"), RangeAxis("bottom", "position"), down=False)
    plot.set_range(100, 2.0, bottom=-1.0)
    plot.set_cursor(40.0, None)
    return plot


@pytest.mark.parametrize("ratio", RATIOS)
def test_ticks_frame_and_cursor_are_as_wide_as_the_picture_is_large(qapp, ratio):
    outer, _canvas, plot = shown_plot(lined)
    plot.dress(palette_of("light"), ratio)
    found, width = drawn(outer, ratio), max(1, round(ratio))
    inked = (found < 250).any(axis=2)
    across, down = edges(plot.bottom, 100, ratio), edges(plot.left, 1, ratio)
    below = inked[int(down[1] + 2.5 * ratio), int(across[0]) - 2 : int(across[-1]) + 3]
    ticks = runs(below)
    assert len(ticks) > 3
    assert set(ticks) == {width}
    column = inked[int(down[0] - 4 * ratio) : int((down[0] + down[1]) / 2), int(across[60])]
    assert runs(column) == [width]  # the frame above
    dark = (found < 60).all(axis=2)[
        int(down[0]) + 3 : int(down[1]) - 3, int(across[39]) : int(across[43])
    ]
    assert {tuple(runs(row)) for row in dark} == {(), (width,)}
    outer.close()


def curved(x, y):
    from pe_explorer.widgets.curve import CurveItem

    plot, curve = lined(), CurveItem()
    plot.set_cursor(None, None)
    curve.setPen(colours(palette_of("light")).accent)
    curve.setData(x, y)
    plot.add(curve)
    return plot


def ink(found):
    """Return how much of each pixel is covered by the accent colour."""
    accent = int(colours(palette_of("light")).accent[1:3], 16)
    return (255 - found[:, :, 2]) / (255 - accent)


@pytest.mark.parametrize("ratio", RATIOS)
def test_a_level_curve_is_as_thick_as_the_picture_is_large(qapp, ratio):
    outer, _canvas, plot = shown_plot(lambda: curved(np.arange(100.0), np.full(100, 0.3)))
    across, down = edges(plot.bottom, 100, ratio), edges(plot.left, 1, ratio)
    inside = ink(drawn(outer, ratio))[
        int(down[0]) + 8 : int(down[1]) - 8, int(across[3]) : int(across[97])
    ]
    np.testing.assert_allclose(
        inside.sum(axis=0), max(1.0, ratio), rtol=0.03 if ratio > 1 else 0.25
    )  # of one pixel: Qt's own
    middle = (inside * (np.arange(len(inside))[:, None] + int(down[0]) + 8.5)).sum(
        axis=0
    ) / inside.sum(axis=0)
    np.testing.assert_allclose(middle, down[0] + (down[1] - down[0]) * 0.35, atol=0.6)
    outer.close()


@pytest.mark.parametrize("ratio", [1.5, 2.0, 4.0])
def test_a_steep_curve_is_as_thick_and_peaks_are_whole(qapp, ratio):
    y = np.where(np.arange(100) % 20 == 10, 0.8, -0.8)
    outer, _canvas, plot = shown_plot(lambda: curved(np.arange(100.0), y))
    across, down = edges(plot.bottom, 100, ratio), edges(plot.left, 1, ratio)
    found = ink(drawn(outer, ratio))
    row = found[int((down[0] + down[1]) / 2), int(across[3]) : int(across[97])]
    assert row.sum() == pytest.approx(10 * ratio, rel=0.1)  # five peaks, up and down
    inked = np.flatnonzero((found[:, int(across[3]) : int(across[97])] > 0.5).any(axis=1))
    inked = inked[(inked > down[0] + 8) & (inked < down[1] - 8)]
    top, bottom = (down[0] + (down[1] - down[0]) * part for part in (0.1, 0.9))
    assert abs(inked[0] + ratio / 2 - top) <= ratio
    assert abs(inked[-1] + 1 - ratio / 2 - bottom) <= 1.0
    outer.close()


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_curve_has_gaps_where_it_has_no_numbers(qapp, ratio):
    y = np.full(100, 0.3)
    y[40:60] = np.nan
    y[20] = np.inf
    outer, _canvas, plot = shown_plot(lambda: curved(np.arange(100.0), y))
    across, down = edges(plot.bottom, 100, ratio), edges(plot.left, 1, ratio)
    inked = (ink(drawn(outer, ratio))[int(down[0]) + 8 : int(down[1]) - 8] > 0.5).any(axis=0)
    for cell, there in ((10, True), (20, False), (30, True), (41, False), (58, False), (70, True)):
        assert inked[int((across[cell] + across[cell + 1]) / 2)] == there, cell
    outer.close()


def test_a_curve_is_seen_at_once_where_the_range_changes(qapp):
    outer, _canvas, plot = shown_plot(lambda: curved(np.arange(100.0), np.full(100, 0.3)))
    drawn(outer, 2.0)
    plot.set_range(100, 2000.0, bottom=1000.0)
    next(item for item in plot.box.allChildren() if isinstance(item, pg.PlotCurveItem)).setData(
        np.arange(100.0), np.full(100, 2500.0)
    )
    across, down = edges(plot.bottom, 100, 2.0), edges(plot.left, 1, 2.0)
    inside = ink(drawn(outer, 2.0))[
        int(down[0]) + 8 : int(down[1]) - 8, int(across[5]) : int(across[97])
    ]
    np.testing.assert_allclose(inside.sum(axis=0), 2.0, rtol=0.03)
    outer.close()


@pytest.mark.parametrize(
    "y", [np.full(100, np.nan), np.full(100, 5.0), np.full(100, 1e300), np.full(100, -1e300)]
)
def test_a_curve_that_is_not_in_sight_takes_no_room(qapp, y):
    outer, _canvas, plot = shown_plot(lambda: curved(np.arange(100.0), y))
    across, down = edges(plot.bottom, 100, 2.0), edges(plot.left, 1, 2.0)
    assert (
        ink(drawn(outer, 2.0))[
            int(down[0]) + 8 : int(down[1]) - 8, int(across[3]) : int(across[97])
        ].max()
        < 0.01
    )
    outer.close()

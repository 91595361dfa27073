"""What stands in plots and beside them: axes, a colour bar, numbers in cells, lines, points."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QColor, QFont, QFontMetricsF

from pe_explorer.colours import maps
from pe_explorer.pictures.figure import Cells, Rectangle
from pe_explorer.pictures.trail import Trail
from pe_explorer.widgets.axes import RangeAxis, ValueAxis
from pe_explorer.widgets.hatching import Hatching, Shading
from pe_explorer.widgets.plot import ImagePlot, RangePlot
from pe_explorer.widgets.theme import colours, palette_of
from pe_explorer.widgets.trail import TrailPlot
from tests.support.gestures import settle

RED, GREEN = "#ff0000", "#00ff00"
RECT = QRectF(10, 20, 50, 60)


def plain(width=100, height=100):
    """Return an empty plot of so many cells."""
    plot = RangePlot(ValueAxis("left"), RangeAxis("bottom", "position"))
    plot.set_range(width, height)
    return plot


def near(image, colour, off=40):
    """Return which pixels have a colour; channels are blue, green and red."""
    return (np.abs(image - np.array(QColor(colour).getRgb()[2::-1])) < off).all(axis=-1)


# -- axes ------------------------------------------------------------------------------------------


@pytest.mark.sampled(19)
@pytest.mark.parametrize(
    ("change", "back"),
    [
        (lambda p: p.bottom.set_origin(700, 100), lambda p: p.bottom.set_origin(0, 100)),
        (lambda p: p.bottom.set_names(("a", "b") * 50), lambda p: p.bottom.set_names(())),
        (lambda p: p.bottom.set_title("offset"), lambda p: p.bottom.set_title("position")),
        (lambda p: p.bottom.show_title(False), lambda p: p.bottom.show_title(True)),
        (lambda p: p.bottom.show_ticks_alone(True), lambda p: p.bottom.show_ticks_alone(False)),
        (lambda p: p.show_numbers(False), lambda p: p.show_numbers(True)),
        (lambda p: p.left.count_in_powers(True), lambda p: p.left.count_in_powers(False)),
        (lambda p: p.left.set_title("angle", "°"), lambda p: p.left.set_title("value")),
        (lambda p: p.count_down(True), lambda p: p.count_down(False)),
        (lambda p: p.set_cursor(20, 30), lambda p: p.set_cursor(None, None)),
        (lambda p: p.set_preview(20, None), lambda p: p.set_preview(None, None)),
        (lambda p: p.set_range(90, 100), lambda p: p.set_range(100, 100)),
        (lambda p: p.dress(palette_of("dark"), 1.0), lambda p: p.dress(palette_of("light"), 1.0)),
        (lambda p: p.badge.show_text("mean of 2"), lambda p: p.badge.show_text("")),
        (lambda p: p.badge.show_text("mean of 2"), lambda p: p.badge.show_text("mean of 3")),
        (lambda p: p.hatching.show_rects([RECT]), lambda p: p.hatching.show_rects([])),
        (lambda p: p.hatching.dress(RED), lambda p: p.hatching.dress(GREEN)),
        (lambda p: p.show_heading("a pin"), lambda p: p.show_heading("")),
        (lambda p: p.show_heading("a pin"), lambda p: p.show_heading("a pen")),
    ],
)
def test_each_change_is_seen_at_once_and_can_be_taken_back(scene, change, back):
    plot = plain()
    assert (plot.upright.movable, plot.upright.isVisible()) == (False, False)
    plot.left.set_title("value")
    plot.dress(palette_of("light"), 1.0)
    plot.hatching.show_rects([RECT])
    one = scene(plot)
    seen = []
    for act in (back, change, change, back):
        one.canvas.painted = 0
        act(plot)
        settle()
        assert one.canvas.painted or act is not change or len(seen) == 2
        seen.append(one.drawn(1.0)[0])
    assert (seen[0] == seen[3]).all()
    assert (seen[1] == seen[2]).all()
    assert (seen[0] != seen[1]).any()


@pytest.mark.parametrize("titled", [True, False])
@pytest.mark.parametrize("names", [(), ("a", "a long name of a word", "b")])
def test_an_upright_axis_is_as_wide_as_its_numbers_or_names_need(qapp, titled, names):
    axis, level = RangeAxis("left", "position"), RangeAxis("bottom", "position")
    metrics, widths = QFontMetricsF(axis.label.font()), []
    for each in (axis, level):
        each.show_title(titled)
        each.set_names(names)
    for count in (10, 10_000, 9_999_999):  # 0, 5 and 9 characters
        axis.set_origin(0, count)
        level.set_origin(0, count)
        widths.append(axis.maximumWidth() - (34 if titled else 12))
    if names:
        assert widths == [pytest.approx(metrics.horizontalAdvance(names[1]), abs=1)] * 3
        assert axis.tickStrings([-1.0, 0.0, 2.0, 3.0], 1.0, 1) == ["", "a", "b", ""]
        ((_, ticks),) = axis.tickValues(-0.5, 2.5, 51)
        assert ticks == [0, 1, 2]
        ((_, ticks),) = axis.tickValues(-0.5, 2.5, 33)
        assert ticks == [0, 2]
        ((_, ticks),) = level.tickValues(-0.5, 2.5, 3 * widths[0] + 31)
        assert ticks == [0, 1, 2]
        ((_, ticks),) = level.tickValues(-0.5, 2.5, 3 * widths[0] + 27)
        assert ticks == [0, 2]
    else:
        assert widths == [32, 8 * len("10,000"), 8 * len("9,999,999")]
    assert axis.labelText == ("position" if titled else "")
    assert level.maximumWidth() > 1000  # it takes what the plot has


# -- a colour bar ----------------------------------------------------------------------------------


def image_plot(rows=20, columns=20):
    plot = ImagePlot(RangeAxis("left", "position"), RangeAxis("bottom", "dimension"))
    plot.set_range(columns, rows)
    indices = (np.arange(rows * columns) % 255).astype(np.uint8).reshape(rows, columns)
    plot.show_image(indices, QRectF(-0.5, -0.5, columns, rows), "grey", (0.0, 1.0))
    return plot, indices


@pytest.mark.parametrize("heading", ["", "a pin"])
def test_a_colour_bar_is_beside_the_image_or_below_where_the_square_is_larger(scene, heading):
    plot, indices = image_plot()
    one, rooms = scene(plot), {False: QSizeF(800, 400), True: QSizeF(400, 800)}
    plot.dress(palette_of("light"), 1.0)
    plot.show_heading(heading)
    plot.grid.setContentsMargins(0, 0, 0, 0)
    for below in (False, True, True, False):
        plot.place_bar(rooms[below])
        settle()
        around = plot.size() - plot.box.size()
        assert plot.around == around
        sides = rooms[below] - around
        assert plot.square_in(rooms[below]) == min(sides.width(), sides.height())
        bar, box = plot.bar.geometry(), plot.box.geometry()
        if below:
            assert bar.top() == pytest.approx(plot.bottom.geometry().bottom())
            assert (bar.left(), bar.right()) == (box.left(), box.right())
        else:
            assert (bar.top(), bar.bottom()) == (box.top(), box.bottom())
            assert bar.left() == box.right()
        found, across, down = one.drawn(1.0)
        if below:
            strip = found[round(down[-1]) + 40 :, round(across[0]) + 2 : round(across[-1]) - 2]
            ramps = (np.diff(strip[..., 0], axis=1) >= 0).all(axis=1)
        else:
            strip = found[round(down[0]) + 2 : round(down[-1]) - 2, round(across[-1]) + 3 :]
            ramps = (np.diff(strip[..., 0], axis=0) <= 0).all(axis=0)
        ends = np.ptp(strip[..., 0], axis=1 if below else 0) > 240
        assert (ramps & ends).sum() == 12
    plot.show_bar(False)
    settle()
    assert not plot.bar.isVisible()
    assert plot.around == plot.size() - plot.box.size()
    assert plot.around.width() == plot.left.maximumWidth() + 10
    plot.place_bar(rooms[True])
    assert plot.bar.axis.orientation == "right"  # where both leave as much, it stays beside
    plot.show_bar(True)
    plot.show_nothing()
    assert (plot.image.isVisible(), plot.bar.isVisible()) == (False, False)
    plot.show_image(indices, QRectF(-0.5, -0.5, 20, 20), "grey", (0.0, 1.0))
    assert (plot.image.isVisible(), plot.bar.isVisible()) == (True, True)
    settle()
    assert (one.drawn(1.0)[0] == found).all()
    plot.bar.set_title("distance", "°")
    assert plot.bar.axis.labelText == "distance (°)"


# -- numbers in cells ------------------------------------------------------------------------------


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_numbers_stand_in_cells_that_have_room_for_the_widest(scene, ratio):
    plot, _ = image_plot()
    one, font = scene(plot), QFont(plot.font())
    font.setPixelSize(round(11 * ratio))
    metrics = QFontMetricsF(font)
    across = int(plot.box.width() * ratio / (metrics.horizontalAdvance("−0.00") + 4 * ratio))
    down = int(plot.box.height() * ratio / metrics.height())
    for rows, columns in ((2, 3), (3, across), (3, across + 1), (down, 2), (down + 1, 2)):
        plot.set_range(columns, rows)
        place = -0.5, -0.5, columns, rows
        indices = np.full((rows, columns), 254, dtype=np.uint8)
        indices[:, ::2] = 0
        values = np.full((rows, columns), -0.5)
        values[0, 0] = np.nan
        plot.show_image(indices, QRectF(*place), "grey", (0.0, 1.0))
        plot.numbers.show_numbers(None)
        without = one.drawn(ratio)[0]
        cells = Cells(values, indices, Rectangle(*place), "grey", (0.0, 1.0), "value")
        plot.numbers.show_numbers(cells)
        found, right, lower = one.drawn(ratio)
        changed = (found != without).any(axis=-1)
        has_room = columns <= across and rows <= down
        wide_enough = [(0, 0)] if columns < across else []  # or its neighbour reaches into it
        for row, column in (*wide_enough, (0, 1), (1, 0), (rows - 1, columns - 1)):
            left, top = round(right[0]), round(lower[0])
            wide, high = (right[-1] - left) / columns, (lower[-1] - top) / rows
            cell = np.s_[
                round(top + row * high) + 1 : round(top + (row + 1) * high) - 1,
                round(left + column * wide) + 1 : round(left + (column + 1) * wide) - 1,
            ]
            assert changed[cell].any() == (has_room and (row, column) != (0, 0))
            if changed[cell].any():
                inked = np.nonzero(changed[cell])
                middle = [(places.min() + places.max() + 1) / 2 for places in inked]
                assert middle == pytest.approx([high / 2 - 1, wide / 2 - 1], abs=2 * ratio)
                width = metrics.horizontalAdvance("−0.50")
                assert np.ptp(inked[1]) == pytest.approx(width, abs=3 * ratio)
                plot.set_cursor(column, row)  # whose dashes would be read as minus signs
                crossed = (one.drawn(ratio)[0] != found).any(axis=-1)[cell]
                middle, reach = round(middle[0]), round(4 * ratio)
                ink = np.s_[middle - reach : middle + reach, inked[1].min() : inked[1].max()]
                assert crossed.any()
                assert rows > 2 or not crossed[ink].any()
                plot.set_cursor(None, None)


# -- places that are set apart, and points ---------------------------------------------------------


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("kind", [Hatching, Shading])
def test_two_places_beside_each_other_are_set_apart_as_one_would_be(scene, ratio, kind):
    plot, item = plain(), kind()
    plot.add(item)
    item.dress(RED)
    one, seen = scene(plot), []
    whole = [RECT]
    parts = [QRectF(10, 20, 22, 60), QRectF(), QRectF(32, 20, 28, 60)]
    for rects in ((), whole, parts):
        item.show_rects(rects)
        assert item.boundingRect() == (whole[0] if rects else QRectF())
        found, across, down = one.drawn(ratio)
        seen.append(found)
    assert item.rects == (parts[0], parts[2])
    inked = (seen[1] != seen[0]).any(axis=-1)
    seam = across[0] + (across[-1] - across[0]) * 0.325
    off = (seen[1] != seen[2]).any(axis=-1)
    assert not off[:, : int(seam) - 2].any()
    assert not off[:, int(seam) + 3 :].any()
    rows, columns = np.nonzero(inked)
    width, (top, bottom) = across[-1] - across[0], (down[0], down[-1])
    ends = across[0] + width * 0.105, across[0] + width * 0.605
    assert (columns.min(), columns.max() + 1) == pytest.approx(ends, abs=1)
    ends = bottom - (bottom - top) * 0.805, bottom - (bottom - top) * 0.205
    assert (rows.min(), rows.max() + 1) == pytest.approx(ends, abs=1)
    middle = inked[(rows.min() + rows.max()) // 2, columns.min() : columns.max()]
    if kind is Shading:
        assert middle.all()
        assert near(seen[1], RED, 1).sum() == inked.sum()
        return
    starts = np.flatnonzero(np.diff(middle.astype(int)) > 0)
    assert np.diff(starts) == pytest.approx(7 * ratio, abs=1)
    assert np.mean(np.diff(starts)) == pytest.approx(7 * ratio, rel=0.03)
    higher = inked[(rows.min() + rows.max()) // 2 - 2, columns.min() : columns.max()]
    assert (middle[:-2] == higher[2:]).mean() > 0.95  # lines rise to the right


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_points_have_the_colours_of_their_order_and_two_of_them_rings(scene, ratio):
    plot = TrailPlot(ValueAxis("left"), ValueAxis("bottom"))
    plot.set_range(10.0, 10.0, 0.0, 0.0)
    x, y = np.array([1.0, 9.0, 9.0, 1.0]), np.array([2.0, 2.0, 8.0, 8.0])
    trail = Trail(x, y, range(4), ("position", 5, 4))
    plot.show_trail(trail, QRectF(0, 0, 10, 10))
    palette = palette_of("light")
    plot.dress(palette, ratio)
    one, order = scene(plot), maps.order_table(on_dark=False).astype(int)
    settle()
    found, across, down = one.drawn(ratio)
    wide, high = across[-1] - across[0], down[-1] - down[0]
    places = [(across[0] + wide * a / 10, down[-1] - high * b / 10) for a, b in zip(x, y)]  # noqa: B905
    table = order[np.rint(np.linspace(0, len(order) - 1, 4)).astype(int)]
    for (left, top), colour in zip(places, table, strict=True):
        disc = (np.abs(found[..., ::-1] - colour) < 40).all(axis=-1)
        reach = round(8 * ratio)
        part = disc[round(top) - reach : round(top) + reach, round(left) - reach :][:, : 2 * reach]
        assert part[reach - 1, reach - 1]
        area = np.pi * (trail.radius * ratio) ** 2
        assert area * 0.75 < part.sum() < area * 1.3 + 2 * reach * ratio
    for start, end in ((0, 1), (1, 2), (2, 3)):  # a line from each to the next, and no other
        a, b = (np.array(places[n]) for n in (start, end))
        row, column = np.rint((a + b) / 2).astype(int)[::-1]
        line = found[row - 3 : row + 4, column - 3 : column + 4]
        assert np.abs(line[..., ::-1] - table[start]).max(axis=-1).min() < 130
    closing = found[round((down[0] + down[-1]) / 2), round(places[0][0]) - 5 :][:10]
    assert (closing == closing[0]).all()
    plot.item.mark(1, 3)
    shades = colours(palette)
    ringed = (one.drawn(ratio)[0] != found).any(axis=-1)
    for place, colour in ((1, shades.cursor), (3, shades.muted)):
        left, top = (round(each) for each in places[place])
        reach = round(15 * ratio)
        part = np.s_[top - reach : top + reach, left - reach : left + reach]
        rows, columns = np.nonzero(ringed[part])
        wanted = 2 * (trail.radius + 3 + 0.8) * ratio
        for ends in (rows, columns):
            assert np.ptp(ends) + 1 == pytest.approx(wanted, abs=2)
            assert (ends.min() + ends.max() + 1) / 2 == pytest.approx(reach, abs=1)
        assert near(one.drawn(ratio)[0][part], colour, 60)[ringed[part]].mean() > 0.3
        assert not ringed[part][reach, reach]
    assert plot.item.marked == (1, 3)
    plot.release()
    plot.item.mark(None, None)
    assert (one.drawn(ratio)[0] == found).all()
    strip = found[round(down[0]) + 2 : round(down[-1]) - 2, round(across[-1]) + round(12 * ratio)]
    for shade, colour in zip(strip[[-1, 0], ::-1], order[[0, -1]], strict=True):
        assert shade == pytest.approx(colour, abs=6)
    axis = plot.order_bar.axis
    assert (axis.range, axis.labelText) == ([-0.5, 3.5], "position")
    assert axis.tickStrings([0, 3], 1.0, 1) == ["5", "8"]
    plot.make_room_for(("offset", 7, 3))
    assert (axis.range, axis.labelText) == ([-0.5, 2.5], "offset")
    plot.show_trail(None, QRectF(0, 0, 10, 10))
    assert (
        not (one.drawn(ratio)[0][:, : round(across[-1]) - 2, ::-1] == table[1]).all(axis=-1).any()
    )

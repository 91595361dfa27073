"""Each part of a small figure at its place on the page, worked out in font sizes."""

from itertools import pairwise
from math import ceil, floor, log10

import numpy as np
import pytest

from pe_explorer.colours.maps import find_dark_colours, make_order_table, table
from pe_explorer.colours.themes import LIGHT, PIN_SHADES
from pe_explorer.encodings import create
from pe_explorer.figures.layout import NoRoomError, areas, make_page
from pe_explorer.figures.page import Circle, Dots, PageImage, PageText, Polyline, TypesetText
from pe_explorer.figures.style import Style
from pe_explorer.pictures.figure import (
    Band,
    Cells,
    Curve,
    Figure,
    MarkLine,
    Note,
    Panel,
    PanelAxis,
    Rectangle,
    make_whole_axis,
)
from pe_explorer.pictures.pixels import compute_colour_indices
from pe_explorer.pictures.table import Detail, TextTable
from pe_explorer.pictures.trail import Trail
from tests.figures.pages import known_panel
from tests.support.figures import (
    STYLE,
    areas_of,
    check_texts as check_page,
    items_of,
    measure,
    options_of,
    page_with,
    sized,
)

EM = 8.0  # points: the size of texts
MARGIN = 0.4 * EM
TICK, BESIDE = 0.35 * EM, 0.65 * EM  # the length of a tick, and from the axis to its numbers
WIDTH, HEIGHT = 84 / 25.4 * 72, 60 / 25.4 * 72


def page_and_area(figure, style=STYLE, size="84x60mm"):
    """Return the page of one figure, and where its data go."""
    (places,) = areas([figure], style, *sized(size).in_points, measure)
    return make_page([figure], style, sized(size), measure), places


def width(text):
    return measure(text, EM)


def widest(texts):
    return max(map(width, texts))


def rules_of(page, points):
    """Return the ends of ticks, which have two points, or the corners of frames, which have 5."""
    found = []
    for line in items_of(page, Polyline):
        gaps = np.flatnonzero(np.isnan(line.points[:, 0]))
        found += np.split(line.points, gaps) if line.is_rule else []
    found = [line[np.isfinite(line[:, 0])] for line in found]
    return np.array([line for line in found if len(line) == points])


def corners(left, top, width, height):
    right, bottom = left + width, top + height
    return [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]


def texts_at(texts, xs, ys, anchor="middle", upward=False):
    """Return texts as `check_texts` has them, at places of which one may stand for all."""
    xs, ys = (np.broadcast_to(each, len(texts)) for each in (xs, ys))
    return [(text, x, y, anchor, upward) for text, x, y in zip(texts, xs, ys, strict=True)]


def check_texts(texts, wanted):
    """Check texts in any order, given as words, place, anchor and whether they run upwards."""
    found = sorted((it.text, it.x, it.y, it.anchor, it.is_upward) for it in texts)
    wanted = sorted(wanted)
    assert [(each[0], *each[3:]) for each in found] == [(each[0], *each[3:]) for each in wanted]
    places = [each[1:3] for each in wanted]
    np.testing.assert_allclose([each[1:3] for each in found], places, atol=1e-6)


def finest(axis, length, upright, most=9):
    """Return the multiples of 1, 2 or 5 times a power of ten that stand as close as they can.

    There is a line between those above each other, and a font size between those in a row.
    """
    steps = (digit * 10.0**power for power in range(-4, 6) for digit in (1, 2, 5))
    for step in steps:
        places = range(ceil(axis.low / step - 1e-9), floor(axis.high / step + 1e-9) + 1)
        if not 2 <= len(places) <= most or (axis.origin is not None and step < 1):
            continue
        texts = {f"{place * step:,.6g}".replace("-", "−"): place * step for place in places}
        pairs = pairwise(texts)
        apart = 2 * EM if upright else max(width(a) + width(b) for a, b in pairs) / 2 + EM
        if step / (axis.high - axis.low) * length >= apart:
            return texts
    raise AssertionError("there are none")


def column(axis, most=9):
    """Return the width kept for the numbers of an axis.

    They are those of an axis of 20 font sizes, so that the width changes rarely with the values.
    """
    texts = [*finest(axis, 20 * EM, True, most), *(["0.5"] if axis.origin is None else [])]
    return ceil(widest(texts) / (0.4 * EM)) * 0.4 * EM


AXES = [
    (make_whole_axis("position", 0, 50), PanelAxis("value", -1.0, 1.0), "84x60mm"),
    (
        make_whole_axis("position", 0, 12),
        PanelAxis("depth", 0.0, 30.0, is_downward=True),
        "60x40mm",
    ),
    (PanelAxis("across", 0.0, 7.3), PanelAxis("up", -120.0, 35.0), "150x40mm"),
    (make_whole_axis("position", 0, 5000), PanelAxis("value", 0.0, 0.04), "60x100mm"),
]


@pytest.mark.parametrize(("x", "y", "size"), AXES)
@pytest.mark.parametrize(("upward", "most"), [(False, 9), (True, 4)])
def test_numbers_and_titles_stand_beside_their_ticks(x, y, size, upward, most):
    line = Curve("", np.array([x.low, x.high]), np.array([y.low, y.high]))
    figure = Figure((Panel("only", x, y, curves=(line,)),))
    style = Style(upward=upward, grid=True, ticks=most if most < 9 else None)
    page, (area,) = page_and_area(figure, style, size)
    below, beside = finest(x, area.width, False, most), finest(y, area.height, True, most)
    across = [area.left + (n - x.low) / (x.high - x.low) * area.width for n in below.values()]
    down = [(n - y.low) / (y.high - y.low) * area.height for n in beside.values()]
    is_down = y.is_downward and not upward
    down = [area.top + each if is_down else area.bottom - each for each in down]
    middle = area.left + area.width / 2, area.top + area.height / 2
    base, end = area.bottom + BESIDE + 0.8 * EM, area.left - BESIDE
    edge = end - column(y, most) - 0.55 * EM
    wanted = texts_at(below, across, base) + texts_at([x.title], middle[0], base + 1.35 * EM)
    wanted += texts_at(beside, end, np.array(down) + 0.36 * EM, "end")
    wanted += texts_at([y.title], edge, middle[1], upward=True)
    check_texts(items_of(page, PageText), wanted)
    ticks = [[(at, area.bottom), (at, area.bottom + TICK)] for at in across]
    ticks += [[(area.left - TICK, at), (area.left, at)] for at in down]
    np.testing.assert_allclose(rules_of(page, 2), ticks)
    np.testing.assert_allclose(rules_of(page, 5), [corners(*area)])
    grid = [[(at, area.top), (at, area.bottom)] for at in across]
    grid += [[(area.left, at), (area.right, at)] for at in down]
    lines = [it for it in items_of(page, Polyline) if it.colour == LIGHT.line]
    np.testing.assert_allclose([it.points for it in lines], grid)
    assert {it.width for it in lines} == {0.075 * EM / 2}
    over = column(x, most) / 2 - 0.2 * EM  # as if a number were at each end
    before = max(area.left - edge + 0.95 * EM, over)
    assert (area.left, area.top) == pytest.approx((MARGIN + before, MARGIN + 0.5 * EM))
    assert page.width - area.right == pytest.approx(MARGIN + over)
    assert page.height - area.bottom == pytest.approx(MARGIN + 3.2 * EM)


def test_powers_names_and_numbers_far_from_0_stand_where_they_are():
    x = make_whole_axis("word", 0, 3, names=("she", "told", "him"))
    line = Curve("", np.arange(3.0), np.array([-2.0, 0, 2]))
    panel = Panel("only", x, PanelAxis("frequency", -3.0, 2.5, powers=True), curves=(line,))
    page, (area,) = page_and_area(Figure((panel,)))
    texts = {it.text: it for it in items_of(page, PageText)}
    for number, name in enumerate(x.names):
        assert texts[name].x == pytest.approx(area.left + (number + 0.5) / 3 * area.width)
    assert {"word", "frequency"} <= texts.keys()
    powers = [it for it in texts.values() if it.anchor == "end"]
    assert len(powers) == 6
    for it in powers:
        part = (log10(float(it.text)) + 3) / 5.5
        assert it.y == pytest.approx(area.bottom - part * area.height + 0.36 * EM)
    panel = panel._replace(x=make_whole_axis("position", 10**9, 40))
    page, (area,) = page_and_area(Figure((panel,)))
    texts = {it.text: it for it in items_of(page, PageText) if it.anchor == "middle"}
    assert texts["position − 10⁹"].x == pytest.approx(area.left + area.width / 2)
    for number in (10, 20, 30):
        at = area.left + (number + 0.5) / 40 * area.width
        assert texts[str(number)].x == pytest.approx(at)
    long = make_whole_axis("a long name of what is counted here in many words", 0, 10**8)
    page, _ = page_and_area(Figure((panel._replace(x=long),)))
    check_page(page)
    narrow = make_whole_axis("n", 123_456, 3)
    check_page(page_and_area(Figure((panel._replace(x=narrow),)), size="34x60mm")[0])
    raised = [it.text for it in items_of(page, PageText) if isinstance(it.text, TypesetText)]
    assert any("10^{6}" in text for text in raised)


# -- colours ---------------------------------------------------------------------------------------


def cells_panel(rows, columns, **fields):
    values = np.linspace(-3, 4, rows * columns).reshape(rows, columns)
    limits = (-2.0, 3.0)
    place = Rectangle(-0.5, -0.5, columns, rows)
    cells = Cells(
        values, compute_colour_indices(values, limits), place, "viridis", limits, "value", **fields
    )
    axes = (
        make_whole_axis("dimension", 0, columns),
        make_whole_axis("row", 0, rows, is_downward=True),
    )
    return Panel("cells", *axes, cells)


@pytest.mark.parametrize(("size", "is_above"), [("84x60mm", False), ("30x90mm", True)])
def test_a_colour_bar_has_its_numbers_beside_it_or_above_it_where_there_is_little_room(
    size, is_above
):
    page, (area,) = page_and_area(Figure((cells_panel(30, 20),)), STYLE, size)
    image, bar = items_of(page, PageImage)
    assert (image.place, image.clip) == (pytest.approx(area), area)
    colours = np.pad(table("viridis", 255), ((0, 0), (0, 1)), constant_values=255)
    np.testing.assert_array_equal(image.rgba[0, 0], colours[0])
    np.testing.assert_array_equal(image.rgba[-1, -1], colours[-1])
    length = area.width if is_above else area.height
    numbers = finest(PanelAxis("value", -2.0, 3.0), length, not is_above)
    parts = [(number + 2) / 5 for number in numbers.values()]
    texts = items_of(page, PageText)
    ticks = rules_of(page, 2)[-len(numbers) :]
    if is_above:
        texts = [it for it in texts if it.y < bar.place.top]
        top = area.top - 1.6 * EM
        assert bar.place == pytest.approx((area.left, top, area.width, EM))
        np.testing.assert_array_equal(bar.cells[0], colours)
        across = [area.left + part * area.width for part in parts]
        base, middle = top - BESIDE, area.left + area.width / 2
        wanted = texts_at(numbers, across, base) + texts_at(["value"], middle, base - 1.25 * EM)
        wanted_ticks = [[(x, top - TICK), (x, top)] for x in across]
        assert area.top == pytest.approx(MARGIN + 1.6 * EM + BESIDE + 2.25 * EM)
    else:
        texts = [it for it in texts if it.x > bar.place.right]
        left = area.right + 0.8 * EM
        assert bar.place == pytest.approx((left, area.top, EM, area.height))
        np.testing.assert_array_equal(bar.cells[:, 0], colours[::-1])
        down = [area.bottom - part * area.height for part in parts]
        base, middle = left + EM + BESIDE, area.top + area.height / 2
        wide = column(PanelAxis("value", -2.0, 3.0))
        wanted = texts_at(numbers, base, np.array(down) + 0.36 * EM, "start")
        wanted += texts_at(["value"], base + wide + 1.25 * EM, middle, upward=True)
        wanted_ticks = [[(left + EM, y), (left + EM + TICK, y)] for y in down]
        room = 1.8 * EM + BESIDE + wide + 1.5 * EM
        assert page.width - area.right == pytest.approx(MARGIN + room)
    check_texts(texts, wanted)
    np.testing.assert_allclose(ticks, wanted_ticks)
    assert any(np.allclose(frame, corners(*bar.place)) for frame in rules_of(page, 5))


@pytest.mark.parametrize("cursor", ["hide", "show"])
@pytest.mark.parametrize(("rows", "columns"), [(4, 5), (4, 7), (16, 2), (18, 2)])
def test_numbers_are_in_cells_that_have_room_for_them(rows, columns, cursor):
    panel = cells_panel(rows, columns, has_numbers=True)._replace(cursor=(1.0, 2.0))
    page, (area,) = page_and_area(Figure((panel,)), Style(cursor=cursor, upward=True))
    wide, high = area.width / columns, area.height / rows
    size = 0.8 * EM
    texts = [it for it in items_of(page, PageText) if it.size == pytest.approx(size)]
    has_space = wide >= measure("−0.00 ", size) and high >= 1.2 * size
    assert has_space == ((rows, columns) in ((4, 5), (16, 2)))
    assert len(texts) == rows * columns * has_space
    np.testing.assert_array_equal(items_of(page, PageImage)[0].cells, panel.cells.indices[::-1])
    lines = [it.points for it in items_of(page, Polyline) if it.dashes]
    assert len(lines) == (cursor == "show") * (1 if has_space else 2)
    if lines and has_space:  # a frame, because lines would cross the numbers
        place = area.left + wide, area.bottom - 3 * high, wide, high
        np.testing.assert_allclose(lines[0], corners(*place))
    cells = panel.cells
    for (row, column), it in zip(np.ndindex(rows, columns), texts, strict=False):
        x, y = area.left + (column + 0.5) * wide, area.bottom - (row + 0.5) * high
        assert it.text == f"{cells.values[row, column]:.2f}".replace("-", "−")
        assert (it.x, it.y, it.anchor) == (
            pytest.approx(x),
            pytest.approx(y + 0.36 * size),
            "middle",
        )
        index = cells.indices[row, column]
        assert it.colour == ("#ffffff" if find_dark_colours("viridis", 255)[index] else "#000000")


# -- in a panel ------------------------------------------------------------------------------------


def test_what_is_in_a_panel_is_drawn_where_its_numbers_say():
    panel = known_panel()
    page, (area,) = page_and_area(Figure((panel,)), Style(cursor="show", legend="none"))
    lines = [it for it in items_of(page, Polyline) if not it.is_rule]

    def at(x, y):
        return area.left + (x + 0.5) / 50 * area.width, area.bottom - (y + 2) / 6 * area.height

    def path(xs, ys):
        return np.array([at(x, y) for x, y in zip(xs, ys, strict=True)])

    green, _ = PIN_SHADES["green"]
    mine, ranges, _ = panel.curves
    band, (left, top), (right, bottom) = ranges.band, at(44.5, 4), at(49.5, -2)
    there = slice(20, None)
    around = [*path(mine.x[there], band.high[there]), *path(mine.x[there], band.low[there])[::-1]]
    dashed = (3.0, 2.0)
    wanted = [  # colour, width, dashes, fill, points; None for the lines of the hatching
        (
            LIGHT.raised_background,
            0.0,
            (),
            LIGHT.raised_background,
            corners(*at(-0.5, 4), 0.1 * area.width, area.height),
        ),
        ("", 0.0, (), "#d5e1d1", around),
        (LIGHT.line, 0.6, (), "", None),
        (LIGHT.reference, 0.6, dashed, "", path((10, 10), (4, -2))),
        (LIGHT.reference, 0.6, dashed, "", path((-0.5, 49.5), (1.5, 1.5))),
        (LIGHT.reference, 0.6, dashed, "", path((-0.5, 49.5), (3.5, 3.5))),
        (green, 0.75, (1.5, 2.25), "", path(mine.x, band.high)),
        (green, 0.75, (1.5, 2.25), "", path(mine.x, band.low)),
        (LIGHT.accent, 1.5, (), "", path(mine.x, mine.y)),
        ("#ffffff", 0.6, (), "", path((7, 7), (4, -2))),
        ("#ffffff", 0.6, (), "", path((-0.5, 49.5), (3, 3))),
        ("#000000", 0.6, dashed, "", path((7, 7), (4, -2))),
        ("#000000", 0.6, dashed, "", path((-0.5, 49.5), (3, 3))),
    ]
    found = [
        (it.colour, pytest.approx(it.width), pytest.approx(it.dashes), it.fill) for it in lines
    ]
    assert found == [each[:4] for each in wanted]
    for line, (*_, points) in zip(lines, wanted, strict=True):
        if points is not None:
            np.testing.assert_allclose(line.points, points, atol=1e-9)
            assert line.clip in (area, None)
    hatching = lines[2]
    assert hatching.clip == pytest.approx((left, top, right - left, bottom - top))
    one, two, gap = hatching.points.reshape(-1, 3, 2).transpose(1, 0, 2)
    assert np.isnan(gap).all()
    np.testing.assert_allclose(one.sum(axis=1), two.sum(axis=1))  # from below to the upper right
    np.testing.assert_allclose(np.diff(one.sum(axis=1)), 5)
    assert one.sum(axis=1)[0] <= left + top
    assert one.sum(axis=1)[-1] >= right + bottom
    assert set(one[:, 1].round(6)) == {round(top, 6)}
    assert set(two[:, 1].round(6)) == {round(bottom, 6)}
    (dot,) = items_of(page, Circle)
    assert (dot.x, dot.y, dot.radius, dot.fill) == (*map(pytest.approx, (*at(5, 1), 2.625)), green)
    texts = {it.text: it for it in items_of(page, PageText)}
    gap = 0.3 * EM
    for name, place in (
        ("half", (area.left + gap, at(0, 1.5)[1] - gap)),
        ("1: 12", (at(10, 0)[0] + gap, area.top + 1.2 * EM)),
    ):
        assert (texts[name].x, texts[name].y) == pytest.approx(place)
    whole = texts["whole"]  # at the left edge, it would touch the cursor
    assert at(7, 0)[0] + gap <= whole.x < at(10, 0)[0]
    assert whole.y == pytest.approx(at(0, 3.5)[1] + 1.1 * EM)


def test_the_ground_of_steps_is_below_the_first_curve_and_that_of_a_band_between_its_edges():
    gaps = np.array([np.nan, 4, 4, np.nan])
    steps = Curve("", np.arange(4.0), np.array([2.0, 2, 3, 3]), is_stepped=True)
    band = Curve("", np.arange(4.0), gaps, "green", band=Band(gaps, gaps + 1))
    axes = make_whole_axis("a", 0, 4), PanelAxis("b", 0.0, 5.0)
    page, (area,) = page_and_area(Figure((Panel("only", *axes, curves=(steps, band)),)))
    grounds = [it.points for it in items_of(page, Polyline) if it.fill]
    for points, wanted in zip(grounds, ((0.375, 0, 0.625, 0.2), (0, 0.4, 1, 1)), strict=True):
        ends = np.array([points.min(axis=0), points.max(axis=0)])
        np.testing.assert_allclose(((ends - area[:2]) / area[2:]).ravel(), wanted, atol=1e-9)


def test_what_a_mark_is_called_stands_on_no_cells():
    panel = cells_panel(4, 20)
    half = panel.cells._replace(place=Rectangle(-0.5, -0.5, 10.0, 4.0))
    places = {"1: 4": 4.5, "2: 9": 9.5, "3: 18": 18.9}
    marks = tuple(MarkLine(x, label, label) for label, x in places.items())
    page, (area,) = page_and_area(Figure((panel._replace(cells=half, marks=marks),)))
    named = [it for it in items_of(page, PageText) if ":" in it.text]
    named.sort(key=lambda it: it.x)
    assert [(it.text, it.anchor) for it in named] == [("2: 9", "start"), ("3: 18", "end")]
    assert named[0].x == pytest.approx(area.left + area.width / 2 + 0.3 * EM)
    assert named[1].x == pytest.approx(area.left + 19.4 / 20 * area.width - 0.3 * EM)


@pytest.mark.parametrize("ground", ["white", "dark"])
def test_points_in_a_square_are_joined_in_the_colours_of_their_order(ground):
    x, y = np.array([0.0, 1, 1, 0]), np.array([0.0, 0, 2, 2])
    axis, trail = PanelAxis("component", -1.0, 3.0), Trail(x, y, range(1, 9, 2), ("row", 10, 9), 2)
    figure = Figure((Panel("points", axis, axis, trail=trail),))
    page, (area,) = page_and_area(figure, Style(ground=ground, cursor="show"))
    left = MARGIN + 2.15 * EM + column(axis)
    right = MARGIN + 3.95 * EM + 1.6 * EM  # the column of a bar with two digits
    assert area.width == pytest.approx(area.height)
    assert area.height == pytest.approx(HEIGHT - 2 * MARGIN - 3.7 * EM)
    assert area.left - left == pytest.approx(WIDTH - right - area.right)
    places = np.column_stack([x + 1, 3 - y]) / 4 * area.width + area[:2]
    (dots,), (ring,) = items_of(page, Dots), items_of(page, Circle)
    np.testing.assert_allclose(dots.centres, places)
    colours = make_order_table(has_dark_background=ground == "dark")
    colours = colours[np.rint(np.array([1, 3, 5, 7]) / 8 * (len(colours) - 1)).astype(int)]
    np.testing.assert_array_equal(dots.colours, colours)
    lines = [it for it in items_of(page, Polyline) if it.clip == area]
    for line, colour, ends in zip(lines, colours, pairwise(places), strict=False):
        np.testing.assert_allclose(line.points, ends)
        assert (line.colour, line.width) == (f"#{colour.tobytes().hex()}", pytest.approx(0.9))
    assert len(lines) == 3
    assert (ring.x, ring.y) == pytest.approx(tuple(places[2]))
    assert (dots.radius, ring.radius) == pytest.approx((2.25, 2.25 + 2.5 * 0.75))


# -- names -----------------------------------------------------------------------------------------


def lines_in(colour, page):
    return [it for it in items_of(page, Polyline) if it.colour == colour]


@pytest.mark.parametrize("legend", ["below", "auto"])  # where there is no room inside
def test_a_legend_below_has_names_in_rows_each_beside_what_it_names(legend):
    names = ["mine", "ranges", "gone: no rows here", "training", "no rows", "least to greatest"]
    page, (area,) = page_and_area(Figure((known_panel(),)), Style(legend=legend))
    x, row, wanted = 0.0, 0, []
    for name in names:
        wide = 2.5 * EM + width(name)
        if x and x + wide > WIDTH - 2 * MARGIN:
            x, row = 0.0, row + 1
        wanted.append((name, MARGIN + x, row * 1.2 * EM))
        x += wide + EM
    top = HEIGHT - MARGIN - (row + 1) * 1.2 * EM
    assert row > 0
    assert area.bottom == pytest.approx(top - 3.5 * EM)
    texts = [it for it in items_of(page, PageText) if it.y > top]
    lines = [it for it in items_of(page, Polyline) if np.nanmin(it.points[:, 1]) > top]
    starts = np.array([(x + 2.5 * EM, top + y + 0.9 * EM) for _, x, y in wanted]).T
    check_texts(texts, texts_at(names, *starts, "start"))
    assert [it.source.key for it in texts] == ["mine", "ranges", "gone", *names[3:]]
    middles = [(x, top + y + 0.54 * EM) for _, x, y in wanted]
    strokes = [it for it in lines if len(it.points) == 2]
    assert [(it.width, len(it.dashes)) for it in strokes] == [(1.5, 0), (1.5, 2)]
    for it, (x, y) in zip(strokes, middles, strict=False):
        np.testing.assert_allclose(it.points, [(x, y), (x + 2.2 * EM, y)])
    frames = [it for it in lines if it.is_rule and len(it.points) == 5]
    for it, (x, y) in zip(frames, middles[3:], strict=True):
        np.testing.assert_allclose(it.points, corners(x, y - 0.4 * EM, 2.2 * EM, 0.8 * EM))
    # A band has some of its curve's colour.
    assert [it.fill for it in frames] == [LIGHT.raised_background, "", "#bcd4e8"]


FLAT, RIGHT = np.zeros(50), np.arange(50) > 25
CORNERS = [  # heights of two curves, and the corner that they leave free
    (np.full(50, -0.9), np.full(50, -0.8), (1, 0)),
    (np.where(RIGHT, 0.9, -0.9), np.full(50, -0.8), (0, 0)),
    (np.full(50, 0.9), np.full(50, 0.8), (1, 1)),
    (np.full(50, 0.9), np.where(RIGHT, -0.9, np.nan), (0, 1)),
]


def two_curves(first=FLAT, second=FLAT, names=("", ""), **fields):
    x, y = make_whole_axis("position", 0, 50), PanelAxis("value", -1.0, 1.0)
    names = zip(names, (first, second), ("accent", "green"), strict=True)
    curves = [Curve(name, np.arange(50.0), heights, colour) for name, heights, colour in names]
    return Panel("curve", x, y, curves=tuple(curves), **fields)


@pytest.mark.parametrize(("first", "second", "corner"), CORNERS)
def test_a_legend_inside_is_in_the_first_of_the_emptiest_corners(first, second, corner):
    names = ("one", "the other")
    page, (area,) = page_and_area(
        Figure((two_curves(first, second, names),)), Style(legend="inside"), "120x60mm"
    )
    wide, high = 3.3 * EM + width(names[1]), 2.4 * EM + 0.8 * EM
    gap = 0.3 * EM
    left, top = (
        (low + gap, high_end - gap - size)[is_high]
        for low, high_end, size, is_high in zip(
            area[:2], (area.right, area.bottom), (wide, high), corner, strict=True
        )
    )
    (frame,) = lines_in(LIGHT.line, page)
    np.testing.assert_allclose(frame.points, corners(left, top, wide, high))
    assert (frame.fill, frame.is_rule) == ("#ffffff", True)
    bases = [top + 0.4 * EM + 0.9 * EM + row * 1.2 * EM for row in range(2)]
    check_texts(items_of(page, PageText)[-2:], texts_at(names, left + 2.9 * EM, bases, "start"))
    curve = two_curves(first).curves[0]
    many = two_curves()._replace(curves=[curve._replace(name=f"curve {n}") for n in range(6)])
    page, _ = page_and_area(Figure((many,)), Style(legend="inside"), "120x30mm")
    assert not lines_in(LIGHT.line, page)  # there is no room inside


@pytest.mark.parametrize("level", [-0.5, 0.5, 0.97])
def test_names_at_the_ends_of_curves_are_above_them_where_there_is_room(level):
    names = ("one", "other")
    page, (area,) = page_and_area(Figure((two_curves(np.full(50, level), FLAT, names),)))
    for it, name, y in zip(items_of(page, PageText)[-2:], names, (level, 0), strict=True):
        line = area.bottom - (y + 1) / 2 * area.height
        base = line - 4 - 0.3 * EM if y < 0.9 else line + 4 + 0.9 * EM
        assert (it.text, it.anchor) == (name, "start")
        assert (it.x, it.y) == pytest.approx((area.right - 0.3 * EM - width(name), base))
    colours = [it.colour for it in items_of(page, PageText)[-2:]]
    assert colours == [LIGHT.accent, PIN_SHADES["green"][0]]


@pytest.mark.parametrize("apart", [2.5, 3.5, 5.5])
def test_a_name_keeps_2_points_away_from_the_curve_below_it(apart):
    _, (area,) = page_and_area(Figure((two_curves(names=("one", "other")),)))
    upper = np.full(50, apart / area.height * 2)  # this many points above the other
    page, _ = page_and_area(Figure((two_curves(FLAT, upper, ("one", "other")),)))
    line = area.top + area.height / 2
    bases = [line + 4 + 0.9 * EM, line - apart - 4 - 0.3 * EM]
    assert [it.y for it in items_of(page, PageText)[-2:]] == pytest.approx(bases)


@pytest.mark.parametrize("kind", ["curve", "cells"])
@pytest.mark.parametrize("count", [50, 5000])
def test_areas_stay_where_they_are_when_values_change_or_what_a_pixel_shows(kind, count):
    """A title has room for what a pixel shows if there are more numbers than pixels."""
    found = set()
    for high, shown in ((0.7, ""), (0.91, "mean of 7 positions"), (1.3, "mean of 8 rows")):
        if kind == "curve":
            axes = make_whole_axis("position", 0, count), PanelAxis("value", -0.8, high)
            panel = two_curves(badge=shown)._replace(x=axes[0], y=axes[1])
        else:
            panel = cells_panel(4, count)
            cells = panel.cells._replace(limits=(-0.8, high))
            panel = panel._replace(badge=shown, cells=cells)
        page, areas = page_and_area(Figure((panel,)), size="60x50mm")
        lines = sorted((it.x, it.text) for it in items_of(page, PageText) if it.is_upward)
        assert (shown in " ".join(text for _, text in lines)) == (count == 5000 or not shown)
        found.add(areas)
    assert len(found) == 1


# -- sentences, tables and titles ------------------------------------------------------------------


def test_a_sentence_stands_in_an_empty_panel_and_above_another():
    sentence = "There are no numbers here, as nobody has worked any of them out."
    nothing = np.full(50, np.nan)
    note = Note(sentence)
    page, (area,) = page_and_area(Figure((two_curves(nothing, nothing),), note=note))
    lines = [it for it in items_of(page, PageText) if it.text in sentence]
    assert " ".join(it.text for it in lines) == sentence
    assert len(lines) > 1
    words = [it.text for it in lines]
    wide, high = widest(words) + 1.2 * EM, (len(lines) + 1) * 1.2 * EM
    middle = area.left + area.width / 2, area.top + area.height / 2
    left, top = middle[0] - wide / 2, middle[1] - high / 2
    (ground,) = lines_in(LIGHT.raised_background, page)
    np.testing.assert_allclose(ground.points, corners(left, top, wide, high))
    bases = [top + 1.55 * EM + row * 1.2 * EM for row in range(len(lines))]
    check_texts(lines, texts_at(words, middle[0], bases))
    assert wide <= 0.9 * area.width
    assert [it.text for it in items_of(page, PageText) if it not in lines] == ["position", "value"]
    assert len(rules_of(page, 2)) == 0  # numbers beside an empty panel mean nothing
    page, (area,) = page_and_area(Figure((two_curves(FLAT, nothing),), note=note))
    lines = [it for it in items_of(page, PageText) if it.colour == LIGHT.muted]
    assert " ".join(it.text for it in lines) == sentence
    for row, it in enumerate(lines):
        wanted = WIDTH / 2, MARGIN + 0.8 * EM + row * 1.2 * EM
        assert (it.x, it.y) == pytest.approx(wanted)
    assert area.top == pytest.approx(MARGIN + len(lines) * 1.2 * EM + 0.5 * EM)
    with pytest.raises(NoRoomError):
        page_and_area(Figure((), note=note), size="36x20mm")


def test_a_table_stands_below_its_panel_with_numbers_that_end_below_each_other():
    rows = (("first row", "1", "22"), ("second", "333", "4"))
    table = TextTable(("", "left", "right"), rows)
    page, (area,) = page_and_area(Figure((two_curves(),), table=table))
    wide = [width(it) + 1.5 * EM for it in table.titles[1:]]
    ends = MARGIN + width("first row") + np.cumsum(wide)
    top = HEIGHT - MARGIN - 4 * 1.2 * EM
    assert area.bottom == pytest.approx(top - 3.2 * EM)
    wanted = []
    for row, (name, *numbers) in enumerate((table.titles, *rows)):
        base = top + 2 * EM + row * 1.2 * EM
        wanted += [(name, MARGIN, base, "start", False)] * bool(name)
        wanted += [(text, x, base, "end", False) for text, x in zip(numbers, ends, strict=True)]
    check_texts(items_of(page, PageText)[-8:], wanted)


@pytest.mark.parametrize(("size", "has_space"), [("60x80mm", False), ("84x80mm", True)])
def test_a_table_is_in_words_where_they_have_room(size, has_space):
    short, words = "11:00", "eleven in the morning"
    details = ((Detail("It begins at eleven.", words=words),),)
    table = TextTable(("", "time"), (("the first of them", short),), details)
    page, _ = page_and_area(Figure((two_curves(),), table=table), size=size)
    room = page.width - 2 * MARGIN
    assert (width("the first of them") + 1.5 * EM + width(words) <= room) == has_space
    found = {it.text for it in items_of(page, PageText)}
    assert found & {short, words} == {words if has_space else short}


@pytest.mark.parametrize("size", ["60x80mm", "84x60mm", "84x80mm"])
def test_a_table_has_as_many_columns_as_have_room(size):
    titles = ("", *(f"column {n}" for n in range(1, 9)))
    table = TextTable(titles, (("row", *"12345678"), ("spare", *"12345678")), spare_row_count=1)
    panel = two_curves()._replace(y=PanelAxis("Euclidean distance from position 7", -1.0, 1.0))
    page, _ = page_and_area(Figure((panel,), table=table), size=size)
    room = page.width - 2 * MARGIN - width("row")
    shown = int(room // (width("column 1") + 1.5 * EM))
    words = [it.text for it in items_of(page, PageText)]
    assert [it for it in words if it in titles] == [*titles[1 : 1 + shown]]
    assert "Parts of tables are left out" in page.note
    assert ("row" in words, "spare" in words) == (True, False)
    assert "from position 7" not in words  # long titles are shortened before


def test_titles_of_bars_are_left_out_before_those_of_axes_and_the_page_says_so():
    kinds = []
    for width_in_mm in range(24, 60, 2):
        page, _ = page_and_area(Figure((cells_panel(30, 20),)), size=f"{width_in_mm}x30mm")
        words = {it.text for it in items_of(page, PageText)}
        kinds.append(({"row", "dimension"} <= words, "value" in words))
        said = ["itles of axes" not in page.note, "itles of colour bars" not in page.note]
        assert said == [*kinds[-1]]
    assert kinds == sorted(kinds)
    assert {*kinds} == {(False, False), (True, False), (True, True)}


def test_a_heading_is_above_its_panel_and_cut_where_it_has_no_room():
    one, other = "base 10,000", "a long name of an encoding, which has no room here"
    panels = [two_curves(heading=it) for it in (one, other)]
    page, (left, right) = page_and_area(Figure(tuple(panels), label="a view"), size="174x60mm")
    headings = [
        it for it in items_of(page, PageText) if it.source and it.source.key in (one, other)
    ]
    assert [it.text for it in headings][:1] == [one]
    cut = headings[1].text
    room = page.width - right.left
    assert cut.endswith("…")
    assert other.startswith(cut[:-1])
    assert width(cut) <= room < width(cut + "xx")
    for it, area in zip(headings, (left, right), strict=True):
        assert it.y == pytest.approx(area.top - 0.4 * EM)
    page, (alone,) = page_and_area(Figure((panels[0],)))
    (heading,) = (it for it in items_of(page, PageText) if it.text == one)
    assert (heading.x, heading.y) == pytest.approx((alone.left, alone.top - 0.4 * EM))
    assert heading.y >= 0.8 * EM, "on the page"


@pytest.mark.parametrize("share", [0.3, 0.6])
def test_the_second_of_two_panels_has_the_share_that_is_chosen(share):
    panels = two_curves(), two_curves()._replace(name="second", y=PanelAxis("value", 0.0, 1.0))
    figure = Figure(panels, share=share)
    page, (_, second) = page_and_area(figure, size="174x60mm")
    begin = second.left - BESIDE - column(panels[1].y) - 1.5 * EM
    room = page.width - 2 * MARGIN - EM
    assert page.width - MARGIN - begin == pytest.approx(share * room)
    page, (_, second) = page_and_area(figure, size="60x120mm")
    room = page.height - 2 * MARGIN - EM
    assert page.height - MARGIN - second.top + 0.5 * EM == pytest.approx(share * room)


@pytest.mark.parametrize("size", ["130x100mm", "174x120mm"])
def test_what_a_square_leaves_free_is_the_same_above_and_below(size):
    page, ((_, square),) = page_with("distances", size=size), areas_of("distances", size=size)
    above = square.top - MARGIN - 0.5 * EM
    assert page.height - MARGIN - 3.2 * EM - square.bottom == pytest.approx(above)
    assert above > 2 * EM


PLATES = [
    (2, "174x60mm", [2]), (2, "60x120mm", [1, 1]), (3, "174x120mm", [2, 1]),
    (3, "250x70mm", [3]), (4, "174x120mm", [2, 2]), (5, "174x120mm", [3, 2]),
]  # fmt: skip


def test_a_plate_without_room_is_refused_and_fewer_panes_are_offered():
    figures = [Figure((two_curves(),))] * 2
    with pytest.raises(NoRoomError, match=r"2 panes .*8.point.*fewer panes"):
        make_page(figures, STYLE, sized("20x20mm"), measure)


@pytest.mark.parametrize(("count", "size", "rows"), PLATES)
def test_figures_of_a_plate_are_as_large_as_they_can_be_in_rows_with_aligned_areas(
    count, size, rows
):
    figures = [Figure((two_curves(),))] * count
    width, height = sized(size).in_points
    style = Style(title="All")
    found = [place for (place,) in areas(figures, style, width, height, measure)]
    page = make_page(figures, style, sized(size), measure)
    titles = [it for it in items_of(page, PageText) if it.text == "All"]
    check_texts(titles, texts_at(["All"], width / 2, MARGIN + 0.8 * EM))
    letters = [it for it in items_of(page, PageText) if it.is_bold]
    assert [it.text for it in letters] == list("abcde"[:count])
    top, taken = MARGIN + 1.5 * EM, []
    for in_row in rows:
        row = found[len(taken) : len(taken) + in_row]
        for place, letter in zip(row, letters[len(taken) :], strict=False):
            assert place.top == pytest.approx(top + 1.7 * EM)
            assert place[2:] == pytest.approx(row[0][2:])
            assert letter.y == pytest.approx(top + 0.8 * EM)
            assert place.left - letter.x == pytest.approx(found[0].left - MARGIN)
        taken += row
        top = row[0].bottom + 4.2 * EM
        assert letters[len(taken) - in_row].x == pytest.approx(MARGIN)
        assert row[-1].right == pytest.approx(found[rows[0] - 1].right)
    assert top - EM == pytest.approx(height - MARGIN)
    assert len({round(place.height, 6) for place in found}) == 1


def test_areas_in_rows_are_equally_high_however_long_a_title_is():
    for letters in range(40, 54):
        axis = make_whole_axis("x" * (letters - 5) + " word", 0, 50)
        figures = [Figure((two_curves()._replace(x=axis),)), Figure((two_curves(),))]
        found = areas(figures, STYLE, *sized("84x120mm").in_points, measure)
        one, other = (area.height for (area,) in found)
        assert one == pytest.approx(other)


# -- clocks ----------------------------------------------------------------------------------------


def test_a_clock_has_room_where_it_is_four_font_sizes_high():
    style = Style(font_size=12.0, clocks=(0,))
    page_with("clocks", style=style, size="84x27mm")
    with pytest.raises(NoRoomError):
        page_with("clocks", style=style, size="84x26mm")
    for size in (f"{width}x60mm" for width in range(40, 120, 4)):
        page, ends = page_with("clocks", size=size, encoding=create("sinusoidal", dim=8)), {}
        for it in (it for it in items_of(page, PageText) if it.anchor == "middle"):
            assert it.x - width(it.text) / 2 >= ends.get(it.y, 0) + 0.6 * EM
            ends[it.y] = it.x + width(it.text) / 2


@pytest.mark.parametrize("direction", ["sin-cos", "cos-sin"])
def test_points_ticks_and_hands_of_clocks_are_at_their_angles(direction):
    options = options_of("clocks", direction=direction)
    fields = {"encoding": create("sinusoidal", dim=8), "count": 20, "position": 7, "dimension": 4}
    style = Style(cursor="show")
    page = page_with("clocks", style=style, **fields, **options)
    ((area,),) = areas_of("clocks", style=style, **fields, **options)
    rates = 10000.0 ** (-np.arange(4) / 4)

    def towards(angles):
        """Return steps across and down from the middle of a clock; 0 is above or to the right."""
        sines = (np.sin(angles), -np.cos(angles))
        return np.stack(sines if direction == "sin-cos" else (np.cos(angles), -sines[0]), axis=-1)

    circles, dots_of = items_of(page, Circle), items_of(page, Dots)
    rims, rings, hands = circles[:4], circles[4:], lines_in(LIGHT.cursor, page)
    quarters = [it for it in items_of(page, Polyline) if not it.is_rule]
    quarters = [it for it in quarters if np.isnan(it.points).any()]
    looks = [(it.colour, pytest.approx(it.width)) for it in quarters]
    assert looks == [(LIGHT.muted, 0.5625), (LIGHT.text, 0.9)]
    inner, outside = (it.points.reshape(4, -1, 3, 2) for it in quarters)
    labels = [it for it in items_of(page, PageText) if "λ" in it.text]
    turns = [it for it in items_of(page, PageText) if it.text.endswith(" turns")]
    colours = make_order_table(has_dark_background=False)[
        np.rint(np.arange(20) / 19 * 255).astype(int)
    ]
    parts = zip(rims, rings, dots_of, labels, turns, strict=True)
    for k, (rim, ring, dots, label, turn) in enumerate(parts):
        centre, radius, far = np.array(rim[:2]), rim.radius, dots.radius + 1.125
        assert (rim.colour, rim.width) == (LIGHT.muted, 0.5625)
        wanted = centre + radius * towards(np.arange(20) * rates[k])
        order = [int(np.hypot(*(wanted - it).T).argmin()) for it in dots.centres]
        assert sorted(order) == [*range(20)]
        np.testing.assert_allclose(dots.centres, wanted[order], atol=1e-4)
        np.testing.assert_array_equal(dots.colours, colours[order])
        hand = towards(7 * rates[k])
        end = centre + radius * hand
        assert ring == (*map(pytest.approx, (*end, far)), LIGHT.cursor, 0.75, "")
        np.testing.assert_allclose(hands[k].points, [centre, end - far * hand], atol=1e-9)
        assert hands[k].width == pytest.approx(0.9)
        outer = label.y - rim.y - 1.1 * EM
        assert label.text.startswith(f"pair {k} ")
        assert (label.x, label.anchor) == (rim.x, "middle")
        assert (turn.x, turn.y, turn.anchor) == (rim.x, pytest.approx(label.y + 1.2 * EM), "middle")
        made = float(turn.text.removesuffix(" turns"))  # rounded down
        assert 0 <= 7 * rates[k] / (2 * np.pi) - made < 0.01
        for quarter, line in enumerate((*outside[k], *inner[k])):
            reach = (0.88 * radius, radius) if quarter else (radius + dots.radius + 0.375, outer)
            ends = centre + np.outer(reach, towards(quarter * np.pi / 2))
            np.testing.assert_allclose(line[:2], ends, atol=1e-9)
    (frame,) = lines_in(LIGHT.accent, page)
    columns = len({round(rim.x, 3) for rim in rims})
    wide, high = area.width / columns, area.height / (4 // columns)
    left, top = area.left + 2 % columns * wide, area.top + 2 // columns * high
    half_a_pixel = 72 / 300 / 2
    np.testing.assert_allclose(frame.points, corners(left, top, wide, high), atol=half_a_pixel)
    assert (frame.fill, frame.width) == (LIGHT.raised_background, pytest.approx(0.9))
    bar = items_of(page, PageImage)[0].place
    place = area.right + 0.8 * EM, MARGIN + 0.5 * EM, EM, HEIGHT - 2 * MARGIN - EM
    assert bar == pytest.approx(place)
    assert (area.left, area.top, area.height) == (MARGIN, MARGIN, HEIGHT - 2 * MARGIN)

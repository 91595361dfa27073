"""What stands where on a page: data, axes, bars, legends, clocks and plates."""

from math import floor

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration import Pin
from pe_explorer.figures.layout import areas, make_page
from pe_explorer.figures.page import Circle, Dots, PageImage, PageText, Polyline
from pe_explorer.figures.style import Style
from pe_explorer.pictures.axis_numbers import make_range_title
from pe_explorer.pictures.distances import DistancesOptions
from pe_explorer.pictures.figure import Curve, Figure, Panel, PanelAxis, make_whole_axis
from pe_explorer.pictures.heatmap import HeatmapOptions
from tests.support.figures import (
    DENSITY,
    ONE_COLUMN,
    areas_of,
    box,
    check_texts,
    figures_of,
    items_of,
    measure,
    options_of,
    overlap,
    page_with,
    sized,
    words_of,
)
from tests.support.samples import sample

S = encodings.create
PIN = Pin(S("sinusoidal", base=500.0))
MATRIX = {"distances": DistancesOptions(part="matrix")}
ANGLE = {"heatmap": HeatmapOptions(quantity="angle")}
SIZES = ["84x60mm", "84x84mm", "84x120mm", "174x90mm", "13.333x7.5in"]
every_size = pytest.mark.parametrize("size", SIZES)


# -- cells ---------------------------------------------------------------------------------------


def test_cells_are_those_of_the_device_pixels_of_their_area():
    fields = {"start": 0, "count": 10**6}
    ((area,),) = areas_of("heatmap", **fields)
    image = items_of(page_with("heatmap", **fields), PageImage)[0]
    block = -(-(10**6) // round(area.height * DENSITY))
    across = round(area.width * DENSITY)
    assert across < 4 * 128  # so that columns are weighted by what pixels cover of them
    rows, columns = image.cells.shape
    assert rows == -(-(10**6) // block)
    assert across <= columns <= across + 1  # the edges may be within pixels
    assert image.clip == area
    assert image.place.top == area.top
    assert image.place.height / area.height == pytest.approx(rows * block / 10**6)


@pytest.mark.parametrize("width", range(81, 91, 2))
def test_cells_across_are_as_many_as_the_pixels_they_cover(width):
    """Their stripes are at least 1/150 inch wide, which print can show."""
    page = page_with("heatmap", size=f"{width}x60mm", encoding=S("sinusoidal", dim=512), count=9)
    image = items_of(page, PageImage)[0]
    ends = [floor(x * DENSITY + 0.500001) for x in (image.place.left, image.place.right)]
    assert image.cells.shape == (9, ends[1] - ends[0])
    first_row = image.cells[0].astype(int)  # all sines are 0, all cosines 1
    borders = np.flatnonzero(np.diff(first_row)) + 1
    assert len(set(first_row.tolist())) == 2
    assert set(np.diff(borders).tolist()) == {round(Style().dpi / 150)} == {2}


def test_limits_of_colours_are_those_that_are_chosen_but_not_of_angles():
    for low, high, view, options in ((-0.5, 0.25, "heatmap", {}), (0.0, 2.0, "distances", MATRIX)):
        style = Style(limits=(low, high))
        page = page_with(view, style=style, options=options)
        (figure,) = figures_of(view, options=options)
        image, bar = items_of(page, PageImage)[:2]
        part = np.clip((figure.panels[0].cells.values - low) / (high - low), 0, 1)
        np.testing.assert_allclose(image.cells, part * 254, atol=0.5001)
        assert len(bar.cells) == 255
    assert "−0.4" in words_of(page_with("heatmap", style=Style(limits=(-0.5, 0.25))))
    pages = [
        page_with("heatmap", style=Style(limits=each), options=ANGLE) for each in (None, (0, 1))
    ]
    own, other = (items_of(page, PageImage)[0].cells for page in pages)
    np.testing.assert_array_equal(own, other)
    assert {"270", "angle (°)"} <= set(words_of(pages[0]))


# -- areas ---------------------------------------------------------------------------------------


@every_size
def test_the_matrix_is_a_square_with_most_of_the_room(size):
    page, ((curve, matrix),) = page_with("distances", size=size), areas_of("distances", size=size)
    image, _ = items_of(page, PageImage)
    assert image.place.width == pytest.approx(image.place.height)
    assert matrix.width == pytest.approx(image.place.width)
    assert matrix.width > 0.4 * min(page.width, page.height)
    assert min(curve.width, curve.height) >= 36.0
    if curve.left + curve.width < matrix.left:  # beside each other: they end at the same height
        assert curve.top + curve.height == pytest.approx(matrix.top + matrix.height)
    else:
        assert curve.top + curve.height < matrix.top
        assert (curve.left, curve.width) == pytest.approx((matrix.left, matrix.width))
    assert not page_with("distances", size=size, start=10**9 + 3, count=5000).note
    alone = items_of(page_with("distances", size=size, options=MATRIX), PageImage)[0].place
    assert alone.width == pytest.approx(alone.height)


@pytest.mark.sampled(99)  # each takes a few milliseconds
@pytest.mark.parametrize("size", ["84x40mm", *SIZES])
@pytest.mark.parametrize(
    ("view", "options"),
    [
        ("heatmap", {"second": 1000}),
        ("shift", {"part": "tables"}),
        ("distances", {"part": "matrix", "show": "current pinned"}),
    ],
)
def test_areas_that_are_compared_are_equally_large_and_share_edges(view, options, size):
    ((one, other),) = areas_of(view, size=size, pins=(PIN,), **options_of(view, **options))
    assert (other.width, other.height) == pytest.approx((one.width, one.height), abs=0.01)
    if other.left > one.left + 1:
        assert other.top == pytest.approx(one.top, abs=0.01)
    else:
        assert other.left == pytest.approx(one.left, abs=0.01)
        assert other.top > one.top + one.height


def test_a_plate_has_letters_before_headings_and_says_why_a_view_has_no_picture():
    page = page_with("heatmap", "waves", size="174x120mm", pins=(PIN,), show="current pinned")
    letters = [text for text in items_of(page, PageText) if text.is_bold]
    assert [text.text for text in letters] == ["a", "b"]
    assert {"base 10,000", "base 500"} <= set(words_of(page))
    check_texts(page)
    page = page_with("heatmap", "clocks", encoding=S("alibi"), start=-49, count=50)
    with pytest.raises(EncodingError) as caught:
        figures_of("clocks", encoding=S("alibi"))
    assert caught.value.sentence in " ".join(words_of(page))
    check_texts(page)


def test_grounds():
    grounds = {"white": "#ffffff", "transparent": "", "dark": "#15171b"}
    for name, colour in grounds.items():
        assert page_with("heatmap", style=Style(ground=name)).ground == colour


# -- curves --------------------------------------------------------------------------------------


def test_a_long_curve_keeps_what_can_be_seen():
    rng = np.random.default_rng(5)
    y = np.sin(np.arange(10**6) / 30_000) + 0.01 * rng.normal(size=10**6)
    y[777_777] = 1.9
    y[400_000:500_000] = np.nan
    curve = Curve("noise", np.arange(10.0**6), y)
    panel = Panel(
        "curve", make_whole_axis("position", 0, 10**6), PanelAxis("y", -2.0, 2.0), None, (curve,)
    )
    figures = [Figure((panel,))]
    ((area,),) = areas(figures, Style(), *ONE_COLUMN.in_points, measure)
    page = make_page(figures, Style(), ONE_COLUMN, measure)
    (line,) = [line for line in items_of(page, Polyline) if len(line.points) > 100]
    assert len(line.points) < 20_000
    down = area.top + (2.0 - y) / 4.0 * area.height
    assert np.nanmin(line.points[:, 1]) == pytest.approx(np.nanmin(down))
    assert np.nanmax(line.points[:, 1]) == pytest.approx(np.nanmax(down))
    column = ((line.points[:, 0] - area.left) / area.width * 10**6).astype(int)
    blank = np.isnan(line.points[:, 1])
    assert set(column[blank] // 1000) == set(range(400, 500))
    assert (np.diff(line.points[:, 0]) >= 0).all()


STACKED = {
    "encoding": S("sinusoidal", dim=512, layout="concatenated", spacing="endpoint"),
    "count": 50,
    "reference": 20,
    "metric": "dot",
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("part", ["curve", "both"])
@pytest.mark.parametrize("size", ["84x60mm", "84x110mm", "174x60mm", "174x100mm"])
def test_two_curves_below_each_other_share_the_numbers_across(part, size):
    fields = {**STACKED, **options_of("distances", part=part, below="sse"), "size": size}
    ((upper, lower, *matrix),) = areas_of("distances", **fields)
    assert (upper.left, upper.width) == pytest.approx((lower.left, lower.width))
    assert upper.height == pytest.approx(lower.height)
    assert 0 < lower.top - upper.bottom < 16  # points: two lines of text
    assert min(upper.width, upper.height) >= 24
    assert [area.width > 40 for area in matrix] == [True] * (part == "both")
    page = page_with("distances", **fields)
    check_texts(page)
    level = [text for text in items_of(page, PageText) if not text.is_upward]
    assert [text.text for text in level].count("position") == 1 + len(matrix)
    between = [text for text in level if upper.bottom < text.y - text.size / 2 < lower.top]
    assert not [text for text in between if text.anchor == "middle"]


# -- words ---------------------------------------------------------------------------------------


RANGE_STARTS = {10**9: "10⁹", 10**12: "10¹²", 10**15 + 3: "10¹⁵", -(10**15): "10¹⁵"}


@pytest.mark.parametrize("start", RANGE_STARTS)
def test_numbers_of_equal_axes_are_exact_short_and_named_the_same(start):
    page = page_with("distances", start=start, count=512, reference=start)
    texts = [text.text for text in items_of(page, PageText) if not text.is_upward]
    titles = [text for text in texts if text.startswith("position")]
    assert len(titles) == 2
    assert len(set(titles)) == 1
    for labels in (True, False):  # without titles the numbers still tell what they are
        words = words_of(page_with("heatmap", style=Style(labels=labels), start=start, count=40))
        assert {"10", "20", "30"} <= set(words)
        sign = "−" if labels == (start > 0) else "+"
        assert f"{'position ' if labels else ''}{sign} {RANGE_STARTS[start]}" in words
        assert labels or not {"dimension", "value"} & set(words)


def test_a_title_of_a_far_range_is_exact_and_has_one_sign():
    exact = "9,007,199,254,740,992"
    assert make_range_title("position", -(2**53), "") == f"position + {exact}"
    assert make_range_title("position", 2**53, "") == f"position − {exact}"
    assert make_range_title("position", 10**15, " × 10^{6}") == "(position − 10¹⁵) × 10^{6}"
    assert make_range_title("", 10**15, " × 10^{6}") == "× 10^{6} + 10¹⁵"


@pytest.mark.parametrize(
    ("size", "pixels"),
    [("1600x900", 20), ("1920x1080", 24), ("3200x1800", 40), ("800x900", 32 / 3)],
)
def test_texts_are_20_pixels_in_1600_by_900_and_in_proportion(size, pixels):
    texts = items_of(page_with("waves", size=size), PageText)
    assert {round(text.size * 96 / 72, 6) for text in texts} == {round(pixels, 6)}
    chosen = items_of(page_with("waves", size=size, style=Style(font_size=9.0)), PageText)
    assert {text.size for text in chosen} == {9.0}


@pytest.mark.parametrize(
    "title",
    [
        "Where the encoding of a position is in the space of all encodings, and why",
        " ".join("abcdefghijklmnopqrstuvwxyz" * 3),  # whose lines can end nearly anywhere
    ],
)
def test_a_title_is_whole_above_all_and_within_the_margins(title):
    page = page_with("heatmap", style=Style(title=title))
    lines = [it for it in items_of(page, PageText) if it.text in title and len(it.text) > 9]
    assert " ".join(it.text for it in lines) == title == page.title
    for left, _, right, _ in map(box, lines):
        assert 3.2 <= left < right <= page.width - 3.2
    check_texts(page)


def test_a_sentence_covers_no_cells():
    """Neither flat ones that it explains, nor does a figure with nothing to show hide why."""
    page = page_with("heatmap", count=10**13)
    image = items_of(page, PageImage)[0].place
    place = image.left, image.top, image.left + image.width, image.top + image.height
    assert "many turns" in " ".join(words_of(page))
    assert not any(overlap(box(text), place) for text in items_of(page, PageText))
    empty = page_with("heatmap", encoding=sample("learned"), start=9000, count=50)
    assert "positions 0 to 2,999" in " ".join(words_of(empty))
    check_texts(page)
    check_texts(empty)


# -- clocks --------------------------------------------------------------------------------------


def clock_columns(page):
    """Return how many clocks are in each row of a page."""
    rims = items_of(page, Circle)
    heights = sorted({round(rim.y, 3) for rim in rims})
    return [sum(round(rim.y, 3) == height for rim in rims) for height in heights]


@pytest.mark.parametrize("columns", [1, 2, 3, 4, 5])
def test_clocks_are_in_as_many_columns_as_are_wanted(columns):
    options = options_of("clocks", columns=columns)
    page = page_with("clocks", **options)
    assert set(clock_columns(page)) == {columns}
    check_texts(page)
    chosen = page_with("clocks", **options, style=Style(clocks=(0, 5, 63)), size="two-columns")
    assert clock_columns(chosen)[0] == min(columns, 3)
    assert len(items_of(chosen, Dots)) == sum(clock_columns(chosen)) == 3
    assert [word.split()[1] for word in words_of(chosen) if "pair" in word] == ["0", "5", "63"]


def test_columns_that_have_no_room_are_named():
    page, usual = page_with("clocks", **options_of("clocks", columns=40)), page_with("clocks")
    assert clock_columns(page) == clock_columns(usual)
    found = clock_columns(page)[0]
    assert f"in {found} instead of 40 columns" in page.note


@pytest.mark.parametrize("size", ["84x40mm", "60x60mm", "174x60mm", "174x120mm"])
def test_clocks_computed_for_other_room_are_whole_and_apart(size):
    figures, (width, height) = figures_of("clocks", count=40), sized(size).in_points
    page = make_page(figures, Style(), sized(size), measure)
    ((area,),) = areas(figures, Style(), width, height, measure)
    rims, dots = items_of(page, Circle), items_of(page, Dots)
    for rim, points in zip(rims, dots, strict=True):
        reach = rim.radius + points.radius
        assert area.left <= rim.x - reach < rim.x + reach <= area.right
        assert area.top <= rim.y - reach < rim.y + reach <= area.bottom
        assert len(points.centres) == 40
        assert np.hypot(*(points.centres - (rim.x, rim.y)).T) == pytest.approx(rim.radius, rel=1e-5)
        assert all(np.hypot(rim.x - o.x, rim.y - o.y) > 2 * reach for o in rims if o is not rim)
    check_texts(page)


def test_of_many_points_those_on_top_are_drawn_mixed_as_on_the_screen():
    (figure,) = figures_of("clocks", count=10**6)
    page = make_page([figure], Style(), ONE_COLUMN, measure)
    face, circles = figure.clocks, items_of(page, Circle)
    for clock, dots in enumerate(items_of(page, Dots)):
        assert len(dots.centres) < 0.5 * len(face.order)
        circle = circles[clock]
        every = np.arctan2(face.y[:, clock], face.x[:, clock])
        across, down = (dots.centres - [circle.x, circle.y]).T
        drawn = np.sort(np.arctan2(down, across))
        gaps = abs(every[:, None] - np.concatenate([drawn, drawn + 2 * np.pi, drawn - 2 * np.pi]))
        assert gaps.min(axis=1).max() * circle.radius < 0.35 * dots.radius
        assert len(np.unique(dots.colours, axis=0)) > 100  # not those of the last turn only

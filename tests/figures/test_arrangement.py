"""How the parts of a figure stand to each other: panels of one view, marks, tables, and clocks."""

from itertools import pairwise

import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.exploration import Pin
from pe_explorer.figures.layout import areas, page_of
from pe_explorer.figures.page import Circle, Dots, PageImage, PageText, Polyline
from pe_explorer.figures.size import parse_figure_size
from pe_explorer.figures.style import Style
from pe_explorer.pictures.heatmap import HeatmapOptions
from tests.support.cases import for_each
from tests.support.figures import (
    ONE_COLUMN,
    box,
    check_texts,
    figures_of,
    items_of,
    measure,
    page_with,
    words_of,
)
from tests.support.samples import ROWS, sample

# -- panels of one view ----------------------------------------------------------------------------

TABLES = {
    "heatmap": {"heatmap": HeatmapOptions(second=1000)},
    "shift": {"shift": pictures.find("shift").Options(part="tables")},
}


@for_each("view", TABLES)
@for_each(
    "size", ["84x60mm", "84x84mm", "84x120mm", "120x120mm", "174x90mm", "174x60mm", "1600x900"]
)
def test_tables_of_one_view_are_equally_large_and_share_edges(view, size):
    size = parse_figure_size(size)
    page = page_with(view, options=TABLES[view], size=size)
    one, other = (item.clip for item in items_of(page, PageImage) if item.clip)
    assert other.width == pytest.approx(one.width, abs=0.01)
    assert other.height == pytest.approx(one.height, abs=0.01)
    if other.left > one.left + 1:
        assert other.top == pytest.approx(one.top, abs=0.01)
    else:
        assert other.left == pytest.approx(one.left, abs=0.01)
        assert other.top > one.top + one.height


@pytest.mark.parametrize("size", ["84x120mm", "60x120mm", "174x300mm"])
def test_a_curve_above_a_matrix_shares_its_edges(size):
    size = parse_figure_size(size)
    figures = figures_of("distances", size=size)
    ((curve, matrix),) = areas(figures, Style(), *size.in_points, measure)
    assert curve.top + curve.height < matrix.top
    assert curve.left == pytest.approx(matrix.left)
    assert curve.width == pytest.approx(matrix.width)


def test_a_curve_above_a_matrix_in_a_plate_shares_its_edges():
    size = parse_figure_size("174x90mm")
    figures = figures_of("heatmap", "distances", size=size)
    _, (curve, matrix) = areas(figures, Style(), *size.in_points, measure)
    assert curve.top + curve.height < matrix.top
    assert (curve.left, curve.width) == pytest.approx((matrix.left, matrix.width))


@pytest.mark.parametrize("size", ["174x90mm", "120x60mm", "84x120mm"])
def test_squares_that_are_compared_are_equally_large_and_share_edges(size):
    pin, size = Pin(encodings.create("sinusoidal", base=500.0)), parse_figure_size(size)
    shown = pictures.find("distances").Options(part="matrix", show="current pinned")
    figures = figures_of("distances", size=size, pins=(pin,), options={"distances": shown})
    ((one, other),) = areas(figures, Style(), *size.in_points, measure)
    assert (other.width, other.height) == pytest.approx((one.width, one.height), abs=0.01)
    assert other.left == pytest.approx(one.left) or other.top == pytest.approx(one.top)


def test_a_plate_has_bold_letters_also_before_headings():
    pin, size = Pin(encodings.create("sinusoidal", base=500.0)), parse_figure_size("174x120mm")
    page = page_with("heatmap", "waves", size=size, pins=(pin,), show="current pinned")
    letters = [text for text in items_of(page, PageText) if text.bold]
    assert [text.text for text in letters] == ["a", "b"]
    assert {"b = 10,000", "b = 500"} <= set(words_of(page))
    check_texts(page)


def test_no_curve_goes_through_the_name_of_a_level():
    pin = Pin(encodings.create("sinusoidal", dim=512))
    shown = pictures.find("frequencies").Options(quantity="wavelength", length=22_500)
    e = encodings.create("sinusoidal", dim=18)
    page = page_with("frequencies", encoding=e, pins=(pin,), options={"frequencies": shown})
    (name,) = (text for text in items_of(page, PageText) if text.text == "length 22,500")
    left, top, right, bottom = box(name)
    for line in items_of(page, Polyline):
        if not line.rule and not line.fill and len(line.points) > 2:
            for (x1, y1), (x2, y2) in pairwise(line.points):
                parts = np.linspace(0, 1, 50)
                x, y = x1 + parts * (x2 - x1), y1 + parts * (y2 - y1)
                assert not ((left < x) & (x < right) & (top < y) & (y < bottom)).any()


# -- marks, and what is left out first -------------------------------------------------------------


@for_each("count", [40, 50, 120, 500])
@for_each("size", ["84x60mm", "84x80mm", "174x90mm"])
def test_the_name_of_a_mark_is_beside_its_line_with_no_other_line_between(size, count):
    size = parse_figure_size(size)
    (figure,) = figures_of("properties", size=size, count=count)
    page = page_with("properties", size=size, count=count)
    dashed = [line for line in items_of(page, Polyline) if line.dashes == (3.0, 2.0)]
    lines = {mark.label: line.points[0, 0] for mark, line in marked(figure, dashed)}
    named = [text for text in items_of(page, PageText) if text.text in {*lines, *"12345"}]
    area = dashed[0].clip
    named = [text for text in named if text.y < area.bottom and area.left < text.x < area.right]
    assert named
    for text in named:
        own = next(at for label, at in lines.items() if label.startswith(text.text))
        left, _, right, _ = box(text)
        assert min(abs(left - own), abs(right - own)) < text.size
        reach = min(left, own), max(right, own)
        between = [at for at in lines.values() if at != own and reach[0] < at < reach[1]]
        assert len(between) <= (count > 50)  # where lines are hardly apart
    assert len({text.text[0] for text in named}) == len(named)


def marked(figure, dashed):
    """Return each mark with the line that is drawn for it."""
    (panel,) = figure.panels
    return zip(panel.marks, dashed, strict=True)


def test_names_of_marks_that_have_room_are_whole_and_off_the_curve():
    size = parse_figure_size("174x90mm")
    (figure,) = figures_of("properties", size=size)
    page = page_with("properties", size=size)
    words = words_of(page)
    assert figure.panels[0].marks
    curve = max(items_of(page, Polyline), key=lambda line: len(line.points)).points
    for mark in figure.panels[0].marks:
        assert mark.label in words
        (text,) = (text for text in items_of(page, PageText) if text.text == mark.label)
        left, top, right, bottom = box(text)
        inside = (left <= curve[:, 0]) & (curve[:, 0] <= right)
        assert not ((top <= curve[inside, 1]) & (curve[inside, 1] <= bottom)).any()


def titles_of(page):
    """Return the words of titles beside axes and bars, whichever lines they are in."""
    return sorted(" ".join(text.text for text in items_of(page, PageText) if text.upward).split())


def test_spare_rows_of_a_table_are_left_out_before_titles():
    small = page_with("properties", size=ONE_COLUMN)
    large = page_with("properties", size=parse_figure_size("120x120mm"))
    assert titles_of(small) == titles_of(large)
    assert "position" in words_of(small)
    assert "Linear shift" in words_of(small)
    assert "Look-alike 1" in words_of(large)
    assert "Look-alike 1" not in words_of(small)
    assert small.note.startswith("Parts of tables are left out")
    assert not large.note


def test_tables_are_left_out_before_titles_of_axes():
    page = page_with("context", size=ONE_COLUMN, encoding=encodings.create("rope"))
    assert {"pair", "turns"} <= set(words_of(page))
    assert "tables are left out" in page.note


def test_a_plate_has_all_rows_that_are_not_spare():
    size = parse_figure_size("84x120mm")
    page = page_with("tokens", "properties", "frequencies", size=size)
    assert {"Deterministic", "Unique positions", "Linear shift"} <= set(words_of(page))


@pytest.mark.parametrize("size", ["84x60mm", "100x60mm", "120x80mm", "174x90mm"])
def test_marks_are_all_named_in_full_or_all_in_short(size):
    figures = figures_of("properties", size=parse_figure_size(size))
    full = {mark.label for mark in figures[0].panels[0].marks}
    short = {label.split(":")[0] for label in full}
    found = set(words_of(page_with("properties", size=parse_figure_size(size))))
    assert full
    assert full <= found or (short <= found and not full & found)


def test_titles_without_room_are_said_to_be_left_out():
    page = page_with("heatmap", "clocks", "distances", size=ONE_COLUMN)
    assert not any("cosine" in text for text in words_of(page))
    assert page.note.startswith("Some titles of axes and some titles of colour bars are left out")


@pytest.mark.parametrize("width", range(70, 130, 6))
def test_no_line_ends_before_a_per_cent_sign_or_beside_an_equals_sign(width):
    pin = Pin(encodings.create("sinusoidal", base=500.0))
    size = parse_figure_size(f"{width}x60mm")
    pages = page_with("projection", size=size), page_with("frequencies", size=size, pins=(pin,))
    lines = [text for page in pages for text in words_of(page)]
    assert any("%" in line for line in lines)
    assert any("=" in line for line in lines)
    assert not [line for line in lines if line[0] in "%=" or line[-1] == "="]


# -- sizes in pixels -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "pixels"),
    [("1600x900", 20), ("1920x1080", 24), ("3200x1800", 40), ("800x900", 32 / 3)],
)
def test_texts_are_20_pixels_in_1600_by_900_and_in_proportion(size, pixels):
    page = page_with("waves", size=parse_figure_size(size))
    sizes = {round(text.size * 96 / 72, 6) for text in items_of(page, PageText)}
    assert min(sizes) == max(sizes) == pytest.approx(pixels)


def test_a_font_size_that_is_chosen_stays():
    for size in ("1600x900", "174x90mm"):
        page = page_with("waves", size=parse_figure_size(size), style=Style(font_size=9.0))
        assert {text.size for text in items_of(page, PageText)} == {9.0}
    assert {text.size for text in items_of(page_with("waves"), PageText)} == {8.0}


# -- columns of clocks -----------------------------------------------------------------------------


def clock_columns(page):
    """Return how many clocks are in each row of a page."""
    rims = items_of(page, Circle)
    heights = sorted({round(rim.y, 3) for rim in rims})
    return [sum(round(rim.y, 3) == height for rim in rims) for height in heights]


@pytest.mark.parametrize("size", ["84x60mm", "174x90mm", "120x120mm", "1600x900"])
def test_nine_clocks_are_three_by_three(size):
    e = encodings.create("sinusoidal", dim=18)
    options = {"clocks": pictures.find("clocks").Options(columns=3)}
    page = page_with("clocks", encoding=e, options=options, size=parse_figure_size(size))
    assert clock_columns(page) == [3, 3, 3]
    assert not page.note
    check_texts(page)


@pytest.mark.parametrize("columns", [1, 2, 3, 4, 5])
def test_clocks_are_in_as_many_columns_as_are_wanted(columns):
    options = {"clocks": pictures.find("clocks").Options(columns=columns)}
    page = page_with("clocks", options=options)
    rows = clock_columns(page)
    assert set(rows) == {columns}
    check_texts(page)
    chosen = page_with("clocks", options=options, style=Style(clocks=(0, 5, 63)))
    assert clock_columns(chosen)[0] == min(columns, 3)
    assert sum(clock_columns(chosen)) == 3


def test_columns_that_have_no_room_are_named():
    options = {"clocks": pictures.find("clocks").Options(columns=40)}
    page, usual = page_with("clocks", options=options), page_with("clocks")
    assert clock_columns(page) == clock_columns(usual)
    found = clock_columns(page)[0]
    assert page.note.startswith(f"Clocks have no room in 40 columns, so they are in {found};")


@pytest.mark.parametrize("size", ["84x40mm", "60x60mm", "174x60mm", "174x120mm"])
def test_clocks_computed_for_other_room_are_whole_and_apart(size):
    figures, size = figures_of("clocks", size=parse_figure_size("84x60mm")), parse_figure_size(size)
    page = page_of(figures, Style(), size, measure)
    ((area,),) = areas(figures, Style(), *size.in_points, measure)
    rims, dots = items_of(page, Circle), items_of(page, Dots)
    for rim, points in zip(rims, dots, strict=True):
        reach = rim.radius + points.radius
        assert area.left <= rim.x - reach < rim.x + reach <= area.right
        assert area.top <= rim.y - reach < rim.y + reach <= area.bottom
        assert np.hypot(*(points.centres - (rim.x, rim.y)).T) == pytest.approx(rim.radius, rel=1e-5)
        assert all(np.hypot(rim.x - o.x, rim.y - o.y) > 2 * reach for o in rims if o is not rim)
    check_texts(page)


@pytest.mark.parametrize("view", ["heatmap", "waves", "distances", "properties"])
def test_hatched_places_have_an_entry_in_the_legend(view):
    e, size = sample("learned"), parse_figure_size("174x120mm")
    page = page_with(view, encoding=e, start=ROWS - 20, count=50, reference=ROWS - 9, size=size)
    assert words_of(page).count("no rows") == 1
    check_texts(page)
    page = page_with(view, encoding=e, count=50, size=size)
    assert "no rows" not in words_of(page)


def test_the_lines_of_a_title_are_about_equally_long():
    fields = {"start": 1000, "count": 300, "reference": 1234, "metric": "euclidean"}
    words = words_of(page_with("distances-curve", size=ONE_COLUMN, **fields))
    assert {"Euclidean distance", "from position 1,234"} <= set(words)

"""What stands where on a page, for every view and encoding at the sizes that have a name."""

from math import floor

import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration import Exploration, Pin
from pe_explorer.figures.layout import areas, page_of
from pe_explorer.figures.page import Circle, Dots, PageImage, PageText, Polyline
from pe_explorer.figures.size import PRESETS, parse_figure_size
from pe_explorer.figures.style import Style
from pe_explorer.pictures.axis_numbers import range_title
from pe_explorer.pictures.distances import DistancesOptions
from pe_explorer.pictures.figure import Curve, Figure, Panel, PanelAxis, whole_numbers
from pe_explorer.pictures.heatmap import HeatmapOptions
from tests.support.cases import for_each
from tests.support.figures import (
    DENSITY,
    ONE_COLUMN,
    box,
    check_texts,
    figures_of,
    items_of,
    measure,
    overlap,
    page_with,
    words_of,
)
from tests.support.pairwise import pairwise
from tests.support.samples import sample

PINS = (
    Pin(encodings.create("sinusoidal", base=100.0), "a base of 100, and a long name", "magenta"),
    Pin(encodings.create("rope"), "RoPE", "green"),
    Pin(encodings.create("alibi"), "ALiBi", "gold"),
)
CURVE = {"distances": DistancesOptions(part="curve")}
MATRIX = {"distances": DistancesOptions(part="matrix")}


@for_each(
    ("view", "name", "size", "count"),
    pairwise(pictures.names(), encodings.names(), PRESETS, (50, 10**6)),
)
def test_all_texts_are_on_the_page_and_none_overlap(view, name, size, count):
    e = sample(name)
    start = Exploration(encoding=e).start
    try:
        page = page_with(view, size=PRESETS[size], encoding=e, start=start, count=count)
    except EncodingError:  # there is no such picture
        return
    assert len(words_of(page)) > 2
    check_texts(page)


STARTS = (-(10**15) - 7, -120, 99_995, 10**9 + 3, 10**15 + 3)


@for_each(("view", "start", "count"), pairwise(pictures.names(), STARTS, (1, 2, 9, 5000)))
def test_texts_have_room_at_any_position(view, start, count):
    check_texts(page_with(view, start=start, count=count, pins=PINS, reference=start))


@for_each("legend", ["auto", "inside", "below", "none"])
@for_each("size", ["84x60mm", "84x100mm", "174x90mm"])
def test_legends_have_room(legend, size):
    style = Style(legend=legend)
    for options in ({}, CURVE):
        page = page_with(
            "distances", style=style, size=parse_figure_size(size), pins=PINS, options=options
        )
        check_texts(page)
        named = "ALiBi" in " ".join(words_of(page))
        assert named == (legend != "none")


# -- cells ---------------------------------------------------------------------------------------


def test_cells_are_those_of_the_device_pixels_of_their_area():
    (figure,) = figures_of("heatmap", start=0, count=10**6)
    ((area,),) = areas([figure], Style(), *ONE_COLUMN.in_points, measure)
    image = items_of(page_with("heatmap", start=0, count=10**6), PageImage)[0]
    pixels = round(area.height * DENSITY)
    block = -(-(10**6) // pixels)
    across = round(area.width * DENSITY)
    assert across < 4 * 128  # so that columns are weighted by what pixels cover of them
    rows, columns = image.cells.shape
    assert rows == -(-(10**6) // block)
    assert across <= columns <= across + 1  # the edges may be within pixels
    assert image.clip == area
    assert image.place.top == area.top
    assert image.place.height / area.height == pytest.approx(len(image.cells) * block / 10**6)


@for_each("width", range(81, 91))
def test_cells_across_are_as_many_as_the_pixels_they_cover(width):
    size = parse_figure_size(f"{width}x60mm")
    e = encodings.create("sinusoidal", dim=512)
    image = items_of(page_with("heatmap", size=size, encoding=e, count=9), PageImage)[0]
    ends = [floor(x * DENSITY + 0.500001) for x in (image.place.left, image.place.right)]
    assert image.cells.shape == (9, ends[1] - ends[0])


def test_columns_that_take_turns_are_stripes_that_print_can_show():
    """At 300 pixels to an inch the narrowest stripe, of 1/150 inch, has two."""
    page = page_with("heatmap", encoding=encodings.create("sinusoidal", dim=512), count=9)
    first_row = items_of(page, PageImage)[0].cells[0]  # all sines are 0, all cosines 1
    borders = np.flatnonzero(np.diff(first_row.astype(int))) + 1
    assert len(set(first_row.tolist())) == 2
    assert set(np.diff(borders).tolist()) == {round(Style().dpi / 150)} == {2}


def test_upward_the_first_position_is_below():
    down = page_with("heatmap", count=7)
    up = page_with("heatmap", style=Style(upward=True), count=7)
    (first, *_), (second, *_) = items_of(down, PageImage), items_of(up, PageImage)
    np.testing.assert_array_equal(first.cells, second.cells[::-1])
    assert first.place == pytest.approx(second.place)
    heights = [
        {text.text: text.y for text in items_of(page, PageText) if text.anchor == "end"}
        for page in (down, up)
    ]
    assert heights[0]["0"] < heights[0]["4"]
    assert heights[1]["0"] > heights[1]["4"]


def test_limits_of_colours_recolour_cells_and_bar():
    style = Style(limits=(-0.5, 0.25))
    image, bar = items_of(page_with("heatmap", style=style), PageImage)[:2]
    (figure,) = figures_of("heatmap")
    values = figure.panels[0].cells.values
    part = np.clip((values + 0.5) / 0.75, 0, 1)
    np.testing.assert_allclose(image.cells, part * 254, atol=0.5001)
    assert "−0.4" in words_of(page_with("heatmap", style=style))
    assert len(bar.cells) == 255


def test_limits_do_not_change_angles():
    options = {"heatmap": HeatmapOptions(quantity="angle")}
    own = items_of(page_with("heatmap", options=options), PageImage)[0]
    other = items_of(page_with("heatmap", style=Style(limits=(0, 1)), options=options), PageImage)[
        0
    ]
    np.testing.assert_array_equal(own.cells, other.cells)
    assert "270" in words_of(page_with("heatmap", options=options))
    assert "angle (°)" in words_of(page_with("heatmap", options=options))


def test_limits_that_are_chosen_or_known_stay():
    style = Style(limits=(0.0, 2.0))
    image, *_ = items_of(page_with("distances", style=style, options=MATRIX), PageImage)
    assert image.cells.max() < 100
    (figure,) = figures_of("heatmap", count=1)
    assert figure.panels[0].cells.limits == (-1.0, 1.0)


@pytest.mark.parametrize("size", ["one-column", "two-columns", "square"])
def test_the_matrix_is_a_square(size):
    for options in ({}, MATRIX):
        page = page_with("distances", size=PRESETS[size], options=options)
        place = items_of(page, PageImage)[0].place
        assert place.width == pytest.approx(place.height)


@pytest.mark.parametrize("size", ["84x60mm", "84x84mm", "84x120mm", "174x90mm", "13.333x7.5in"])
def test_the_matrix_has_most_of_the_room_that_a_curve_leaves(size):
    size = parse_figure_size(size)
    figures = figures_of("distances", size=size)
    ((curve, matrix),) = areas(figures, Style(), *size.in_points, measure)
    assert matrix.width == pytest.approx(matrix.height)
    assert matrix.width > 0.4 * min(size.in_points)
    assert min(curve.width, curve.height) >= 40.0
    if curve.left + curve.width < matrix.left:  # beside each other: they end at the same height
        assert curve.top + curve.height == pytest.approx(matrix.top + matrix.height)
    else:
        assert curve.left == pytest.approx(matrix.left)


@pytest.mark.parametrize("size", ["100x60mm", "84x84mm", "174x90mm", "1600x900"])
def test_the_colour_bar_of_a_matrix_is_as_tall_as_itself(size):
    page = page_with("distances", size=parse_figure_size(size))
    matrix, bar = items_of(page, PageImage)
    assert bar.cells.shape == (255, 1, 4)
    assert (bar.place.top, bar.place.height) == (matrix.place.top, matrix.place.height)
    assert bar.place.left > matrix.place.left + matrix.place.width


def test_equal_axes_of_a_figure_are_called_the_same():
    for start in (10**9, 10**12, -(10**15)):
        page = page_with("distances", start=start, count=512, reference=start)
        texts = [text.text for text in items_of(page, PageText) if not text.upward]
        titles = [text for text in texts if text.startswith("position")]
        assert len(titles) == 2
        assert len(set(titles)) == 1


# -- curves --------------------------------------------------------------------------------------


def test_a_long_curve_keeps_what_can_be_seen():
    rng = np.random.default_rng(5)
    y = np.sin(np.arange(10**6) / 30_000) + 0.01 * rng.normal(size=10**6)
    y[777_777] = 1.9
    y[400_000:500_000] = np.nan
    curve = Curve("noise", np.arange(10.0**6), y)
    panel = Panel(
        "curve", whole_numbers("position", 0, 10**6), PanelAxis("y", -2.0, 2.0), None, (curve,)
    )
    figures = [Figure((panel,))]
    ((area,),) = areas(figures, Style(), *ONE_COLUMN.in_points, measure)
    page = page_of(figures, Style(), ONE_COLUMN, measure)
    (line,) = [line for line in items_of(page, Polyline) if len(line.points) > 100]
    assert len(line.points) < 20_000
    down = area.top + (2.0 - y) / 4.0 * area.height
    assert np.nanmin(line.points[:, 1]) == pytest.approx(np.nanmin(down))
    assert np.nanmax(line.points[:, 1]) == pytest.approx(np.nanmax(down))
    column = ((line.points[:, 0] - area.left) / area.width * 10**6).astype(int)
    blank = np.isnan(line.points[:, 1])
    assert set(column[blank] // 1000) == set(range(400, 500))
    assert (np.diff(line.points[:, 0]) >= 0).all()


@pytest.mark.parametrize("legend", ["auto", "inside"])
def test_names_in_a_panel_cover_no_curve(legend):
    """At the ends of their curves, in the curves' colours; or in a frame."""
    names = {"b = 10,000", "b = 100", "b = 500"}
    pins = [
        Pin(encodings.create("sinusoidal", base=base), f"sinusoidal d=128 b={base:.0f}", colour)
        for base, colour in ((100.0, "magenta"), (500.0, "green"))
    ]
    style, size = Style(legend=legend), PRESETS["two-columns"]
    page = page_with("distances", size=size, pins=pins, options=CURVE, style=style)
    curves = [line for line in items_of(page, Polyline) if line.clip and len(line.points) > 2]
    boxes = {text.text: (box(text), text.colour) for text in items_of(page, PageText)}
    assert len(curves) == 3
    assert names <= boxes.keys()
    for name in names:
        (left, top, right, bottom), colour = boxes[name]
        assert (colour in {curve.colour for curve in curves}) == (legend == "auto")
        for line in curves:
            x = np.linspace(left, right, 999)
            y = np.interp(x, *line.points.T)
            assert not ((y > top) & (y < bottom)).any()


# -- words ---------------------------------------------------------------------------------------


def test_no_legend_breaks_words_unless_it_has_to_be_inside():
    for size in ("84x60mm", "84x100mm", "60x60mm", "174x90mm"):
        page = page_with("distances", size=parse_figure_size(size), pins=PINS[1:2])
        assert {"sinusoidal", "RoPE"} <= set(words_of(page))


def test_a_legend_on_transparent_ground_is_transparent_unless_it_may_cover_curves():
    state = {"pins": PINS[1:2], "options": CURVE}
    fills = []
    for legend in ("auto", "inside"):
        style = Style(ground="transparent", legend=legend)
        lines = items_of(page_with("distances", style=style, **state), Polyline)
        frames = [line for line in lines if line.colour]  # markers are filled, without an edge
        fills.append([line.fill for line in frames if line.fill])
    assert fills == [[], ["#ffffff"]]


def test_a_legend_names_pins_as_the_window_does():
    usual = Pin(encodings.create("sinusoidal", base=100.0), "sinusoidal d=128 b=100", "green")
    named = Pin(encodings.create("rope"), "my own", "magenta")
    shown = {"pins": (usual, named), "options": CURVE}
    page = page_with("distances", size=PRESETS["two-columns"], **shown)
    assert {"sinusoidal, b = 10,000", "b = 100", "my own"} <= set(words_of(page))


def test_a_legend_in_a_panel_covers_no_reference():
    state = {"pins": PINS[:2], "count": 60, "options": CURVE, "name": "mine"}
    for reference in (2, 57):
        page = page_with("distances", reference=reference, **state)
        frame = next(line for line in items_of(page, Polyline) if line.fill)
        (mark,) = [line for line in items_of(page, Polyline) if line.dashes == (3.0, 2.0)]
        x = mark.points[0, 0]
        assert not frame.points[:, 0].min() <= x <= frame.points[:, 0].max()


def test_numbers_at_large_positions_are_exact_and_short():
    words = words_of(page_with("heatmap", start=10**15 + 3, count=40))
    assert {"10", "20", "30", "40"} <= set(words)
    assert any("10¹⁵ +" in word or "1,000,000,000,000,000 +" in word for word in words)


def test_without_labels_the_numbers_still_tell_what_they_are():
    words = words_of(page_with("heatmap", style=Style(labels=False), start=10**15 + 3, count=40))
    assert not {"dimension", "value"} & set(words)
    assert any("10¹⁵ +" in word or "1,000,000,000,000,000 +" in word for word in words)


@pytest.mark.parametrize("ticks", [2, 3, 5])
def test_there_are_at_most_so_many_numbers(ticks):
    for size in ("one-column", "slide"):
        page = page_with("heatmap", style=Style(ticks=ticks), size=PRESETS[size])
        for anchor in ("start", "middle", "end"):
            texts = [t for t in items_of(page, PageText) if t.anchor == anchor and not t.upward]
            assert 1 <= len([t for t in texts if t.text != "dimension"]) <= ticks


def test_a_title_is_whole_and_above_all():
    title = "Where the encoding of a position is in the space of all encodings, and why"
    page = page_with("heatmap", style=Style(title=title))
    lines = [word for word in words_of(page) if word in title and len(word) > 9]
    assert " ".join(lines) == title
    check_texts(page)
    assert page.title == title


def test_a_figure_with_nothing_to_show_says_why():
    e = sample("learned")
    page = page_with("heatmap", encoding=e, start=9000, count=50)
    assert "and none of them" in " ".join(words_of(page))
    check_texts(page)


def test_a_sentence_stands_in_the_empty_panel_that_it_is_about():
    wide = page_with("distances", size=PRESETS["two-columns"], encoding=encodings.create("index"))
    matrix, _ = items_of(wide, PageImage)
    (sentence,) = {
        text.x
        for text in items_of(wide, PageText)
        if text.anchor == "middle" and "zero" in text.text
    }
    assert sentence < matrix.place.left
    narrow = page_with("distances", encoding=encodings.create("index"))
    matrix, _ = items_of(narrow, PageImage)
    lines = [text for text in items_of(narrow, PageText) if "zero" in text.text]
    assert all(line.y < matrix.place.top for line in lines)
    check_texts(wide)
    check_texts(narrow)


def test_flat_cells_are_not_covered_by_the_sentence_that_explains_them():
    page = page_with("heatmap", count=10**13)
    image = items_of(page, PageImage)[0].place
    place = image.left, image.top, image.left + image.width, image.top + image.height
    assert "many turns of every wave" in " ".join(words_of(page))
    assert not any(overlap(box(text), place) for text in items_of(page, PageText))
    check_texts(page)


# -- clocks --------------------------------------------------------------------------------------


def test_chosen_pairs_have_clocks():
    page = page_with("clocks", style=Style(clocks=(0, 5, 63)), size=PRESETS["two-columns"])
    assert len(items_of(page, Dots)) == 3
    assert [word.split()[1] for word in words_of(page) if "pair" in word] == ["0", "5", "63"]


def test_hands_and_the_marked_pair_are_drawn_with_the_cursor_only():
    without, shown = page_with("clocks"), page_with("clocks", style=Style(cursor="show"))
    clocks = len(items_of(without, Dots))
    assert len(items_of(without, Circle)) == clocks
    assert len(items_of(shown, Circle)) == 2 * clocks
    assert [bool(line.fill) for line in items_of(shown, Polyline)].count(True) == 1
    assert not any(line.fill for line in items_of(without, Polyline))


def test_points_of_clocks_are_on_their_circles():
    page = page_with("clocks", count=40)
    for circle, dots in zip(items_of(page, Circle), items_of(page, Dots), strict=True):
        away = np.hypot(*(dots.centres - [circle.x, circle.y]).T)
        np.testing.assert_allclose(away, circle.radius, rtol=1e-5)
        assert len(dots.centres) == 40


def test_of_many_points_those_on_top_are_drawn_mixed_as_on_the_screen():
    (figure,) = figures_of("clocks", count=10**6)
    page = page_of([figure], Style(), ONE_COLUMN, measure)
    face = figure.clocks
    for clock, dots in enumerate(items_of(page, Dots)):
        assert len(dots.centres) < 0.5 * len(face.order)
        circle = items_of(page, Circle)[clock]
        every = np.arctan2(face.y[:, clock], face.x[:, clock])
        across, down = (dots.centres - [circle.x, circle.y]).T
        drawn = np.sort(np.arctan2(down, across))
        gaps = abs(every[:, None] - np.concatenate([drawn, drawn + 2 * np.pi, drawn - 2 * np.pi]))
        assert gaps.min(axis=1).max() * circle.radius < 0.35 * dots.radius
        assert len(np.unique(dots.colours, axis=0)) > 100  # not those of the last turn only


# -- plates --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "most"), [("84x60mm", 4), ("174x90mm", 7), ("841x1189mm", None)])
def test_a_plate_has_letters_and_each_figure_its_own_place(size, most):
    style = Style(title="All of it", font_size=6.0)
    views = pictures.names()[:most]  # all of them where the page is large enough
    page = page_with(*views, style=style, size=parse_figure_size(size))
    letters = [text.text for text in items_of(page, PageText) if text.bold]
    assert letters == list("abcdefghijkl"[: len(views)])
    check_texts(page)


def test_in_a_plate_a_view_without_a_picture_says_why():
    e = encodings.create("alibi")
    page = page_with("heatmap", "clocks", encoding=e, start=-49, count=50)
    with pytest.raises(EncodingError) as caught:
        figures_of("clocks", encoding=e)
    assert caught.value.sentence in " ".join(words_of(page))
    check_texts(page)


def test_areas_of_a_plate_are_aligned():
    size = parse_figure_size("174x120mm")
    for fields in ({}, {"pins": PINS}, {"start": 10**9, "count": 512}):
        figures = figures_of("heatmap", "clocks", "distances", size=size, **fields)
        found = areas(figures, Style(), *size.in_points, measure)
        (heatmap,), (clocks,), (curve, matrix) = found
        assert heatmap.left == pytest.approx(curve.left)
        assert clocks.left + clocks.width == pytest.approx(matrix.left + matrix.width)
        assert curve.top + curve.height == pytest.approx(matrix.top + matrix.height)


def test_areas_in_a_row_end_at_the_same_height_whatever_stands_below():
    size = parse_figure_size("174x70mm")
    figures = figures_of("heatmap", "distances", size=size, pins=PINS)
    style = Style(legend="below")
    (heatmap,), (curve, _) = areas(figures, style, *size.in_points, measure)
    assert heatmap.top + heatmap.height == pytest.approx(curve.top + curve.height)


# -- grounds -------------------------------------------------------------------------------------


def test_grounds():
    grounds = {name: page_with("heatmap", style=Style(ground=name)).ground for name in GROUNDS}
    assert grounds == {"white": "#ffffff", "transparent": "", "dark": "#15171b"}


GROUNDS = ("white", "transparent", "dark")


def test_a_title_far_below_zero_has_one_sign():
    titles = range_title("position", -(2**53), "")
    assert titles[-1] == "position: −9,007,199,254,740,992 +"
    assert range_title("position", 2**53, "")[-1] == "position: 9,007,199,254,740,992 +"


# -- lines across curves, and shifts ---------------------------------------------------------------


@pytest.mark.parametrize("part", ["matrix", "tables", "residual"])
@pytest.mark.parametrize("name", ["sinusoidal", "index"])
def test_plates_with_waves_and_a_shift_can_be_read(part, name):
    e = encodings.create(name, dim=18)
    state = pictures.with_options(Exploration(e), "shift", k=-10, part=part)
    state = pictures.with_options(state, "waves", line1=1, line2=2.5, line3=9, heights=True)
    page = page_with("waves", "shift", "clocks", encoding=e, options=state.options,
                     size=parse_figure_size("174x140mm"))  # fmt: skip
    check_texts(page)
    words = " ".join(words_of(page))
    assert "p = 2.5" in words
    assert "cosine distance from p = 1" in words
    assert ("grows with the position" in words) == (name == "index")
    assert "k = −10" in words or part != "matrix"
    assert "moved by −10" in words or part != "tables" or name == "index"


def test_an_empty_panel_has_titles_but_no_numbers():
    index = encodings.create("index")
    fields = {"encoding": index, "metric": "cosine"}  # numbers of one sign have one direction
    (figure,) = figures_of("distances-curve", **fields)
    assert figure.note
    drawn = words_of(page_with("distances-curve", **fields))
    assert "position" in drawn
    assert figure.note.sentence.split()[0] in " ".join(drawn)
    assert not any(word.lstrip("−-").replace(".", "").isdigit() for word in drawn)
    shown = words_of(page_with("distances-curve", **fields | {"metric": "euclidean"}))
    assert any(word.isdigit() for word in shown)

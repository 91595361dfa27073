"""Where there is little room: a page that can be read, or a sentence that names a size."""

import itertools
import re
import threading

import pytest

from pe_explorer import encodings, pictures
from pe_explorer.exploration import Exploration, Pin
from pe_explorer.figures.layout import NoRoomError, areas, drawn, laid_out
from pe_explorer.figures.making import sufficient_size
from pe_explorer.figures.page import Circle, PageText
from pe_explorer.figures.size import parse_figure_size
from pe_explorer.figures.style import Style
from tests.support.cases import for_each
from tests.support.figures import (
    DENSITY,
    check_texts,
    figures_of,
    items_of,
    measure,
    page_with,
    wanted_of,
    words_of,
)
from tests.support.pairwise import pairwise

PINS = (
    Pin(encodings.create("sinusoidal", base=100.0), "sinusoidal d=128 b=100", "magenta"),
    Pin(encodings.create("alibi"), "ALiBi", "gold"),
)
SIZES = ("20x20mm", "84x30mm", "84x60mm", "30x200mm", "3.3x2.4in", "640x400")
FONTS = (4.0, 8.0, 24.0)
FIELDS = ({}, {"start": 10**9 + 3, "count": 5000}, {"pins": PINS})


def drawn_alone():
    """Yield each view, and each part of one that can be drawn alone."""
    for view in pictures.names():
        yield (view,)
        panels = pictures.find(view).frame(Exploration()).panels
        if len(panels) > 1:
            yield from ((f"{view}-{panel.name}",) for panel in panels)


def plates():
    """Yield plates that show each view in each size: one of three panes, the others of two.

    In each size a view is beside other ones.
    """
    names = pictures.names()
    for size in SIZES:
        three, rest = names[:3], names[3:]
        half = rest[: -(-len(rest) // 2)]
        yield from ((views, size) for views in (three, *zip(half, reversed(rest), strict=False)))
        names = [*names[1:], names[0]]


def names_in(texts):
    """Return the words of some texts that are no numbers."""
    return {word for text in texts for word in re.findall(r"[^\W\d_]{2,}", text)}


def texts_of(figures):
    """Yield all that figures may say."""
    yield "pair positions from none"
    for figure in figures:
        if figure.clocks:
            yield figure.clocks.counted[0]
        if figure.note:
            yield figure.note.sentence
        if figure.table:
            rows = (figure.table.titles, *figure.table.rows, *figure.table.in_words.rows)
            yield from itertools.chain.from_iterable(rows)
        for panel in figure.panels:
            yield from (panel.x.title, panel.y.title, panel.badge)
            yield from (*panel.x.names, *panel.y.names)
            yield from (f"{curve.called} {curve.lack}" for curve in (*panel.curves, *panel.areas))
            if panel.cells:
                yield panel.cells.title
            if panel.trail:
                yield panel.trail.counted[0]


def refused(*views, style, size, **fields):
    """Return the sentence and the size that are said instead of a page."""
    with pytest.raises(NoRoomError) as caught:
        page_with(*views, style=style, size=size, **fields)
    wanted = wanted_of(*views, **fields)
    least = sufficient_size(wanted, style, size, DENSITY, measure, threading.Event())
    return caught.value.sentence, least


def check_areas(layout):
    """Check that areas are at least 4 font sizes wide and 3 high, and clocks about as large."""
    for area in itertools.chain.from_iterable(placed.areas for placed in layout.figures):
        assert area.width >= 4 * layout.look.size
        assert area.height >= 3 * layout.look.size


def check_room(views, style, size, **fields):
    """Check the page of a size, or else that of the size that is named instead."""
    figures = figures_of(*views, style=style, size=size, **fields)
    try:
        layout = laid_out(figures, style, size, measure)
    except NoRoomError:
        wanted = wanted_of(*views, **fields)
        larger = sufficient_size(wanted, style, size, DENSITY, measure, threading.Event())
        assert larger is not None
        assert larger.unit == size.unit
        size = parse_figure_size(str(larger))
        figures = figures_of(*views, style=style, size=size, **fields)
        layout = laid_out(figures, style, size, measure)
    page = drawn(layout, figures, size)
    check_texts(page)
    check_areas(layout)
    for circle in items_of(page, Circle):
        assert 2 * circle.radius >= 2.2 * style.text_size
    assert names_in(words_of(page)) <= names_in(texts_of(figures))


@for_each(("views", "size", "font", "fields"), pairwise(list(drawn_alone()), SIZES, FONTS, FIELDS))
def test_a_figure_can_be_read_or_another_size_is_named(views, size, font, fields):
    check_room(views, Style(font_size=font), parse_figure_size(size), **fields)


@for_each(("views", "size"), list(plates()))
def test_a_plate_can_be_read_or_another_size_is_named(views, size):
    check_room(views, Style(), parse_figure_size(size))


def test_three_panes_have_room_in_one_column_and_have_their_titles_in_a_higher_one():
    panes = ("heatmap", "distances", "clocks")
    low, high = parse_figure_size("84x60mm"), parse_figure_size("84x140mm")
    pages = [page_with(*panes, size=size) for size in (low, high)]
    letters = [text.text for text in items_of(pages[0], PageText) if text.bold]
    assert letters == ["a", "b", "c"]
    for page in pages:
        check_texts(page)
    titles = {"position", "dimension", "cosine", "distance", "value"}
    assert titles <= names_in(words_of(pages[1]))


def test_panes_stand_above_each_other_where_each_would_be_too_narrow_beside_the_other():
    size = parse_figure_size("60x120mm")
    figures = figures_of("heatmap", "clocks", size=size)
    (heatmap,), (clocks,) = areas(figures, Style(), *size.in_points, measure)
    assert heatmap.top + heatmap.height < clocks.top
    assert clocks.left < heatmap.left + heatmap.width


def test_titles_are_left_out_before_a_figure_is_refused_and_those_of_the_bar_first():
    said = []
    for height in (30, 26, 20):
        size = parse_figure_size(f"84x{height}mm")
        said.append(names_in(words_of(page_with("heatmap", size=size))))
    assert "dimension" in said[0]
    assert "dimension" not in said[-1]
    assert said[0] >= said[1] >= said[2]


def test_numbers_that_are_counted_from_an_origin_are_never_without_it():
    fields = {"start": 10**9, "count": 40}
    for size in ("84x60mm", "40x30mm", "30x40mm"):
        try:
            page = page_with("heatmap", size=parse_figure_size(size), **fields)
        except NoRoomError:
            continue
        assert any("10⁹" in word or "1,000,000,000" in word for word in words_of(page))


def test_a_word_that_is_wider_than_the_page_is_refused_with_a_width_that_it_fits():
    style = Style(title="x" * 60)
    size = parse_figure_size("84x60mm")
    sentence, least = refused("heatmap", style=style, size=size)
    assert sentence.startswith("Size: 84x60mm is too small for this figure in 8 points; choose ")
    assert (least.width, least.height) == (pytest.approx(111, abs=3), 60)
    assert "x" * 60 in words_of(page_with("heatmap", style=style, size=least))


def test_clocks_that_are_chosen_are_all_drawn_or_none():
    style = Style(clocks=tuple(range(40)))
    _, least = refused("clocks", style=style, size=parse_figure_size("60x40mm"))
    page = page_with("clocks", style=style, size=least)
    assert len(items_of(page, Circle)) == 40
    check_texts(page)


def test_where_no_size_is_enough_none_is_named():
    style = Style(title="x" * 200, font_size=48.0)
    sentence, least = refused("heatmap", style=style, size=parse_figure_size("84x60mm"))
    assert least is None
    assert sentence.endswith("in 48 points; choose a smaller font.")

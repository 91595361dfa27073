"""Texts, legends and marks have room on a page, or a sentence names a size where they have it."""

import itertools
import re
import threading

import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration import Exploration, Pin
from pe_explorer.figures.layout import NoRoomError, draw_page, lay_out_figures, make_page
from pe_explorer.figures.making import find_sufficient_size
from pe_explorer.figures.page import Circle, PageImage, PageText, Polyline
from pe_explorer.figures.size import PRESETS
from pe_explorer.figures.style import Style
from tests.support.figures import (
    DENSITY,
    STYLE,
    box,
    check_texts,
    figures_of,
    items_of,
    measure,
    options_of,
    page_with,
    sized,
    wanted_of,
    words_of,
)
from tests.support.pairwise import pairwise
from tests.support.samples import sample
from tests.support.states import texts_of

S = encodings.create
PINS = (
    Pin(S("sinusoidal", base=100.0), "a base of 100, and a long name", "magenta"),
    Pin(S("rope"), "RoPE", "green"),
    Pin(S("alibi"), "ALiBi", "gold"),
)
SIZES = ("20x20mm", "84x30mm", "84x60mm", "30x200mm", "3.3x2.4in", "640x400")
FIELDS = (
    {},
    {"pins": PINS},
    {"start": 10**9 + 3, "count": 5000},
    {"start": -(10**15) - 7, "count": 1, "pins": PINS},
    {"start": 10**15 + 3, "count": 9},
)


CURVE = options_of("distances", part="curve")


@pytest.mark.sampled(16)
@pytest.mark.parametrize(
    ("view", "name", "size", "count"),
    pairwise(pictures.names(), encodings.names(), PRESETS, (50, 10**6)),
)
def test_all_texts_are_on_the_page_and_none_overlap(view, name, size, count):
    e = sample(name)
    start = Exploration(encoding=e).start
    try:
        page = page_with(view, size=size, encoding=e, start=start, count=count)
    except EncodingError:  # there is no such picture
        return
    assert len(words_of(page)) > 2
    check_texts(page)


def drawn_alone():
    """Yield each view, and each part of one that can be drawn alone."""
    for view in pictures.names():
        yield view
        panels = pictures.make_picture(view, Exploration()).frame().panels
        if len(panels) > 1:
            yield from (f"{view}-{panel.name}" for panel in panels)


def names_in(texts):
    """Return the words of some texts that are no numbers."""
    words = (word for text in texts for word in re.findall(r"[^\W\d_]{2,}", text))
    return {word for word in words if word.isalpha()}  # no exponents


def larger_size(*views, style, size, **fields):
    """Return the size that is named where a page has no room."""
    wanted = wanted_of(*views, **fields)
    return find_sufficient_size(wanted, style, sized(size), DENSITY, measure, threading.Event())


def check_room(*views, style, size, **fields):
    """Check the page of a size, or else that of the size that is named instead."""
    fields = {"style": style, "size": sized(size), **fields}
    figures = figures_of(*views, **fields)
    try:
        layout = lay_out_figures(figures, style, fields["size"], measure)
    except NoRoomError:
        larger = larger_size(*views, **fields)
        assert larger.unit == fields["size"].unit
        fields["size"] = sized(str(larger))
        figures = figures_of(*views, **fields)
        layout = lay_out_figures(figures, style, fields["size"], measure)
    page = draw_page(layout, figures, fields["size"])
    check_texts(page)
    for area in itertools.chain.from_iterable(placed.areas for placed in layout.figures):
        assert area.width >= 4 * layout.look.size
        assert area.height >= 3 * layout.look.size
    for circle in items_of(page, Circle):
        assert 2 * circle.radius >= 2.2 * style.text_size
    said = itertools.chain(["pair positions from none"], *map(texts_of, figures))
    assert names_in(words_of(page)) <= names_in(said)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("view", "size", "font", "fields"),
    pairwise(list(drawn_alone()), SIZES, (4.0, 8.0, 24.0), FIELDS),
    ids=lambda value: str(value)[:20],
)
def test_a_figure_can_be_read_or_another_size_is_named(view, size, font, fields):
    check_room(view, style=Style(font_size=font), size=size, **fields)


@pytest.mark.parametrize("size", ["84x60mm", "40x30mm", "30x40mm"])
def test_numbers_that_are_counted_from_an_origin_are_never_without_it(size):
    try:
        words = words_of(page_with("heatmap", size=size, start=10**9, count=40))
    except NoRoomError:
        return
    assert any("10⁹" in word or "1,000,000,000" in word for word in words)


@pytest.mark.parametrize(
    ("view", "style", "size", "width"),
    [
        ("heatmap", Style(title="x" * 60), "84x60mm", 111),  # a word that is wider than the page
        ("clocks", Style(clocks=tuple(range(40))), "60x40mm", None),  # all are drawn or none
        ("heatmap", Style(title="x" * 200, font_size=48.0), "84x60mm", 0),  # no size is enough
    ],
)
def test_what_has_no_room_is_refused_with_a_size_that_it_fits(view, style, size, width):
    with pytest.raises(NoRoomError) as caught:
        page_with(view, style=style, size=size)
    assert f"{size} is too small" in caught.value.sentence
    least = larger_size(view, style=style, size=size)
    if width == 0:
        assert least is None
        assert re.search("48.point.*smaller font", caught.value.sentence)
        return
    page = page_with(view, style=style, size=least)
    check_texts(page)
    if width:
        assert (least.width, least.height) == (pytest.approx(width, abs=3), 60)
        assert "x" * 60 in words_of(page)
    else:
        assert len(items_of(page, Circle)) == 40


@pytest.mark.sampled(3)
@pytest.mark.parametrize("legend", ["auto", "inside", "below", "none"])
@pytest.mark.parametrize("size", ["84x60mm", "84x100mm", "174x90mm"])
def test_legends_have_room(legend, size):
    below = options_of("distances", part="curve", below="correlation")
    for options, start in (({}, 0), (CURVE, 0), (below, 0), (below, 10**9 + 3), (below, -(10**15))):
        fields = {"size": size, "pins": PINS, "start": start, "reference": start, **options}
        page = page_with("distances", style=Style(legend=legend), **fields)
        check_texts(page)
        assert " ".join(words_of(page)).count("ALiBi") == (legend != "none")
        if legend != "inside":  # no word is broken
            assert ("RoPE" in words_of(page)) == (legend != "none")


def test_a_legend_covers_no_reference_and_no_ground_unless_it_may_cover_curves():
    for reference in (2, 57):
        fields = {"pins": PINS[:2], "count": 60, "name": "mine", "reference": reference, **CURVE}
        page = page_with("distances", **fields)
        frame = next(line for line in items_of(page, Polyline) if line.fill)
        (mark,) = [line for line in items_of(page, Polyline) if line.dashes == (3.0, 2.0)]
        assert not frame.points[:, 0].min() <= mark.points[0, 0] <= frame.points[:, 0].max()
    for legend, fills in (("auto", []), ("inside", ["#ffffff"])):
        style = Style(ground="transparent", legend=legend)
        lines = items_of(page_with("distances", style=style, pins=PINS[1:2], **CURVE), Polyline)
        # markers are filled, without an edge
        assert [line.fill for line in lines if line.colour and line.fill] == fills


@pytest.mark.parametrize("target", [4500, 8192, 10**6])
@pytest.mark.parametrize("quantity", ["wavelength", "frequency"])
def test_the_name_of_a_level_is_beside_its_own_line_and_no_other_goes_through(quantity, target):
    lengths = [[4096, "training"], [target, "target"]]
    options = options_of("frequencies", quantity=quantity, lengths=lengths)
    page = page_with("frequencies", encoding=S("rope"), **options)
    names = [text for text in items_of(page, PageText) if text.text.startswith(("training", "tar"))]
    lines = sorted(
        {line.points[0, 1] for line in items_of(page, Polyline) if len(line.dashes) == 2}
    )
    assert len(lines) == len(names) == 2
    for name in names:
        _, top, _, bottom = box(name)
        is_upper = name.text.startswith("training") == (quantity == "frequency")
        own, other = lines if is_upper else lines[::-1]
        assert not any(top < line < bottom for line in lines)
        assert abs((top + bottom) / 2 - own) < abs((top + bottom) / 2 - other)


def test_no_curve_goes_through_the_name_of_a_level():
    options = options_of("frequencies", quantity="wavelength", lengths=[22_500])
    pin, e = Pin(S("sinusoidal", dim=512)), S("sinusoidal", dim=18)
    page = page_with("frequencies", encoding=e, pins=(pin,), **options)
    (name,) = (text for text in items_of(page, PageText) if text.text == "length 22,500")
    left, top, right, bottom = box(name)
    for line in items_of(page, Polyline):
        if not line.is_rule and not line.fill and len(line.points) > 2:
            for (x1, y1), (x2, y2) in itertools.pairwise(line.points):
                parts = np.linspace(0, 1, 50)
                x, y = x1 + parts * (x2 - x1), y1 + parts * (y2 - y1)
                assert not ((left < x) & (x < right) & (top < y) & (y < bottom)).any()


@pytest.mark.parametrize("size", ["84x60mm", "174x90mm"])
def test_the_cursor_on_the_first_pair_is_not_on_the_name_of_a_level(size):
    page = page_with("context", size=size, encoding=S("rope"), style=Style(cursor="show"))
    (name,) = (text for text in items_of(page, PageText) if text.text == "1 turn")
    left, _, right, _ = box(name)
    upright = [line for line in items_of(page, Polyline) if np.ptp(line.points[:, 0]) == 0]
    (x,) = {line.points[0, 0] for line in upright if line.colour == "#000000" and line.dashes}
    assert not left <= x <= right


def test_a_legend_covers_no_cells_of_a_panel_with_curves():
    """The cells are a strip below the curves, which leaves the corners there free of curves."""
    e = S("sinusoidal", dim=1024)
    pins = tuple(Pin(S(name), name) for name in ("index", "fraction", "binary"))
    pins += (Pin(S("sinusoidal", dim=1024, waves="sine"), "sines alone"),)
    fields = {"encoding": e, "pins": pins, "metric": "euclidean", "start": 1, "count": 249}
    page = page_with("properties", size="200x120mm", **fields, reference=1, position=70)
    (strip,) = items_of(page, PageImage)[:1]
    frames = [line.points for line in items_of(page, Polyline) if line.fill == "#ffffff"]
    for points in frames:
        assert points[:, 1].max() <= strip.place.top


def test_a_frame_without_numbers_makes_none_up():
    """A title keeps room for what a pixel stands for, which is not known yet."""
    (wanted,) = wanted_of("distances", count=10**6, **CURVE)
    frame = pictures.make_picture("distances", wanted.state).frame()
    page = make_page([frame], STYLE, PRESETS["two-columns"], measure)
    assert "cosine distance from position 0" in words_of(page)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("count", [40, 50, 120, 500])
@pytest.mark.parametrize("size", ["84x60mm", "84x80mm", "174x90mm"])
def test_the_name_of_a_mark_is_beside_its_line_with_no_other_line_between(size, count):
    (figure,) = figures_of("properties", size=size, count=count)
    page = page_with("properties", size=size, count=count)
    dashed = [line for line in items_of(page, Polyline) if line.dashes == (3.0, 2.0)]
    marks = zip(figure.panels[0].marks, dashed, strict=True)
    lines = {mark.label: line.points[0, 0] for mark, line in marks}
    texts, area = items_of(page, PageText), dashed[0].clip
    texts = [text for text in texts if text.y < area.bottom and area.left < text.x < area.right]
    named = [text for text in texts if text.text in {*lines, *"12345"}]
    assert named
    assert len({":" in text.text for text in named}) == 1  # all in full or all in short
    for text in named:
        own = next(at for label, at in lines.items() if label.startswith(text.text))
        left, _, right, _ = box(text)
        assert min(abs(left - own), abs(right - own)) < text.size
        reach = min(left, own), max(right, own)
        between = [at for at in lines.values() if at != own and reach[0] < at < reach[1]]
        assert len(between) <= (count > 50)  # where lines are hardly apart
    assert len({text.text[0] for text in named}) == len(named)


@pytest.mark.parametrize("width", range(70, 130, 6))
def test_no_line_ends_before_a_per_cent_sign_or_beside_an_equals_sign(width):
    pins, size = (Pin(S("sinusoidal", base=500.0), "base = 500"),), f"{width}x60mm"
    pages = page_with("projection", size=size), page_with("frequencies", size=size, pins=pins)
    lines = [text for page in pages for text in words_of(page)]
    assert any("%" in line for line in lines)
    assert any("=" in line for line in lines)
    assert not [line for line in lines if line[0] in "%=" or line[-1] == "="]


def test_the_lines_of_a_title_are_about_equally_long():
    fields = {"start": 1000, "count": 300, "reference": 1234, "metric": "euclidean"}
    words = words_of(page_with("distances-curve", **fields))
    assert {"Euclidean distance", "from position 1,234"} <= set(words)

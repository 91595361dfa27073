"""What an author hides of a figure, how curves are drawn, and where names have room."""

import itertools
import re

import numpy as np
import pytest
from matplotlib.colors import to_hex

from pe_explorer import encodings
from pe_explorer.colours.themes import LIGHT
from pe_explorer.exploration import PIN_COLOURS, DirectStore, Exploration, Pin, resolve
from pe_explorer.figures import matplotlib_figure
from pe_explorer.figures.layout import lay_out_figures, make_page
from pe_explorer.figures.overrides import format_texts_note, with_overrides
from pe_explorer.figures.page import Circle, PageText, Polyline
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import HIDEABLE_PARTS, Style
from pe_explorer.params import ParameterError, declared
from pe_explorer.pictures.figure import Figure, LevelLine
from pe_explorer.pictures.table import Detail, TextTable
from tests.figures.pages import known_panel
from tests.support.figures import (
    box,
    check_texts,
    figures_of,
    items_of,
    measure,
    options_of,
    overlap,
    page_with,
    words_of,
)
from tests.support.processes import run_program

S = encodings.create
LARGE = FigureSize(174, 120, "mm")
BASES = (500.0, 2e3, 5e4, 2e5, 1e6, 1e7, 1e8, 1e9)
PINS = tuple(
    Pin(S("rope", rope_theta=base), f"pin {number}", colour)
    for number, (base, colour) in enumerate(zip(BASES, PIN_COLOURS, strict=True))
)
TABLE = TextTable(
    ("", "one", "two"),
    (("a", "1", "2"), ("b", "3", "4"), ("c", "5", "6")),
    tuple((Detail(f"{row} one"), Detail(f"{row} two")) for row in "abc"),
    spare_row_count=2,
)


def known_page(panel=None, size=LARGE, **style):
    """Return the known figure as an author's style has it, and its page."""
    style = Style(**style)
    figure = with_overrides(Figure((panel or known_panel(),), table=TABLE), style)
    return figure, make_page([figure], style, size, measure)


def lines_of(page):
    """Return the curves of a page by their colours: what is clipped and is not a fill."""
    found = items_of(page, Polyline)
    return {line.colour: line for line in found if line.clip and not line.fill and line.colour}


def visible_parts(page):
    """Return which optional things can be seen on the page of the known panel."""
    lines, words = items_of(page, Polyline), words_of(page)
    dashed = [line.points for line in lines if line.colour == LIGHT.reference]
    return {
        "shading": any(line.fill == LIGHT.raised_background and not line.is_rule for line in lines),
        "hatching": any(line.colour == LIGHT.line and not line.is_rule for line in lines),
        "dots": bool(items_of(page, Circle)),
        "levels": any(np.ptp(points[:, 1]) == 0 for points in dashed),
        "marks": any(np.ptp(points[:, 0]) == 0 for points in dashed),
        "names": bool({"half", "whole"} & {*words}) or "1: 12" in words,
        "badges": "least to greatest" in words,
        "legend": "mine" in words,
        "table": "one" in words,
    }


@pytest.mark.parametrize("word", [*visible_parts(known_page()[1]), "all"])
def test_each_word_hides_its_kind_alone(word):
    whole = visible_parts(known_page()[1])
    assert all(whole.values())
    words = HIDEABLE_PARTS if word == "all" else (word,)
    gone = {"legend": {"badges"}, "all": {*whole}}.get(word, set())
    found = visible_parts(known_page(hide=words)[1])
    if word in ("levels", "marks"):  # the other kind has names, too
        assert found["names"]
    assert {kind for kind, is_there in found.items() if not is_there} == {word, *gone} - {"all"}


def test_a_text_hides_what_it_names():
    figure, page = known_page(hide=("ranges", "half", "training", "b", "one", "1: 12", "y title"))
    found = visible_parts(page)
    assert not any(found[kind] for kind in ("shading", "dots", "marks"))  # the dot was of "ranges"
    assert found["levels"]
    words = words_of(page)
    assert {"mine", "whole", "a", "c", "two"} <= {*words}
    assert not {"ranges", "half", "training", "b", "one", "1: 12", "value"} & {*words}
    assert [*lines_of(page)].count(LIGHT.accent) == 1
    assert figure.table.rows == (("a", "2"), ("c", "6"))
    assert [[each.sentence for each in row] for row in figure.table.details] == [
        ["a two"],
        ["c two"],
    ]
    assert figure.table.spare_row_count == 1
    assert known_page(hide=("a", "b", "c"))[0].table is None
    assert known_page(hide=("one", "two"))[0].table is None


def test_a_heading_is_hidden_and_its_figure_stays_apart():
    pins = (Pin(S("sinusoidal", dim=16, base=50.0), "slow"),)
    fields = {"encoding": S("sinusoidal", dim=16), "pins": pins, "show": "current pinned"}
    pages = [page_with("heatmap", style=Style(hide=hide), **fields) for hide in ((), ("slow",))]
    before, after = map(words_of, pages)
    assert sorted(before) == sorted([*after, "slow"])


def test_numbers_of_cells_and_names_of_clocks_are_hidden():
    for view, word, fields in (
        ("shift", "numbers", {"encoding": S("sinusoidal", dim=8)}),
        ("clocks", "names", {"encoding": S("sinusoidal", dim=8), "count": 20}),
    ):
        style = Style(colour_bar=False, hide=(word,))
        before = words_of(page_with(view, style=Style(colour_bar=False), size=LARGE, **fields))
        after = words_of(page_with(view, style=style, size=LARGE, **fields))
        assert len(before) > len(after)
        assert not any(re.search(r"\d\.\d|λ", text) for text in after)


def test_curves_are_drawn_as_an_author_says():
    curves = (("mine", "colour=#d62728 dash=6,2,1 width=3"), ("ranges", "colour=teal"))
    _, page = known_page(curves=curves, legend="below")
    lines = lines_of(page)
    own = lines["#d62728"]
    assert (own.width, own.dashes) == (3.0, (18.0, 6.0, 3.0) * 2)
    ranges, before = lines["#2a534d"], lines_of(known_page(legend="below")[1])["#749a66"]
    assert ranges.dashes == before.dashes  # as only its colour is another one
    assert [dot.fill for dot in items_of(page, Circle)] == ["#2a534d"]
    keys = [line for line in items_of(page, Polyline) if not line.clip and not line.is_rule]
    key = next(line for line in keys if line.colour == "#d62728")
    (left, _), (right, _) = key.points
    assert key.width == 3.0
    assert sum(key.dashes[:4]) <= right - left + 1e-9  # it shows more than one of them
    shares = np.array(key.dashes) / sum(key.dashes)
    assert shares == pytest.approx(np.array(own.dashes) / sum(own.dashes))


def test_nine_curves_are_distinguishable_without_colours():
    dashes = ("solid", "dashed", "dotted", "dash-dot", "6,2,1,2,1,2", "10,3", "2,4", "12,2,3,2")
    (figure,) = figures_of("frequencies", encoding=S("rope"), pins=PINS)
    names = [curve.name for curve in figure.panels[0].curves]
    curves = zip(names, (*dashes, "0.5,1"), strict=True)
    style = Style(curves=tuple((name, f"colour=#000000 dash={dash}") for name, dash in curves))
    page = page_with("frequencies", style=style, size=LARGE, encoding=S("rope"), pins=PINS)
    assert not page.note
    black = [line for line in items_of(page, Polyline) if line.colour == "#000000"]
    for is_key in (True, False):
        patterns = [line.dashes for line in black if (line.clip is None) == is_key]
        assert len({*patterns}) == 9


def test_what_a_figure_does_not_have_is_named():
    style = Style(hide=("shading", "nix"), curves=(("mine", "width=2"), ("nix", "width=2")))
    figure, _ = known_page(hide=style.hide, curves=style.curves)
    note = format_texts_note([figure], style)
    assert "no text 'nix'. It has 'position', 'value'" in note
    assert "no curve 'nix'. It has 'mine', 'ranges', 'gone'" in note
    hidden = Style(hide=("mine", "x title", "a"), curves=(("mine", "width=2"),))
    figure, _ = known_page(hide=hidden.hide, curves=hidden.curves)
    assert format_texts_note([figure], hidden) == ""


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("a: colour=#12", ("got '#12'", "#d62728")),
        ("a: dash=1,,2", ("got '1,,2'", "dash-dot")),
        ("a: dash=0.0,1", ("got '0.0,1'", "6,2,1,2")),
        ("a: dsh=dotted", ("Did you mean 'dash'",)),
        ("a: width=0", ("0.1 to 10",)),
        ("a", ("NAME: KEY=VALUE",)),
    ],
)
def test_what_is_no_way_to_draw_a_curve_is_refused(text, faults):
    with pytest.raises(ParameterError) as caught:
        declared(Style)["curves"].parse("curves", text)
    assert all(fault in str(caught.value) for fault in faults)


@pytest.mark.parametrize("name", ["b = 5: dimension 1", "a; b", "位置", "{a"])
def test_any_name_of_a_curve_comes_back_from_its_text(name):
    for field, value in (("curves", ((name, "dash=dotted"),)), ("hide", ("shading", name))):
        kind = declared(Style)[field]
        assert kind.parse(field, kind.format(value)) == value
    assert declared(Style)["curves"].parse("", "a: b: width=2") == (("a: b", "width=2"),)
    hide = declared(Style)["hide"]
    assert hide.parse("", "dots,levels legend; q · k, random") == (
        *("dots", "levels", "legend"),
        "q · k, random",
    )


def test_a_figure_keeps_what_is_hidden_and_own_curves(tmp_path):
    def render(*words):
        assert run_program(tmp_path, "render", *words, "--size", "174x90mm").returncode == 0

    flags = ["--hide", "marks; y title", "--curves", "base 500: colour=#d62728 dash=dash-dot"]
    render("distances", "--pin", "sinusoidal base=500", *flags, "-o", "a.svg")
    render("--session", "a.svg", "-o", "b.svg")
    text = (tmp_path / "a.svg").read_text("utf-8")
    assert text == (tmp_path / "b.svg").read_text("utf-8")
    assert "#d62728" in text


def test_the_script_draws_the_same_curves():
    e = S("sinusoidal", dim=16)
    fields = options_of("waves", dimensions=(0, 1, 4), line1=20.0)
    state = resolve(Exploration(encoding=e, count=50, **fields), DirectStore())
    curves = (("dimension 4", "colour=#123456 dash=10,2,1,2 width=3"),)
    hide = ("dimension 0", "names", "table")
    figure = matplotlib_figure("waves", state, size="174x120mm", hide=hide, curves=curves)
    (ax,) = figure.axes
    named = {line.get_label(): line for line in ax.lines if line.get_label()[0] != "_"}
    assert [*named] == ["dimension 1", "dimension 4"]
    line = named["dimension 4"]
    assert (to_hex(line.get_color()), line.get_linewidth()) == ("#123456", 3.0)
    assert [*vars(line)["_dash_pattern"][1]] == [30, 6, 3, 6]  # in points
    x, y = line.get_data()
    assert np.allclose(y, np.sin(x * 10000 ** (-4 / 16)), atol=1e-6)
    dots = [to_hex(it.get_color()) for it in ax.lines if it.get_marker() == "o"]
    assert sorted(dots) == ["#123456", "#d5548b"]
    assert not ax.texts


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("pins", "length", "quantity", "legend"),
    list(
        itertools.product(
            range(8), (60, 4096, 10**6), ("frequency", "wavelength"), ("auto", "inside")
        )
    ),
)
def test_legends_keep_off_the_names_of_level_lines(pins, length, quantity, legend):
    fields = options_of("frequencies", lengths=((length, ""),), quantity=quantity)
    style, size = Style(legend=legend), FigureSize(84, 60, "mm")
    figures = figures_of("frequencies", style=style, encoding=S("rope"), pins=PINS[:pins], **fields)
    page = make_page(figures, style, size, measure)
    (panel,) = lay_out_figures(figures, style, size, measure).panels
    (name,) = [box(it) for it in items_of(page, PageText) if it.text.startswith("length")] or [None]
    if name is None:
        assert "names of lines" in page.note.lower()
        assert legend == "inside"
    elif panel.legend is not None:
        place = panel.legend.place
        assert not overlap(name, (place.left, place.top, place.right, place.bottom))


def test_names_of_close_level_lines_keep_off_each_other_and_off_marks():
    levels = tuple(LevelLine(1.5 + 0.02 * number, f"length {number}") for number in range(4))
    panel = known_panel()._replace(levels=levels)
    _, page = known_page(panel, FigureSize(84, 60, "mm"))
    words = words_of(page)
    assert all(level.name in words for level in levels)
    check_texts(page)

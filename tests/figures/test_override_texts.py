"""What an author gives a figure instead of its own: titles, names and the ends of axes."""

import json
import math
import re

import numpy as np
import pytest
from PySide6.QtGui import QFontMetricsF

from pe_explorer import encodings
from pe_explorer.app.output.figure_order import FigureJob, lay_out_figures
from pe_explorer.exploration import Pin
from pe_explorer.figures.overrides import (
    format_formulas_note,
    list_hideable_parts,
    with_overrides,
)
from pe_explorer.figures.page import PageImage, PageText, Polyline
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style, read_style, with_style
from pe_explorer.files import session
from pe_explorer.model.steps import run_now
from pe_explorer.params import ParameterError, declared
from pe_explorer.pictures.figure import Figure, Rectangle
from tests.figures.pages import known_panel
from tests.support.figures import items_of, words_of
from tests.support.processes import run_program
from tests.support.states import state_of

pytestmark = pytest.mark.usefixtures("qapp")  # which measures texts
S = encodings.create
LARGE = FigureSize(174, 90, "mm")


def page_of(view, texts=(), size=LARGE, options=None, style=None, **fields):
    state = state_of(view, options, **{"encoding": S("sinusoidal", dim=16), **fields})
    order = FigureJob(view, state, style or Style(texts=tuple(texts)), size)
    return order, run_now(lay_out_figures(order))


def names_of(page):
    """Return the texts of a page that are no numbers."""
    return sorted(text for text in words_of(page) if not re.fullmatch(r"[\d.]+", text))


def test_titles_are_replaced_where_they_stand_and_nowhere_else():
    own = {"position": "Token index", "cosine distance": "Cosinus"}
    before, after = (names_of(page_of("distances", texts)[1]) for texts in ((), own.items()))
    assert before.count("position") == 3
    assert after == sorted(own.get(text, text) for text in before)
    words = {"x title": "A", "y title": "B", "bar title": "C", "position": "D"}
    _, page = page_of("distances", words.items())  # a text itself comes before a word for it
    assert names_of(page) == ["B", "C", "D", "D", "D"]
    _, page = page_of("distances", [("matrix y title", "query"), ("position", "key")])
    found = [text for text in names_of(page) if text in ("position", "query", "key")]
    assert found == ["key", "key", "query"]
    image = items_of(page, PageImage)[0]
    assert image.place.width == pytest.approx(image.place.height)  # still a square


@pytest.mark.parametrize("new", ["Ωμέγα", "位置", "10⁵ tokens", "a: b; c", '{"x": "y"}', "ω" * 60])
def test_any_text_comes_back_from_flag_and_session(new):
    pins = (Pin(S("sinusoidal", dim=16, base=300.0), "base 300"),)
    style = Style(texts=(("base 300", new), ("pair", "k")))
    kind = declared(Style)["texts"]
    assert kind.parse("texts", kind.format(style.texts)) == style.texts
    kept = json.loads(json.dumps(with_style({"other": 1}, "frequencies", style)))
    assert kept["other"] == 1
    assert read_style(kept, "frequencies", Style.default()) == style
    assert read_style(kept, "heatmap", Style.default()) == Style.default()
    _, page = page_of("frequencies", style=style, pins=pins)
    shown = " ".join(words_of(page))
    assert new in shown or new in shown.replace(" ", "")
    assert "base 300" not in shown
    found = {part.source.key: part.source.text for part in page.parts}
    assert (found["curve x title"], found["base 300"]) == ("k", new)


@pytest.mark.parametrize(
    ("view", "old", "new", "fields"),
    [
        ("projection", "position", "Token", {}),
        ("clocks", "position", "Token", {}),
        ("context", "1 turn", "one turn", {"encoding": S("rope", head_dim=64)}),
        ("waves", "p = 20", "peak: here", {"options": {"line1": 20.0}}),
    ],
)
def test_titles_of_bars_and_names_of_lines_across_can_be_replaced(view, old, new, fields):
    _, page = page_of(view, [(old, new)], **fields)
    assert new in words_of(page)
    assert view != "context" or old not in words_of(page)
    assert "Custom texts" not in page.note
    assert new in [part.source.text for part in page.parts]


def test_a_title_without_spaces_has_several_lines():
    title = "位置编码的余弦距离以及与参考位置之间的相似程度和旋转角度的说明文字"
    _, page = page_of("waves", [("value", title)], FigureSize(84, 60, "mm"))
    lines = [text for text in words_of(page) if text in title]
    assert "".join(reversed(lines)) == title  # the last stands next to the numbers
    assert len(lines) == 2


def test_places_of_parts_cover_their_texts_and_lie_beside_each_other():
    _, page = page_of("distances")
    keys = {part.source.key for part in page.parts if part.source.text == "position"}
    assert keys == {"curve x title", "matrix x title", "matrix y title"}
    for part in page.parts:
        left, top, width, height = part.place
        assert left >= 0 <= top
        assert left + width <= page.width
        assert top + height <= page.height
        if part.kind in ("x", "y", "bar"):  # the title and the numbers
            inside = [t.text for t in items_of(page, PageText) if part.contains(t.x, t.y, 0.0)]
            assert part.source.text in inside
            assert len(inside) > 2
    axes = [part for part in page.parts if part.line is None]
    for text in items_of(page, PageText):
        assert sum(part.contains(text.x, text.y, 0.0) for part in axes) == 1


def test_a_curve_is_where_it_is_drawn():
    _, page = page_of("waves")
    curves = [part for part in page.parts if part.line is not None]
    assert len(curves) == 4
    for curve in curves:
        (x, y), (next_x, next_y) = curve.line[10:12]
        assert curve.contains((x + next_x) / 2, (y + next_y) / 2, 0.01)
        assert curve.contains(x, y + 0.9, 1.0)
        assert not curve.contains(curve.place.left - 1, y, 9.0)


def test_a_text_that_the_figure_has_not_is_named():
    for other, named in (("no such", True), ("y title", False)):
        _, page = page_of("waves", [("dimension 1", "cosine"), (other, "x")])
        assert ("no text 'no such'. It has 'position'," in page.note) == named
        assert bool(page.note) == named


def test_characters_that_no_font_has_are_named(monkeypatch):
    monkeypatch.setattr(QFontMetricsF, "inFontUcs4", lambda self, code: code != ord("q"))
    _, page = page_of("waves", [("position", "query")])
    assert "No installed font has 'q'" in page.note
    assert not page_of("waves")[1].note


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ("position", "a pair, got 'position'"),
        ("position:", "a pair, got 'position:'"),
        (": x", "a pair, got ': x'"),
        ('{"a": 1}', ", got 1"),
        ("{", "'{' is not valid JSON"),
        ("[" * 100_000, "a pair, got "),
        ("{" + "[" * 100_000, "is not valid JSON"),
        ("; ".join(f"t{n}: x" for n in range(101)), "at most 100 texts, got 101"),
    ],
    ids=lambda value: value[:20],
)
def test_what_is_no_pair_is_refused(given, fault):
    with pytest.raises(ParameterError) as caught:
        declared(Style)["texts"].parse("texts", given)
    assert fault in caught.value.sentence


def frame_and_curve(page, count):
    """Return the corners of the frame of a panel, and the curve with a number of points."""
    lines = items_of(page, Polyline)
    frame = next(line.points for line in lines if line.is_rule and np.isfinite(line.points).all())
    (curve,) = (line.points.T for line in lines if len(line.points) == count)
    return frame.min(axis=0), frame.max(axis=0), curve


@pytest.mark.parametrize("start", [0, 10**12, 2**53 - 50])
def test_limits_are_the_ends_of_axes(start):
    """A curve's points lie where a rule of three puts them between the limits."""
    limits = (float(start + 10), float(start + 30))
    style = Style(x_limits=limits, y_limits=(-0.5, 2.0), colour_bar=False)
    fields = {"options": {"part": "curve"}, "start": start, "reference": start}
    _, page = page_of("distances", style=style, **fields)
    (left, top), (right, bottom), (x, y) = frame_and_curve(page, 50)
    own = left + (start + 20 - limits[0]) / 20 * (right - left)
    assert x[20] == pytest.approx(own, abs=1e-6)
    apart = 1 - math.fsum(math.cos(20 * 10000 ** (-2 * k / 16)) for k in range(8)) / 8
    assert y[20] == pytest.approx(bottom - (apart + 0.5) / 2.5 * (bottom - top), abs=1e-3)


def test_areas_can_be_hidden_only_if_they_can_be_seen():
    panel = known_panel()
    empty = (Rectangle(44.5, -2.0, 0.0, 6.0),)
    unseen = panel._replace(hatched_areas=empty, shaded_areas=empty)
    assert {"hatching", "shading"} <= {*list_hideable_parts(panel)}
    assert {"hatching", "shading"}.isdisjoint(list_hideable_parts(unseen))


def test_what_lies_beyond_the_ends_is_left_out_and_grounds_reach_to_them():
    panel = known_panel()

    def limited(shown=panel, **limits):
        (found,) = with_overrides(Figure((shown,)), Style(**limits)).panels
        return found

    wide = limited(x_limits=(90.0, 160.0), y_limits=(-4.0, 8.0))
    assert (wide.x.low, wide.x.high, wide.x.count) == (-10, 60, 71)
    assert wide.shaded_areas == (Rectangle(-10, -4, 14.5, 12),)
    assert wide.hatched_areas == (Rectangle(44.5, -4, 15.5, 12),)
    assert (wide.marks, wide.levels, wide.dots) == (panel.marks, panel.levels, panel.dots)
    narrow = limited(x_limits=(105.0, 110.0), y_limits=(1.0, 1.5))
    assert (narrow.x.count, narrow.marks, narrow.dots) == (6, panel.marks, panel.dots)
    assert narrow.levels == panel.levels[:1]
    between = limited(x_limits=(105.5, 109.5), y_limits=(1.6, 3.5))
    assert (between.x.count, between.marks, between.dots) == (4, (), ())
    assert between.levels == panel.levels[1:]
    for across, up in (((104.0, 106.0), (2.0, 3.0)), ((110.0, 120.0), (0.0, 2.0))):
        assert limited(x_limits=across, y_limits=up).dots == ()  # one of the two is enough
    assert limited(y_limits=(0.0, 1.0)).x == panel.x
    assert limited() == panel
    square = panel._replace(y=panel.x)
    assert limited(square, x_limits=(105.0, 110.0)) == square


def test_only_formulas_that_are_typed_are_noted():
    assert format_formulas_note(Style(title="from $5 to $6", texts=(("a", "b$"),))) == ""
    for style in (Style(title="$x$"), Style(texts=(("position", "the $i$-th"),))):
        assert "formula" in format_formulas_note(style).lower()


def test_a_logarithmic_axis_ends_at_powers_of_its_limits():
    with pytest.raises(ParameterError, match=r"^y-limits: 0 .*logarithmic.* above 0"):
        page_of("frequencies", style=Style(y_limits=(0.0, 1.0)))
    _, page = page_of("frequencies", style=Style(y_limits=(0.01, 100.0)))
    (_, top), (_, bottom), (_, heights) = frame_and_curve(page, 8)
    for pair, y in enumerate(heights):
        part = (math.log10(10000 ** (-2 * pair / 16)) + 2) / 4
        assert y == pytest.approx(bottom - part * (bottom - top), abs=1e-6)


def test_a_figure_keeps_its_texts_and_limits_for_the_next_one(tmp_path):
    def render(*words):
        return run_program(tmp_path, "render", *words, "--size", "174x90mm")

    flags = ["--texts", "position: Token; bar title: D", "--y-limits", "0 2"]
    assert render("distances", *flags, "-o", "a.svg").returncode == 0
    assert render("--session", "a.svg", "distances", "-o", "b.svg").returncode == 0
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    kept = {"of": "distances", "texts": flags[1], "y_limits": "0 2"}
    assert kept.items() <= session.read(tmp_path / "a.svg").extra["figure"].items()
    refused = render("heatmap", "--y-limits", "0 1", "-o", "c.svg")
    assert refused.returncode == 2
    assert "has no axes of curves" in refused.stderr

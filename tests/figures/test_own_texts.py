"""What an author gives a figure instead of its own: titles, names and the ends of axes."""

import json
import math
import re

import pytest
from PySide6.QtGui import QFontMetricsF

from pe_explorer import encodings
from pe_explorer.app.output.figure_order import Order, laid_out, texts_of
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from pe_explorer.figures.page import PageImage, PageText, Polyline
from pe_explorer.figures.size import PRESETS, FigureSize
from pe_explorer.figures.style import Style, style_in, with_style
from pe_explorer.files import session
from pe_explorer.model.steps import at_once
from pe_explorer.params import ParameterError, declared
from pe_explorer.pictures import with_options
from tests.support.processes import run_program

S = encodings.create
LARGE = FigureSize(174, 90, "mm")


def page_of(view, style=None, size=LARGE, options=None, **fields):
    fields = {"encoding": S("sinusoidal", dim=16), **fields}
    state = with_options(Exploration(**fields), view, **(options or {}))
    order = Order(view, resolve(state, DirectStore()), style or Style.default(), size)
    return order, at_once(laid_out(order))


def texts(page):
    return [item.text for item in page.items if isinstance(item, PageText)]


def test_titles_are_replaced_where_they_stand_and_nowhere_else(qapp):
    _, before = page_of("distances")
    style = Style(texts=(("position", "Token index"), ("cosine distance", "Cosinus")))
    _, after = page_of("distances", style)
    assert texts(before).count("position") == 3
    expected = {"position": "Token index", "cosine distance": "Cosinus"}
    names = [text for text in texts(after) if not re.fullmatch(r"[\d.]+", text)]
    wanted = [expected.get(t, t) for t in texts(before) if not re.fullmatch(r"[\d.]+", t)]
    assert sorted(names) == sorted(wanted)


def test_words_for_titles_stand_for_those_of_all_panels(qapp):
    style = Style(texts=(("x title", "A"), ("y title", "B"), ("bar title", "C"), ("position", "D")))
    _, page = page_of("distances", style)
    found = [text for text in texts(page) if not re.fullmatch(r"[\d.]+", text)]
    assert sorted(found) == ["B", "C", "D", "D", "D"]  # a text itself comes before a word for it


@pytest.mark.parametrize("new", ["Ωμέγα", "位置", "10⁵ tokens", "a: b; c", '{"x": "y"}', "ω" * 60])
def test_any_text_comes_back_from_flag_and_session(qapp, new):
    pins = (Pin(S("sinusoidal", dim=16, base=300.0), "base 300"),)
    style = Style(texts=(("base 300", new), ("pair", "k")))
    kind = declared(Style)["texts"]
    assert kind.parse("texts", kind.format(style.texts)) == style.texts
    kept = json.loads(json.dumps(with_style({"other": 1}, "frequencies", style)))
    assert kept["other"] == 1
    assert style_in(kept, "frequencies", Style.default()) == style
    assert style_in(kept, "heatmap", Style.default()) == Style.default()
    order, page = page_of("frequencies", style, pins=pins)
    shown = " ".join(texts(page))
    assert new in shown or new in shown.replace(" ", "")
    assert "base 300" not in shown
    found = {source.key: source.text for source, _ in texts_of(order, page)}
    assert (found["curve x title"], found["base 300"]) == ("k", new)


def test_the_title_of_one_panel_alone(qapp):
    _, page = page_of("distances", Style(texts=(("matrix y title", "query"), ("position", "key"))))
    found = [text for text in texts(page) if text in ("position", "query", "key")]
    assert sorted(found) == ["key", "key", "query"]
    images = [item for item in page.items if isinstance(item, PageImage)]
    assert images[0].place.width == pytest.approx(images[0].place.height)  # still a square


@pytest.mark.parametrize("view", ["projection", "clocks"])
def test_the_title_of_a_bar_of_positions(qapp, view):
    _, page = page_of(view, Style(texts=(("position", "Token"),)))
    assert "Token" in texts(page)
    assert page.note == ""


def test_a_title_without_spaces_has_several_lines(qapp):
    title = "位置编码的余弦距离以及与参考位置之间的相似程度和旋转角度的说明文字"
    _, page = page_of("waves", Style(texts=(("value", title),)), FigureSize(84, 60, "mm"))
    lines = [text for text in texts(page) if text in title]
    assert "".join(reversed(lines)) == title  # the last stands next to the numbers
    assert len(lines) == 2


def test_places_of_texts_cover_them(qapp):
    order, page = page_of("distances")
    found = texts_of(order, page)
    keys = {source.key for source, _ in found if source.text == "position"}
    assert keys == {"curve x title", "matrix x title", "matrix y title"}
    width, height = order.size.in_points
    for _, box in found:
        assert 0 <= box.left < box.right <= width
        assert 0 <= box.top < box.bottom <= height
        inside = [
            item
            for item in page.items
            if isinstance(item, PageText)
            and box.left - 0.01 <= item.x <= box.right + 0.01
            and box.top <= item.y <= box.bottom + 0.01
        ]
        assert inside


@pytest.mark.parametrize("start", [0, 10**12, 2**53 - 50])
def test_limits_are_the_ends_of_axes(qapp, start):
    """A curve's points lie where a rule of three puts them between the limits."""
    limits = (float(start + 10), float(start + 30))
    style = Style(x_limits=limits, y_limits=(-0.5, 2.0), colour_bar=False)
    _, page = page_of(
        "distances", style, start=start, count=50, reference=start, options={"part": "curve"}
    )
    frame = max(
        (i for i in page.items if isinstance(i, Polyline) and i.rule), key=lambda i: len(i.points)
    )
    (left, top), (right, bottom) = frame.points.min(axis=0), frame.points.max(axis=0)
    (curve,) = (i for i in page.items if isinstance(i, Polyline) and len(i.points) == 50)
    x, y = curve.points.T
    e = S("sinusoidal", dim=16)
    own = left + (start + 20 - limits[0]) / 20 * (right - left)
    assert x[20] == pytest.approx(own, abs=1e-6)
    rates = [10000 ** (-2 * k / 16) for k in range(8)]
    apart = 1 - math.fsum(math.cos(20 * rate) for rate in rates) / 8
    assert e.dim == 16
    assert y[20] == pytest.approx(bottom - (apart + 0.5) / 2.5 * (bottom - top), abs=1e-3)


def test_a_logarithmic_axis_ends_at_powers_of_its_limits(qapp):
    with pytest.raises(ParameterError, match="0 has no place on a logarithmic axis"):
        page_of("frequencies", Style(y_limits=(0.0, 1.0)))
    _, page = page_of("frequencies", Style(y_limits=(0.01, 100.0)))
    (curve,) = (i for i in page.items if isinstance(i, Polyline) and len(i.points) == 8)
    frame = max(
        (i for i in page.items if isinstance(i, Polyline) and i.rule), key=lambda i: len(i.points)
    )
    (_, top), (_, bottom) = frame.points.min(axis=0), frame.points.max(axis=0)
    for pair, y in enumerate(curve.points[:, 1]):
        part = (math.log10(10000 ** (-2 * pair / 16)) + 2) / 4
        assert y == pytest.approx(bottom - part * (bottom - top), abs=1e-6)


def test_a_text_that_the_figure_has_not_is_named(qapp):
    _, page = page_of("waves", Style(texts=(("dimension 1", "cosine"), ("no such", "x"))))
    assert page.note.startswith("Own texts: the figure has no text 'no such'; it has 'position',")
    _, page = page_of("waves", Style(texts=(("dimension 1", "cosine"), ("y title", "x"))))
    assert page.note == ""


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ("position", "'position' is no pair"),
        ("position:", "'position:' is no pair"),
        (": x", "': x' is no pair"),
        ('{"a": 1}', "1 is not a text"),
        ("{", "'{' is no valid JSON"),
        ("[" * 100_000, "is no pair"),
        ("{" + "[" * 100_000, "is no valid JSON"),
        ("; ".join(f"t{n}: x" for n in range(101)), "more than 100 texts; remove some"),
    ],
)
def test_what_is_no_pair_is_refused(given, fault):
    with pytest.raises(ParameterError) as caught:
        declared(Style)["texts"].parse("texts", given)
    assert fault in caught.value.sentence


def test_a_figure_keeps_its_texts_and_limits_for_the_next_one(tmp_path):
    def render(*words):
        return run_program(tmp_path, "render", *words, "--size", "174x90mm")

    flags = ["--texts", "position: Token; bar title: D", "--y-limits", "0 2"]
    assert render("distances", *flags, "-o", "a.svg").returncode == 0
    assert render("--session", "a.svg", "distances", "-o", "b.svg").returncode == 0
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    found = session.read(tmp_path / "a.svg")
    kept = {
        "of": "distances",
        "texts": "position: Token; bar title: D",
        "y_limits": "0 2",
    }
    assert kept.items() <= found.extra["figure"].items()
    refused = render("heatmap", "--y-limits", "0 1", "-o", "c.svg")
    assert refused.returncode == 2
    assert "has no axes of curves" in refused.stderr


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_long_texts_leave_the_figure_readable(qapp, name):
    style = Style(texts=(("x title", "a title of sixty characters, " * 2), ("y title", "ß" * 60)))
    _, page = page_of("distances", style, PRESETS[name])
    shown = " ".join(texts(page))
    assert "a title of sixty characters" in shown or page.note


def test_the_name_of_a_level_line_can_be_replaced(qapp):
    style = Style(texts=(("1 turn", "one turn"),))
    state = {"encoding": S("rope", head_dim=64)}
    order, page = page_of("context", style, **state)
    shown = {item.text for item in page.items if isinstance(item, PageText)}
    assert "one turn" in shown
    assert "1 turn" not in shown
    assert "Own texts" not in page.note
    assert ("1 turn", "one turn") in [source for source, _ in texts_of(order, page)]


def test_characters_that_no_font_has_are_named(qapp, monkeypatch):
    monkeypatch.setattr(QFontMetricsF, "inFontUcs4", lambda self, code: code != ord("q"))
    _, page = page_of("waves", Style(texts=(("position", "query"),)))
    assert page.note == (
        "No font here has 'q', drawn as boxes; install a font that has these characters."
    )
    _, page = page_of("waves")
    assert page.note == ""

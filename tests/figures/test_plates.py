"""A plate with panels of its own: what each shows, what it is called, and what is refused."""

import threading

import matplotlib as mpl
import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.app import render
from pe_explorer.commandline.main import main
from pe_explorer.exploration import DirectStore, Exploration, Pin, make_panes, resolve
from pe_explorer.figures import PLATE, matplotlib_figure
from pe_explorer.figures.layout import NoRoomError, make_page
from pe_explorer.figures.making import ExactLimits, compute_figures
from pe_explorer.figures.page import PageText
from pe_explorer.figures.plates import make_picture_requests
from pe_explorer.figures.style import Style
from pe_explorer.files import session
from pe_explorer.params import ParameterError
from tests.support.commands import error_line, render_request
from tests.support.figures import DENSITY, box, check_texts, items_of, measure, sized, words_of

PINS = (Pin(encodings.create("binary", dim=8), "slow"),)
STATE = Exploration(encodings.create("sinusoidal", dim=16), count=30, pins=PINS)
LARGE = sized("300x300mm")


def figures_of(*panels, size=LARGE):
    style = Style(panels=panels)
    wanted = make_picture_requests(PLATE, resolve(STATE, DirectStore()), style)
    given = wanted, style, *size.in_points, DENSITY, measure, threading.Event()
    return compute_figures(*given, exact_limits=ExactLimits())


def page_with(*panels, size=LARGE, **style):
    figures = figures_of(*panels, size=size)
    return make_page(figures, Style(panels=panels, **style), size, measure)


def test_each_panel_shows_what_its_words_say_and_no_other_follows_them():
    plain, based, rotary, pinned, few, dot = figures_of(
        "heatmap",
        "heatmap base=100 letter=(b)",
        "heatmap encoding=rope head-dim=8",
        "heatmap show=pinned",
        "heatmap start=5 count=4 dimensions=3",
        "distances part=curve metric=dot reference=2",
    )
    table = STATE.encoding.table(range(30))
    for figure, numbers in (
        (plain, table),
        (based, encodings.create("sinusoidal", dim=16, base=100.0).table(range(30))),
        (rotary, encodings.create("rope", head_dim=8).table(range(30))),
        (pinned, PINS[0].encoding.table(range(30))),
        (few, STATE.encoding.table(range(5, 9))[:, :3]),
    ):
        values = figure.panels[0].cells.values
        assert values.shape == numbers.shape
        np.testing.assert_allclose(values, numbers, rtol=0, atol=1e-15)
    curve = dot.panels[0].curves[0]
    render_request = np.interp(range(30), curve.x, curve.y)
    np.testing.assert_allclose(render_request, table @ table[2], atol=1e-9)


def test_a_panel_of_offsets_begins_where_they_do_and_a_part_may_be_alone():
    bias, curve, both = figures_of("heatmap encoding=alibi", "distances only=curve", "distances")
    assert bias.panels[0].y.origin + bias.panels[0].y.count - 1 == 0
    assert [panel.name for panel in curve.panels] == ["curve"]
    assert [panel.name for panel in both.panels] == ["curve", "matrix"]


def test_letters_are_as_they_are_typed_or_as_usual():
    page = page_with("heatmap", "waves letter=(b)", "clocks 'letter=Fig. 3 α'", "heatmap letter=")
    letters = [text.text for text in items_of(page, PageText) if text.is_bold]
    assert letters == ["a", "(b)", "Fig. 3 α"]
    assert not [text for text in items_of(page_with("heatmap"), PageText) if text.is_bold]
    (letter,) = (it for it in items_of(page_with("heatmap letter=A"), PageText) if it.is_bold)
    assert letter.text == "A"


def test_a_long_letter_is_cut_where_the_next_panel_begins():
    text = "A rather long letter that says what is shown, and goes on"
    page = page_with(*[f"heatmap 'letter={text}'"] * 4)
    letters = [it for it in items_of(page, PageText) if it.is_bold]
    assert len(letters) == 4
    left, right = sorted({letter.x for letter in letters})
    for letter in letters:
        assert letter.text in text or letter.text.endswith("…")
        if letter.x == left:
            assert box(letter)[2] - left < (right - left) / 1.2


def test_a_subtitle_stands_below_the_title_and_above_all_else():
    for title in ("Above", ""):
        page = page_with("heatmap", "waves", title=title, subtitle="It is below.")
        texts = {text.text: text for text in items_of(page, PageText)}
        own = [texts[each] for each in (title, "It is below.") if each]
        lines = [box(text) for text in own]
        others = [box(text) for each, text in texts.items() if text not in own]
        assert sorted(lines, key=lambda it: it[1]) == lines
        assert lines[-1][3] <= min(top for _, top, _, _ in others)
        check_texts(page)


def test_twelve_panels_have_room_and_thirteen_are_refused():
    page = page_with(*(f"heatmap base={10**n}" for n in range(1, 13)))
    letters = [text for text in items_of(page, PageText) if text.is_bold]
    assert "".join(letter.text for letter in letters) == "abcdefghijkl"
    check_texts(page)
    with pytest.raises(ParameterError, match="at most 12"):
        Style(panels=("heatmap",) * 13)
    with pytest.raises(NoRoomError, match=r"too small for 12 panels.*fewer panels"):
        page_with(*["distances"] * 12, size=sized("84x60mm"))


REFUSED = {
    "heatmp": "Did you mean 'heatmap'?",
    "heatmap quanty=angle": "'quanty' is not a parameter of a panel of heatmap. Did you mean",
    "clocks metric=dot": "which has letter, only, encoding, start, count",
    "heatmap 'letter=a": "no closing quotation",
    "heatmap base=x": "base: expected a number above 1, at most 1e12, got 'x'",
    "heatmap encoding=rop": "encoding: expected ",
    "heatmap encoding=rope factor=3": "factor: has no effect with rope-type default. Leave it out",
    "heatmap compared=1 show=pinned": "compared: expected 0, the only pin, got 1",
    "heatmap encoding=learned": "a panel cannot name a file. Name it for the whole plate",
    "tokens file=x.npy": "a panel cannot name a file",
    "distances only=curv": "only: expected curve or matrix, got 'curv'",
    "heatmap start=2^53 count=5": "count: 5 positions",
}


@pytest.mark.parametrize("text", REFUSED)
def test_a_text_that_is_no_panel_is_refused_with_its_number(text):
    with pytest.raises(ParameterError) as caught:
        make_picture_requests(PLATE, STATE, Style(panels=("heatmap", text)))
    assert caught.value.name == "panels"
    assert caught.value.problem.startswith("panel 2, ")
    assert REFUSED[text] in caught.value.problem


def test_a_script_has_the_panels_with_their_letters_and_the_subtitle():
    mpl.use("Agg")
    panels = ["heatmap", "heatmap base=100 letter=(b)", "waves", "distances part=matrix"]
    figure = matplotlib_figure(PLATE, STATE, panels=panels, title="T", subtitle="S", size="9x6in")
    assert figure.get_suptitle() == "T\nS"
    assert [part.get_suptitle() for part in figure.subfigs] == ["a", "(b)", "c", "d"]
    tables = [part.axes[0].images[0].get_array() for part in figure.subfigs[:2]]
    for base, table in zip((1e4, 100.0), tables, strict=True):
        e = encodings.create("sinusoidal", dim=16, base=base)
        np.testing.assert_allclose(table, e.table(range(30)), atol=1e-12)


def test_the_flags_replace_the_panels_of_a_session(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    panes = Exploration(panes=make_panes(("heatmap",)))
    session.write("s.json", panes, {"figure": {"of": PLATE, "panels": '["waves", "clocks"]'}})
    _, state, style = render_request(PLATE, "--session", "s.json")
    assert (state.panes, style.panels) == (panes.panes, ("waves", "clocks"))
    words = ("--panel", "heatmap 'letter=a;b'", "--panel=tokens")
    _, _, style = render_request(PLATE, "--session", "s.json", *words)
    assert style.panels == ("heatmap 'letter=a;b'", "tokens")


def test_flags_that_do_not_go_together_are_refused(capsys, tmp_path, qapp, monkeypatch):
    monkeypatch.setattr(render, "Application", lambda _: qapp)
    target = ("-o", str(tmp_path / "x.png"))
    for words, fact in (
        (["heatmap", "--panel", "waves"], "--panel: this picture of heatmap has no list of panels"),
        ([PLATE, "--panes", "waves", "--panel", "heatmap"], "--panes: the panels of the plate"),
        ([PLATE, "--panel", "heatmap", "--clocks", "0"], "--clocks: this picture of heatmap has"),
        (["window", "--panel", "heatmap"], "--panel: applies only to figures"),
        ([PLATE, "--panel", "frequencies encoding=index"], "index"),  # the only one has no picture
    ):
        assert fact in error_line(capsys, "render", *words, *target)
    assert list(tmp_path.iterdir()) == []


def test_code_draws_the_panels(capsys):
    assert main(["code", "--figure", PLATE, "--panel", "heatmap", "--panel", "waves base=9"]) == 0
    script = capsys.readouterr().out
    assert script.startswith("# Heatmap, Waves of sinusoidal, positions 0 to 49\n")
    assert script.count("part = parts[") == 2


def test_words_of_the_page_are_those_of_each_panel():
    page = page_with("distances part=curve", "distances part=curve metric=dot")
    words = " ".join(words_of(page))
    assert "cosine" in words
    assert "dot" in words

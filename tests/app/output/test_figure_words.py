"""What somebody has typed stands in a figure as it is, whatever signs it has."""

import threading
from xml.etree import ElementTree as ET

import pytest

from pe_explorer import encodings, pictures
from pe_explorer.app.output.figure_files import save
from pe_explorer.app.output.figure_order import Order, laid_out
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from pe_explorer.figures.page import PageText, Typeset
from pe_explorer.figures.size import PRESETS
from pe_explorer.figures.style import Style
from pe_explorer.files import session
from pe_explorer.files.figure_code import figure_code
from pe_explorer.files.png import text_of
from pe_explorer.files.session import FIGURES, shared
from pe_explorer.model.steps import at_once
from tests.support.matplotlib_run import run_scripts
from tests.support.pages import text_of_pdf, whole_page

pytestmark = pytest.mark.usefixtures("qapp")

TYPED = r"x^{2} $y$ _a\n \$ {0} %s <b> &amp;"
NAMES = (TYPED, "_b $c$ ^{-1}")
CURVE = {"distances": pictures.find("distances").Options(part="curve")}


def explored(**fields):
    """Return an exploration whose pins have hostile names, at positions with a power of ten."""
    pins = tuple(Pin(encodings.create("sinusoidal", base=50.0 + i), n) for i, n in enumerate(NAMES))
    fields = {"start": 10**7, "count": 10**7, "pins": pins, **fields}
    return resolve(Exploration(**fields), DirectStore())


def saved(page, path, text=""):
    save(page, path, 300, text, threading.Event())
    return path


def page_of(view, style, **fields):
    return at_once(laid_out(Order(view, explored(**fields), style, PRESETS["slide"])))


@pytest.mark.parametrize("ending", FIGURES)
def test_a_title_and_names_are_literal_in_files(tmp_path, ending):
    page = page_of("distances", Style(title=TYPED), options=CURVE)
    path = saved(page, tmp_path / f"f{ending}")
    texts = [item.text for item in page.items if isinstance(item, PageText)]
    assert {TYPED, *NAMES} <= set(texts)
    assert not any(isinstance(text, Typeset) for text in texts if text in (TYPED, *NAMES))
    if ending == ".png":
        assert text_of(path.read_bytes(), "Title") == {"Title": TYPED}
        return
    if ending == ".svg":
        tree = ET.parse(path)
        spans = [element for element in tree.iter() if element.tag.endswith("}text")]
        found = ["".join(element.itertext()) for element in spans]
        whole = [element.text for element in spans if not len(element)]
        assert {TYPED, *NAMES} <= set(whole)
        assert "position × 106" in found  # whose 6 is raised, as the program wrote it
        assert tree.find("{*}title").text == TYPED
        return
    text = text_of_pdf(path)
    assert all(name in text for name in (TYPED, *NAMES))


def test_the_name_of_a_pin_is_literal_and_whole_beside_a_colour_bar():
    page = page_of("heatmap", Style(), show="difference", compared=0, count=100)
    words = " ".join(item.text for item in page.items if isinstance(item, PageText))
    assert f"value, b = 10,000 − {TYPED}" in words


def test_they_are_literal_in_a_script():
    state = explored(show="difference", compared=0, count=100)
    views = pictures.names()
    style, size = Style(title=TYPED), PRESETS["slide"]
    drawn = run_scripts(
        figure_code((view,), state, style, size, "", threading.Event()) for view in views
    )
    for view, found in zip(views, drawn, strict=True):
        assert found["title"] == TYPED, view
        if view == "distances":
            names = {name.strip() for ax in found["axes"] for name in ax["legend"]}
            assert set(NAMES) <= names
        if view == "heatmap":
            titles = [" ".join(ax["ylabel"].split("\n")) for ax in found["axes"]]
            assert any(f"value, b = 10,000 − {TYPED}" in title for title in titles)


SIGNS = [*map(chr, range(32)), *map(chr, range(127, 160)), "\u2028", "\ufffe", "\uffff", "\ufeff"]
LONE = ["\ud800", "\udbff", "\udc00", "\udfff", "\udc80\ud83d"]


@pytest.mark.parametrize("ending", FIGURES)
def test_no_sign_of_a_title_or_a_session_makes_a_file_that_cannot_be_read(tmp_path, ending):
    for sign in (*SIGNS, *LONE, "]]>", "-->", "?>", "😀"):
        words = f"a{sign}b"
        text = shared(Exploration(), {"later": words})
        page = whole_page()
        hostile = PageText(words, 5, 5, 8.0, "#000000")
        page = page._replace(title=words, items=(*page.items, hostile))
        path = saved(page, tmp_path / f"f{ending}", text=text)
        assert session.read(path).extra == {"later": words}
        readable = words
        for lone in (*LONE, "\ufffe", "\uffff", *map(chr, {*range(32)} - {9, 10, 13})):
            readable = readable.replace(lone, "\ufffd" * len(lone))
        if ending == ".png":
            assert text_of(path.read_bytes(), "Title") == {"Title": readable}
            continue
        data = path.read_bytes()
        if ending == ".pdf":
            begin = data.index(b"<x:xmpmeta")
            data = data[begin : data.index(b"</x:xmpmeta>")] + b"</x:xmpmeta>"
        tree = ET.fromstring(data)
        found = [e.text for e in tree.iter() if e.tag.endswith(("}title", "}li"))]
        titles = [title for title in found if title]
        assert titles == [readable.replace("\r", "\n")], repr(sign)

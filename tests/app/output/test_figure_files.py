"""Figures in files, read by other programs: their looks, text, cells, size and session."""

import re
from functools import partial
from itertools import cycle
from unicodedata import normalize
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PySide6.QtCore import QHashSeed
from PySide6.QtGui import QImage

from pe_explorer import encodings, pictures
from pe_explorer.app.output.figure_files import image, save
from pe_explorer.app.output.figure_order import FigureJob, lay_out_figures
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from pe_explorer.figures.page import PageImage, PageText, Polyline, TypesetText, split_superscripts
from pe_explorer.figures.size import PRESETS
from pe_explorer.figures.style import Style
from pe_explorer.files import session
from pe_explorer.files.session import FIGURE_SUFFIXES, read_texts
from pe_explorer.model.steps import run_now
from pe_explorer.pictures.figure import Rectangle
from pe_explorer.progress import CancelledError, Progress
from tests.figures.pages import (
    alike,
    cells_of,
    colours,
    images_of_pdf,
    page_of,
    raster_of_pdf,
    raster_of_svg,
    run,
    table_of,
    text_of_pdf,
    whole_page,
)

pytestmark = pytest.mark.usefixtures("qapp")
every_ending = pytest.mark.parametrize("ending", FIGURE_SUFFIXES)
ROPE = encodings.create("rope", head_dim=8)


def saved(page, path, dpi=300, text="", progress=None):
    save(page, path, dpi, text, progress or Progress())
    return path


def order_of(view, size=PRESETS["one-column"], style=None, **fields):
    state = resolve(Exploration(**fields), DirectStore())
    return FigureJob(view, state, style or Style(dpi=150.0), size)


def texts_of(page):
    return [item.text for item in page.items if isinstance(item, PageText)]


# -- looks and words -------------------------------------------------------------------------------

LOOKS = [
    (view, preset, start)
    for number, (view, start) in enumerate(zip(pictures.names(), cycle([0, 10**9, 10**15])))
    for place, preset in enumerate(PRESETS)
    if place == 0 or (number + place) % 6 == 0
]
"""All views in the narrowest size, and each of the other sizes with a sixth of the views."""


@pytest.mark.parametrize(("view", "preset", "start"), LOOKS)
def test_the_files_look_alike_and_every_word_is_text(tmp_path, view, preset, start):
    order = order_of(view, PRESETS[preset], count=9, start=start, encoding=ROPE)
    page = run_now(lay_out_figures(order))
    path = saved(page, tmp_path / "figure.pdf", order.dpi)
    check_looks(page, order, partial(raster_of_pdf, path))
    found = normalize("NFKC", "".join(text_of_pdf(path).split()))
    assert texts_of(page)
    for text in texts_of(page):
        words = normalize("NFKC", "".join(part for part, _ in split_superscripts(text)))
        assert "".join(words.split()) in found, text
    # The program that draws SVG files mixes cells; those are compared one by one below.
    others = tuple(item for item in page.items if not isinstance(item, PageImage))
    page = page._replace(items=others)
    path = saved(page, tmp_path / "figure.svg", order.dpi)
    check_looks(page, order, partial(raster_of_svg, path))


def check_looks(page, order, raster):
    drawn = colours(image(page, order.dpi))
    height, width = drawn.shape[:2]
    elsewhere = raster(width, height)
    assert elsewhere.shape == drawn.shape
    assert alike(drawn, elsewhere)
    assert not alike(drawn, np.roll(elsewhere, 6, axis=1))


TYPED = r"x^{2} $y$ _a\n \$ {0} %s <b> &amp;"
NAMES = (TYPED, "_b $c$ ^{-1}")
PINS = [Pin(encodings.create("sinusoidal", base=50.0 + i), name) for i, name in enumerate(NAMES)]
DIFFERENCE = {"show": "difference", "compared": 0, "count": 100}


def test_what_somebody_has_typed_stands_in_a_file_as_it_is_whatever_signs_it_has(tmp_path):
    curve = {"distances": pictures.find("distances").Options(part="curve")}
    far = {"start": 10**7, "count": 10**7, "pins": PINS}
    slide = PRESETS["slide"]
    page = run_now(
        lay_out_figures(order_of("distances", slide, Style(title=TYPED), options=curve, **far))
    )
    texts = texts_of(page)
    assert {TYPED, *NAMES} <= set(texts)
    assert not any(isinstance(text, TypesetText) for text in texts if text in NAMES)
    pdf, svg, png = (saved(page, tmp_path / f"f{ending}") for ending in (".pdf", ".svg", ".png"))
    assert all(name in text_of_pdf(pdf) for name in NAMES)
    assert read_texts(png.read_bytes(), "Title") == {"Title": TYPED}
    tree = ET.parse(svg)
    spans = [element for element in tree.iter() if element.tag.endswith("}text")]
    assert {TYPED, *NAMES} <= {element.text for element in spans if not len(element)}
    # whose 6 is raised, as the program wrote it
    assert "position × 106" in ["".join(element.itertext()) for element in spans]
    assert tree.find("{*}title").text == TYPED
    page = run_now(lay_out_figures(order_of("heatmap", slide, Style(), **{**far, **DIFFERENCE})))
    assert f"value, base 10,000 − {TYPED}" in " ".join(texts_of(page))


# -- cells -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1, 1), (3, 5), (300, 7), (513, 400)])
def test_cells_are_embedded_exactly_and_in_their_order(tmp_path, size):
    free = np.random.default_rng(3).integers(0, 256, (4, 5, 4), dtype=np.uint8)
    free[..., 3] = 255
    parts = (
        cells_of(*size, (5, 5, 30, 30)),
        PageImage(free, Rectangle(40, 5, 30, 30)),
        cells_of(1, 1, (80, 5, 30, 30), seed=2),
    )
    page = page_of(*parts)
    path = saved(page, tmp_path / "f.pdf")
    for part, found in zip(parts, images_of_pdf(path), strict=True):
        np.testing.assert_array_equal(found, part.rgba)
    assert tuple(raster_of_pdf(path, 480, 360)[80, 380]) == tuple(parts[2].rgba[0, 0])


def test_cells_without_colour_leave_the_ground_and_none_leaves_its_clip(tmp_path):
    table, half = table_of(), np.zeros((1, 2, 4), dtype=np.uint8)
    table[255] = 0
    half[0, 1] = (255, 0, 0, 128)
    cells = np.array([[1, 255], [255, 2]], dtype=np.uint8)
    place, clip = Rectangle(10, 10, 100, 60), Rectangle(20, 20, 30, 20)
    with_table = page_of(PageImage(cells, place, table), ground="#e0e8f0")
    clipped = page_of(cells_of(4, 4, place)._replace(clip=clip))

    def drawn(page):
        path = saved(page, tmp_path / "f.pdf")
        return colours(image(page, 288)), raster_of_pdf(path, 480, 360)

    for raster in drawn(with_table):
        assert tuple(raster[60, 60]) == tuple(table[1])
        assert tuple(raster[60, 400]) == (0xE0, 0xE8, 0xF0, 255)
    for raster in drawn(
        page_of(PageImage(half, place), PageImage(half, Rectangle(10, 72, 100, 9)))
    ):
        np.testing.assert_allclose(raster[304, 400], (255, 127, 127, 255), atol=2)
        np.testing.assert_allclose(raster[160, 400], (255, 127, 127, 255), atol=2)
        assert (raster[160, 60] == 255).all()
    for raster in drawn(clipped):
        changed = np.argwhere((raster != 255).any(axis=2))
        assert abs(changed.min(axis=0) - [80, 80]).max() <= 1
        assert abs(changed.max(axis=0) - [159, 199]).max() <= 1


# -- of one kind -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "height"), [(84, 60), (20, 20), (1999, 333.3)])
def test_a_pdf_page_is_exactly_as_large_as_the_figure(tmp_path, width, height):
    wide, high = width * 72 / 25.4, height * 72 / 25.4
    path = saved(page_of(width=wide, height=high), tmp_path / "f.pdf")
    size = re.search(r"Page size: +([\d.]+) x ([\d.]+)", run("pdfinfo", path)).groups()
    assert list(map(float, size)) == pytest.approx([wide, high], abs=0.02)
    assert (raster_of_pdf(path, 300, round(300 * height / width)) == 255).all()


def test_a_pdf_has_the_same_bytes_whatever_qt_chooses_at_random(tmp_path):
    texts = (
        PageText("thin", 9, 9, 8, "#000000"),
        PageText("bold", 9, 29, 8, "#000000", is_bold=True),
    )
    files = []
    for number in range(9):
        QHashSeed.resetRandomGlobalSeed()
        files.append(saved(page_of(*texts), tmp_path / f"{number}.pdf").read_bytes())
    assert set(files) == {files[0]}


def test_a_pdf_has_fonts_strokes_and_says_of_itself_what_it_shows(tmp_path):
    page = whole_page()._replace(title="Sines <of> ω & \u65e5")
    path = saved(page, tmp_path / "f.pdf", text=session.dumps_for_sharing(Exploration()))
    assert {"wavelength", "1015", "(ω)", "dimension", "title"} <= set(text_of_pdf(path).split())
    fonts = run("pdffonts", path).splitlines()[2:]
    assert fonts
    assert all("TrueType" in font and " yes " in font for font in fonts)
    info, metadata = run("pdfinfo", path), run("pdfinfo", "-meta", path)
    assert "Sines <of> ω & \u65e5" in info
    assert "PE Explorer" in info
    assert not re.search(r"Author: +\S", info)
    assert "Sines &lt;of&gt; ω &amp; \u65e5" in metadata
    assert "<pe-explorer:session " in metadata
    assert "Date" not in info + metadata
    names = []  # of files that differ only in what is appended
    for seed in (0, 0, 1):
        path = saved(page_of(cells_of(6, 9, (20, 12, 90, 30), seed)), tmp_path / f"{seed}.pdf")
        names.append(set(re.findall(rb"/ID \[ <([0-9a-f]+)> <\1> \]", path.read_bytes())))
    assert names[0] == names[1] != names[2]
    assert [len(each) for each in names] == [1, 1, 1]
    ink = []
    for width in (0.4, 4.0):  # a thin line is no outline that is filled
        line = Polyline(np.array([[10.0, 10], [100, 80]]), "#000000", width)
        raster = raster_of_pdf(saved(page_of(line), tmp_path / "g.pdf"), 1200, 900)
        ink.append((1 - raster[..., 0] / 255).sum())
    assert ink[1] / ink[0] == pytest.approx(10, rel=0.05)


@pytest.mark.parametrize("ground", ["#ffffff", ""])
def test_a_png_file_holds_the_picture(tmp_path, ground):
    page = whole_page()._replace(ground=ground, width=119.7, height=88.3)
    path = saved(page, tmp_path / "f.png", dpi=150)
    read = QImage(str(path))
    np.testing.assert_array_equal(colours(read), colours(image(page, 150)))
    assert read.hasAlphaChannel() == (ground == "")
    assert (raster_of_pdf(saved(page, tmp_path / "f.pdf"), 60, 44)[0, 0, :3] == 255).all()  # paper
    assert read.dotsPerMeterX() == round(150 / 0.0254)
    assert read_texts(path.read_bytes()) == {"Title": "A title", "Software": "PE Explorer 0.1.0"}


# -- all kinds -------------------------------------------------------------------------------------


SIGNS = [*map(chr, range(32)), *map(chr, range(127, 160)), "\u2028", "\ufffe", "\uffff", "\ufeff"]
LONE = ["\ud800", "\udbff", "\udc00", "\udfff", "\udc80\ud83d"]
UNREADABLE = [*LONE, "\ufffe", "\uffff", *map(chr, {*range(32)} - {9, 10, 13})]
HOSTILE = [f"a{sign}b" for sign in (*SIGNS, *LONE, "]]>", "-->", "?>", "😀", "<&>\"'", "é 日本")]
HOSTILE += ["<pe-explorer:session>{}</pe-explorer:session>", "Box [0 0 1.0 2.0]", "trailer <<"]
HOSTILE += ["a /MediaBox [0 0 1.0 2.0]"]


@every_ending
def test_title_and_session_can_be_read_whatever_words_are_in_the_file(tmp_path, ending, sampled):
    for words in sampled(HOSTILE, 40) + HOSTILE[-4:]:
        state = Exploration(start=-7, count=20)
        hostile = PageText(words, 5, 5, 8.0, "#000000")
        page = whole_page()
        page = page._replace(title=words, items=(*page.items, hostile))
        text = session.dumps_for_sharing(state, {"later": [words]})
        path = saved(page, tmp_path / f"f{ending}", 72, text)
        found = session.read(path)
        assert (found.state, dict(found.extra), found.notes) == (state, {"later": [words]}, ())
        readable, data = words, path.read_bytes()
        for sign in UNREADABLE:
            readable = readable.replace(sign, "\ufffd" * len(sign))
        if ending == ".png":
            assert read_texts(data, "Title") == {"Title": readable}
            continue
        if ending == ".pdf":
            for place in (data.rsplit(b"startxref", 1)[1], data.split(b"/Prev ", 1)[1]):
                assert data[int(place.split()[0]) :].startswith(b"xref")
            begin = data.index(b"<x:xmpmeta")
            data = data[begin : data.index(b"</x:xmpmeta>")] + b"</x:xmpmeta>"
        elements = ET.fromstring(data).iter()
        titles = [e.text for e in elements if e.tag.endswith(("}title", "}li")) and e.text]
        assert titles == [readable.replace("\r", "\n")], repr(words)


@every_ending
def test_a_large_figure_can_be_stopped_until_it_only_has_to_be_put_in_place(tmp_path, ending):
    """Then, and not before, it tells that all is done."""
    target, shares = tmp_path / f"f{ending}", []
    target.write_bytes(b"before")

    class Stopping(Progress):
        def report(self, share, phase=""):
            super().report(share, phase)
            shares.append(share)
            assert target.read_bytes() == b"before"
            if share >= limit:
                self.set()

    page = page_of(*[cells_of(5000, 300, (0, 0, 120, 90))] * 2)
    for limit in (0.0, 0.1, 0.3, 0.7):
        shares.clear()
        with pytest.raises(CancelledError):
            saved(page, target, dpi=1200, progress=Stopping())
        assert shares == sorted(shares)
        assert shares[-1] < limit + 0.25
        assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"before"]
    shares.clear()
    limit = 2.0
    saved(page, target, dpi=600, progress=Stopping())
    assert shares == sorted(shares)
    assert shares.count(1.0) == 1
    assert len(set(shares)) > 5
    assert target.stat().st_size > 1000

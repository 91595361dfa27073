"""SVG files: parsed, decoded, and drawn by other programs: one mixes neighbours, one does not."""

import base64
import json
import threading
from math import ceil
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.exploration import Pin
from pe_explorer.figures.page import (
    Circle,
    Dots,
    Page,
    PageImage,
    PageText,
    Polyline,
    TypesetText,
    split_superscripts,
)
from pe_explorer.figures.style import Style
from pe_explorer.figures.svg import make_svg_parts
from pe_explorer.pictures.figure import Rectangle
from tests.figures.pages import cells_of
from tests.support.figures import figures_of, items_of, page_with
from tests.support.pngs import pixels_of

SPACE = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"
HOSTILE = "a < b & \"c\" > 'd' \\ \x00\x0b\ud800 ]]> <script/> ∞ 😀"


def svg(page, session=""):
    """Return the text of a whole file."""
    return "".join(make_svg_parts(page, session, threading.Event()))


def parsed(page, session=""):
    return ET.fromstring(svg(page, session).encode())


def elements(tree, name):
    return list(tree.iter(f"{SPACE}{name}"))


def numbers(element, *names):
    return [float(element.get(name)) for name in names]


def pictures_in(tree):
    """Return the rows of each embedded picture, byte by byte as PNG says, and its colours."""
    found = []
    for element in elements(tree, "image"):
        kind, _, data = element.get(LINK).partition(",")
        assert kind == "data:image/png;base64"
        found.append(pixels_of(base64.b64decode(data)))
    return found


def small(*items, **fields):
    return Page(100.0, 80.0, "#ffffff", items, "DejaVu Sans", **fields)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("view", pictures.names())
def test_it_is_as_large_as_the_page_and_has_all_its_texts(view):
    page = page_with(view, start=10**9, count=4000, style=Style(title="One & two"))
    tree = parsed(page)
    sides = [float(tree.get(side).removesuffix("pt")) for side in ("width", "height")]
    shown = [float(number) for number in tree.get("viewBox").split()]
    assert [0, 0, *sides] == pytest.approx([0, 0, page.width, page.height], abs=1e-3)
    assert shown == pytest.approx([0, 0, page.width, page.height], abs=1e-3)
    assert tree.get("font-family") == "'DejaVu Sans', sans-serif"
    for element, text in zip(elements(tree, "text"), items_of(page, PageText), strict=True):
        assert "".join(element.itertext()) == "".join(
            piece for piece, _ in split_superscripts(text.text)
        )
        wanted = pytest.approx([text.size, text.x], abs=1e-3)
        assert numbers(element, "font-size", "x") == wanted
        assert element.get("text-anchor") == text.anchor
        assert ("rotate(-90" in element.get("transform", "")) == text.is_upward


def test_curves_are_lines_in_their_clip():
    pins = (Pin(encodings.create("sinusoidal", base=100.0), "other", "magenta"),)
    page = page_with("distances", pins=pins)
    tree = parsed(page)
    clips = {clip.get("id"): clip[0] for clip in elements(tree, "clipPath")}
    for path, line in zip(elements(tree, "path"), items_of(page, Polyline), strict=True):
        drawn = path.get("d").replace("M", " ").replace("L", " ").split()
        finite = line.points[np.isfinite(line.points).all(axis=1)]
        np.testing.assert_allclose(np.array(drawn, float).reshape(-1, 2), finite, atol=1e-3)
        assert path.get("stroke") == (line.colour or "none")
        assert path.get("fill") == (line.fill or "none")
        if line.clip is not None:
            rect = clips[path.get("clip-path").removeprefix("url(#").removesuffix(")")]
            assert numbers(rect, "width") == pytest.approx([line.clip.width], abs=1e-3)


def test_a_gap_begins_a_new_part():
    points = np.array([(1, 1), (2, 2), (np.nan, 3), (4, 4), (5, np.nan), (6, 6), (7, 7)])
    (path,) = elements(parsed(small(Polyline(points, "#123456", 1.0, (3.0, 2.0)))), "path")
    assert path.get("d") == "M1 1L2 2M4 4M6 6L7 7"
    assert path.get("stroke-dasharray") == "3 2"


def test_circles_and_dots():
    shades = np.array([(1, 2, 3), (255, 0, 16)], dtype=np.uint8)
    dots = Dots(np.array([(10.0, 20.0), (30.5, 40.25)]), 2.5, shades)
    circle = Circle(50.0, 40.0, 12.5, "#0b0d10", 0.5)
    rim, first, second = elements(parsed(small(circle, dots)), "circle")
    assert (rim.get("fill"), rim.get("stroke"), rim.get("r")) == ("none", "#0b0d10", "12.5")
    assert (first.get("fill"), second.get("fill")) == ("#010203", "#ff0010")
    assert numbers(second, "cx", "cy", "r") == [30.5, 40.25, 2.5]


def test_what_is_raised_is_smaller_and_the_rest_is_not():
    words = PageText(TypesetText("× 10^{15}, from 3"), 5, 5, 10.0, "#000000")
    (text,) = elements(parsed(small(words)), "text")
    raised, after = text
    assert (text.text, raised.text, after.text) == ("× 10", "15", ", from 3")
    assert float(raised.get("font-size")) < 10.0 == float(after.get("font-size"))
    assert float(raised.get("dy")) == -float(after.get("dy")) < 0


def test_any_words_can_be_read():
    page = small(PageText(HOSTILE, 5, 5, 8.0, "#000000"), title=HOSTILE)._replace(font=HOSTILE)
    tree = parsed(page)
    readable = HOSTILE.replace("\x00", "�").replace("\x0b", "�").replace("\ud800", "�")
    assert elements(tree, "title")[0].text == elements(tree, "text")[0].text == readable
    quoted = readable.replace("\\", "\\\\").replace("'", "\\'")
    assert tree.get("font-family") == f"'{quoted}', sans-serif"


def test_the_session_is_in_the_metadata_and_the_ground_a_rectangle():
    session = json.dumps({"name": "a < b & c > d", "numbers": [1, 2.5, None]})
    (metadata,) = elements(parsed(small(), session), "metadata")
    assert json.loads("".join(metadata.itertext())) == json.loads(session)
    assert not elements(parsed(small()), "metadata")
    assert not elements(parsed(small()._replace(ground="")), "rect")
    (rect,) = elements(parsed(small()), "rect")
    assert (rect.get("width"), rect.get("height"), rect.get("fill")) == ("100", "80", "#ffffff")


def test_a_picture_outside_of_its_clip_is_cut():
    cells = np.full((2, 2, 4), 255, dtype=np.uint8)
    clip = Rectangle(10.0, 10.0, 20.0, 15.0)
    tree = parsed(small(PageImage(cells, Rectangle(10.0, 10.0, 20.0, 20.0), clip=clip)))
    (element,), (found,) = elements(tree, "image"), elements(tree, "clipPath")
    assert element.get("clip-path") == f"url(#{found.get('id')})"


def copies(rows, image):
    """Return how often each cell stands in an embedded picture, down and across, all alike."""
    cells = image.cells if image.cells.ndim == 2 else image.rgba
    down, across = len(rows) // len(cells), len(rows[0]) // cells[0].nbytes
    every = cells.repeat(down, axis=0).repeat(across, axis=1)
    assert rows == [row.tobytes() for row in every]
    return down, across


@pytest.mark.sampled(2)
@pytest.mark.parametrize("count", [1, 50, 3000, 10**7])
def test_cells_are_embedded_one_by_one(count):
    (figure,) = figures_of("heatmap", count=count)
    page = page_with("heatmap", count=count)
    image = items_of(page, PageImage)[0]
    values = figure.panels[0].cells.values
    off = image.cells.astype(int) - np.rint((values + 1) / 2 * 254).astype(int)
    assert np.abs(off).max() <= 1
    tree = parsed(page)
    found = zip(elements(tree, "image"), pictures_in(tree), items_of(page, PageImage), strict=True)
    for element, (rows, _), image in found:
        copies(rows, image)
        assert "pixelated" in element.get("style")
        assert element.get("preserveAspectRatio") == "none"
        place = numbers(element, "x", "y", "width", "height")
        assert place == pytest.approx(list(image.place), abs=1e-3)


@pytest.mark.parametrize("size", ["84x60mm", "120x120mm"])
@pytest.mark.parametrize(("view", "count"), [("heatmap", 12), ("distances", 50)])
def test_each_cell_has_as_many_copies_as_print_can_show_in_little_room(view, count, size):
    page = page_with(view, count=count, size=size)
    image = items_of(page, PageImage)[0]
    (rows, _), *_ = pictures_in(parsed(page))
    found = copies(rows, image)
    sides = image.place.height, image.place.width
    wanted = [
        min(ceil(side / cells * 600 / 72), 32)
        for side, cells in zip(sides, image.cells.shape, strict=True)
    ]
    if image.cells.size * wanted[0] * wanted[1] <= 1 << 20:
        assert list(found) == wanted
    else:
        assert (1 << 20) / 2 < len(rows) * len(rows[0]) <= 1 << 20
    if size == "84x60mm":
        nowhere = image._replace(place=Rectangle(0, 0, 0.01, 0.01))  # where no copy is seen
        ((rows, _),) = pictures_in(parsed(page._replace(items=(nowhere,))))
        assert copies(rows, nowhere) == (1, 1)
        once, often = (len(svg(page._replace(items=(item,)))) for item in (nowhere, image))
        assert 0 < often - once < 5_000


def test_many_cells_have_no_more_than_a_million_copies():
    for rows, columns in ((100, 100), (1100, 1000)):
        image = cells_of(rows, columns, (0, 0, 2000, 2000))
        ((found, _),) = pictures_in(parsed(Page(2000.0, 2000.0, "", (image,), "DejaVu Sans")))
        copies(found, image)
        assert len(found) * len(found[0]) <= max(1 << 20, image.cells.size)

"""SVG files: parsed, decoded, and drawn by other programs: one mixes neighbours, one does not."""

import base64
import json
import subprocess
import threading
from math import ceil
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from pe_explorer import encodings, pictures
from pe_explorer.exploration import Pin
from pe_explorer.figures.page import (
    Circle,
    Dots,
    Page,
    PageImage,
    PageText,
    Polyline,
    Typeset,
    pieces,
)
from pe_explorer.figures.size import parse_figure_size
from pe_explorer.figures.style import Style
from pe_explorer.figures.svg import svg_parts
from pe_explorer.pictures.figure import Rectangle
from tests.support.cases import for_each
from tests.support.figures import figures_of, items_of, page_with
from tests.support.pages import cells_of, colours, raster_of_svg
from tests.support.pngs import pixels_of

SPACE = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"
HOSTILE = "a < b & \"c\" > 'd' \x00\x0b\ud800 ]]> <script/> ∞ 😀"


def parsed(page, session=""):
    return ET.fromstring(svg(page, session).encode())


def svg(page, session=""):
    """Return the text of a whole file."""
    return "".join(svg_parts(page, session, threading.Event()))


def elements(tree, name):
    return list(tree.iter(f"{SPACE}{name}"))


def decoded(element):
    """Return the pixels of an embedded picture, shape (rows, columns, 4)."""
    kind, _, data = element.get(LINK).partition(",")
    assert kind == "data:image/png;base64"
    image = QImage.fromData(base64.b64decode(data)).convertToFormat(QImage.Format.Format_RGBA8888)
    rows, columns = image.height(), image.width()
    pixels = np.frombuffer(image.constBits(), np.uint8)
    return pixels.reshape(rows, columns, 4).copy()  # four bytes a pixel leave no gaps between rows


def once(pixels, rows, columns):
    """Return so many cells, of which a picture has copies, all alike."""
    down, across = len(pixels) // rows, pixels.shape[1] // columns
    cells = pixels[::down, ::across]
    np.testing.assert_array_equal(np.repeat(np.repeat(cells, down, 0), across, 1), pixels)
    return cells


def small(*items, **fields):
    return Page(100.0, 80.0, "#ffffff", items, "DejaVu Sans", **fields)


@for_each("view", pictures.names())
def test_it_is_as_large_as_the_page_and_has_all_its_texts(view):
    page = page_with(view, start=10**9, count=4000, style=Style(title="One & two"))
    tree = parsed(page)
    assert float(tree.get("width").removesuffix("pt")) == pytest.approx(page.width, abs=1e-3)
    assert float(tree.get("height").removesuffix("pt")) == pytest.approx(page.height, abs=1e-3)
    shown = [float(number) for number in tree.get("viewBox").split()]
    assert shown == pytest.approx([0, 0, page.width, page.height], abs=1e-3)
    assert tree.get("font-family") == "'DejaVu Sans', sans-serif"
    texts = items_of(page, PageText)
    for element, text in zip(elements(tree, "text"), texts, strict=True):
        assert "".join(element.itertext()) == "".join(piece for piece, _ in pieces(text.text))
        assert float(element.get("font-size")) == pytest.approx(text.size)
        assert element.get("text-anchor") == text.anchor
        assert float(element.get("x")) == pytest.approx(text.x, abs=1e-3)
        assert ("rotate(-90" in element.get("transform", "")) == text.upward


@pytest.mark.parametrize("count", [1, 50, 3000, 10**7])
def test_cells_are_embedded_one_by_one(count):
    (figure,) = figures_of("heatmap", count=count)
    cells = figure.panels[0].cells
    page = page_with("heatmap", count=count)
    shown = elements(parsed(page), "image")
    pixels = once(decoded(shown[0]), *cells.values.shape)
    assert pixels.shape[:2] == cells.values.shape
    table = items_of(page, PageImage)[0].colours
    expected = np.rint((cells.values + 1) / 2 * 254).astype(int)
    near = [table[np.clip(expected + step, 0, 254), :3] for step in (-1, 0, 1)]
    assert np.any([(pixels[..., :3] == each).all(axis=-1) for each in near], axis=0).all()
    for element, image in zip(shown, items_of(page, PageImage), strict=True):
        rows, columns = image.cells.shape[:2]
        np.testing.assert_array_equal(once(decoded(element), rows, columns), image.rgba)
        assert "pixelated" in element.get("style")
        assert element.get("preserveAspectRatio") == "none"
        place = [float(element.get(name)) for name in ("x", "y", "width", "height")]
        assert place == pytest.approx(list(image.place), abs=1e-3)


def test_curves_are_lines_in_their_clip():
    pins = (Pin(encodings.create("sinusoidal", base=100.0), "other", "magenta"),)
    page = page_with("distances", pins=pins)
    tree = parsed(page)
    paths = elements(tree, "path")
    lines = items_of(page, Polyline)
    clips = {clip.get("id"): clip[0] for clip in elements(tree, "clipPath")}
    for path, line in zip(paths, lines, strict=True):
        drawn = path.get("d").replace("M", " ").replace("L", " ").split()
        finite = line.points[np.isfinite(line.points).all(axis=1)]
        np.testing.assert_allclose(np.array(drawn, float).reshape(-1, 2), finite, atol=1e-3)
        assert path.get("stroke") == (line.colour or "none")
        assert path.get("fill") == (line.fill or "none")
        if line.clip is not None:
            rect = clips[path.get("clip-path").removeprefix("url(#").removesuffix(")")]
            assert float(rect.get("width")) == pytest.approx(line.clip.width, abs=1e-3)


def test_a_gap_begins_a_new_part():
    points = np.array([(1, 1), (2, 2), (np.nan, 3), (4, 4), (5, np.nan), (6, 6), (7, 7)])
    (path,) = elements(parsed(small(Polyline(points, "#123456", 1.0, (3.0, 2.0)))), "path")
    assert path.get("d") == "M1 1L2 2M4 4M6 6L7 7"
    assert path.get("stroke-dasharray") == "3 2"


def test_circles_and_dots():
    colours = np.array([(1, 2, 3), (255, 0, 16)], dtype=np.uint8)
    dots = Dots(np.array([(10.0, 20.0), (30.5, 40.25)]), 2.5, colours)
    circle = Circle(50.0, 40.0, 12.5, "#0b0d10", 0.5)
    rim, first, second = elements(parsed(small(circle, dots)), "circle")
    assert (rim.get("fill"), rim.get("stroke"), rim.get("r")) == ("none", "#0b0d10", "12.5")
    assert (first.get("fill"), second.get("fill")) == ("#010203", "#ff0010")
    assert (second.get("cx"), second.get("cy"), second.get("r")) == ("30.5", "40.25", "2.5")


def test_what_is_raised_is_smaller_and_the_rest_is_not():
    (text,) = elements(
        parsed(small(PageText(Typeset("× 10^{15}, from 3"), 5, 5, 10.0, "#000000"))), "text"
    )
    raised, after = text
    assert (text.text, raised.text, after.text) == ("× 10", "15", ", from 3")
    assert float(raised.get("font-size")) < 10.0 == float(after.get("font-size"))
    assert float(raised.get("dy")) == -float(after.get("dy")) < 0


def test_any_words_can_be_read():
    page = small(PageText(HOSTILE, 5, 5, 8.0, "#000000"), title=HOSTILE)._replace(font=HOSTILE)
    tree = parsed(page)
    readable = HOSTILE.replace("\x00", "�").replace("\x0b", "�").replace("\ud800", "�")
    assert elements(tree, "title")[0].text == readable
    assert elements(tree, "text")[0].text == readable
    quoted = readable.replace("\\", "\\\\").replace("'", "\\'")
    assert tree.get("font-family") == f"'{quoted}', sans-serif"


def test_the_session_is_in_the_metadata():
    session = json.dumps({"name": "a < b & c > d", "numbers": [1, 2.5, None]})
    (metadata,) = elements(parsed(small(), session), "metadata")
    assert json.loads("".join(metadata.itertext())) == json.loads(session)
    assert not elements(parsed(small()), "metadata")


def test_grounds():
    assert not elements(parsed(small()._replace(ground="")), "rect")
    (rect,) = elements(parsed(small()), "rect")
    assert (rect.get("width"), rect.get("height"), rect.get("fill")) == ("100", "80", "#ffffff")


def test_another_program_draws_the_same_cells(tmp_path):
    page = page_with("heatmap", count=12, options={"heatmap": narrow()})
    file, picture = tmp_path / "figure.svg", tmp_path / "figure.png"
    file.write_text(svg(page), encoding="utf-8")
    zoom = 6
    command = ["rsvg-convert", "-z", str(zoom * 0.75), "-o", str(picture), str(file)]
    subprocess.run(command, check=True, timeout=60)
    drawn = QImage(str(picture))
    assert drawn.width() == pytest.approx(page.width * zoom, abs=1)
    image = items_of(page, PageImage)[0]
    rows, columns = image.cells.shape
    assert (rows, columns) == (12, 8)
    for row in range(rows):
        for column in range(columns):
            x = image.place.left + (column + 0.5) / columns * image.place.width
            y = image.place.top + (row + 0.5) / rows * image.place.height
            colour = drawn.pixelColor(int(x * zoom), int(y * zoom))
            seen = colour.red(), colour.green(), colour.blue()
            assert seen == tuple(image.rgba[row, column, :3])


def narrow():
    return pictures.find("heatmap").Options(dimensions=8)


def test_a_picture_outside_of_its_clip_is_cut():
    cells = np.full((2, 2, 4), 255, dtype=np.uint8)
    clip = Rectangle(10.0, 10.0, 20.0, 15.0)
    tree = parsed(small(PageImage(cells, Rectangle(10.0, 10.0, 20.0, 20.0), clip=clip)))
    (element,) = elements(tree, "image")
    (name,) = [found.get("id") for found in elements(tree, "clipPath")]
    assert element.get("clip-path") == f"url(#{name})"


# -- as programs show them -------------------------------------------------------------------------


FRAME = 1.0  # point: what a frame covers


def written(page, folder):
    """Return the file that a page is written to."""
    path = folder / "figure.svg"
    path.write_text("".join(svg_parts(page, "", threading.Event())), encoding="utf-8")
    return path


def embedded(path):
    """Return the rows of each picture in a file, and its table of colours, byte by byte."""
    found = []
    for element in ET.parse(path).iter("{http://www.w3.org/2000/svg}image"):
        _, _, data = element.get("{http://www.w3.org/1999/xlink}href").partition("base64,")
        found.append(pixels_of(base64.b64decode(data)))
    return found


def shown(pixels, image, per_point):
    """Return the colours of pixels inside an image, and those of the cells that they lie in."""
    place, (rows, columns) = image.place, image.cells.shape
    height, width = pixels.shape[:2]
    x = (np.arange(width) + 0.5) / per_point - place.left
    y = (np.arange(height) + 0.5) / per_point - place.top
    upright = (y > FRAME) & (y < place.height - FRAME)
    level = (x > FRAME) & (x < place.width - FRAME)
    down = np.floor(y[upright] / place.height * rows).astype(int)
    across = np.floor(x[level] / place.width * columns).astype(int)
    return pixels[upright][:, level, :3], image.rgba[down][:, across, :3]


def exact(pixels, image, per_point):
    """Return which part of the pixels inside an image have just the colour of their cell."""
    seen, expected = shown(pixels, image, per_point)
    return (seen == expected).all(axis=-1).mean()


FIGURES = {
    "12 rows, 8 columns": ("heatmap", 12, {"heatmap": {"dimensions": 8}}, 0.9),
    "50 rows, 16 columns": ("heatmap", 50, {"heatmap": {"dimensions": 16}}, 0.85),
    "50 positions": ("distances", 50, {}, 0.75),
}


def page_of(name, size="84x60mm"):
    view, count, fields, _ = FIGURES[name]
    options = {other: pictures.find(other).Options(**of) for other, of in fields.items()}
    return page_with(view, count=count, options=options, size=parse_figure_size(size))


@pytest.mark.parametrize("dpi", [300, 600])
@pytest.mark.parametrize("name", FIGURES)
def test_a_reader_that_mixes_neighbours_shows_most_pixels_in_the_colour_of_their_cell(
    tmp_path, name, dpi
):
    page = page_of(name)
    image = items_of(page, PageImage)[0]
    path = written(page, tmp_path)
    width, height = round(page.width * dpi / 72), round(page.height * dpi / 72)
    part = exact(raster_of_svg(path, width, height), image, width / page.width)
    assert part > FIGURES[name][-1]


@pytest.mark.parametrize("name", FIGURES)
def test_a_reader_that_does_not_mix_shows_the_same_cells(qapp, tmp_path, name):
    page = page_of(name)
    image = items_of(page, PageImage)[0]
    renderer = QSvgRenderer(str(written(page, tmp_path)))
    assert renderer.isValid()
    width, height = round(4 * page.width), round(4 * page.height)
    drawn = QImage(width, height, QImage.Format.Format_ARGB32)
    drawn.fill(0xFFFFFFFF)
    painter = QPainter(drawn)
    renderer.render(painter)
    painter.end()
    assert exact(colours(drawn), image, width / page.width) > FIGURES[name][-1]


@pytest.mark.parametrize("size", ["84x60mm", "120x120mm"])
@pytest.mark.parametrize("name", FIGURES)
def test_each_cell_has_as_many_copies_as_print_can_show(tmp_path, name, size):
    page = page_of(name, size)
    image = items_of(page, PageImage)[0]
    rows, _ = embedded(written(page, tmp_path))[0]
    sides = image.place.height, image.place.width
    wanted = [
        min(ceil(side / cells * 600 / 72), 32)
        for side, cells in zip(sides, image.cells.shape, strict=True)
    ]
    down, across = len(rows) // len(image.cells), len(rows[0]) // image.cells.shape[1]
    assert rows == [row.repeat(across).tobytes() for row in image.cells.repeat(down, axis=0)]
    if image.cells.size * wanted[0] * wanted[1] <= 1 << 20:
        assert [down, across] == wanted
    else:
        assert (1 << 20) / 2 < len(rows) * len(rows[0]) <= 1 << 20


def test_many_cells_have_no_more_than_a_million_copies(tmp_path):
    for rows, columns in ((100, 100), (1000, 400), (1500, 1500)):
        image = cells_of(rows, columns, (0, 0, 2000, 2000))
        page = Page(2000.0, 2000.0, "", (image,), "DejaVu Sans")
        ((found, _),) = embedded(written(page, tmp_path))
        assert len(found) % rows == len(found[0]) % columns == 0
        assert len(found) * len(found[0]) <= max(1 << 20, image.cells.size)
        assert found[:: len(found) // rows] == [
            row.repeat(len(found[0]) // columns).tobytes() for row in image.cells
        ]


@pytest.mark.parametrize("name", FIGURES)
def test_copies_take_little_room(tmp_path, name):
    page = page_of(name)
    image = items_of(page, PageImage)[0]
    nowhere = image._replace(place=Rectangle(0, 0, 0.01, 0.01))  # where no copy is seen
    once, often = (
        written(page._replace(items=(item,)), tmp_path).stat().st_size for item in (nowhere, image)
    )
    assert 0 < often - once < 5_000

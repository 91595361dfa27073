"""Cells of SVG files, as programs show them: one that mixes neighbours, and one that does not."""

import base64
import threading
from math import ceil
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from pe_explorer import pictures
from pe_explorer.figures.page import Page, PageImage
from pe_explorer.figures.size import parse_figure_size
from pe_explorer.figures.svg import svg_parts
from pe_explorer.pictures.figure import Rectangle
from tests.support.figures import items_of, page_with
from tests.support.pages import cells_of, colours, raster_of_svg
from tests.support.pngs import pixels_of

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

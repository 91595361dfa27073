"""Figures of views in files, drawn by other programs: cells, texts and looks at any fineness."""

import unicodedata
from functools import partial

import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.app.output.figure_files import image, save
from pe_explorer.app.output.figure_order import Order, laid_out
from pe_explorer.colours.maps import table
from pe_explorer.exploration import DirectStore, Exploration, resolve
from pe_explorer.figures.page import PageImage, PageText, pieces
from pe_explorer.figures.size import PRESETS, FigureSize, require_pixels
from pe_explorer.figures.style import Style
from pe_explorer.model.steps import at_once
from pe_explorer.params import ParameterError
from pe_explorer.pictures.pixels import NO_VALUE
from pe_explorer.progress import Progress
from tests.support.pages import (
    alike,
    colours,
    images_of_pdf,
    images_of_svg,
    raster_of_pdf,
    raster_of_svg,
    text_of_pdf,
)

pytestmark = pytest.mark.usefixtures("qapp")

ROWS, COLUMNS = 23, 14
FRAME = 0.5  # more than half the width of a frame, in points
POSITIONS = range(5, 5 + ROWS)
every_fineness = pytest.mark.parametrize(
    ("dpi", "scale"), [(96, 1), (96, 2), (96, 3), (96, 4), (150, 1), (150, 3), (300, 2)]
)
every_view = pytest.mark.parametrize("view", pictures.names())


def order_of(view, *, dpi=150.0, scale=1.0, preset="one-column", **fields):
    state = resolve(Exploration(**fields), DirectStore())
    return Order(view, state, Style(dpi=dpi), PRESETS[preset], scale)


def heatmap(dpi=150.0, scale=1.0):
    """Return the order of a small heatmap in the colours of viridis."""
    e = encodings.create("sinusoidal", dim=COLUMNS)
    fields = {"encoding": e, "start": POSITIONS.start, "count": ROWS}
    order = order_of("heatmap", dpi=dpi, scale=scale, **fields)
    coloured = pictures.with_options(order.state, "heatmap", values="viridis")
    return order._replace(state=resolve(coloured, DirectStore()))


def cells_of_formula():
    """Return the colour of each cell, from the published formula and the map alone."""
    angles = np.multiply.outer(POSITIONS, 10000.0 ** (-np.arange(0, COLUMNS, 2) / COLUMNS))
    values = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(ROWS, COLUMNS)
    return table("viridis", NO_VALUE)[np.rint((values + 1) / 2 * 254).astype(int)]


def saved(order, folder, *endings):
    """Return the page of an order, and the files that it is written to."""
    page = at_once(laid_out(order))
    paths = [folder / f"figure{ending}" for ending in endings]
    for path in paths:
        save(page, path, order.dpi, "", Progress())
    return page, *paths


def check_cells(pixels, place, per_point):
    """Check that whatever lies in a cell by more than a pixel has exactly its colour."""
    left, top, width, height = (length * per_point for length in place)
    expected = cells_of_formula()
    across = left + width * np.arange(COLUMNS + 1) / COLUMNS
    down = top + height * np.arange(ROWS + 1) / ROWS
    for edges in (across, down):  # the frame covers a part of the outermost cells
        edges[0] += FRAME * per_point
        edges[-1] -= FRAME * per_point
    for row in range(ROWS):
        for column in range(COLUMNS):
            first, last = np.ceil(down[row] + 1), np.floor(down[row + 1] - 1)
            begin, end = np.ceil(across[column] + 1), np.floor(across[column + 1] - 1)
            inside = pixels[int(first) : int(last), int(begin) : int(end), :3]
            assert inside.size
            assert (inside == expected[row, column]).all(), (row, column)


# -- cells -----------------------------------------------------------------------------------------


@every_fineness
def test_each_cell_is_in_its_place_at_any_fineness(tmp_path, dpi, scale):
    order = heatmap(dpi, scale)
    page, drawn, document, drawing_ = saved(order, tmp_path, ".png", ".pdf", ".svg")
    (cells, place), *_ = images_of_svg(drawing_)
    np.testing.assert_array_equal(cells[..., :3], cells_of_formula())
    np.testing.assert_array_equal(images_of_pdf(document)[0][..., :3], cells_of_formula())
    per_point = dpi * scale / 72
    pixels = image(page, order.dpi)
    np.testing.assert_array_equal(colours(pixels), colours(type(pixels)(str(drawn))))
    check_cells(colours(pixels), place, per_point)
    height, width = colours(pixels).shape[:2]
    check_cells(raster_of_pdf(document, width, height), place, per_point)


# -- looks and words -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("view", "preset"),
    [
        (view, preset)
        for number, view in enumerate(pictures.names())
        for place, preset in enumerate(PRESETS)
        if place == 0 or (number + place) % 6 == 0
    ],
)  # all in the narrowest, and each of the other sizes with a sixth of the views
def test_the_files_look_alike(tmp_path, view, preset):
    order = order_of(view, preset=preset, count=9, encoding=encodings.create("rope", head_dim=8))
    page, path = saved(order, tmp_path, ".pdf")
    check_looks(page, order, partial(raster_of_pdf, path))
    # The program that draws SVG files mixes cells; those are compared one by one above.
    page = page._replace(
        items=tuple(item for item in page.items if not isinstance(item, PageImage))
    )
    path = tmp_path / "figure.svg"
    save(page, path, order.dpi, "", Progress())
    check_looks(page, order, partial(raster_of_svg, path))


def check_looks(page, order, raster):
    drawn = colours(image(page, order.dpi))
    height, width = drawn.shape[:2]
    elsewhere = raster(width, height)
    assert elsewhere.shape == drawn.shape
    assert alike(drawn, elsewhere)
    assert not alike(drawn, np.roll(elsewhere, 6, axis=1))


@every_view
@pytest.mark.parametrize("start", [0, 10**9, 10**15])
def test_every_word_is_text(tmp_path, view, start):
    page, path = saved(order_of(view, start=start, count=300), tmp_path, ".pdf")
    found = unicodedata.normalize("NFKC", "".join(text_of_pdf(path).split()))
    texts = [item.text for item in page.items if isinstance(item, PageText)]
    assert texts
    for text in texts:
        words = unicodedata.normalize("NFKC", "".join(part for part, _ in pieces(text)))
        assert "".join(words.split()) in found, text


@pytest.mark.parametrize("ending", [".pdf", ".svg"])
def test_a_page_larger_than_any_picture_has_cells_as_fine_as_the_largest(tmp_path, ending):
    """Only the cells are limited; what is drawn otherwise has no pixels."""
    size = FigureSize(2000, 2000, "mm")
    state = resolve(Exploration(count=100_000), DirectStore())
    order = Order("heatmap", state, Style(dpi=600.0), size)
    with pytest.raises(ParameterError, match="choose a smaller size"):
        require_pixels(*order.pixels)
    page, path = saved(order, tmp_path, ending)
    (cells,) = (item for item in page.items if isinstance(item, PageImage) and item.clip)
    rows, columns = cells.cells.shape
    assert columns == state.encoding.width
    least = 0.9 * (1 << 14) / 2  # a row stands for whole positions, at most twice as many
    assert least < rows <= 1 << 14
    found = images_of_pdf(path) if ending == ".pdf" else [image for image, _ in images_of_svg(path)]
    assert (rows, columns, 4) in [image.shape for image in found]


@pytest.mark.parametrize("ending", [".png", ".pdf", ".svg"])
def test_all_is_told_to_be_done_when_the_file_only_has_to_be_put_in_place(tmp_path, ending):
    """Then, and not before, whoever waits may no longer end it."""
    page = at_once(laid_out(heatmap()))
    target, sizes = tmp_path / f"f{ending}", []

    class Watching(Progress):
        def report(self, share, phase=""):
            super().report(share, phase)
            (partial,) = tmp_path.iterdir()
            sizes.append((share, partial.name == target.name))

    save(page, target, 150, "", Watching())
    shares = [share for share, _ in sizes]
    assert shares == sorted(shares)
    assert shares.count(1.0) == 1
    assert len(set(shares)) > 5
    assert not any(in_place for _, in_place in sizes)
    assert target.exists()

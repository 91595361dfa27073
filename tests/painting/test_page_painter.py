"""Pages drawn into pictures: each cell, line and text at its place, at any fineness."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QWidget

from pe_explorer.app.output.figure_files import image, save
from pe_explorer.figures.page import PageImage, PageText, Polyline, TypesetText
from pe_explorer.painting.page_painter import make_measure, paint, paint_items
from pe_explorer.pictures.figure import Rectangle
from pe_explorer.progress import Progress
from tests.figures.pages import (
    FONT,
    alike,
    cells_of,
    colours,
    page_of,
    raster_of_pdf,
    raster_of_svg,
    whole_page,
)
from tests.support.images import distinct

pytestmark = pytest.mark.usefixtures("qapp")

every_density = pytest.mark.parametrize("dpi", [72, 96, 150, 192, 216, 288, 300, 600])


def colours_of_page(page, dpi):
    return colours(image(page, dpi))


def inked(pixels):
    """Return how much of each pixel is covered by black on white."""
    return 1 - pixels[..., 0] / 255


# -- cells -----------------------------------------------------------------------------------------


@every_density
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (3, 5), (31, 37)])
def test_each_cell_is_within_a_pixel_of_its_place(dpi, rows, columns, tmp_path):
    """Every pixel that lies in a cell by more than half a pixel has exactly its colour."""
    left, top, width, height = place = (10.3, 7.9, 95.2, 71.7)
    picture = cells_of(rows, columns, place)
    page, scale = page_of(picture), dpi / 72
    across = (left + width * np.arange(columns + 1) / columns) * scale
    down = (top + height * np.arange(rows + 1) / rows) * scale
    for pixels, spare in (
        (colours_of_page(page, dpi), 0.51),
        (drawn_by_others(page, dpi, tmp_path), 1.5),
    ):
        for row in range(rows):
            for column in range(columns):
                first, last = np.ceil(down[row] + spare), np.floor(down[row + 1] - spare)
                begin, end = np.ceil(across[column] + spare), np.floor(across[column + 1] - spare)
                inside = pixels[int(first) : int(last), int(begin) : int(end)]
                assert (inside == picture.colours[picture.cells[row, column]]).all()


def drawn_by_others(page, dpi, folder):
    """Return what another program makes of the PDF file of a page."""
    height, width = colours_of_page(page, dpi).shape[:2]
    save(page, folder / "f.pdf", dpi, "", Progress())
    return raster_of_pdf(folder / "f.pdf", width, height)


def test_more_cells_than_pixels():
    picture = cells_of(500, 900, (0, 0, 120, 90))
    pixels = colours_of_page(page_of(picture), 72)
    rows, columns = np.arange(90), np.arange(120)
    # Within a pixel: one of the cells that a neighbour of the pixel touches.
    for row, column in zip(rows[1:-1:7], columns[1:90:7], strict=False):
        around = picture.cells[
            int((row - 1) * 500 / 90) : int((row + 2) * 500 / 90) + 1,
            int((column - 1) * 7.5) : int((column + 2) * 7.5) + 1,
        ]
        assert (picture.colours[around] == pixels[row, column]).all(axis=2).any()


@pytest.mark.parametrize("ground", ["#ffffff", "#101418", ""])
@pytest.mark.parametrize("dpi", [72, 96, 300])
def test_the_ground_covers_every_pixel_alike(ground, dpi):
    pixels = colours_of_page(
        page_of(width=84 * 72 / 25.4, height=60 * 72 / 25.4, ground=ground), dpi
    )
    assert pixels.shape[:2] == (round(60 / 25.4 * dpi), round(84 / 25.4 * dpi))
    assert len(distinct(pixels)) == 1
    assert (pixels[0, 0, 3] == 0) == (ground == "")


# -- lines -----------------------------------------------------------------------------------------


@every_density
@pytest.mark.parametrize("points", [2, 1000])
def test_curves_are_equally_wide_and_clipped(dpi, points):
    """A slanted line covers its width in points, whether it is stroked or filled."""
    x, scale = np.linspace(10, 110, points), dpi / 72
    for width in (0.5, 1.0, 3.0):
        line = Polyline(np.stack([x, 20 + 0.37 * x], axis=1), "#000000", width)
        cover = inked(colours_of_page(page_of(line), dpi))
        columns = cover[:, round(30 * scale) : round(90 * scale)].sum(axis=0)
        expected = width * scale * np.hypot(1, 0.37)
        assert columns.mean() == pytest.approx(expected, rel=0.06, abs=0.1)
    clipped = line._replace(clip=Rectangle(30, 20, 40, 21))
    rows, columns = np.nonzero(inked(colours_of_page(page_of(clipped), dpi)))
    assert columns.min() >= np.floor(30 * scale)
    assert columns.max() <= np.ceil(70 * scale)
    assert rows.max() <= np.ceil(41 * scale)


@every_density
def test_a_line_that_goes_to_and_fro_looks_as_a_pen_draws_it(dpi):
    """Such lines are filled: a pen takes seconds for them, growing with their number squared."""
    rng = np.random.default_rng(7)
    points = np.column_stack((np.linspace(10, 110, 100), rng.uniform(5, 85, 100)))
    whole = colours_of_page(page_of(Polyline(points, "#000000", 1.5)), dpi)
    path = QPainterPath(QPointF(*points[0]))
    for x, y in points[1:]:
        path.lineTo(x, y)
    expected = QImage(whole.shape[1], whole.shape[0], QImage.Format.Format_RGB32)
    expected.fill(0xFFFFFFFF)
    painter = QPainter(expected)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(dpi / 72, dpi / 72)
    round_pen = QPen(QBrush(QColor("#000000")), 1.5, Qt.PenStyle.SolidLine)
    round_pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.strokePath(path, round_pen)
    painter.end()
    away = abs(whole.astype(float) - colours(expected))
    assert away.mean() < 2
    assert (away > 128).mean() < 1e-3


@pytest.mark.parametrize("frequency", [0.3, 5.0])
def test_a_band_covers_of_each_pixel_what_is_between_its_edges(frequency):
    x, scale, parts = np.arange(10.3, 110, 0.25), 150 / 72, 40
    upper = 40 + 25 * np.sin(frequency * x)
    lower = upper + 5 + 4 * np.cos(x)
    around = np.stack([np.append(x, x[::-1]), np.append(upper, lower[::-1])], axis=1)
    cover = inked(colours_of_page(page_of(Polyline(around, "", 0.0, fill="#000000")), 150))
    rows, columns = cover.shape
    across, down = ((np.arange(parts * each) + 0.5) / parts / scale for each in cover.shape[::-1])
    begin, end = (np.interp(across, x, y, left=np.nan, right=np.nan) for y in (upper, lower))
    inside = (down[:, None] > begin) & (down[:, None] < end)
    truth = inside.reshape(rows, parts, columns, parts).mean(axis=(1, 3))
    assert truth.mean() > 0.04
    assert np.abs(cover - truth).mean() < 0.01


def test_lines_through_a_clip_look_as_they_do_without_it():
    ends = [(10, 0), (10, 90), (np.nan, np.nan), (30, 0), (30, 90), (np.nan, np.nan), (50, 70)]
    line, images = Polyline(np.array([*ends, (50, 80)]), "#000000", 1.0), []
    for clip in (QRect(0, 0, 60, 100), QRect(5, 40, 50, 20)):
        picture = QImage(60, 100, QImage.Format.Format_RGB32)
        picture.fill(Qt.GlobalColor.white)
        painter = QPainter(picture)
        painter.setClipRect(clip)
        paint_items((line,), FONT, painter)
        painter.end()
        images.append(colours(picture)[40:60, 5:55])
    whole, clipped = images
    assert len(distinct(whole)) > 1
    np.testing.assert_array_equal(clipped, whole)


@every_density
def test_frames_are_sharp(dpi):
    corners = np.array([[10.3, 10.4], [100.2, 10.4], [100.2, 70.7], [10.3, 70.7], [10.3, 10.4]])
    frame = Polyline(corners, "#000000", max(1, round(dpi / 72)) * 72 / dpi)
    assert set(np.unique(inked(colours_of_page(page_of(frame), dpi)).round(2))) == {0.0, 1.0}
    thick = inked(colours_of_page(page_of(frame._replace(width=2.0, is_rule=True)), dpi))
    assert thick[round(40 * dpi / 72)].sum() == 2 * round(2 * dpi / 72)


# -- all of it -------------------------------------------------------------------------------------


@pytest.mark.parametrize("dpi", [150, 300])
def test_an_item_of_each_kind_looks_as_another_program_draws_it(dpi, tmp_path):
    """That draws the SVG file, where each number is known: gaps, dashes, clips, texts, dots."""
    filled = np.array([[90.0, 44], [118, 44], [118, 58], [90, 58], [90, 44]])
    page = page_of(
        *(item for item in whole_page().items if not isinstance(item, PageImage)),
        Polyline(filled, "#000000", 0.0, fill="#112233"),
        Polyline(np.full((3, 2), np.nan), "#000000", 2.0),
        Polyline(np.zeros((0, 2)), "#000000", 1.0),
        *(
            PageText(TypesetText("n = 10^{−3} m"), 60, 20 + 6 * row, 5.0, "#000000", anchor)
            for row, anchor in enumerate(("start", "middle", "end"))
        ),
    )
    ours = colours_of_page(page, dpi)
    save(page, tmp_path / "f.svg", dpi, "", Progress())
    others = raster_of_svg(tmp_path / "f.svg", ours.shape[1], ours.shape[0])
    assert alike(ours, others)
    assert not alike(ours, np.roll(ours, round(dpi / 24), axis=1))


def test_sizes_of_texts_and_what_is_raised():
    raised, plain = (
        np.nonzero(
            inked(colours_of_page(page_of(PageText(text, 20, 60, 20.0, "#000000")), 300)) > 0.5
        )[0]
        for text in (TypesetText("^{7}"), "7")
    )
    assert np.ptp(raised) / np.ptp(plain) == pytest.approx(0.7, abs=0.02)
    assert (plain.max() - raised.max()) * 72 / 300 == pytest.approx(0.38 * 20, abs=0.3)
    measure = make_measure(FONT)
    power = measure("10", 8.0) + 0.7 * measure("15", 8.0)
    assert measure(TypesetText("10^{15}"), 8.0) == pytest.approx(power)
    for size in (4.0, 12.5, 48.0):
        assert measure("wavelength", size) == pytest.approx(size * measure("wavelength", 1.0))
    assert measure("", 8.0) == 0
    assert measure("mm", 8.0) == pytest.approx(2 * measure("m", 8.0), rel=1e-3)
    # Colours at the edges of letters suit one screen, and no figure.
    pixels = colours_of_page(page_of(PageText("Hamburg", 20, 60, 12.0, "#000000")), 96)
    assert (pixels[..., :3] == pixels[..., :1]).all()


# -- where and how it is drawn ---------------------------------------------------------------------


def test_a_painter_may_stand_anywhere():
    """A preview draws with an offset, a scale and device pixels of its own; cells stay sharp."""
    canvas = QImage(400, 300, QImage.Format.Format_RGB32)
    canvas.setDevicePixelRatio(2.0)
    canvas.fill(0xFFFFFFFF)
    picture = cells_of(5, 8, (10, 10, 100, 60))
    painter = QPainter(canvas)
    painter.translate(11.3, 7.7)
    painter.scale(1.37, 1.37)
    before = painter.transform()
    paint(page_of(picture), painter)
    assert painter.transform() == before
    painter.end()
    middle = (np.array([11.3, 7.7]) + 1.37 * np.array([10 + 100 * 3.5 / 8, 10 + 60 * 2.5 / 5])) * 2
    column, row = middle.astype(int)
    canvas.setDevicePixelRatio(1.0)
    assert tuple(colours(canvas)[row, column]) == tuple(picture.colours[picture.cells[2, 3]])
    assert len(distinct(colours(canvas))) <= 41


@pytest.mark.parametrize("points", [2, 1000])
def test_a_widget_within_another_is_not_cut(qapp, points):
    """What a widget paints on may begin left of it, and have more pixels than it counts."""

    class Preview(QWidget):
        def paintEvent(self, event):  # noqa: N802 - the name is Qt's
            x = np.linspace(5, 115, points)
            paint(page_of(Polyline(np.stack([x, 0.5 * x], axis=1), "#000000", 2.0)), QPainter(self))

    window = QWidget()
    preview = Preview(window)
    window.resize(400, 300)
    preview.setGeometry(250, 180, 120, 90)
    canvas = QImage(800, 600, QImage.Format.Format_RGB32)
    canvas.setDevicePixelRatio(2.0)
    canvas.fill(0xFFFFFFFF)
    window.render(canvas)
    canvas.setDevicePixelRatio(1.0)
    columns = np.flatnonzero((colours(canvas)[360:540, 500:740, 0] < 100).any(axis=0))
    assert columns.min() < 14
    assert columns.max() > 224
    window.deleteLater()

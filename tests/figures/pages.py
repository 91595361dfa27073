"""Pages of figures, small and known in every part, and what other programs make of their files."""

import subprocess

import numpy as np
from PySide6.QtGui import QImage

from pe_explorer.figures.page import Circle, Dots, Page, PageImage, PageText, Polyline, TypesetText
from pe_explorer.pictures.figure import (
    Band,
    Curve,
    Dot,
    LevelLine,
    MarkLine,
    Panel,
    PanelAxis,
    Rectangle,
    make_whole_axis,
)

FONT = "DejaVu Sans"


def page_of(*items, width=120.0, height=90.0, ground="#ffffff", title="A title"):
    return Page(width, height, ground, items, FONT, title)


def table_of(colours=256, seed=0):
    rng = np.random.default_rng(seed)
    table = np.full((colours, 4), 255, dtype=np.uint8)
    table[:, 0] = rng.permutation(256)[:colours]
    table[:, 1:3] = rng.integers(0, 256, (colours, 2))
    return table


def cells_of(rows, columns, place, seed=0):
    cells = np.random.default_rng(seed).integers(0, 256, (rows, columns), dtype=np.uint8)
    return PageImage(cells, Rectangle(*place), table_of(seed=seed))


def whole_page():
    x = np.linspace(20.0, 110.0, 900)
    frame = np.array([[20, 12], [110, 12], [110, 42], [20, 42], [20, 12.0]])
    gap = np.array([[20.0, 50], [60, 60], [np.nan, np.nan], [70, 60], [110, 50]])
    dots = Dots(np.array([[30.0, 84], [40, 84]]), 2.0, np.array([[255, 0, 0], [0, 0, 255]], "u1"))
    return page_of(
        cells_of(6, 9, (20, 12, 90, 30)),
        Polyline(frame, "#000000", 0.8),
        Polyline(np.stack([x, 62 + 12 * np.sin(x)], axis=1), "#c03030", 1.0),
        Polyline(gap, "#3030c0", 1.0, dashes=(4, 2), clip=Rectangle(25, 45, 80, 20)),
        Circle(100, 82, 4, "#007700", 0.8, "#ddffdd"),
        dots,
        PageText(TypesetText("wavelength 10^{15} (ω)"), 65, 9, 7, "#202020", "middle"),
        PageText("dimension", 10, 45, 7, "#202020", "middle", is_upward=True),
        PageText("title", 118, 88, 7, "#202020", "end", is_bold=True),
    )


def run(*words):
    ran = subprocess.run([str(word) for word in words], capture_output=True, check=True, timeout=60)
    assert ran.stderr == b""
    return ran.stdout.decode()


def text_of_pdf(path):
    return run("pdftotext", "-raw", path, "-")


def raster_of_pdf(path, width, height):
    """Return what another program makes of a PDF file at a size in pixels."""
    size = ("-scale-to-x", width, "-scale-to-y", height)
    run("pdftoppm", "-singlefile", *size, path, path.with_suffix(""))
    return colours(QImage(str(path.with_suffix(".ppm"))))


def raster_of_svg(path, width, height):
    """Return what another program makes of an SVG file at a size in pixels."""
    target = path.with_suffix(".raster.png")
    run("rsvg-convert", "-w", width, "-h", height, path, "-o", target)
    return colours(QImage(str(target)))


def images_of_pdf(path):
    """Return the images that a PDF file holds, each with its own pixels."""
    run("pdfimages", path, path.with_suffix(""))  # not packed, which takes long
    found = sorted(path.parent.glob(f"{path.stem}-*.p?m"))
    return [colours(QImage(str(name))) for name in found]


def colours(image):
    """Return (height, width, 4): red, green, blue and opacity of each pixel, not multiplied."""
    assert not image.isNull()
    image = image.convertToFormat(QImage.Format.Format_RGBA8888)
    return np.array(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)


def alike(one, other):
    """Return whether pictures are the same but for how the edges of lines and letters are drawn."""
    one, other = (np.ascontiguousarray(each.transpose(2, 0, 1), np.int16) for each in (one, other))
    _, height, width = one.shape
    inside = one[:, 1:-1, 1:-1]
    off = np.full(inside.shape[1:], 255, np.int16)
    for down in range(3):  # edges lie at most a pixel elsewhere
        for across in range(3):
            moved = other[:, down : down + height - 2, across : across + width - 2]
            off = np.minimum(off, np.abs(inside - moved).max(axis=0))
    return (off > 110).mean() < 0.001 and off.mean() < 2.5


def known_panel():
    """Return a panel with something of each kind, each at a place that is easily worked out."""
    x = np.arange(50.0)
    high = np.where(x < 20, np.nan, 2.0 + x / 50)
    gone = np.empty(0)
    return Panel(
        "curve",
        make_whole_axis("position", 100, 50),
        PanelAxis("value", -2.0, 4.0),
        curves=(
            Curve("mine", x, np.sin(x) - 0.5),
            Curve("ranges", x, high - 0.5, "green", band=Band(high - 1, high)),
            Curve("gone", gone, gone, "gold", missing_reason="no rows here"),
        ),
        marks=(MarkLine(10.0, "mark", "1: 12"),),
        hatched_areas=(Rectangle(44.5, -2.0, 10.0, 6.0),),
        shaded_areas=(Rectangle(-0.5, -2.0, 5.0, 6.0),),
        shaded_area_name="training",
        band_name="least to greatest",
        levels=(LevelLine(1.5, "half"), LevelLine(3.5, "whole")),
        dots=(Dot(5.0, 1.0, "green"),),
        cursor=(7.0, 3.0),
    )

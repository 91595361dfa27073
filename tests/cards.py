"""`python -m tests.cards [ID ...]` draws the small pictures of exhibits: all, or those named.

With `--animation` it draws the README's animation: the clocks of an exhibit, as they play.
"""

import io
import os
import sys
import threading
from contextlib import contextmanager

from PIL import Image
from PySide6.QtCore import QBuffer, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QImage, QPainter

from pe_explorer import views
from pe_explorer.app.application import Application
from pe_explorer.assets import find_asset
from pe_explorer.exploration import DirectStore, resolve
from pe_explorer.figures.layout import NoRoomError, areas, make_page
from pe_explorer.figures.making import PictureRequest, compute_figures
from pe_explorer.figures.page import PageText
from pe_explorer.figures.size import UNIT_POINTS, FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.gallery.exhibits import exhibits, find
from pe_explorer.model import Model
from pe_explorer.painting.page_painter import make_measure, paint
from pe_explorer.views.view import RenderTarget

WIDTH, HEIGHT = 88, 76
"""Size of a picture on the screen, in pixels; its file has two pixels for each."""
DENSITY = 2
WITHOUT_PLOT = 3.5
"""How much larger a view without a plot is drawn, so that more of it can be seen."""
SPARE = 16
"""How much larger, in pixels, a page without room is tried next."""
MOST_BYTES = 12_000
SOFTNESS = 1, 1.5, 2, 3
SHADES = QImage.Format.Format_RGB32, QImage.Format.Format_RGB16, QImage.Format.Format_RGB444
STRETCHED = Qt.AspectRatioMode.IgnoreAspectRatio
SMOOTH = Qt.TransformationMode.SmoothTransformation


def picture_of_exhibit(exhibit, ground):
    """Return the picture of an exhibit: what its main view plots, without axes, frame and names."""
    wanted = PictureRequest(exhibit.main, resolve(exhibit.exploration, DirectStore()))
    style = Style(
        line_width=UNIT_POINTS["px"],
        font_size=8.0,
        labels=False,
        legend="none",
        colour_bar=False,
        ground=ground,
    )
    width, height = (round(WITHOUT_PLOT * each) for each in (WIDTH, HEIGHT))
    for _ in range(5):  # until the plot is just as large as the picture, or as small as it can be
        try:
            page, plots = _laid_out(wanted, style, FigureSize(width, height))
        except NoRoomError:
            width, height = width + SPARE, height + SPARE
            continue
        if not plots:
            return _painted(page, QRect(0, 0, width, height))
        largest = max(place.width() * place.height() for place, _ in plots)
        plot, name = next(it for it in plots if it[0].width() * it[0].height() > 0.9 * largest)
        if len(plots) > 1:  # its own page, on which it has more room
            wanted = wanted._replace(panel=name)
            continue
        # A square has no other shape before it is a picture.
        high = WIDTH if abs(plot.width() - plot.height()) <= 1 else HEIGHT
        width, height = width + WIDTH + 2 - plot.width(), height + high + 2 - plot.height()
    # Numbers of cells are the smallest texts.
    items = (it for it in page.items if not isinstance(it, PageText) or it.size < style.text_size)
    return _painted(page._replace(items=tuple(items)), plot.adjusted(1, 1, -1, -1))


def _laid_out(wanted, style, size):
    """Return the page of a picture, and its plots, each with its place in pixels and its name."""
    measure = make_measure(style.font)
    density, never = DENSITY / UNIT_POINTS["px"], threading.Event()
    (figure,) = compute_figures([wanted], style, *size.in_points, density, measure, never)
    (places,) = areas([figure], style, *size.in_points, measure)
    found = [QRectF(*(each / UNIT_POINTS["px"] for each in place)).toRect() for place in places]
    if (
        figure.panels and figure.panels[0].is_above_next_panel
    ):  # two curves below each other are one plot
        found = [found[0].united(found[1])]
    names = [panel.name for panel in figure.panels]
    return make_page([figure], style, size, measure), [*zip(found, names, strict=False)]


def _painted(page, place):
    """Return a place of a page, given in pixels, as large as a picture is."""
    size = QSizeF(page.width, page.height) * (DENSITY / UNIT_POINTS["px"])
    image = QImage(size.toSize(), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.scale(DENSITY / UNIT_POINTS["px"], DENSITY / UNIT_POINTS["px"])
    paint(page, painter)
    painter.end()
    part = image.copy(QRect(place.topLeft() * DENSITY, place.size() * DENSITY))
    return part.scaled(WIDTH * DENSITY, HEIGHT * DENSITY, STRETCHED, SMOOTH)


def save(image, path):
    """Write a picture as sharply, and with as many shades, as fit.

    It is softened by merging pixels below each other, for patterns too fine to be seen. Columns
    stay, because sines and cosines may alternate.
    """
    for softness in SOFTNESS:
        height = round(image.height() / softness)
        soft = image.scaled(image.width(), height, STRETCHED, SMOOTH)
        soft = image if softness == 1 else soft.scaled(image.size(), STRETCHED)
        for kind in SHADES:
            few = soft.convertToFormat(kind).convertToFormat(QImage.Format.Format_RGB888)
            few.setDevicePixelRatio(1)
            assert few.save(str(path), "PNG", 0)
            if path.stat().st_size < MOST_BYTES:
                return
    raise AssertionError(f"{path} is too large")


def _shows_ground(light, dark):
    points = [(x, y) for x in range(0, light.width(), 4) for y in range(0, light.height(), 4)]
    differ = [light.pixel(x, y) != dark.pixel(x, y) for x, y in points]
    return sum(differ) > len(points) / 20


ANIMATED = "000-clocks"
COLOURS = 64  # that a picture has: it is small, and few colours are in it
PAUSE = 125  # milliseconds: eight positions a second, as the window plays
POSITIONS = range(45)  # seven turns of the fastest hand


@contextmanager
def view_of_exhibit(exhibit, target, width, height):
    """Show the main view of an exhibit, though not on the screen."""
    view = views.find(exhibit.main)()
    view.target = target
    model = Model(exhibit.exploration)
    model.setParent(view)
    view.attach(model)
    view.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    view.resize(width, height)
    view.show()
    yield view
    view.detach()
    model.close()
    view.close()


def compute(view):
    if job := view.find_next_job():
        view.finish(job, job(threading.Event()))


def animate():
    pictures = []
    with view_of_exhibit(
        find(ANIMATED), RenderTarget(density=1, is_for_export=True), 520, 430
    ) as view:
        for position in POSITIONS:
            view.model.set(position=position)
            compute(view)
            view.show_cursor(view.model.state)
            buffer = QBuffer()
            assert view.grab().save(buffer, "PNG")
            picture = Image.open(io.BytesIO(buffer.data().data())).convert("RGB")
            pictures.append(picture.quantize(COLOURS, dither=Image.Dither.NONE))
    path = find_asset("pictures/clocks.gif")
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=PAUSE, loop=0)
    print(f"{path}: {path.stat().st_size:,} bytes")


def main():
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = Application("light")
    if sys.argv[1:] == ["--animation"]:
        return animate()
    chosen = [find(name) for name in sys.argv[1:] or exhibits()]
    for exhibit in chosen:
        light, dark = picture_of_exhibit(exhibit, "white"), picture_of_exhibit(exhibit, "dark")
        path = find_asset(f"gallery/dark_cards/{exhibit.id}.png")
        for each in (path, exhibit.picture):
            each.parent.mkdir(exist_ok=True)
        save(light, exhibit.picture)
        path.unlink(missing_ok=True)
        if _shows_ground(light, dark):
            save(dark, path)
        print(exhibit.id, exhibit.picture.stat().st_size, exhibit.dark_picture_path == path)
    app.processEvents()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""`python -m tests.cards [ID ...]` draws the small pictures of exhibits: all, or those named.

With `--animation` it draws the README's animation: the clocks of an exhibit, as they play.
"""

import io
import os
import sys
import threading
from contextlib import contextmanager
from functools import reduce

import pyqtgraph as pg
from PIL import Image
from PySide6.QtCore import QBuffer, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from pe_explorer import views
from pe_explorer.app.application import Application
from pe_explorer.assets import asset
from pe_explorer.gallery.exhibits import exhibits, find
from pe_explorer.model import Model
from pe_explorer.views.view import Target
from pe_explorer.widgets.legend import Legend

WIDTH, HEIGHT = 88, 76
"""Size of a picture on the screen, in pixels; its file has two pixels for each."""
DENSITY = 2
WITHOUT_PLOT = 3.5
"""How much larger a view without a plot is drawn, so that more of it can be seen."""
MOST_BYTES = 12_000
SOFTNESS = 1, 1.5, 2, 3
SHADES = QImage.Format.Format_RGB32, QImage.Format.Format_RGB16, QImage.Format.Format_RGB444
STRETCHED = Qt.AspectRatioMode.IgnoreAspectRatio
SMOOTH = Qt.TransformationMode.SmoothTransformation


@contextmanager
def shown(exhibit, target, width, height):
    """Show the main view of an exhibit, though not on the screen."""
    view = views.find(exhibit.main)()
    view.target = target
    model = Model(exhibit.exploration, parent=view)
    view.attach(model)
    view.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    view.resize(width, height)
    view.show()
    yield view
    view.detach()
    model.close()
    view.close()


def compute(view):
    if job := view.next_job():
        view.finish(job, job(threading.Event()))


def drawn(exhibit):
    """Return the picture of an exhibit: what its main view plots, without axes and frame."""
    target = Target(density=DENSITY, marks_cursor=False, driven=True)
    with shown(exhibit, target, *(round(WITHOUT_PLOT * each) for each in (WIDTH, HEIGHT))) as view:
        view.hide_controls()
        _lay_out(view)
        for _ in range(4):  # until the plot is just as large as the picture
            if plot := _plot(view):
                missing = WIDTH + 2 - plot.width(), HEIGHT + 2 - plot.height()
                view.resize(view.width() + missing[0], view.height() + missing[1])
            _lay_out(view)
        for item in _items(view):  # in a small picture, names of curves would cover these
            if isinstance(item, Legend | pg.TextItem):
                item.hide()
        image = QImage(view.size() * DENSITY, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(DENSITY)
        view.render(image)
        plot = (_plot(view) or view.rect()).adjusted(1, 1, -1, -1)
    part = image.copy(QRect(plot.topLeft() * DENSITY, plot.size() * DENSITY))
    return part.scaled(WIDTH * DENSITY, HEIGHT * DENSITY, STRETCHED, SMOOTH)


def save(image, path):
    """Write a picture as sharply, and with as many shades, as fit.

    It is softened by making so many pixels below each other one, for patterns finer than can be
    seen. Columns stay: sines and cosines may take turns.
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


def _lay_out(view):
    for _ in range(3):
        QApplication.processEvents()
        compute(view)


def _items(view):
    return [item for widget in view.findChildren(pg.GraphicsView) for item in widget.items()]


def _plot(view):
    """Return the place of the largest plot in a view; None where there is none.

    Two curves below each other are one plot.
    """
    places = []
    for item in _items(view):
        widget = item.getViewWidget() if isinstance(item, pg.ViewBox) else None
        if widget and widget.isVisible():
            place = item.sceneBoundingRect()
            corner = widget.mapTo(view, widget.mapFromScene(place.topLeft()))
            places.append(QRect(corner, place.size().toSize()))
    largest = max(places, key=lambda place: place.width() * place.height(), default=None)
    stacked = getattr(view, "column", None)
    column = stacked.geometry() if stacked else QRect()
    if not largest or not column.contains(largest):
        return largest
    return reduce(QRect.united, filter(column.contains, places))


def _shows_ground(light, dark):
    points = [(x, y) for x in range(0, light.width(), 4) for y in range(0, light.height(), 4)]
    differ = [light.pixel(x, y) != dark.pixel(x, y) for x, y in points]
    return sum(differ) > len(points) / 20


ANIMATED = "000-clocks"
COLOURS = 64  # that a picture has: it is small, and few colours are in it
PAUSE = 125  # milliseconds: eight positions a second, as the window plays
POSITIONS = range(45)  # seven turns of the fastest hand


def animate():
    pictures = []
    with shown(find(ANIMATED), Target(density=1, driven=True), 520, 430) as view:
        for position in POSITIONS:
            view.model.set(position=position)
            compute(view)
            view.show_cursor(view.model.state)
            buffer = QBuffer()
            assert view.grab().save(buffer, "PNG")
            picture = Image.open(io.BytesIO(buffer.data().data())).convert("RGB")
            pictures.append(picture.quantize(COLOURS, dither=Image.Dither.NONE))
    path = asset("pictures/clocks.gif")
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=PAUSE, loop=0)
    print(f"{path}: {path.stat().st_size:,} bytes")


def main():
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = Application("light")
    if sys.argv[1:] == ["--animation"]:
        return animate()
    chosen = [find(name) for name in sys.argv[1:] or exhibits()]
    on_light = {exhibit.id: drawn(exhibit) for exhibit in chosen}
    app.set_theme("dark")
    for exhibit in chosen:
        path = asset(f"gallery/dark_cards/{exhibit.id}.png")
        for each in (path, exhibit.picture):
            each.parent.mkdir(exist_ok=True)
        save(on_light[exhibit.id], exhibit.picture)
        path.unlink(missing_ok=True)
        if _shows_ground(on_light[exhibit.id], dark := drawn(exhibit)):
            save(dark, path)
        print(exhibit.id, exhibit.picture.stat().st_size, exhibit.dark_picture == path)
    app.processEvents()
    return 0


if __name__ == "__main__":
    sys.exit(main())

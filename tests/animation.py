"""`python -m tests.animation` draws the README's animation: an exhibit's clocks, as they play."""

import io
import os
import sys

from PIL import Image
from PySide6.QtCore import QBuffer

from pe_explorer.app.application import Application
from pe_explorer.assets import asset
from pe_explorer.gallery.exhibits import find
from pe_explorer.views.view import Target
from tests.cards import compute, shown

EXHIBIT = "000-clocks"
WIDTH, HEIGHT = 520, 430  # pixels
SHADES = 64  # that a picture has: it is small, and few colours are in it
PAUSE = 125  # milliseconds: eight positions a second, as the window plays
POSITIONS = range(45)  # seven turns of the fastest hand


def frames():
    """Yield the picture of every position, as bytes of a PNG file."""
    with shown(find(EXHIBIT), Target(density=1, driven=True), WIDTH, HEIGHT) as view:
        for position in POSITIONS:
            view.model.set(position=position)
            compute(view)
            view.show_cursor(view.model.state)
            buffer = QBuffer()
            assert view.grab().save(buffer, "PNG")
            yield buffer.data().data()


def main():
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = Application("light")
    pictures = [Image.open(io.BytesIO(data)).convert("RGB") for data in frames()]
    few = [picture.quantize(SHADES, dither=Image.Dither.NONE) for picture in pictures]
    path = asset("pictures/clocks.gif")
    few[0].save(path, save_all=True, append_images=few[1:], duration=PAUSE, loop=0)
    print(f"{path}: {path.stat().st_size:,} bytes")
    app.processEvents()
    return 0


if __name__ == "__main__":
    sys.exit(main())

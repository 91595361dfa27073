"""Columns on screens of any ratio of device pixels to pixels: each pixel is one that was made."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget

from pe_explorer import encodings, pictures, views
from pe_explorer.colours import maps
from pe_explorer.exploration import Exploration
from pe_explorer.model import Model
from pe_explorer.params import declared
from pe_explorer.pictures.pixels import NO_VALUE_INDEX
from pe_explorer.views.view import RenderTarget
from tests.support.gestures import settle
from tests.support.pairwise import pairwise

ROOT = Path(__file__).parents[2]
ROWS = 5
RATIOS = (1.0, 1.25, 1.5, 2.0)
VIEWS = [
    ("heatmap", {}),
    ("heatmap", {"second": 50}),
    ("tokens", {"sentence": "a b c d e", "join": "positions"}),
    ("tokens", {"sentence": "a b c d e", "join": "sum", "part": "both"}),
    ("shift", {"part": "tables"}),
]
WIDTHS = (400, 1024)
PLACES = [(3 + 7 * n, 5 + n, 500 + 37 * n, 400 + n) for n in (0, 1, 4, 7)]


def pixels(image):
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1)
    return rows[:, : image.width()].copy()  # the image and its memory go


def faults(view, seen, ratio):
    """Yield what is wrong with the cells of a view that is seen as these pixels.

    One row of cells stands side by side in one row of pixels, wherever that begins.
    """
    for panel in view.snapshot.figure.panels:
        cells = panel.cells
        if panel.x.title == panel.y.title:  # words that are compared
            continue
        middle = view.locate(panel.name, panel.x.low, panel.y.low + panel.y.length / 2)
        line = seen[round((view.mapTo(view.window(), middle).y() + 0.5) * ratio)]
        table = maps.table(cells.colour_map, NO_VALUE_INDEX).astype(np.uint32)
        shades = 255 << 24 | table[:, 0] << 16 | table[:, 1] << 8 | table[:, 2]
        made = shades[cells.indices[ROWS // 2]][2:-2]  # without the frame
        windows = np.lib.stride_tricks.sliding_window_view(line, len(made))
        if cells.values.shape[0] != ROWS or not (windows == made).all(axis=1).any():
            yield f"{panel.name}: {cells.values.shape}, other colours"


def report_screen():
    """Print the ratio of this process's screen, and what is wrong with pictures on it.

    Any two of ratio, view, width and place meet.
    """
    app, found = QApplication([]), []
    outer = QWidget()
    outer.resize(1000, 500)
    outer.show()
    ratio = outer.devicePixelRatioF()
    for case in pairwise(RATIOS, VIEWS, WIDTHS, PLACES):
        if case[0] != ratio:
            continue
        _, (name, options), width, place = case
        e = encodings.create("sinusoidal", dim=width)
        model = Model(pictures.with_options(Exploration(e, count=ROWS), name, **options))
        view = views.find(name)(outer)
        view.target = RenderTarget(has_cursor_mark=False)
        view.attach(model)
        view.show()
        view.setGeometry(*place)
        settle(model)
        if "share" in declared(view.picture.Options):
            view.set_option("share", round(0.5 - place[0] / place[2], 3))
        settle(model)
        wrong = faults(view, pixels(outer.grab().toImage()), ratio)
        found += [f"{name} of {width} columns at {place}: {fault}" for fault in wrong]
        view.detach()
        model.close()
        view.hide()
    outer.close()
    app.processEvents()
    print(json.dumps([ratio, found]))


@pytest.mark.parametrize("ratio", RATIOS)
def test_each_device_pixel_shows_one_that_was_made_for_it(ratio):
    script = "from tests.views.test_whole_pixels import report_screen; report_screen()"
    own = {"PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": str(ratio)}
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert json.loads(done.stdout) == [ratio, []]

"""Cells, lines and curves of panes in pictures of any ratio of device pixels to pixels."""

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QWidget

from pe_explorer import encodings, pictures, views
from pe_explorer.exploration import Exploration
from pe_explorer.model import Model
from pe_explorer.views.view import RenderTarget
from pe_explorer.widgets.theme import colours
from tests.support.gestures import wait_for_worker
from tests.support.images import pixels

PLACE = 33, 21, 560, 370  # pixels: no whole number of device pixels at most ratios
ROWS, COLUMNS = 37, 40

every_ratio = pytest.mark.parametrize("ratio", [0.5, 1.0, 1.1, 1.25, 1.5, 2.0, 3.7, 4.0])


@pytest.fixture
def drawn(qtbot, tmp_path):
    """Return a function that shows a table from a file, somewhere in a widget, and returns the
    pixels of a picture of that, red, green and blue, and what maps places to them.
    """
    outer, shown = QWidget(), []
    outer.resize(640, 420)
    qtbot.addWidget(outer)

    def drawn(name, table, ratio, options=None, position=None):
        np.save(tmp_path / "rows.npy", table)
        e = encodings.create("learned", file=str(tmp_path / "rows.npy"))
        state = Exploration(e, count=len(table), metric="euclidean", position=position or 0)
        model = Model(pictures.with_options(state, name, **(options or {})))
        view = views.find(name)(outer)
        shown.append((view, model))
        view.target = RenderTarget(density=ratio, has_cursor_mark=position is not None)
        view.setGeometry(*PLACE)
        view.attach(model)
        outer.show()
        wait_for_worker(model)
        image = QImage(round(640 * ratio), round(420 * ratio), QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        outer.render(image)
        panel = view.snapshot.figure.panels[0]

        def at(x, y):
            place = view.locate(panel.name, x, y)
            left, top = (round(side * ratio) for side in PLACE[:2])  # at whole pixels
            return left + place.x() * ratio, top + place.y() * ratio

        at.panel, at.shade = panel, QColor(colours(view.palette()).accent)
        return pixels(image)[..., ::-1], at

    yield drawn
    for view, model in shown:
        view.detach()
        model.close()


def runs(line):
    """Return the lengths of the runs of True."""
    changes = np.flatnonzero(np.diff(np.r_[False, line, False].astype(int)))
    return (changes[1::2] - changes[::2]).tolist()


@every_ratio
def test_edges_of_cells_are_at_the_nearest_device_pixels(drawn, ratio):
    board = np.add.outer(np.arange(ROWS), np.arange(COLUMNS)) % 2.0
    found, at = drawn("heatmap", board, ratio)
    across = np.array([at(column - 0.5, 0)[0] for column in range(COLUMNS + 1)])
    down = np.array([at(0, row - 0.5)[1] for row in range(ROWS + 1)])
    row, column = (int((edges[0] + edges[1]) / 2) for edges in (down, across))
    for line, edges in ((found[row, :, 0], across), (found[:, column, 0], down)):
        inside = slice(int(edges[0]) + 2, int(edges[-1]) - 1)  # within the frame
        changes = np.flatnonzero(np.diff(line[inside])) + inside.start + 1
        assert len(changes) == len(edges) - 2
        assert np.abs(changes - edges[1:-1]).max() <= 0.5 + 1e-6


def curve(drawn, y, ratio, **fields):
    """Return how much of each pixel within the frame a curve covers, where that begins, how wide
    a position is, and the whole picture.
    """
    found, at = drawn("distances", np.array(y)[:, None], ratio, {"part": "curve"}, **fields)
    panel = at.panel
    (left, bottom), (right, top) = at(3, panel.y.low), at(len(y) - 3, panel.y.high)
    left, right, top, bottom = (int(left), int(right), int(top) + 8, int(bottom) - 8)
    part = found[top:bottom, left:right, 0]
    return (255 - part) / (255 - at.shade.red()), at, (left, top), found


@every_ratio
def test_ticks_frame_and_cursor_are_as_wide_as_the_picture_is_large(drawn, ratio):
    _, at, _, found = curve(drawn, np.arange(100.0), ratio, position=40)
    x, y, inked = at.panel.x, at.panel.y, (found < 250).any(axis=2)
    (left, bottom), (right, top) = at(x.low, y.low), at(x.high, y.high)
    below = inked[int(bottom + 2.5 * ratio), int(left) - 2 : int(right) + 3]
    (width,) = set(runs(below))
    assert width == pytest.approx(max(1, 0.8 * ratio), abs=0.5)
    assert len(runs(below)) > 3  # ticks
    column = inked[int(top - 4 * ratio) : int((top + bottom) / 2), int(at(20, 0)[0])]
    assert runs(column) == [width]  # the frame above
    dark = (found < 60).all(axis=2)[int(top) + 4 : int(at(0, 50)[1])]
    rows = dark[:, int(at(39, 0)[0]) : int(at(43, 0)[0])]
    assert {tuple(runs(row)) for row in rows} == {(), (max(1, round(ratio)),)}


@every_ratio
def test_a_level_curve_is_as_thick_as_the_picture_is_large(drawn, ratio):
    inside, at, (_, top), _ = curve(drawn, np.r_[0, 0, np.full(98, 1.0), 2.0], ratio)
    thick = inside.sum(axis=0)
    off = 0.25 if ratio == 1 else 0.03  # of one pixel: Qt's own
    np.testing.assert_allclose(thick, ratio, rtol=off)
    middle = np.arange(len(inside)) + top + 0.5
    np.testing.assert_allclose(middle @ inside / thick, at(0, 1.0)[1], atol=0.6)


@pytest.mark.parametrize("ratio", [1.5, 2.0, 4.0])
def test_a_steep_curve_is_as_thick_and_peaks_are_whole(drawn, ratio):
    y = np.where(np.arange(100) % 20 == 10, 3.0, 1.0)
    inside, at, (_, top), _ = curve(drawn, [0.0, *y, 4.0], ratio)
    row = inside[round(at(0, 2.0)[1]) - top]
    assert row.sum() == pytest.approx(10 * ratio, rel=0.1)  # five peaks, up and down
    inked = np.flatnonzero((inside > 0.5).any(axis=1)) + top
    high, low = at(0, 3.0)[1], at(0, 1.0)[1]
    assert abs(inked[0] + ratio / 2 - high) <= ratio
    assert abs(inked[-1] + 1 - ratio / 2 - low) <= 1.0

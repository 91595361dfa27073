"""Names in a view leave each other to be read: of curves, levels, lines and marks."""

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QFontMetricsF

from pe_explorer import encodings
from pe_explorer.exploration import Pin
from pe_explorer.figures.page import PageText, split_superscripts
from pe_explorer.figures.size import UNIT_POINTS
from pe_explorer.pictures.spots import ViewPlace
from pe_explorer.views.numbered_points import NumberedPoints
from tests.support.gestures import inside, settle, wait_for_worker
from tests.support.images import pixels


def texts_in(view):
    """Return the texts of a view's figure and their places, in pixels of its canvas."""
    wait_for_worker(view.model)
    texts = [item for layer in view.layers for item in layer if isinstance(item, PageText)]
    return [(text.text, place(text, view.font().family())) for text in texts]


def place(text, family):
    """Return the rectangle of a text from the top of its capitals to its base line."""
    font = QFont(family)
    font.setPixelSize(100)
    metrics, scale = QFontMetricsF(font), text.size / UNIT_POINTS["px"] / 100
    words = "".join(part for part, _ in split_superscripts(text.text))
    width, height = metrics.horizontalAdvance(words) * scale, metrics.capHeight() * scale
    x, y = text.x / UNIT_POINTS["px"], text.y / UNIT_POINTS["px"]
    before = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * width
    if text.is_upward:
        return QRectF(x - height, y - width + before, height, width)
    return QRectF(x - before, y - height, width, height)


def check(view, *wanted):
    """Check that some texts are there, and that none touches another one or an edge."""
    texts, canvas = texts_in(view), QRectF(view.canvas.rect())
    assert {*wanted} <= {words for words, _ in texts}
    for words, area in texts:
        assert canvas.contains(area), words
    for (one, here), (other, there) in combinations(texts, 2):
        assert not here.intersects(there), (one, other)


@pytest.mark.parametrize("size", [(440, 170), (600, 170), (900, 500)])
@pytest.mark.parametrize("quantity", ["wavelength", "frequency"])
def test_names_of_curves_and_levels_touch_nothing(show, quantity, size):
    plain, yarn = (
        encodings.create(
            "rope", rope_theta=1e6, rope_type=each, original_max_position_embeddings=32_768
        )
        for each in ("default", "yarn")
    )
    options, pins = {"quantity": quantity, "lengths": [32_768]}, (Pin(plain, "as trained"),)
    view = show("frequencies", *size, options, encoding=yarn, pins=pins, count=131_072)
    check(view, "as trained", "length 32,768")


@pytest.mark.parametrize("size", [(500, 300), (740, 634), (1200, 800)])
@pytest.mark.parametrize(
    ("name", "options"),
    [("waves", {"line1": 9, "line2": 9.25, "line3": 9.5}), ("properties", {"part": "look-alikes"})],
)
def test_labels_of_lines_and_marks_touch_nothing(show, name, options, size):
    view = show(name, *size, options)
    check(view)
    labels = {form for mark in view.figure.panels[0].marks for form in forms_of(mark.label)}
    assert sum(words in labels for words, _ in texts_in(view)) >= 3


def forms_of(label):
    """Return a label in full and in short: of "1: 12" and "p = 2.5"."""
    return label, label.partition(": ")[0], label.removeprefix("p = ")


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("heatmap", [{"position": 0}, {"position": 0}, {"position": 29, "dimension": 63}]),
        ("waves", [{"position": 1, "dimension": 0}, {"position": 29, "dimension": 0}]),
        ("waves", [{"position": 2, "dimension": 0, "value": y} for y in (-1, -0.8, 0.7, 0.8)]),
    ],
)
def test_numbers_of_points_are_in_the_plot_and_cover_no_name(show, name, places):
    options = {"line1": 1.0, "line2": 2.0, "line3": 29.0} if name == "waves" else {}
    encoding = encodings.create("sinusoidal", dim=64)
    view = show(name, 500, 300, options, encoding=encoding, count=30)
    before, points = pixels(view.grab().toImage()), NumberedPoints(view)
    points.set_places({number: ViewPlace(name, **at) for number, at in enumerate(places, 1)})
    settle(view.model)
    is_changed = (pixels(view.grab().toImage()) != before).any(axis=-1)
    assert is_changed.sum() >= len(places) * np.pi * 7.5**2  # no disc covers another one
    (panel,) = view.placed_panels
    (left, top), (right, bottom) = (inside(view, panel, at, at).toTuple() for at in (0, 1))
    rows, columns = np.nonzero(is_changed)
    assert left - 4 <= columns.min() <= columns.max() <= right + 4  # the dots extend by 4 pixels
    assert top - 4 <= rows.min() <= rows.max() <= bottom + 4
    for words, text in texts_in(view):
        left, top, right, bottom = text.translated(QPointF(view.canvas.pos())).getCoords()
        covered = is_changed[round(top) : round(bottom), round(left) : round(right)]
        assert not covered.any(), words


@pytest.mark.parametrize("width", [240, 500, 900])
def test_triangles_above_columns_stay_separate(show, width):
    view = show("heatmap", width, 300, encoding=encodings.create("sinusoidal", dim=128))
    before = pixels(view.grab().toImage())
    view.mark_columns(range(128))
    is_changed = (pixels(view.grab().toImage()) != before).any(axis=-1)
    row = is_changed[np.flatnonzero(is_changed.any(axis=1))[1]].astype(int)
    starts, ends = (np.flatnonzero(np.diff(row) == step) for step in (1, -1))
    assert len(starts) >= 5
    assert (ends - starts).max() <= 7


@pytest.mark.parametrize("width", [380, 640, 900])
def test_the_name_of_a_level_is_clear_of_a_cursor_on_the_first_pair(show, width):
    encoding = encodings.create("sinusoidal", dim=128)
    options = {"quantity": "wavelength", "lengths": [5_000]}
    view = show("frequencies", width, 300, options, encoding=encoding, count=5_000)
    (text,) = (text for words, text in texts_in(view) if words == "length 5,000")
    (placed,) = view.placed_panels.values()
    assert text.left() >= placed.axes.to_page_x(0.0) / UNIT_POINTS["px"] + 3

"""Names in a view leave each other to be read: of curves, levels, lines and marks."""

from itertools import combinations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QFontMetricsF

from pe_explorer import encodings
from pe_explorer.exploration import Pin
from pe_explorer.figures.page import PageText, split_superscripts
from pe_explorer.figures.size import POINTS
from tests.support.gestures import wait_for_worker


def texts_in(view):
    """Return the texts of a view's figure and their places, in pixels of its canvas."""
    wait_for_worker(view.model)
    texts = [item for layer in view.layers for item in layer if isinstance(item, PageText)]
    return [(text.text, place(text, view.font().family())) for text in texts]


def place(text, family):
    """Return the rectangle of a text from the top of its capitals to its base line."""
    font = QFont(family)
    font.setPixelSize(100)
    metrics, scale = QFontMetricsF(font), text.size / POINTS["px"] / 100
    words = "".join(part for part, _ in split_superscripts(text.text))
    width, height = metrics.horizontalAdvance(words) * scale, metrics.capHeight() * scale
    x, y = text.x / POINTS["px"], text.y / POINTS["px"]
    before = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * width
    if text.upward:
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

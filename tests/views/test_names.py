"""Names in a view leave each other to be read: of curves, levels, lines and marks."""

from itertools import combinations

import pyqtgraph as pg
import pytest
from PySide6.QtWidgets import QGraphicsView

from pe_explorer import encodings
from pe_explorer.exploration import Pin
from pe_explorer.widgets.legend import Legend
from tests.support.gestures import wait_for_worker


def seen_in(view):
    """Return what can be seen in the plots of a view."""
    wait_for_worker(view.model)
    scenes = [each.scene() for each in view.findChildren(QGraphicsView) if each.isVisible()]
    return [item for scene in scenes for item in scene.items() if item.isVisible()]


def place(item):
    """Return what an item covers, without its soft edge."""
    return item.mapRectToScene(item.boundingRect()).adjusted(1, 1, -1, -1)


@pytest.mark.parametrize("quantity", ["wavelength", "frequency"])
def test_a_legend_keeps_clear_of_the_name_of_a_level(show, quantity):
    plain, yarn = (
        encodings.create(
            "rope", rope_theta=1e6, rope_type=each, original_max_position_embeddings=32_768
        )
        for each in ("default", "yarn")
    )
    options, pins = {"quantity": quantity, "length": 32_768}, (Pin(plain, "as trained"),)
    view = show("frequencies", 440, 170, options, encoding=yarn, pins=pins, count=131_072)
    (level,) = (item for item in seen_in(view) if isinstance(item, pg.TextItem))
    (legend,) = (item for item in seen_in(view) if isinstance(item, Legend))
    assert "32,768" in level.toPlainText()
    assert not place(legend).intersects(place(level))


@pytest.mark.parametrize("size", [(500, 300), (740, 634), (1200, 800)])
@pytest.mark.parametrize(
    ("name", "options"),
    [("waves", {"line1": 9, "line2": 9.25, "line3": 9.5}), ("properties", {"part": "look-alikes"})],
)
def test_labels_of_lines_and_marks_do_not_overlap(show, name, options, size):
    seen = seen_in(show(name, *size, options))
    kinds = pg.InfLineLabel, pg.TextItem
    labels = [each for each in seen if isinstance(each, kinds) and each.toPlainText()]
    assert len(labels) >= 3
    for label in labels:
        area = place(label.getViewBox()).adjusted(-4, -4, 4, 4)
        assert area.top() <= place(label).center().y() <= area.bottom()
    letters = [place(label).adjusted(3, 3, -3, -3) for label in labels]
    assert not any(one.intersects(other) for one, other in combinations(letters, 2))

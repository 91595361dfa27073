"""Names in the window leave each other to be read: of curves, levels, lines, marks and axes."""

from itertools import combinations

import pyqtgraph as pg
import pytest
from PySide6.QtWidgets import QGraphicsView

from pe_explorer import encodings, pictures, views
from pe_explorer.exploration import Exploration, Pin
from pe_explorer.model import Model
from pe_explorer.widgets.axes import ValueAxis
from pe_explorer.widgets.badge import Badge
from pe_explorer.widgets.legend import Legend
from tests.support.gestures import settle, wait_for_worker

CURVE = {"part": "curve"}
MANY = tuple(
    Pin(encodings.create("sinusoidal", base=base), f"a base of {base:g}")
    for base in (9000.0, 500.0, 20.0)
)


@pytest.fixture
def items(qtbot, strict):
    """Return a function that shows a view, and returns what can be seen in its plots."""
    shown = []

    def items(name, size, options=None, **fields):
        model = Model(pictures.with_options(Exploration(**fields), name, **(options or {})))
        view = views.find(name)()
        qtbot.addWidget(view)
        view.resize(*size)
        view.attach(model)
        shown.append((view, model))
        with qtbot.waitExposed(view):
            view.show()
        settle(model)
        wait_for_worker(model)
        scenes = [each.scene() for each in view.findChildren(QGraphicsView) if each.isVisible()]
        return [item for scene in scenes for item in scene.items() if item.isVisible()]

    yield items
    for view, model in shown:
        view.detach()
        model.close()
    shown.clear()


def only(items, kind):
    (item,) = (item for item in items if isinstance(item, kind))
    return item


def place(item):
    """Return what an item covers, without its soft edge."""
    return item.mapRectToScene(item.boundingRect()).adjusted(1, 1, -1, -1)


@pytest.mark.parametrize("size", [(420, 280), (554, 344)])
@pytest.mark.parametrize("metric", ["cosine", "dot"])
def test_a_legend_keeps_clear_of_the_badge(items, size, metric):
    seen = items("distances", size, CURVE, metric=metric, count=200_000, pins=MANY)
    legend, badge = only(seen, Legend), only(seen, Badge)
    assert legend.names[1:] == tuple(pin.name for pin in MANY)
    assert badge.text
    assert not place(legend).intersects(place(badge))


@pytest.mark.parametrize("quantity", ["wavelength", "frequency"])
def test_a_legend_keeps_clear_of_the_name_of_a_level(items, quantity):
    plain, yarn = (
        encodings.create(
            "rope", rope_theta=1e6, rope_type=each, original_max_position_embeddings=32_768
        )
        for each in ("default", "yarn")
    )
    options, pins = {"quantity": quantity, "length": 32_768}, (Pin(plain, "as trained"),)
    seen = items("frequencies", (440, 170), options, encoding=yarn, pins=pins, count=131_072)
    level = only(seen, pg.TextItem)
    assert "32,768" in level.toPlainText()
    assert not place(only(seen, Legend)).intersects(place(level))


@pytest.mark.parametrize("size", [(260, 190), (334, 175), (336, 265), (360, 166)])
def test_a_narrow_legend_has_short_names_and_whole_words(items, size):
    pins = (Pin(encodings.create("sinusoidal", base=500.0), "sinusoidal d=128 b=500"),)
    seen = items("distances", size, CURVE, pins=pins)
    assert set(only(seen, Legend).texts) == {"b = 10,000", "b = 500"}


@pytest.mark.parametrize("size", [(500, 300), (740, 634), (1200, 800)])
@pytest.mark.parametrize(
    ("view", "options"),
    [("waves", {"line1": 9, "line2": 9.25, "line3": 9.5}), ("properties", {"part": "look-alikes"})],
)
def test_labels_of_lines_and_marks_do_not_overlap(items, view, options, size):
    seen = items(view, size, options)
    kinds = pg.InfLineLabel, pg.TextItem
    labels = [each for each in seen if isinstance(each, kinds) and each.toPlainText()]
    assert len(labels) >= 3
    for label in labels:
        area = place(label.getViewBox()).adjusted(-4, -4, 4, 4)
        assert area.top() <= place(label).center().y() <= area.bottom()
    letters = [place(label).adjusted(3, 3, -3, -3) for label in labels]
    assert not any(one.intersects(other) for one, other in combinations(letters, 2))


def test_a_title_without_room_loses_its_last_parts_first(qapp):
    axis = ValueAxis("bottom")
    whole = "component 1, 13.06 % of the variance"
    axis.set_title(whole)
    titles = []
    for length in range(600, 80, -10):
        axis.resize(length, 40)
        titles.append(axis.labelText)
    shown = list(dict.fromkeys(titles))  # before it is cut inside a word
    assert shown[:3] == [whole, "component 1, 13.06 %", "component 1"]

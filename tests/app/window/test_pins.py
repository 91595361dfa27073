"""Pins in the whole window."""

from itertools import product

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QScrollArea

from pe_explorer import encodings
from pe_explorer.exploration import PIN_COLOURS, Pin
from pe_explorer.widgets.choice_fields import Combo
from tests.app.acts import change
from tests.support.gestures import inside, move, settle
from tests.support.measures import hyphened
from tests.support.samples import sample, samples
from tests.support.windows import choose_file, drop_file, trigger

LEFT = Qt.MouseButton.LeftButton


def choose(box, key):
    box.setCurrentIndex(box.findData(key))


def test_from_the_first_pin_to_the_difference_and_back(window):
    model, panel, heatmap = window.model, window.right_panel.parts().pins, window.view("heatmap")
    QTest.mouseClick(panel.button, LEFT)
    model.set_encoding(base=500.0)
    settle(model)
    choose(heatmap.of, "difference")
    settle(model)
    assert "Heatmap: b = 500 − b = 10,000;" in window.status_bar.sentence.text()
    assert window.view("distances").curve_plot.curve_set.legend.names == ("b = 500", "b = 10,000")
    move(heatmap, inside(heatmap, heatmap.plot, 0.3, 0.3))
    move(heatmap, inside(heatmap, heatmap.plot, 0.31, 0.31))
    settle(model)
    p, j = model.preview.position, model.preview.dimension
    apart = encodings.create("sinusoidal", base=500.0).value(p, j) - encodings.create(
        "sinusoidal"
    ).value(p, j)
    assert f"b = 500 - b = 10,000: {apart:+.6g}" in hyphened(window.readout.label.text())
    QTest.mouseClick(panel.rows[0].restore, LEFT)
    settle(model)
    assert heatmap.stage.sentence == "The two agree at every position shown."
    for _ in range(4):
        window.undoing.undo()
    settle(model)
    assert model.state.pins == ()
    assert heatmap.status == "Heatmap: one position a row."
    assert "value" in window.readout.label.text()


def test_a_session_brings_the_pins_along(window, tmp_path):
    made = tuple(
        Pin(e, f"é {e.name}", colour) for e, colour in zip(samples(), PIN_COLOURS, strict=False)
    )
    window.model.set(pins=made, compared=2)
    change(window, show="pinned")
    state = window.model.state
    trigger(window, "save_as")
    choose_file(window, tmp_path / "with.json")
    trigger(window, "new")
    assert not any(row.isVisible() for row in window.right_panel.parts().pins.rows)
    drop_file(window, tmp_path / "with.json")
    assert window.model.state == state
    assert [row.name.text for row in window.right_panel.parts().pins.rows] == [
        pin.name for pin in made
    ]


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_pins_move_no_dock_and_clip_nothing(window, size):
    window.resize(*size)
    settle(window.model)
    window.sides.open("explain")
    change(window, pins=(), show="current")
    docks = [dock.geometry() for dock in window.sides.docks.values()]
    window.model.set(
        pins=tuple(
            Pin(encodings.create("sinusoidal"), "a long name " * 5, colour)
            for colour in PIN_COLOURS
        )
    )
    window.model.set(show="difference")
    window.model.set_options("heatmap", quantity="angle")
    settle(window.model)
    assert [dock.geometry() for dock in window.sides.docks.values()] == docks
    area = window.panel.findChild(QScrollArea)
    assert area.widget().width() <= area.viewport().width()
    header = window.view("heatmap").header
    labels = [label for label in header.findChildren(QLabel) if label.isVisible()]
    boxes = [box for box in header.findChildren(Combo) if box.isVisible()]
    assert len(labels) == len(boxes) == 2
    assert all(
        label.fontMetrics().horizontalAdvance(label.text()) <= label.width() for label in labels
    )
    assert all(
        box.fontMetrics().horizontalAdvance(box.currentText()) <= box.width() - 30 for box in boxes
    )
    assert all(part.geometry().right() < header.width() for part in labels + boxes)


def test_the_readout_fits(window):
    pins = (
        Pin(encodings.create("index", dim=65_536), "x"),
        Pin(encodings.create("binary", dim=9), "y"),
    )
    label = window.readout.label
    for name in encodings.names():
        e = sample(name, dim=65_536, head_dim=65_536, heads=65_536)
        for show, compared in (("current", 0), *product(("pinned", "difference"), (0, 1))):
            window.model.set(encoding=e)
            window.model.set(position=2**53, dimension=65_535, pins=pins)
            change(window, show=show, compared=compared)
            assert label.fontMetrics().horizontalAdvance(label.text()) <= label.width(), name

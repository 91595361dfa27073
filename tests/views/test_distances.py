"""The distances on the screen: the histogram, and curves of pins that take long."""

from dataclasses import replace

from pe_explorer import encodings
from pe_explorer.analysis import distance
from pe_explorer.exploration import Pin
from tests.support.gestures import (
    click,
    colours_across,
    inside,
    move,
    settle,
    spot,
    wait_for_worker,
    wheel,
)
from tests.support.notes import note

S = encodings.create


def test_the_mouse_over_a_step_of_the_histogram_means_a_pair_of_its_bin(show):
    e = S("sinusoidal", dim=1024)
    view = show("distances", options={"part": "histogram"}, encoding=e, count=250)
    model, reference = view.model, view.header.lines["reference"]
    assert not reference.isEnabled()
    for _ in range(2):
        move(view, spot(view, "histogram", 0.57, 3.0))
    settle(model)
    assert 0.56 <= distance.between(e, model.preview.position, model.preview.second) < 0.58
    click(view, spot(view, "histogram", 0.65, 1.0))
    settle(model)
    assert 0.64 <= distance.between(e, model.state.position, model.state.second) < 0.66
    wheel(view, inside(view, "histogram", 0.5, 0.5), 3)
    settle(model)
    assert (model.state.start, model.state.count) == (0, 128)
    assert "8,128 pairs" in view.status
    view.set_option("part", "both")
    settle(model)
    assert reference.isEnabled()
    view.set_option("part", "histogram")
    model.set(count=1)
    settle(model)
    assert note(view).isVisible()
    move(view, inside(view, "histogram", 0.5, 0.1))
    assert model.preview is None


def test_long_work_goes_to_the_worker_and_the_newest_name_is_shown(show):
    pins = [Pin(S("sinusoidal", base=base, dim=4096), f"base {base}") for base in (50.0, 500.0)]
    view = show("distances", 1200, pins=pins, metric="manhattan")
    first, second = view.model.state.pins
    view.model.set(count=301)
    view.model.emit_changes()
    assert view.model.worker.is_busy("distances")
    view.model.set(pins=(replace(first, name="mine"), second))
    view.model.emit_changes()
    wait_for_worker(view.model)
    curves = view.snapshot.figure.panel("curve").curves
    assert [curve.name for curve in curves][1:] == ["mine", "base 500.0"]
    assert len(curves[1].y) == 301
    assert len(colours_across(view, "matrix")) > 5

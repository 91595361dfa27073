"""Presets: each is a whole exploration, wherever one comes from."""

from dataclasses import replace
from html import escape

import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.exploration import Exploration, Pin, changes
from pe_explorer.gallery.start_here import presets
from tests.support.changes import defaults, other_options
from tests.support.gestures import settle
from tests.support.windows import set_up_in

FAR = {
    "encoding": encodings.create("binary", dim=40),
    "start": 10**15,
    "count": 2**50,
    "position": 10**15 + 7,
    "dimension": 33,
    "reference": 3,
    "metric": "dot",
    "pins": (Pin(encodings.create("index"), "first"), Pin(encodings.create("fraction"), "second")),
    "compared": 1,
    "show": "difference",
}
"""A value of every field that no preset has."""


def elsewhere():
    options = {
        view: replace(options_there, **other_options(options_there))
        for view, options_there in defaults().items()
    }
    return Exploration(**FAR, options=options)


def choose(panel, preset):
    panel.preset_combo.setCurrentIndex(panel.preset_combo.findData(preset.id))


@pytest.mark.parametrize("name", presets())
def test_from_anywhere_a_preset_is_the_same_and_undo_brings_everything_back_in_one_step(
    window, name
):
    model, stack, combo = window.model, window.history.stack, window.panel.preset_combo
    preset = presets()[name]
    model.replace(elsewhere())
    settle(model)
    assert combo.currentText() == ""  # the placeholder says Custom
    before, steps = model.state, stack.index()
    choose(window.panel, preset)
    settle(model)
    assert set_up_in(window) == preset.exhibit.exploration.with_(panes=None)
    assert combo.currentText() == preset.title
    assert escape(preset.note) in combo.toolTip()
    assert stack.count() == steps + 1
    assert stack.text(steps) == f"exhibit {preset.title}"
    assert preset.title in window.actions_by_key["undo"].text()
    window.undoing.undo()
    settle(model)
    assert model.state == before  # with its cursor
    window.undoing.redo()
    settle(model)
    assert model.state.intention == preset.exhibit.exploration


def test_the_name_is_shown_only_while_everything_is_so(window):
    combo, model, other = window.panel.preset_combo, window.model, elsewhere()
    preset = presets()["000-clocks"]
    choose(window.panel, preset)
    settle(model)
    for field in sorted(changes(Exploration(), elsewhere())):
        assert combo.currentText() == preset.title, field
        if field.startswith("options."):
            view = field.removeprefix("options.")
            model.set(options={**model.state.options, view: pictures.find(view).options(other)})
        elif field in ("compared", "show"):  # which nothing but pins can make differ
            model.set(pins=other.pins, **{field: getattr(other, field)})
        else:
            model.set(**{field: getattr(other, field)})
        settle(model)
        assert combo.currentIndex() == -1, field
        window.undoing.undo()
        settle(model)
        assert combo.currentText() == preset.title, field
        assert set_up_in(window) == preset.exhibit.exploration.with_(panes=None), field


@pytest.mark.parametrize("name", presets())
def test_a_preset_opens_on_something(window, name):
    preset = presets()[name]
    choose(window.panel, preset)
    settle(window.model)
    state = window.model.state
    e, cursor = state.encoding, state.position
    assert cursor in state.positions, preset.title
    assert state.reference in state.positions, preset.title
    assert np.any(e.table([cursor])), f"{preset.title}: the row of the cursor is all zeros"
    assert not pictures.find(preset.exhibit.main).is_lacking(state), preset.title


def test_resetting_everything_is_a_step_with_its_name_too(window):
    model = window.model
    model.replace(elsewhere())
    settle(model)
    before = model.state
    window.actions_by_key["reset"].trigger()
    settle(model)
    assert set_up_in(window) == presets()["start"].exhibit.exploration.with_(panes=None)
    assert window.history.stack.undoText() == "reset everything"
    window.undoing.undo()
    settle(model)
    assert model.state == before

"""A session with an encoding that is not known here, as a person sees it."""

import json

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from pe_explorer import encodings
from tests.app.output.dialogs import KINDS, copied_command, open_export, path_in
from tests.app.windows import (
    change,
    choose_item,
    click_on,
    close_message,
    drop_file,
    open_inspector,
    trigger,
)
from tests.support.gestures import settle, wait_for_worker
from tests.support.notes import note_label
from tests.support.unknown import LATER, NOT_KNOWN, document


@pytest.fixture
def later(window, tmp_path):
    """A window that has opened a session with an unknown encoding, between two pins one like it."""
    pins = [
        ("a", {"name": "index", "dim": 3}),
        ("r", {"name": "x-helix", "theta": [1]}),
        ("b", {"name": "binary", "dim": 8}),
    ]
    made = document(LATER, pins, count=9, position=4, compared=1)
    (tmp_path / "later.json").write_text(json.dumps(made))
    drop_file(window, tmp_path / "later.json")
    notes = close_message(window)
    for field in ("encoding.name", "pins[1].encoding.name"):
        assert f"{field}: {NOT_KNOWN}" in notes
    settle(window.model)
    return window


def sentences(window):
    """Return what the views say in the place of their pictures."""
    labels = {name: note_label(view) for name, view in window.workspace.built_views.items()}
    return {name: label.text() if label.isVisible() else "" for name, label in labels.items()}


def test_every_view_says_it_and_the_dock_names_it_until_another_is_chosen(later):
    before, combo = later.model.state, later.panel.encoding_combo
    open_inspector(later)
    inspector, pins = later.right_panel.pages().inspector, later.right_panel.pages().pins
    said = [*sentences(later).values(), inspector.missing_reason.text(), later.panel.note.text()]
    for sentence in said:
        assert sentence.replace("\u200b", "").startswith(f"Encoding: {NOT_KNOWN}. ")
    assert all(view.is_blank for view in later.workspace.built_views.values())
    assert (combo.currentIndex(), combo.placeholderText()) == (-1, "x-helix")
    assert later.panel.form.names == ()
    assert inspector.values["Value"].text() == ""
    assert later.readout.label.text().endswith("no value")
    assert NOT_KNOWN[:20] in pins.rows[1].name.toolTip().replace("&#x27;", "'")
    assert not later.isWindowModified()
    choose_item(combo, "sinusoidal")
    settle(later.model)
    wait_for_worker(later.model)
    assert later.model.state.encoding == encodings.create("sinusoidal")
    assert not any(view.is_blank for view in later.workspace.built_views.values())
    assert set(sentences(later).values()) == {""}
    trigger(later, "undo")
    assert later.model.state == before
    assert all(sentences(later).values())
    trigger(later, "redo")
    assert combo.currentData() == "sinusoidal"


def test_nothing_is_copied_or_exported_of_it(later, tmp_path):
    QApplication.clipboard().setText("mine")
    heard = []
    later.output.reported.connect(heard.append)
    for key in ("copy_code", "copy_command", "copy_picture"):
        trigger(later, key)
        assert NOT_KNOWN in heard[-1], key
        assert QApplication.clipboard().text() == "mine"
    assert len(heard) == 3
    for kind in KINDS:
        dialog = open_export(later, kind)
        dialog.target.setText(str(tmp_path / f"x{path_in(dialog).suffix}"))
        dialog.start_button.click()
        assert NOT_KNOWN in dialog.message.text()
        dialog.clear_message()
        assert copied_command(dialog) == ""
        assert NOT_KNOWN in dialog.message.text()
        dialog.reject()
    assert list(tmp_path.glob("x*")) == []


def test_a_pin_that_is_not_known_is_seen_as_that_and_can_be_restored(later):
    heatmap, pins = later.view("heatmap"), later.right_panel.pages().pins
    later.model.set(metric="euclidean")  # which rows of zeros have, too
    later.model.set_encoding("sinusoidal", dim=8)
    for show in ("pinned", "difference"):
        change(later, show=show)
        wait_for_worker(later.model)
        said = sentences(later)
        assert said.pop("heatmap").startswith(f"Pin: {NOT_KNOWN}. ")
        assert set(said.values()) == {""}
        assert heatmap.header.combos["show"].currentData() == show
    change(later, compared=2)
    wait_for_worker(later.model)
    assert not heatmap.is_blank
    curves = later.view("distances").snapshot.figure.panels[0].curves
    drawn = [curve.name for curve in curves if np.isfinite(curve.y).any()]
    assert drawn == ["sinusoidal", "a", "b"]
    pins.rows[1].restore.click()
    settle(later.model)
    assert later.model.state.encoding.parameters == {"theta": [1]}
    click_on(later, pins.button)
    assert [pin.encoding.name for pin in later.model.state.pins[1::2]] == ["x-helix", "x-helix"]
    assert later.model.state.pins[3].name == "x-helix"
    assert "pin x-helix" in later.actions_by_key["undo"].text()

"""A session with an encoding that is not known here, as a person sees it."""

import json

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from pe_explorer import encodings
from pe_explorer.app.window.actions import ACTIONS
from pe_explorer.encodings import Unknown
from pe_explorer.files import session
from tests.app.output.dialogs import KINDS, copied_command, open_export, path_in
from tests.support import unknown
from tests.support.gestures import LEFT, settle, turn_wheel
from tests.support.notes import note
from tests.support.scenario import KEYS, LEAVING, until_idle
from tests.support.unknown import LATER, NOT_KNOWN, odd
from tests.support.windows import (
    close_message,
    drop_file,
    open_inspector,
    trigger,
    visible_dialogs,
    wait_until_idle,
)

__all__ = ["odd"]

SENTENCE = f"{NOT_KNOWN}; choose another encoding, or open it with a later version of PE Explorer."


@pytest.fixture
def later(window, tmp_path):
    """A window that has opened a session with an unknown encoding, between two pins one like it."""
    pins = [
        ("a", {"name": "index", "dim": 3}),
        ("r", {"name": "x-helix", "theta": [1]}),
        ("b", {"name": "binary", "dim": 8}),
    ]
    made = unknown.document(LATER, pins, count=9, position=4, compared=1)
    (tmp_path / "later.json").write_text(json.dumps(made))
    drop_file(window, tmp_path / "later.json")
    notes = close_message(window)
    assert "encoding.name: 'x-helix' is not one of" in notes
    assert "pins[1].encoding.name: 'x-helix' is not one of" in notes
    settle(window.model)
    return window


def sentences(window):
    """Return what each view says in the place of its picture."""
    found = {"clocks": window.view("clocks").canvas.sentence}
    for name in ("heatmap", "distances"):
        view = window.view(name)
        found[name] = view.stage.sentence if note(view).isVisible() else ""
    return found


def blank(window):
    """Return whether no view has a picture."""
    return all(window.view(name).blank for name in ("heatmap", "clocks", "distances"))


def test_every_view_says_it_and_the_dock_names_it(later):
    assert sentences(later) == dict.fromkeys(later.workspace.built, f"Encoding: {SENTENCE}")
    assert blank(later)
    panel = later.panel
    assert (panel.encoding_combo.currentIndex(), panel.encoding_combo.placeholderText()) == (
        -1,
        "x-helix",
    )
    assert panel.form.names == ()
    assert panel.note.text().replace("\u200b", "") == f"Encoding: {SENTENCE}"
    open_inspector(later)
    assert later.right_panel.parts().inspector.lack.text() == f"Encoding: {SENTENCE}"
    assert later.right_panel.parts().inspector.values["Value"].text() == ""
    assert later.readout.label.text() == f"p 4   dim {later.model.state.dimension}   no value"
    assert SENTENCE[:20] in later.right_panel.parts().pins.rows[1].name.toolTip().replace(
        "&#x27;", "'"
    )
    assert not later.isWindowModified()


def test_another_is_chosen_and_taken_back(later):
    before = later.model.state
    combo = later.panel.encoding_combo
    combo.setCurrentIndex(combo.findData("sinusoidal"))
    settle(later.model)
    until_idle(later)
    assert later.model.state.encoding == encodings.create("sinusoidal")
    assert not blank(later)
    assert set(sentences(later).values()) == {""}
    trigger(later, "undo")
    assert later.model.state == before
    assert blank(later)
    assert sentences(later)["clocks"] == f"Encoding: {SENTENCE}"
    trigger(later, "redo")
    assert later.model.state.encoding == encodings.create("sinusoidal")
    assert combo.currentData() == "sinusoidal"


def test_it_is_saved_as_it_came(later, tmp_path):
    before = json.loads((tmp_path / "later.json").read_text())
    later.model.set(count=12)
    trigger(later, "save")
    after = json.loads((tmp_path / "later.json").read_text())
    assert after["positions"] == {"start": 0, "count": 12}
    own = {"positions", "views", "panes"}
    assert {key: after[key] for key in before.keys() - own} == {
        key: before[key] for key in before.keys() - own
    }
    assert session.read(tmp_path / "later.json").state == later.model.state.intention


def test_nothing_is_copied_of_it(later):
    QApplication.clipboard().setText("mine")
    heard = []
    later.output.reported.connect(heard.append)
    for key in ("copy_code", "copy_command", "copy_picture"):
        trigger(later, key)
        assert heard == [f"Nothing was copied. Encoding: {SENTENCE}"], key
        assert QApplication.clipboard().text() == "mine"
        heard.clear()


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_exported_of_it(later, tmp_path, kind):
    dialog = open_export(later, kind)
    dialog.target.setText(str(tmp_path / f"x{path_in(dialog).suffix}"))
    for press in (dialog.go.click, lambda: copied_command(dialog)):
        dialog.clear_message()
        press()
        assert dialog.message.text() == f"Encoding: {SENTENCE}"
    assert copied_command(dialog) == ""
    dialog.reject()
    assert list(tmp_path.glob("x*")) == []


def test_a_pin_that_is_not_known_is_seen_as_that(later):
    later.model.set(metric="euclidean")  # which rows of zeros have, too
    later.model.set_encoding("sinusoidal", dim=8)
    until_idle(later)
    for show in ("pinned", "difference"):
        later.model.set(show=show)
        until_idle(later)
        assert sentences(later) == {"heatmap": f"Pin: {SENTENCE}", "clocks": "", "distances": ""}
        assert later.view("heatmap").of.currentData() == show
    later.model.set(compared=2)
    until_idle(later)
    assert not later.view("heatmap").blank
    curves = later.view("distances").drawn.figure.panels[0].curves
    drawn = [curve.name for curve in curves if np.isfinite(curve.y).any()]
    assert drawn == ["sinusoidal", "a", "b"]


def test_it_is_pinned_and_taken_back(later):
    row = later.right_panel.parts().pins.rows[1]
    row.restore.click()
    settle(later.model)
    assert later.model.state.encoding.parameters == {"theta": [1]}
    later.right_panel.parts().pins.button.click()
    settle(later.model)
    assert [pin.encoding.name for pin in later.model.state.pins] == [
        "index",
        "x-helix",
        "binary",
        "x-helix",
    ]
    assert later.model.state.pins[3].name == "x-helix"
    assert later.actions_by_key["undo"].text() == "&Undo: pin x-helix"


def test_whatever_is_done_it_stays_a_sentence(later):
    """Every action, key and gesture: what is raised in a slot fails the test."""
    for show in ("current", "difference"):
        later.model.set(show=show)
        for view in later.workspace.built.values():
            for key in (*KEYS, Qt.Key.Key_Space):
                QTest.keyClick(view, key)
            place = view.rect().center()
            for modifier in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier):
                under = view.childAt(place) or view
                QTest.mouseClick(under, LEFT, modifier, under.mapFrom(view, place))
            turn_wheel(under, 120)
        for key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            QTest.keyClick(later.right_panel.parts().inspector.fields["dimension"], key)
        settle(later.model)
        assert isinstance(later.model.state.encoding, Unknown)
    others = ("reset", "new", "undo", "redo", "theme", "full_screen")
    others += ("next_exhibit", "previous_exhibit")
    for entry in ACTIONS:
        if entry.key not in (*LEAVING, *others):
            later.actions_by_key[entry.key].trigger()
            settle(later.model)
            for dialog in visible_dialogs(later, QDialog):
                dialog.reject()
            wait_until_idle(later)
    assert isinstance(later.model.state.encoding, Unknown)
    assert sentences(later)["clocks"] == f"Encoding: {SENTENCE}"

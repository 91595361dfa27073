"""A session with an encoding that is not known here, as a person sees it."""

import json

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from pe_explorer import encodings, views
from pe_explorer.app.actions import ACTIONS
from pe_explorer.app.recovery import Recovery, RecoveryDialog
from pe_explorer.encodings import Unknown
from pe_explorer.files import session
from pe_explorer.model.autosave import Autosave, orphans
from pe_explorer.widgets.file_dialog import FileDialog
from tests import unknown
from tests.app.test_dialogs import opened, visible
from tests.app.test_document import DISCARD, answer, choose_file, drop, idle, told, trigger
from tests.gestures import inside, settle, wheel
from tests.scenario import LEAVING, until_idle
from tests.unknown import ODD, ROPE, odd

__all__ = ["odd"]

SENTENCE = "'rope' is not one of sinusoidal, index, fraction, binary; choose another encoding, or open it with a later version of PE Explorer."


@pytest.fixture
def rope(window, tmp_path):
    """A window that has opened a session with an unknown encoding, between two pins one like it."""
    pins = [
        ("a", {"name": "index", "dim": 3}),
        ("r", {"name": "rope", "theta": [1]}),
        ("b", {"name": "binary", "dim": 8}),
    ]
    made = unknown.document(ROPE, pins, count=9, position=4, compared=1)
    (tmp_path / "rope.json").write_text(json.dumps(made))
    drop(window, tmp_path / "rope.json")
    notes = told(window)
    assert "encoding.name: 'rope' is not one of" in notes
    assert "pins[1].encoding.name: 'rope' is not one of" in notes
    settle(window.model)
    return window


def sentences(window):
    """Return what each view says in the place of its picture."""
    found = {"clocks": window.views["clocks"].canvas.sentence}
    for name in ("heatmap", "distances"):
        stage = window.views[name].stage
        found[name] = stage.sentence if stage._note.isVisible() else ""
    return found


def blank(window):
    """Whether no view has a picture."""
    heatmap, clocks, distances = (window.views[name] for name in ("heatmap", "clocks", "distances"))
    lines = [distances.line, *distances.pin_lines, distances.reference_line]
    items = [heatmap.plot.image, distances.matrix_plot.image, *lines]
    return clocks.canvas.face is None and not any(item.isVisible() for item in items)


def test_every_view_says_it_and_the_dock_names_it(rope):
    assert sentences(rope) == dict.fromkeys(rope.views, f"Encoding: {SENTENCE}")
    assert blank(rope)
    panel = rope.panel
    assert (panel.encoding_combo.currentIndex(), panel.encoding_combo.placeholderText()) == (
        -1,
        "rope",
    )
    assert panel.form.names == ()
    assert panel.note.text().replace("\u200b", "") == f"Encoding: {SENTENCE}"
    assert rope.inspector.lack.text() == f"Encoding: {SENTENCE}"
    assert rope.inspector.values["Value"].text() == ""
    assert rope.readout.label.text() == f"p 4   dim {rope.model.state.dimension}   no value"
    assert rope.views["distances"].reading.text() == ") = ?"
    assert SENTENCE[:20] in panel.pins.rows[1].name.toolTip().replace("&#x27;", "'")
    assert not rope.isWindowModified()


def test_another_is_chosen_and_taken_back(rope):
    before = rope.model.state
    combo = rope.panel.encoding_combo
    combo.setCurrentIndex(combo.findData("sinusoidal"))
    settle(rope.model)
    until_idle(rope)
    assert rope.model.state.encoding == encodings.create("sinusoidal")
    assert not blank(rope)
    assert set(sentences(rope).values()) == {""}
    trigger(rope, "undo")
    assert rope.model.state == before
    assert blank(rope)
    assert sentences(rope)["clocks"] == f"Encoding: {SENTENCE}"
    trigger(rope, "redo")
    assert rope.model.state.encoding == encodings.create("sinusoidal")
    assert combo.currentData() == "sinusoidal"


def test_it_is_saved_as_it_came(rope, tmp_path):
    before = json.loads((tmp_path / "rope.json").read_text())
    rope.model.set(count=12)
    trigger(rope, "save")
    assert json.loads((tmp_path / "rope.json").read_text()) == before | {
        "positions": {"start": 0, "count": 12},
        "views": AS_THEY_ARE,
    }
    trigger(rope, "save_as")
    choose_file(rope, tmp_path / "again.json")
    again = session.read(tmp_path / "again.json", views.default_options())
    assert again.state == rope.model.state
    assert again.state.encoding.parameters == {"dim": 64, "theta": 5}


AS_THEY_ARE = {name: dict(vars(options)) for name, options in views.default_options().items()}


def test_nothing_is_copied_of_it(rope):
    QApplication.clipboard().setText("mine")
    heard = []
    rope.output.told.connect(heard.append)
    for key in ("copy_code", "copy_command", "copy_picture"):
        trigger(rope, key)
        assert heard == [f"Nothing was copied. Encoding: {SENTENCE}"], key
        assert QApplication.clipboard().text() == "mine"
        heard.clear()


@pytest.mark.parametrize("key", ["export_picture", "export_data"])
def test_nothing_is_exported_of_it(rope, tmp_path, key):
    dialog = opened(rope, key, FileDialog)
    dialog.target.setText(str(tmp_path / ("x.png" if key == "export_picture" else "x.npy")))
    for button in ("accept", "_copy_command"):
        getattr(dialog, button)()
        idle(rope)
        assert dialog.message.text() == f"Encoding: {SENTENCE}"
        dialog.message.setText("")
    if key == "export_picture":
        dialog.what.setCurrentIndex(dialog.what.findData("window"))
        dialog.accept()
        assert dialog.message.text() == f"Encoding: {SENTENCE}"
    dialog.reject()
    assert sorted(path.name for path in tmp_path.glob("x*")) == []


def test_a_pin_that_is_not_known_is_seen_as_that(rope):
    rope.model.set(metric="euclidean")  # which rows of zeros have, too
    rope.model.set_encoding("sinusoidal", dim=8)
    until_idle(rope)
    distances, heatmap = rope.views["distances"], rope.views["heatmap"]
    assert [name for name, _ in distances._pins] == ["a", "r: none", "b"]
    assert [line.isVisible() for line in distances.pin_lines] == [True, False, True]
    for show in ("pinned", "difference"):
        rope.model.set(show=show)
        until_idle(rope)
        assert sentences(rope) == {"heatmap": f"Pin: {SENTENCE}", "clocks": "", "distances": ""}
        assert not heatmap.plot.image.isVisible()
        assert heatmap.of.currentData() == show
    rope.model.set(compared=2)
    until_idle(rope)
    assert heatmap.plot.image.isVisible()
    assert np.isfinite(distances.line.getData()[1]).all()


def test_it_is_pinned_and_taken_back(rope):
    row = rope.panel.pins.rows[1]
    row.back.click()
    settle(rope.model)
    assert rope.model.state.encoding.parameters == {"theta": [1]}
    rope.panel.pins.button.click()
    settle(rope.model)
    assert [pin.encoding.name for pin in rope.model.state.pins] == [
        "index",
        "rope",
        "binary",
        "rope",
    ]
    assert rope.model.state.pins[3].name == "rope"
    assert rope.undoing._history.stack.undoText() == "pin rope"


def test_whatever_is_done_it_stays_a_sentence(rope):
    """Every action, key and gesture: what is raised in a slot fails the test."""
    for show in ("current", "difference"):
        rope.model.set(show=show)
        for view in rope.views.values():
            for key in (
                Qt.Key.Key_Down,
                Qt.Key.Key_Right,
                Qt.Key.Key_PageDown,
                Qt.Key.Key_Home,
                Qt.Key.Key_End,
                Qt.Key.Key_Space,
            ):
                QTest.keyClick(view, key)
        for name, plot in (
            ("heatmap", "plot"),
            ("distances", "curve_plot"),
            ("distances", "matrix_plot"),
        ):
            view = rope.views[name]
            place = inside(view, getattr(view, plot), 0.5, 0.9)
            for modifier in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier):
                wheel(view, place, 1, modifier)
            QTest.mouseClick(
                view.stage.canvas.viewport(),
                Qt.MouseButton.LeftButton,
                Qt.KeyboardModifier.NoModifier,
                place,
            )
        QTest.mouseClick(rope.views["clocks"].canvas, Qt.MouseButton.LeftButton)
        for step in (1, -1):
            rope.inspector._step_dimension(step, True)
        settle(rope.model)
        assert isinstance(rope.model.state.encoding, Unknown)
    for entry in ACTIONS:
        if entry.key not in (*LEAVING, "reset", "new", "undo", "redo", "theme", "full_screen"):
            rope.actions_by_key[entry.key].trigger()
            settle(rope.model)
            for dialog in visible(rope, QDialog):
                dialog.reject()
            idle(rope)
    assert isinstance(rope.model.state.encoding, Unknown)
    assert sentences(rope)["clocks"] == f"Encoding: {SENTENCE}"


def test_what_does_not_go_together_is_a_sentence_too(window, odd, tmp_path):
    (tmp_path / "odd.json").write_text(json.dumps(unknown.document(ODD)))
    drop(window, tmp_path / "odd.json")
    assert "encoding.groups: 4 do not divide 6 dimensions" in told(window)
    settle(window.model)
    problem = "Encoding: odd: groups: 4 do not divide 6 dimensions; choose a divisor; choose"
    assert all(sentence.startswith(problem) for sentence in sentences(window).values())
    assert window.panel.encoding_combo.placeholderText() == "odd"


def test_it_is_kept_and_recovered(rope, tmp_path):
    folder = tmp_path / "unsaved"
    rope.autosave = Autosave(folder, rope, every=20)
    rope.document.keep(rope.autosave)
    rope.model.set(count=13)
    settle(rope.model)
    rope.autosave.flush()
    state = rope.model.state
    rope.autosave.close(keep=True)
    (orphan,) = orphans(folder, views.default_options())
    assert (orphan.session.state, orphan.problem) == (state, "")
    trigger(rope, "new")
    answer(rope, DISCARD)
    rope.autosave = Autosave(folder, rope, every=20)
    rope.document.keep(rope.autosave)
    Recovery(rope, rope.files, rope.autosave, folder)
    while rope.files.errands.worker.busy("recovery"):
        settle()
    settle()
    (dialog,) = [dialog for dialog in rope.findChildren(RecoveryDialog) if dialog.isVisible()]
    assert "rope.json · rope, 13 positions from 0" in dialog.list.item(0).text()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    idle(rope)
    assert rope.model.state == state
    assert blank(rope)


def test_parameters_that_are_not_known_stay_when_another_is_edited(window, tmp_path):
    made = unknown.document(
        {"name": "sinusoidal", "dim": 8, "base": 100.0, "twist": [3]},
        [("p", {"name": "index", "dim": 3, "x-lab": 1})],
    )
    (tmp_path / "twist.json").write_text(json.dumps(made))
    drop(window, tmp_path / "twist.json")
    assert told(window) == ""
    window.model.set_encoding(dim=10)
    window.model.set(compared=0, count=8)
    trigger(window, "save")
    document = json.loads((tmp_path / "twist.json").read_text())
    assert {key: document["encoding"][key] for key in ("dim", "base", "twist")} == {
        "dim": 10,
        "base": 100.0,
        "twist": [3],
    }
    assert document["pins"] == made["pins"]

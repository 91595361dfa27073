"""A second configuration beside the open one: its pins, what is said of it, and the way back."""

import json

import numpy as np
import pytest
from PySide6.QtCore import Qt

from pe_explorer import encodings
from pe_explorer.app import run
from pe_explorer.commandline import main as cli
from pe_explorer.exploration import Exploration, pinned
from pe_explorer.files import session
from tests.app.acts import encode
from tests.configs.support import YARN, fields_of, llama, path_of
from tests.support.gestures import settle
from tests.support.windows import choose_file, close_message, drop_file, message_boxes, trigger

GEMMA = path_of("gemma-3-4b")
CTRL = Qt.KeyboardModifier.ControlModifier
FULL, SLIDING = "full_attention", "sliding_attention"


def config(folder, name, **changes):
    path = folder / name
    path.write_text(json.dumps(llama(**changes)), encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def wide(window):
    """Have room for the page Model beside the panes."""
    window.resize(1280, 800)


@pytest.fixture
def first(window, tmp_path):
    """Open a configuration, and return the path of it."""
    path = config(tmp_path, "a.json")
    drop_file(window, path)
    return path


def compare_with(window, path):
    drop_file(window, path, keys=CTRL)
    settle(window.model)


def pins(window):
    return {pin.name: pin.encoding for pin in window.model.state.intention.pins}


def model_text(window):
    window.right_panel.turn_to_model()
    text = window.right_panel.parts().tabs.currentWidget().text.toPlainText()
    return text.replace("\u200b", "")


def evidence(window):
    """Return the title of the table of Compare, and its rows."""
    table = window.view("compare").table
    rows = range(table.rowCount())
    texts = {table.verticalHeaderItem(row).text(): table.item(row, 0).text() for row in rows}
    return table.horizontalHeaderItem(0).text(), texts


def test_it_is_a_pin_with_the_name_of_its_file_and_is_compared(window, first, tmp_path):
    steps = window.history.stack.count()
    compare_with(window, config(tmp_path, "b.json", rope_scaling=YARN))
    assert list(pins(window)) == ["b.json"]
    assert pins(window)["b.json"].rope_type == "yarn"
    assert window.workspace.shown == ("frequencies", "compare")
    title, rows = evidence(window)
    assert title == "a.json against b.json"
    assert rows["Pairs that differ"].startswith("28 of 64")
    assert window.history.stack.count() == steps + 1
    assert (window.document.name, window.isWindowModified()) == ("a.json", False)
    text = model_text(window)
    assert "b.json differs from a.json" in text
    assert text.index("rope_type\nyarn") < text.index("rope_type\ndefault")


def test_one_step_of_undo_takes_it_away_and_redo_brings_it_back(window, first, tmp_path):
    before = window.model.state.intention
    compare_with(window, config(tmp_path, "b.json", rope_theta=5e5))
    trigger(window, "undo")
    assert window.model.state.intention == before
    assert "b.json" not in model_text(window)
    trigger(window, "redo")
    assert list(pins(window)) == ["b.json"]
    assert "b.json" in model_text(window)


def test_the_same_file_means_the_same(window, first, tmp_path):
    compare_with(window, config(tmp_path, "same.json"))
    assert "means the same" in window.status_bar.currentMessage()
    assert "means the same" in model_text(window)
    _, rows = evidence(window)
    assert rows["Pairs that differ"] == "none of 64"


def test_every_layer_type_becomes_a_pin_and_the_page_says_which_differ(window, tmp_path):
    fields = fields_of("gemma-3-4b")
    fields["text_config"]["rope_local_base_freq"] = 20000.0
    other = tmp_path / "b.json"
    other.write_text(json.dumps(fields), encoding="utf-8")
    drop_file(window, GEMMA)
    compare_with(window, other)
    expected = encodings.from_config(other)
    assert list(pins(window)) == [SLIDING, f"{FULL}, b.json", f"{SLIDING}, b.json"]
    assert pins(window)[f"{SLIDING}, b.json"] == expected[SLIDING]
    assert window.model.state.pin.encoding == expected[FULL]
    assert evidence(window)[0].startswith(f"{FULL} against {FULL}, b")
    assert f"in {SLIDING}" in window.view("compare").status  # the pair on the screen is the same
    text = model_text(window)
    assert f"rope_theta, {SLIDING}\n20,000" in text
    assert f"rope_theta, {FULL}" not in text


def test_an_assumption_is_in_the_name_and_on_the_page(window, first, tmp_path):
    compare_with(window, config(tmp_path, "b.json", model_type="unheard-of"))
    assert evidence(window)[0] == "a.json against b.json as llama"
    assert "llama" in window.status_bar.currentMessage()
    assert "unknown class" in model_text(window)


def test_a_class_that_is_refused_stays_one_sentence(window, first, tmp_path):
    before = window.model.state.intention
    compare_with(window, config(tmp_path, "b.json", model_type="unheard-of", rope_theta=None))
    text = close_message(window)
    assert "unheard-of" in text
    assert "--" not in text
    assert window.model.state.intention == before


def test_a_bias_is_pinned_and_the_page_has_the_verdict(window):
    drop_file(window, path_of("bloom-7b1"))
    compare_with(window, path_of("mpt-7b"))
    assert list(pins(window)) == ["mpt-7b.json"]
    assert "compare" not in window.workspace.shown
    message = window.status_bar.currentMessage()
    assert all(name in message for name in ("mpt-7b.json", "bloom-7b1.json"))


def test_it_is_asked_for_by_the_menu_and_nothing_is_asked_about_changes(window, first, tmp_path):
    encode(window, rope_theta=5e5)
    trigger(window, "compare")
    choose_file(window, config(tmp_path, "b.json"))
    assert not message_boxes(window)
    assert list(pins(window)) == ["b.json"]
    assert window.isWindowModified()
    assert window.model.state.encoding.rope_theta == 5e5


def test_layer_types_without_a_free_pin_are_left_out_with_a_message(window, tmp_path):
    state = Exploration()
    for _ in range(7):
        state = state.with_(**pinned(state))
    window.model.apply(state, "seven pins")
    compare_with(window, GEMMA)
    assert [*pins(window)][7:] == [f"{FULL}, gemma-3-4b.json"]
    assert SLIDING in window.status_bar.currentMessage()
    before = window.model.state.intention
    compare_with(window, GEMMA)
    assert "pin" in close_message(window)
    assert window.model.state.intention == before


@pytest.mark.parametrize("kind", ["a session", "a learned table", "missing"])
def test_another_file_is_refused_in_one_sentence(window, first, tmp_path, kind):
    path = tmp_path / "s.json"
    if kind == "a session":
        session.write(path, Exploration())
    elif kind == "a learned table":
        path = tmp_path / "t.npy"
        np.save(path, np.ones((4, 6)))
    before = window.model.state.intention
    compare_with(window, path)
    text = close_message(window)
    assert path.name in text
    assert kind in text or kind == "missing"
    assert text.count("\n") == 0
    assert window.model.state.intention == before


def test_the_command_opens_the_first_and_compares_the_others(tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(run, "run_window", lambda *given: seen.append(given) or 0)
    paths = [str(config(tmp_path, name)) for name in ("a.json", "b.json", "c.json")]
    assert cli.main(paths) == 0
    ((_, first, found, _, others),) = seen
    assert (first, found.name) == (paths[0], "a.json")
    assert [*others] == paths[1:]
    assert {each.found.trained for each in others.values()} == {32768}


def test_two_files_of_one_name_have_two_names(window, first, tmp_path):
    (tmp_path / "other").mkdir()
    compare_with(window, config(tmp_path / "other", "a.json", rope_theta=5e5))
    assert evidence(window)[0] == "a.json against a.json (2)"
    assert str(tmp_path) not in session.dumps(window.model.state.intention)

"""A model's configuration in the window: opened, taken back, refused, and what is said of it."""

import json
import zipfile

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent
from PySide6.QtWidgets import QApplication

from pe_explorer import encodings, pictures
from pe_explorer.app import run
from pe_explorer.commandline import main as cli
from pe_explorer.exploration import Exploration, add_pin, apply_pin
from pe_explorer.exploration.layer_types import make_model_exploration
from pe_explorer.files import session
from tests.app.windows import (
    CANCEL,
    answer_message,
    change,
    choose_file,
    close_message,
    drop_file,
    encode,
    message_boxes,
    save_exploration,
    set_up_exploration,
    trigger,
    wait_until_idle,
)
from tests.configs.support import YARN, fields_of, llama, path_of
from tests.support.gestures import settle

GEMMA, BLOOM = path_of("gemma-3-4b"), path_of("bloom-7b1")


def config(folder, name="config.json", fields=None, **changes):
    path = folder / name
    path.write_text(json.dumps(fields or llama(**changes)), encoding="utf-8")
    return path


def meaning(path):
    found = encodings.read_config(path)
    return pictures.with_options(make_model_exploration(found), "context", trained=found.trained)


def intention_of(window):
    return window.model.state.intention


def model_text(window):
    window.right_panel.select_model_page()
    text = window.right_panel.pages().tabs.currentWidget().text.toPlainText()
    return text.replace("\u200b", "")


def test_a_drop_opens_a_new_document_and_over_one_that_nobody_changed_nothing_is_asked(window):
    window.model.playhead.play()
    drop_file(window, GEMMA)
    assert not window.model.playhead.is_playing
    assert intention_of(window) == meaning(GEMMA)
    assert (window.document.saved_version.name, window.isWindowModified()) == (
        "gemma-3-4b.json",
        False,
    )
    assert window.workspace.shown_views == ("frequencies", "context")
    message = window.status_bar.currentMessage()
    for name in ("gemma-3-4b.json", "full_attention", "sliding_attention"):
        assert name in message
    assert window.settings.settings.recent == (str(GEMMA),)
    change(window, position=-5)
    drop_file(window, BLOOM)
    assert not message_boxes(window)
    assert window.windowTitle().startswith(BLOOM.name)
    assert intention_of(window) == meaning(BLOOM)
    change(window, count=5)
    drop_file(window, GEMMA)
    assert BLOOM.name in message_boxes(window)[0].text()
    answer_message(window, CANCEL)
    assert intention_of(window).count == 5
    assert window.isWindowModified()


def test_undo_and_redo_lead_to_the_file_of_each(window, tmp_path):
    mine, gemma = tmp_path / "mine.json", tmp_path / "gemma.json"
    save_exploration(window, mine)
    change(window, position=10**15 + 5, panes=window.model.state.panes)
    before, steps = intention_of(window), window.history.stack.count()
    drop_file(window, GEMMA)
    assert window.history.stack.count() == steps + 1
    assert window.history.stack.undoText() == f"configuration {GEMMA.name}"
    encode(window, factor=2.0)
    assert (window.document.saved_version.path, window.isWindowModified()) == (None, True)
    trigger(window, "undo")
    trigger(window, "undo")
    assert window.windowTitle() == "mine.json[*] - PE Explorer: positional encodings"
    assert not window.isWindowModified()
    assert intention_of(window) == before
    trigger(window, "redo")
    assert intention_of(window) == meaning(GEMMA)
    trigger(window, "save_as")
    choose_file(window, gemma)
    trigger(window, "undo")
    assert window.document.saved_version.path == mine
    trigger(window, "redo")
    assert window.document.saved_version.path == gemma
    assert not window.isWindowModified()
    trigger(window, "undo")
    window.model.set(count=9)  # in place of the steps that could be redone
    trigger(window, "save")
    assert window.document.saved_version.path == mine
    assert session.read(mine).state.count == 9


def test_where_the_oldest_steps_are_forgotten_the_file_stays_that_of_the_newest(window, tmp_path):
    window.history.stack.setUndoLimit(9)
    save_exploration(window, tmp_path / "mine.json")
    drop_file(window, GEMMA)
    trigger(window, "save_as")
    choose_file(window, tmp_path / "gemma.json")
    for place in range(window.history.stack.undoLimit() + 3):
        window.model.apply(intention_of(window).with_(count=100 + place), "step")
    assert window.document.saved_version.path == tmp_path / "gemma.json"
    trigger(window, "undo")
    assert window.document.saved_version.path == tmp_path / "gemma.json"


def test_layer_types_name_the_curves_until_the_encoding_is_edited(window):
    drop_file(window, GEMMA)
    view = window.view("frequencies")
    names = ["full_attention", "sliding_attention"]

    def curves():
        figure = view.snapshot.picture.figure(view.snapshot.numbers)
        return [curve.name for curve in figure.panels[0].curves]

    assert curves() == names
    steps = window.history.stack.count()
    for number, factor in enumerate((4.0, 2.0)):
        encode(window, factor=factor)
        assert window.history.stack.count() == steps + 1, number
    assert window.history.stack.undoText() == "factor"
    assert curves()[0] not in names
    trigger(window, "undo")
    assert curves() == names
    change(window, **apply_pin(window.model.state, 0))
    assert curves() == [names[1], names[1]]


def test_what_happens_to_the_file_afterwards_changes_nothing(window, tmp_path):
    path = config(tmp_path)
    drop_file(window, path)
    before = intention_of(window)
    for happens in (lambda: config(tmp_path, rope_theta=5e5), path.unlink):
        happens()
        window.model.check_files()
        wait_until_idle(window)
        assert intention_of(window) == before
    window.menus.recent.fill()
    window.menus.recent.chosen.emit(str(path))
    wait_until_idle(window)
    assert str(path) in close_message(window)
    assert window.settings.settings.recent == ()
    assert intention_of(window) == before


def test_warnings_and_unreadable_layers_are_counted_and_on_the_page(window, tmp_path):
    scaling = {"rope_type": "linear", "factor": 2.0, "fctor": 1}
    llama_path = config(tmp_path, rope_scaling=scaling)
    olmo = fields_of("olmo-3-7b")
    olmo["rope_scaling"] |= {"rope_type": "no such type"}
    for path, count, word in (
        (llama_path, "1 warning", "fctor"),
        (config(tmp_path, "olmo.json", olmo), "1 error", "no such type"),
    ):
        drop_file(window, path)
        assert not message_boxes(window)
        assert path.name in window.status_bar.currentMessage()
        assert count in window.status_bar.currentMessage()
        assert word in model_text(window)
        if path == llama_path:
            assert intention_of(window) == meaning(path)
    whole = encodings.from_config(path_of("olmo-3-7b"))
    assert intention_of(window).encoding == whole["sliding_attention"]


def unusable(folder):
    """Write files that cannot be opened; return what is said of each."""
    (folder / "cut.json").write_text(json.dumps(llama())[:50], encoding="utf-8")
    config(folder, "wrong.json", head_dim="128")
    config(folder, "class.json", model_type="unheard-of", rope_theta=None)
    config(folder, "none.json", {"weights": 1})
    (folder / "folder").mkdir()
    (folder / "other.pdf").write_bytes(b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF\n")
    (folder / "other.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    (folder / "t.csv").write_text("position,0\n0,1\n")
    with zipfile.ZipFile(folder / "weights.npz", "w") as archive:
        archive.writestr("archive/data.pkl", b"numbers")
    return {
        "cut.json": "is not valid JSON",
        "wrong.json": "head_dim",
        "class.json": "unheard-of",
        "none.json": "session",
        "gone.json": "no such file",
        "t.csv": "t.csv.session.json",
        "other.pdf": "without a session",
        "other.svg": "without a session",
        "folder": "is a folder",
        "weights.npz": "archive",
    }


def drag_over(window, path):
    """Drag a file over the window, and wait until that has looked into it."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    copy, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(QPoint(5, 5), copy, data, button, none)
    QApplication.sendEvent(window, entering)
    wait_until_idle(window)


def test_a_file_over_the_window_says_what_it_is_and_a_bad_one_harms_nothing(window, tmp_path):
    set_up_exploration(window)
    before = intention_of(window)
    refused = unusable(tmp_path)
    for name, says in refused.items():
        drop_file(window, tmp_path / name)
        text = close_message(window)
        assert says in text
        assert text.count("\n") == 0
        assert intention_of(window) == before
        assert window.isWindowModified()
    config(tmp_path)
    session.write(tmp_path / "mine.json", Exploration(count=7))
    np.save(tmp_path / "rows.npy", np.ones((4, 6)))
    (tmp_path / "short.npy").write_bytes((tmp_path / "rows.npy").read_bytes()[:-8])
    kinds = {"config.json": "configuration", "mine.json": "session", "rows.npy": "learned table"}
    for name in (*refused, *kinds, "short.npy"):
        drag_over(window, tmp_path / name)
        said = window.drop_target.sentence
        assert said == window.drop_target.accessibleName()
        assert name in said
        assert kinds.get(name, "cannot be opened") in said
        assert ("Ctrl" in said) == (name == "config.json")
    window.drop_target.hide()


def test_what_shows_it_is_made_while_it_is_dragged_and_nothing_is_shown_yet(window):
    panes, before = window.workspace.shown_views, window.model.state
    assert "frequencies" not in window.workspace.built_views
    drag_over(window, GEMMA)
    assert "frequencies" in window.workspace.built_views
    assert (window.workspace.shown_views, window.model.state) == (panes, before)
    assert not window.sides.is_open("explain")
    assert not window.view("frequencies").isVisible()
    window.drop_target.hide()


# -- a second configuration beside the open one ----------------------------------------------------

FULL, SLIDING = "full_attention", "sliding_attention"


@pytest.fixture
def first(window, tmp_path):
    """Open a configuration in a window with room for the page Model beside the panes."""
    window.resize(1280, 800)
    drop_file(window, config(tmp_path, "a.json"))


def compare_with(window, path):
    drop_file(window, path, keys=Qt.KeyboardModifier.ControlModifier)
    settle(window.model)


def pins(window):
    return {pin.name: pin.encoding for pin in window.model.state.intention.pins}


def evidence(window):
    """Return the title of the table of Compare, and its rows."""
    table = window.view("compare").table
    rows = range(table.rowCount())
    texts = {table.verticalHeaderItem(row).text(): table.item(row, 0).text() for row in rows}
    return table.horizontalHeaderItem(0).text(), texts


@pytest.mark.usefixtures("first")
def test_it_is_a_pin_with_the_name_of_its_file_and_one_step(window, tmp_path):
    before, steps = intention_of(window), window.history.stack.count()
    compare_with(window, config(tmp_path, "b.json", rope_scaling=YARN))
    assert list(pins(window)) == ["b.json"]
    assert pins(window)["b.json"].rope_type == "yarn"
    assert window.workspace.shown_views == ("frequencies", "compare")
    title, rows = evidence(window)
    assert title == "a.json against b.json"
    assert rows["Pairs that differ"].startswith("28 of 64")
    assert window.history.stack.count() == steps + 1
    assert (window.document.saved_version.name, window.isWindowModified()) == ("a.json", False)
    text = model_text(window)
    assert "b.json differs from a.json" in text
    assert text.index("rope_type\nyarn") < text.index("rope_type\ndefault")
    trigger(window, "undo")
    assert intention_of(window) == before
    assert "b.json" not in model_text(window)
    trigger(window, "redo")
    assert list(pins(window)) == ["b.json"]
    assert "b.json" in model_text(window)


@pytest.mark.usefixtures("first")
def test_the_same_file_means_the_same_and_two_of_one_name_have_two_names(window, tmp_path):
    compare_with(window, config(tmp_path, "same.json"))
    assert "is equivalent" in window.status_bar.currentMessage()
    assert "is equivalent" in model_text(window)
    assert evidence(window)[1]["Pairs that differ"] == "none of 64"
    trigger(window, "undo")
    (tmp_path / "other").mkdir()
    fields = {"rope_theta": None, "rope_parameters": {"rope_type": "default", "rope_theta": 5e5}}
    compare_with(window, config(tmp_path / "other", "a.json", **fields))
    assert evidence(window)[0] == "a.json against a.json (2)"
    assert "rope_theta\n500,000" in model_text(window)  # 10,000 in older versions
    assert str(tmp_path) not in session.dumps(intention_of(window))


def test_every_layer_type_becomes_a_pin_and_the_page_says_which_differ(window, tmp_path):
    window.resize(1280, 800)
    fields = fields_of("gemma-3-4b.new")
    fields["text_config"]["rope_parameters"][SLIDING]["rope_theta"] = 20000.0
    other = config(tmp_path, "b.json", fields)
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
    assert f", {FULL}" not in text  # the newest version of transformers reads both forms alike


@pytest.mark.usefixtures("first")
def test_an_assumption_is_in_the_name_and_on_the_page(window, tmp_path):
    compare_with(window, config(tmp_path, "b.json", model_type="unheard-of"))
    assert evidence(window)[0] == "a.json against b.json as llama"
    assert "llama" in window.status_bar.currentMessage()
    assert "unknown class" in model_text(window)


def test_a_bias_is_pinned_and_the_page_has_the_verdict(window):
    window.resize(1280, 800)
    drop_file(window, path_of("bloom-7b1"))
    compare_with(window, path_of("mpt-7b"))
    assert list(pins(window)) == ["mpt-7b.json"]
    assert "compare" not in window.workspace.shown_views
    message = window.status_bar.currentMessage()
    assert all(name in message for name in ("mpt-7b.json", "bloom-7b1.json"))


@pytest.mark.usefixtures("first")
def test_it_is_asked_for_by_the_menu_and_nothing_is_asked_about_changes(window, tmp_path):
    encode(window, rope_theta=5e5)
    trigger(window, "compare")
    choose_file(window, config(tmp_path, "b.json"))
    assert not message_boxes(window)
    assert list(pins(window)) == ["b.json"]
    assert window.isWindowModified()
    assert window.model.state.encoding.rope_theta == 5e5


def test_layer_types_without_a_free_pin_are_left_out_with_a_message(window):
    state = Exploration()
    for _ in range(7):
        state = state.with_(**add_pin(state))
    window.model.apply(state, "seven pins")
    compare_with(window, GEMMA)
    assert [*pins(window)][7:] == [f"{FULL}, gemma-3-4b.json"]
    assert SLIDING in window.status_bar.currentMessage()
    before = intention_of(window)
    compare_with(window, GEMMA)
    assert "pin" in close_message(window)
    assert intention_of(window) == before


@pytest.mark.usefixtures("first")
def test_another_file_is_refused_in_one_sentence(window, tmp_path):
    session.write(tmp_path / "s.json", Exploration())
    np.save(tmp_path / "t.npy", np.ones((4, 6)))
    config(tmp_path, "c.json", model_type="unheard-of", rope_theta=None)
    before = intention_of(window)
    for name, fact in {
        "s.json": "a session",
        "t.npy": "a learned table",
        "missing.json": "missing.json",
        "c.json": "unheard-of",
    }.items():
        compare_with(window, tmp_path / name)
        text = close_message(window)
        assert fact in text
        assert "--" not in text
        assert text.count("\n") == 0
        assert intention_of(window) == before


def test_the_command_opens_the_first_and_compares_the_others(tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(run, "run_window", lambda *given: seen.append(given) or 0)
    paths = [str(config(tmp_path, name)) for name in ("a.json", "b.json", "c.json")]
    assert cli.main(paths) == 0
    ((_, first, found, _, others),) = seen
    assert (first, found.name) == (paths[0], "a.json")
    assert [*others] == paths[1:]
    assert {each.configuration.trained for each in others.values()} == {32768}

"""A model's configuration in the window: opened, taken back, refused, and what is said of it."""

import json
import zipfile

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent
from PySide6.QtWidgets import QApplication

from pe_explorer import encodings, pictures
from pe_explorer.app.output.data_dialog import DataDialog
from pe_explorer.app.output.figure_dialog import FigureDialog
from pe_explorer.exploration import Exploration, restored_from_pin
from pe_explorer.exploration.layer_types import explored
from pe_explorer.files import session
from tests.app.acts import change, encode
from tests.app.output.dialogs import write_to
from tests.configs.support import fields_of, llama, path_of
from tests.support.gestures import settle
from tests.support.windows import (
    CANCEL,
    DISCARD,
    answer_message,
    choose_file,
    close_message,
    drop_file,
    message_boxes,
    open_dialog,
    save_exploration,
    set_up_exploration,
    trigger,
    wait_until_idle,
)

GEMMA, BLOOM = path_of("gemma-3-4b"), path_of("bloom-7b1")


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(llama()), encoding="utf-8")
    return path


def meaning(path):
    found = encodings.read_config(path)
    return pictures.with_options(explored(found), "context", trained=found.trained)


def shown(window):
    return window.model.state.intention


def test_a_drop_opens_a_new_document(window):
    drop_file(window, GEMMA)
    assert shown(window) == meaning(GEMMA)
    assert (window.document.name, window.isWindowModified()) == ("gemma-3-4b.json", False)
    assert window.workspace.shown == ("frequencies", "context")
    message = window.status_bar.currentMessage()
    assert message == (
        "gemma-3-4b.json opened as a model's configuration. full_attention is shown, "
        "sliding_attention pinned."
    )
    assert window.settings.settings.recent == (str(GEMMA),)
    assert not message_boxes(window)


def test_it_is_one_step_and_undo_brings_all_back(window):
    set_up_exploration(window)
    change(window, position=10**15 + 5, panes=window.model.state.panes)
    before, steps = shown(window), window.history.stack.count()
    drop_file(window, BLOOM)
    answer_message(window, DISCARD)
    assert window.history.stack.count() == steps + 1
    assert window.history.stack.undoText() == "configuration bloom-7b1.json"
    trigger(window, "undo")
    assert shown(window) == before
    trigger(window, "redo")
    assert shown(window) == meaning(BLOOM)


def test_undo_brings_back_the_file_too(window, tmp_path):
    path = tmp_path / "mine.json"
    save_exploration(window, path)
    before = shown(window)
    drop_file(window, GEMMA)
    encode(window, factor=2.0)
    assert (window.document.saved.path, window.isWindowModified()) == (None, True)
    trigger(window, "undo")
    trigger(window, "undo")
    assert (window.windowTitle(), window.isWindowModified()) == (
        "mine.json[*] — PE Explorer",
        False,
    )
    assert shown(window) == before
    window.model.set(count=5)
    trigger(window, "save")
    assert session.read(path).state.count == 5
    trigger(window, "undo")
    trigger(window, "redo")
    assert window.document.saved.path == path


def test_redo_leads_to_the_file_that_the_configuration_was_saved_to(window, tmp_path):
    save_exploration(window, tmp_path / "mine.json")
    drop_file(window, GEMMA)
    trigger(window, "save_as")
    choose_file(window, tmp_path / "gemma.json")
    trigger(window, "undo")
    assert window.document.saved.path == tmp_path / "mine.json"
    trigger(window, "redo")
    assert window.document.saved.path == tmp_path / "gemma.json"
    assert not window.isWindowModified()
    trigger(window, "undo")
    window.model.set(count=9)  # in place of the steps that could be redone
    settle(window.model)
    assert window.document.saved.path == tmp_path / "mine.json"
    assert window.isWindowModified()


def test_over_unsaved_changes_it_asks_first(window):
    set_up_exploration(window)
    before = shown(window)
    drop_file(window, GEMMA)
    assert "has unsaved changes" in message_boxes(window)[0].text()
    answer_message(window, CANCEL)
    assert shown(window) == before
    assert window.isWindowModified()


def test_over_one_that_nobody_changed_nothing_is_asked(window):
    for path in (GEMMA, BLOOM):
        drop_file(window, path)
        change(window, position=-5)
        assert not message_boxes(window)
        assert window.windowTitle().startswith(path.name)
    change(window, count=5)
    drop_file(window, GEMMA)
    assert BLOOM.name in message_boxes(window)[0].text()
    answer_message(window, CANCEL)


def test_layer_types_name_the_curves_until_the_encoding_is_edited(window):
    drop_file(window, GEMMA)
    view = window.view("frequencies")
    names = ["full_attention", "sliding_attention"]

    def curves():
        figure = view.picture.figure(view.drawn.state, view.drawn.numbers)
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
    change(window, **restored_from_pin(window.model.state, 0))
    assert curves() == [names[1], names[1]]


def test_what_happens_to_the_file_afterwards_changes_nothing(window, config):
    drop_file(window, config)
    before = shown(window)
    config.write_text(json.dumps(llama(rope_theta=5e5)), encoding="utf-8")
    window.model.look_at_files()
    wait_until_idle(window)
    assert shown(window) == before
    config.unlink()
    window.model.look_at_files()
    wait_until_idle(window)
    assert shown(window) == before
    window.menus.recent.fill()
    window.menus.recent.chosen.emit(str(config))
    wait_until_idle(window)
    assert str(config) in close_message(window)
    assert window.settings.settings.recent == ()
    assert shown(window) == before


def test_warnings_are_counted_and_stand_on_the_page_of_the_model(window, config):
    scaling = {"rope_type": "linear", "factor": 2.0, "fctor": 1}
    config.write_text(json.dumps(llama(rope_scaling=scaling)), encoding="utf-8")
    drop_file(window, config)
    assert not message_boxes(window)
    assert window.status_bar.currentMessage() == (
        "config.json opened as a model's configuration. The page Model explains 1 warning."
    )
    assert "fctor" in window.right_panel.parts().tabs.currentWidget().text.toPlainText()
    assert shown(window) == meaning(config)


def unusable(folder):
    """Write files that cannot be opened; return what is said of each."""
    (folder / "cut.json").write_text(json.dumps(llama())[:50], encoding="utf-8")
    (folder / "wrong.json").write_text(json.dumps(llama(head_dim="128")), encoding="utf-8")
    unknown = llama(rope_scaling={"rope_type": "no such type", "factor": 2.0})
    (folder / "null.json").write_text(json.dumps(llama(layer_types=[None] * 4)), encoding="utf-8")
    (folder / "class.json").write_text(
        json.dumps(llama(model_type="unheard-of", rope_theta=None)), encoding="utf-8"
    )
    (folder / "text.json").write_text("hello")
    (folder / "empty.json").touch()
    (folder / "type.json").write_text(json.dumps(unknown), encoding="utf-8")
    (folder / "none.json").write_text('{"weights": 1}', encoding="utf-8")
    (folder / "folder").mkdir()
    for name in ("weights.npz", "weights.zip", "weights.pt"):
        with zipfile.ZipFile(folder / name, "w") as archive:
            archive.writestr("archive/data.pkl", b"numbers")
    return {
        "cut.json": "is not valid JSON",
        "wrong.json": "head_dim: '128' is a string",
        "type.json": "rope_scaling.rope_type 'no such type' is not one of",
        "none.json": "neither a session of PE Explorer",
        "null.json": "layer_types",
        "class.json": "unheard-of",
        "text.json": "JSON",
        "empty.json": "empty.json",
        "gone.json": "no such file",
        "folder": "is a folder",
        "weights.npz": "is a .npz or .pt archive",
        "weights.zip": "archive",
        "weights.pt": "is a .npz or .pt archive",
    }


def test_what_cannot_be_opened_is_one_sentence_and_nothing_is_lost(window, tmp_path):
    set_up_exploration(window)
    before = shown(window)
    for name, says in unusable(tmp_path).items():
        drop_file(window, tmp_path / name)
        text = close_message(window)
        assert says in text
        assert text.count("\n") == 0
        assert shown(window) == before
        assert window.isWindowModified()


def test_layers_that_cannot_be_read_leave_the_others(window, tmp_path):
    fields = fields_of("olmo-3-7b")
    fields["rope_scaling"] |= {"rope_type": "no such type"}
    path = tmp_path / "config.json"
    path.write_text(json.dumps(fields), encoding="utf-8")
    drop_file(window, path)
    assert not message_boxes(window)
    whole = encodings.from_config(path_of("olmo-3-7b"))
    assert shown(window).encoding == whole["sliding_attention"]
    assert "The page Model explains 1 error." in window.status_bar.currentMessage()
    assert "no such type" in window.right_panel.parts().tabs.currentWidget().text.toPlainText()


def test_over_an_exhibit_it_closes_that_and_undo_opens_it_again(window):
    window.exhibit_walk.open("000-clocks")
    wait_until_idle(window)
    drop_file(window, GEMMA)
    assert window.exhibit_walk.exhibit is None
    trigger(window, "undo")
    assert window.exhibit_walk.exhibit.id == "000-clocks"
    trigger(window, "redo")
    assert window.exhibit_walk.exhibit is None


def drag_over(window, path):
    """Drag a file over the window, and wait until that has looked into it."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    copy, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(QPoint(5, 5), copy, data, button, none)
    QApplication.sendEvent(window, entering)
    wait_until_idle(window)


def test_a_file_over_the_window_says_what_it_would_open_as(window, tmp_path, config):
    unusable(tmp_path)
    session.write(tmp_path / "mine.json", Exploration(count=7))
    sentences = {
        "config.json": "Drop to open config.json as a model's configuration",
        "mine.json": "Drop to open mine.json as a session",
        "none.json": "none.json cannot be opened; a drop says why",
        "cut.json": "cut.json cannot be opened; a drop says why",
        "wrong.json": "wrong.json cannot be opened; a drop says why",
        "type.json": "type.json cannot be opened; a drop says why",
        "weights.npz": "weights.npz cannot be opened; a drop says why",
        "folder": "folder cannot be opened; a drop says why",
        "gone.json": "gone.json cannot be opened; a drop says why",
        "rows.npy": "Drop to open rows.npy as a learned table",
        "short.npy": "short.npy cannot be opened; a drop says why",
    }
    np.save(tmp_path / "rows.npy", np.ones((4, 6)))
    (tmp_path / "short.npy").write_bytes((tmp_path / "rows.npy").read_bytes()[:-8])
    for name, sentence in sentences.items():
        drag_over(window, tmp_path / name)
        said = window.drop_target.sentence
        assert said == window.drop_target.accessibleName()
        assert said.startswith(sentence)
        assert ("Ctrl" in said) == (name == "config.json")
    window.drop_target.hide()


def exported(window, qtbot, folder):
    """Write data and figures of what is shown by their dialogs; return the files."""
    for key, kind, names in (
        ("export_data", DataDialog, ("pe.npy", "pe.csv")),
        ("export_figure", FigureDialog, ("figure.pdf", "figure.svg", "figure.png")),
    ):
        for name in names:
            dialog = open_dialog(window, key, kind)
            write_to(qtbot, dialog, folder / name)
    return sorted(folder.iterdir())


def test_what_shows_it_is_made_while_it_is_dragged_and_nothing_is_shown_yet(window):
    panes, before = window.workspace.shown, window.model.state
    assert "frequencies" not in window.workspace.built
    drag_over(window, GEMMA)
    assert "frequencies" in window.workspace.built
    assert (window.workspace.shown, window.model.state) == (panes, before)
    assert not window.sides.is_open("explain")
    assert not window.view("frequencies").isVisible()
    window.drop_target.hide()


def test_exports_and_figures_name_no_folder(window, qtbot, tmp_path):
    for name in ("home of somebody", "out"):
        (tmp_path / name).mkdir()
    config = tmp_path / "home of somebody" / "config.json"
    config.write_text(json.dumps(fields_of("gemma-3-4b")), encoding="utf-8")
    drop_file(window, config)
    files = exported(window, qtbot, tmp_path / "out")
    assert [path.name for path in files] == [
        "figure.pdf",
        "figure.png",
        "figure.svg",
        "pe.csv",
        "pe.csv.session.json",
        "pe.npy",
        "pe.npy.session.json",
    ]
    said = [window.history.stack.undoText(), session.dumps(shown(window))]
    for path in files:
        said += [path.read_bytes().decode("latin-1")]
        if path.suffix != ".npy" and path.name != "pe.csv":
            said += [session.session_text(path)]
    trigger(window, "copy_code")
    said += [QApplication.clipboard().text()]
    assert "rope" in said[-1]
    for text in said:
        assert "home of somebody" not in text
        assert str(tmp_path) not in text
    QApplication.clipboard().clear()


def test_where_the_oldest_steps_are_forgotten_the_file_stays_that_of_the_newest(window, tmp_path):
    window.history.stack.setUndoLimit(9)
    save_exploration(window, tmp_path / "mine.json")
    drop_file(window, GEMMA)
    trigger(window, "save_as")
    choose_file(window, tmp_path / "gemma.json")
    for place in range(window.history.stack.undoLimit() + 3):
        window.model.apply(shown(window).with_(count=100 + place), "step")
    assert window.document.saved.path == tmp_path / "gemma.json"
    trigger(window, "undo")
    assert window.document.saved.path == tmp_path / "gemma.json"


def test_during_play_it_stops_the_play(window):
    window.model.playhead.play()
    drop_file(window, GEMMA)
    assert not window.model.playhead.playing
    assert shown(window) == meaning(GEMMA)

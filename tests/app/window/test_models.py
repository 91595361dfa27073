"""Published models in the window: from the preset list and from the palette."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from pe_explorer import encodings
from pe_explorer.analysis.configuration import check
from pe_explorer.app.window.palette_entries import entries_in, found
from pe_explorer.commandline import main as cli
from pe_explorer.exploration import changes
from pe_explorer.gallery.models import models
from tests.configs.support import path_of
from tests.support.gestures import settle
from tests.support.windows import drop_file, trigger

MODELS = models()


def choose(window, name):
    combo = window.panel.preset_combo
    combo.setCurrentIndex(combo.findData(name))
    settle(window.model)


def shown(window):
    return window.model.state.intention


def test_each_is_shown_as_a_drop_of_its_configuration_would_show_it(window):
    for name, model in MODELS.items():
        choose(window, name)
        from_list = shown(window)
        drop_file(window, path_of(name))
        assert not changes(from_list, shown(window))
        assert from_list.panes == shown(window).panes
        assert window.panel.preset_combo.currentText() == model.title
        expected = encodings.from_config(path_of(name)).values()
        assert {from_list.encoding, *(pin.encoding for pin in from_list.pins)} == {*expected}


def exported(folder, name, layer):
    """Return the frequencies that the command writes for a layer type of a model."""
    target = folder / f"{name} {layer}.npy"
    chosen = [] if layer == "all" else ["--layers", layer]
    words = ["--model", name, *chosen, "--what", "frequencies"]
    assert cli.main(["export", *words, "-o", str(target)]) == 0
    return np.load(target).tobytes()


def test_window_command_and_check_give_the_same_frequencies(window, tmp_path, monkeypatch):
    monkeypatch.setattr("tqdm.tqdm.monitor_interval", 0)  # its thread would stay
    for name in MODELS:
        if name == "bloom-7b1":  # a bias, which has none
            continue
        choose(window, name)
        state = shown(window)
        e, *others = (state.encoding, *(pin.encoding for pin in state.pins))
        in_window = {each.frequencies().tobytes() for each in (e, *others)}
        sheets = check(path_of(name)).sheets
        assert in_window == {sheet.encoding.frequencies().tobytes() for sheet in sheets}
        layers = encodings.from_config(path_of(name))
        assert in_window == {exported(tmp_path, name, layer) for layer in layers}
        main = "all" if "all" in layers else "full_attention"
        assert e.frequencies().tobytes() == np.load(tmp_path / f"{name} {main}.npy").tobytes()


def test_a_choice_is_one_step_and_undo_brings_all_back(window):
    window.model.set(count=77, position=5)
    settle(window.model)
    before, steps = shown(window), window.history.stack.count()
    choose(window, "gemma-3-4b")
    assert window.history.stack.count() == steps + 1
    assert window.history.stack.undoText() == "model Gemma 3 4B"
    trigger(window, "undo")
    assert shown(window) == before


def test_the_name_is_shown_only_while_everything_is_so(window):
    choose(window, "llama-3.1-8b")
    combo = window.panel.preset_combo
    assert combo.currentText() == "Llama 3.1 8B"
    window.model.set_encoding(factor=4.0)
    settle(window.model)
    assert combo.currentText() == ""
    trigger(window, "undo")
    assert combo.currentText() == "Llama 3.1 8B"


def test_models_stand_under_their_own_heading_which_cannot_be_chosen(window, qtbot):
    combo = window.panel.preset_combo
    place = combo.findText("Models")
    assert [combo.itemText(row) for row in range(place + 1, combo.count())] == [
        model.title for model in MODELS.values()
    ]
    assert not combo.model().item(place).isEnabled()
    choose(window, next(iter(MODELS)))
    qtbot.keyClick(combo, Qt.Key.Key_Up)
    assert combo.currentText() == "All pairs"
    qtbot.keyClick(combo, Qt.Key.Key_Down)
    assert combo.currentText() == "Llama 2 7B"


@pytest.mark.parametrize("words", ["llama 3.1", "llama-3.1-8b", "Llama 3.1 8B"])
def test_the_palette_finds_a_model_and_shows_it(window, words):
    (first, *_) = [entry for entry in found(entries_in(window), words) if entry.kind == "Model"]
    assert first.name == "Llama 3.1 8B"
    first.do()
    settle(window.model)
    assert shown(window) == MODELS["llama-3.1-8b"].exploration


def test_a_model_over_an_exhibit_closes_that(window):
    choose(window, "000-clocks")
    assert window.exhibit_walk.exhibit.id == "000-clocks"
    choose(window, "bloom-7b1")
    assert window.exhibit_walk.exhibit is None
    trigger(window, "undo")
    assert window.exhibit_walk.exhibit.id == "000-clocks"

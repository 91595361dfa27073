"""Published models in the window: how they are chosen, and the page about one."""

import json

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextDocument, QTextTable
from PySide6.QtWidgets import QApplication

from pe_explorer import encodings
from pe_explorer.analysis.configuration import check
from pe_explorer.analysis.sheet_words import rows_of
from pe_explorer.app.window.palette_entries import entries_in
from pe_explorer.exploration import Exploration, changes
from pe_explorer.files import session
from pe_explorer.gallery.models import models
from tests.app.acts import encode
from tests.configs.support import llama, path_of
from tests.support.gestures import settle
from tests.support.windows import drop_file, trigger

GEMMA, BLOOM = path_of("gemma-3-4b"), path_of("bloom-7b1")


def tabs_of(window):
    tabs = window.right_panel.parts().tabs
    return [tabs.tabText(place) for place in range(tabs.count())]


def page_of(window):
    """Return the page that is in front."""
    tabs = window.right_panel.parts().tabs
    assert tabs.tabText(tabs.currentIndex()) == "Model"
    return tabs.currentWidget()


def text_of(window):
    text = page_of(window).text.toPlainText()
    return text.replace("\u200b", "").replace("\ufffc ", "")


def choose(window, name):
    combo = window.panel.preset_combo
    combo.setCurrentIndex(combo.findData(name))
    settle(window.model)


@pytest.mark.parametrize("name", ["bloom-7b1", "gemma-3-4b", "gpt-oss-20b", "smollm3-3b"])
def test_it_says_all_that_check_says(window, name):
    drop_file(window, path_of(name))
    checked, text = check(path_of(name)), text_of(window)
    for finding in checked.findings:
        assert finding.field in text
        assert finding.happens in text
        assert finding.flag or finding.why in text
    assert "--" not in text
    for number, sheet in enumerate(checked.sheets):
        assert sheet.layer in text
        for label, cells in rows_of(checked):
            assert label in text
            assert cells[number] in text


def test_an_opened_configuration_brings_it_to_the_front(window):
    drop_file(window, GEMMA)
    assert tabs_of(window) == ["Explain", "Inspect", "Pins", "Model"]
    window.resize(1000, 700)
    trigger(window, "explain")
    trigger(window, "explain")
    drop_file(window, BLOOM)
    assert not window.sides.is_open("explain")  # a drawer would be over the pictures
    window.resize(1280, 800)
    drop_file(window, GEMMA)
    assert page_of(window).isVisible()


def test_undo_takes_it_away_and_redo_brings_it_back(window):
    drop_file(window, GEMMA)
    drop_file(window, BLOOM)
    assert "bloom-7b1.json" in text_of(window)
    trigger(window, "undo")
    assert "gemma-3-4b.json" in text_of(window)
    trigger(window, "undo")
    assert "Model" not in tabs_of(window)
    trigger(window, "redo")
    assert "Model" in tabs_of(window)
    trigger(window, "redo")
    window.right_panel.turn_to_model()
    assert "bloom-7b1.json" in text_of(window)


def test_an_assumption_stands_first_in_a_frame(window, tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(llama(model_type="unheard-of", yarn={"factor": 2})))
    drop_file(window, path)
    text = text_of(window)
    assert "as transformers" not in text
    (warning,) = [each for each in check(path).findings if each.kind == "unknown-class"]
    assert text.count(warning.happens) == 1
    assert text.index(warning.happens) < text.index("full_attention") < text.index("yarn")
    tables = page_of(window).text.document().rootFrame().childFrames()
    cells = [table.cellAt(0, 0) for table in tables if isinstance(table, QTextTable)]
    (framed,) = [cell for cell in cells if cell.format().toTableCellFormat().topBorder()]
    cursor = framed.firstCursorPosition()
    cursor.setPosition(framed.lastCursorPosition().position(), cursor.MoveMode.KeepAnchor)
    assert warning.happens in cursor.selectedText()
    drop_file(window, GEMMA)
    assert "assuming" not in text_of(window)


def test_another_document_takes_it_away(window, tmp_path):
    session.write(tmp_path / "s.json", Exploration(count=7))
    drop_file(window, GEMMA)
    drop_file(window, tmp_path / "s.json")
    assert "Model" not in tabs_of(window)
    drop_file(window, GEMMA)
    trigger(window, "new")
    assert "Model" not in tabs_of(window)
    choose(window, "llama-2-7b")
    assert "Model" in tabs_of(window)
    choose(window, "000-clocks")
    assert "Model" not in tabs_of(window)


def test_a_chosen_model_has_its_page_which_stays_over_edits_and_names_them(window):
    choose(window, "llama-3.1-8b")
    window.right_panel.turn_to_model()
    assert text_of(window).startswith("Llama 3.1 8B\nllama, as transformers 5 reads it")
    assert "29 of 64" in text_of(window)
    assert "in the file" not in text_of(window)
    encode(window, factor=4.0)
    assert "factor is 4 here, 8 in the file." in text_of(window)
    window.model.choose_encoding("alibi")
    settle(window.model)
    assert "The encoding is alibi here." in text_of(window)
    trigger(window, "undo")
    trigger(window, "undo")
    assert "in the file" not in text_of(window)


def test_every_finding_has_the_icon_of_its_level_in_the_colours_of_the_theme(window, qapp):
    choose(window, "gpt-oss-20b")
    window.right_panel.turn_to_model()
    text = page_of(window).text
    assert text.toPlainText().count("\ufffc Note, ") == len(check(path_of("gpt-oss-20b")).findings)
    kind, icons = QTextDocument.ResourceType.ImageResource, {}
    for theme in ("light", "dark"):
        qapp.set_theme(theme)
        settle(window.model)
        for level in ("error", "warning", "note"):
            drawn = text.document().resource(kind, QUrl(f"icon:{level}")).toImage()
            places = [(x, y) for x in range(drawn.width()) for y in range(drawn.height())]
            pixels = [drawn.pixelColor(*at) for at in places]
            (icons[theme, level],) = {each.name() for each in pixels if each.alpha() == 255}
    assert len(set(icons.values())) == 4  # grave or not, light or dark


def test_an_action_shows_it_while_there_is_one(window):
    action = window.actions_by_key["model"]
    assert not action.isEnabled()
    (entry,) = [each for each in entries_in(window) if each.name == "Model"]
    assert entry.lack == "no model is open"
    choose(window, "llama-3.1-8b")
    assert action.isEnabled()
    window.right_panel.show_pins()
    trigger(window, "model")
    assert page_of(window).text.hasFocus()
    (entry,) = [each for each in entries_in(window) if each.name == "Model" and not each.lack]
    window.right_panel.show_pins()
    entry.do()
    assert page_of(window).isVisible()
    trigger(window, "undo")
    assert not action.isEnabled()


def test_numbers_of_a_pin_lead_to_no_editor_of_the_current_encoding(window):
    drop_file(window, GEMMA)
    full, sliding = page_of(window).text.toHtml().split(">sliding_attention<", 1)
    sliding, versions = sliding.split("Other versions", 1)
    assert 'href="parameter:rope_theta"' in full
    assert "parameter:" not in sliding
    assert 'href="view:frequencies"' in sliding
    assert "view:heatmap" not in sliding
    assert "href" not in versions.split("Note, ")[0]


def test_links_lead_to_parameters_and_views(window, tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(llama(rope_theta=None)), encoding="utf-8")
    drop_file(window, path)
    page = page_of(window)
    assert 'href="parameter:rope_theta"' in page.text.toHtml()
    page.text.anchorClicked.emit(QUrl("parameter:rope_theta"))
    settle(window.model)
    focused = QApplication.focusWidget()
    assert window.panel.isAncestorOf(focused)
    assert focused.text() == "10000"
    window.centre.show_view("clocks")
    assert 'href="view:frequencies"' in page.text.toHtml()
    page.text.anchorClicked.emit(QUrl("view:frequencies"))
    settle(window.model)
    assert window.active_view().picture.name == "frequencies"


def test_what_a_file_says_is_shown_as_it_is(window, tmp_path):
    path = tmp_path / "<b>config.json"
    scaling = {"rope_type": "linear", "factor": 2.0, "<img src=x>": 1}
    path.write_text(json.dumps(llama(rope_scaling=scaling)), encoding="utf-8")
    drop_file(window, path)
    assert "<b>config.json" in text_of(window)
    assert "<img src=x>" in text_of(window)


# -- from the preset list and from the palette -----------------------------------------------------


MODELS = models()


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


def test_the_page_of_an_unknown_class_comes_even_over_the_pictures(window, tmp_path):
    path = tmp_path / "config.json"
    window.resize(1000, 700)
    path.write_text(json.dumps(llama(model_type="unheard-of")))
    drop_file(window, path)
    assert window.sides.is_drawer("explain")
    assert page_of(window).isVisible()


def test_a_model_over_an_exhibit_closes_that(window):
    choose(window, "000-clocks")
    assert window.exhibit_walk.exhibit.id == "000-clocks"
    choose(window, "bloom-7b1")
    assert window.exhibit_walk.exhibit is None
    trigger(window, "undo")
    assert window.exhibit_walk.exhibit.id == "000-clocks"

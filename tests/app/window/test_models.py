"""Published models in the window: how they are chosen, and the page about one."""

import json
import re

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextDocument, QTextTable
from PySide6.QtWidgets import QApplication

from pe_explorer.analysis.configuration import check
from pe_explorer.analysis.sheet_words import list_rows
from pe_explorer.app.window.palette import list_entries
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from pe_explorer.gallery.models import models
from tests.app.windows import change, drop_file, encode, press_key, trigger
from tests.configs.support import LLAMA3, llama, path_of
from tests.support.gestures import enter_text, settle

GEMMA, BLOOM = path_of("gemma-3-4b"), path_of("bloom-7b1")
NEW = "pairs with unseen angles"


@pytest.fixture
def opened(window, tmp_path):
    """Return a function that drops a configuration with some fields on the window."""

    def opened(name="config.json", **fields):
        path = tmp_path / name
        path.write_text(json.dumps(llama(**fields)), encoding="utf-8")
        drop_file(window, path)
        return path

    return opened


def tabs_of(window):
    tabs = window.right_panel.pages().tabs
    return [tabs.tabText(n) for n in range(tabs.count()) if tabs.isTabVisible(n)]


def page_of(window):
    """Return the page that is in front."""
    tabs = window.right_panel.pages().tabs
    assert tabs.tabText(tabs.currentIndex()) == "Model"
    return tabs.currentWidget()


def box_of(window):
    box = window.right_panel.pages().model_page.text
    settle()
    return box


def text_of(window):
    text = box_of(window).toPlainText()
    return text.replace("\u200b", "").replace("\ufffc ", "")


def choose(window, name):
    combo = window.panel.preset_combo
    combo.setCurrentIndex(combo.findData(name))
    settle(window.model)


# -- the page --------------------------------------------------------------------------------------


def test_it_says_all_that_check_says(window):
    for name in ("bloom-7b1", "gemma-3-4b", "gpt-oss-20b", "smollm3-3b"):
        drop_file(window, path_of(name))
        checked, text = check(path_of(name)), text_of(window)
        for finding in checked.findings:
            assert finding.field in text
            assert finding.happens in text
            assert finding.flag or finding.why[1:] in text
        assert "--" not in text
        for number, sheet in enumerate(checked.sheets):
            assert sheet.layer in text
            for label, cells in list_rows(checked):
                assert label in text
                assert cells[number] in text


def test_an_opened_configuration_brings_it_to_the_front(window, opened):
    drop_file(window, GEMMA)
    assert tabs_of(window) == ["Explain", "Inspect", "Pins", "Model"]
    assert page_of(window).isVisible()
    window.resize(1000, 700)
    settle(window.model)
    drop_file(window, BLOOM)
    assert not window.sides.is_open("explain")  # a drawer would be over the pictures
    opened(model_type="unheard-of")
    assert window.sides.is_drawer("explain")
    assert page_of(window).isVisible(), "of an unknown class it comes even over the pictures"


def test_undo_and_another_document_take_it_away_and_redo_brings_it_back(window, tmp_path):
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
    assert "bloom-7b1.json" in text_of(window)
    session.write(tmp_path / "s.json", Exploration(count=7))
    for take_away in (
        lambda: drop_file(window, tmp_path / "s.json"),
        lambda: trigger(window, "new"),
        lambda: choose(window, "000-clocks"),
    ):
        drop_file(window, GEMMA)
        assert "Model" in tabs_of(window)
        take_away()
        assert "Model" not in tabs_of(window)


def test_an_assumption_stands_first_in_a_frame(window, opened):
    path = opened(model_type="unheard-of", yarn={"factor": 2})
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


def test_it_stays_over_edits_and_names_them(window):
    choose(window, "llama-3.1-8b")
    unedited = text_of(window)
    assert unedited.startswith("Llama 3.1 8B\nllama, ")
    encode(window, factor=4.0)
    assert re.search("factor is 4 here.* 8 in the file", text_of(window))
    encode(window, "alibi")
    assert "alibi here" in text_of(window)
    trigger(window, "undo")
    trigger(window, "undo")
    assert text_of(window) == unedited


def test_every_finding_has_the_icon_of_its_level_in_the_colours_of_the_theme(window, qapp):
    choose(window, "gpt-oss-20b")
    text = box_of(window)
    assert text.toPlainText().count("\ufffc Note, ") == len(check(path_of("gpt-oss-20b")).findings)
    text.selectAll()
    text.copy()
    assert QApplication.clipboard().text() == text_of(window)  # words only
    kind, icons = QTextDocument.ResourceType.ImageResource, set()
    for theme in ("light", "dark"):
        qapp.set_theme(theme)
        settle(window.model)
        for level in ("error", "warning", "note"):
            drawn = text.document().resource(kind, QUrl(f"icon:{level}")).toImage()
            places = [(x, y) for x in range(drawn.width()) for y in range(drawn.height())]
            pixels = [drawn.pixelColor(*at) for at in places]
            (colour,) = {each.name() for each in pixels if each.alpha() == 255}
            icons.add(colour)
    assert len(icons) == 4  # grave or not, light or dark


def test_an_action_and_the_palette_show_it_while_there_is_one(window):
    action = window.actions_by_key["model"]

    def entry():
        return next(
            each for each in list_entries(window) if each.name == action.text().replace("&", "")
        )

    assert not action.isEnabled()
    assert entry().unavailable_reason
    choose(window, "llama-3.1-8b")
    for show in (action.trigger, entry().run):
        assert action.isEnabled()
        window.right_panel.show_pins()
        show()
        assert page_of(window).text.hasFocus()
    trigger(window, "undo")
    assert not action.isEnabled()


# -- its links -------------------------------------------------------------------------------------


def test_links_lead_to_parameters_and_views(window, opened):
    opened(rope_theta=None)
    page = page_of(window)
    assert 'href="parameter:rope_theta"' in page.text.toHtml()
    assert "rope_\u200btheta" in page.text.toPlainText()  # long names break into lines
    page.text.anchorClicked.emit(QUrl("parameter:rope_theta"))
    settle(window.model)
    focused = QApplication.focusWidget()
    assert window.panel.isAncestorOf(focused)
    assert focused.text() == "10000"
    window.centre.show_view("clocks")
    assert 'href="view:frequencies"' in page.text.toHtml()
    page.text.anchorClicked.emit(QUrl("view:frequencies"))
    settle(window.model)
    assert window.find_active_view().picture.name == "frequencies"
    drop_file(window, GEMMA)
    full, sliding = page_of(window).text.toHtml().split(">sliding_attention<", 1)
    sliding, versions = sliding.split("Other versions", 1)
    assert 'href="parameter:rope_theta"' in full
    assert "parameter:" not in sliding, "of a pin"
    assert 'href="view:frequencies"' in sliding
    assert "view:heatmap" not in sliding
    assert "href" not in versions.split("Note, ")[0]


def test_what_a_file_says_is_shown_as_it_is(window, opened):
    scaling = {"rope_type": "linear", "factor": 2.0, "<img src=x>": 1}
    opened("<b>config.json", rope_scaling=scaling)
    assert "<b>config.json" in text_of(window)
    assert "<img src=x>" in text_of(window)


# -- the length of training, which is typed in Context ---------------------------------------------


def type_trained(window, qtbot, length):
    enter_text(qtbot, window.view("context").header.lines["trained"], length)
    settle(window.model)


def test_the_page_follows_the_length_that_is_typed_and_undo(window, qtbot, opened):
    opened(rope_theta=5e5)
    before = text_of(window)
    assert f"{NEW}\n0 of 64" in before
    type_trained(window, qtbot, "8192")
    after = text_of(window)
    assert f"{NEW}\n29 of 64" in after
    assert "training length\n8,192" in after
    assert "8,192 here" in after
    assert "32,768 in the file" in after
    assert " 29 " in window.view("context").status
    trigger(window, "undo")
    assert text_of(window) == before
    trigger(window, "redo")
    assert text_of(window) == after


def test_a_length_that_contradicts_the_scaling_is_a_warning_without_a_flag(window, qtbot, opened):
    opened(rope_scaling=LLAMA3)
    type_trained(window, qtbot, "4096")
    assert "Warning, contradiction" in text_of(window)
    assert "--" not in text_of(window)


def test_a_link_leads_to_the_field_in_which_it_is_typed_and_zooming_leaves_it(
    window, qtbot, opened
):
    opened(rope_theta=5e5)
    change(window, count=50)
    assert window.view("context").header.lines["trained"].value == 32768
    window.centre.show_view("frequencies")
    trigger(window, "model")
    text = page_of(window).text
    while text.textCursor().charFormat().anchorHref() != "view:context#trained":
        assert text.hasFocus()
        qtbot.keyClick(text, Qt.Key.Key_Tab)
    press_key(window, text, Qt.Key.Key_Return)
    field = QApplication.focusWidget()
    assert field is window.view("context").header.lines["trained"]
    qtbot.keyClicks(field, "8192")
    press_key(window, field, Qt.Key.Key_Return)
    assert f"{NEW}\n29 of 64" in text_of(window)


def test_another_file_starts_at_the_top_of_the_page_and_an_edit_leaves_its_place(window, opened):
    opened()
    bar = page_of(window).text.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    drop_file(window, GEMMA)
    assert bar.value() == 0
    bar.setValue(40)
    encode(window, factor=4.0)
    assert bar.value() == 40


# -- the list of presets ---------------------------------------------------------------------------


def test_models_stand_under_their_own_heading_which_cannot_be_chosen(window, qtbot):
    combo = window.panel.preset_combo
    place = combo.findText("Models")
    last = combo.itemText(place - 2)  # before a line
    titles = [combo.itemText(row) for row in range(place + 1, combo.count())]
    assert titles == [model.title for model in models().values()]
    assert not combo.model().item(place).isEnabled()
    choose(window, next(iter(models())))
    for key, title in ((Qt.Key.Key_Up, last), (Qt.Key.Key_Down, titles[0])):
        qtbot.keyClick(combo, key)
        assert combo.currentText() == title

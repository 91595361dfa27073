"""The length of training that is typed in Context: the page Model follows it, and leads there."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.app.acts import change, encode, press_key
from tests.configs.support import LLAMA3, llama, path_of
from tests.support.gestures import enter_text, settle
from tests.support.windows import drop_file, trigger

NEW = "pairs with unseen angles"


@pytest.fixture
def config(window, tmp_path):
    """Open a configuration, and return its fields."""
    window.resize(1280, 800)
    fields = llama(rope_theta=5e5)
    path = tmp_path / "config.json"
    path.write_text(json.dumps(fields), encoding="utf-8")
    drop_file(window, path)
    return fields


def page(window):
    return window.right_panel.parts().model_page


def text_of(window):
    return page(window).text.toPlainText().replace("\u200b", "").replace("\ufffc ", "")


def type_trained(window, qtbot, length):
    enter_text(qtbot, window.view("context").trained_field, length)
    settle(window.model)


def follow_link(window, qtbot, href):
    """Follow a link by the keyboard."""
    trigger(window, "model")
    text = page(window).text
    for _ in range(40):
        qtbot.keyClick(text, Qt.Key.Key_Tab)
        if text.textCursor().charFormat().anchorHref() == href:
            break
    press_key(window, text, Qt.Key.Key_Return)


def test_the_page_follows_what_is_typed_and_undo(window, qtbot, config):
    before = text_of(window)
    assert f"{NEW}\n0 of 64" in before
    type_trained(window, qtbot, "8192")
    after = text_of(window)
    assert f"{NEW}\n29 of 64" in after
    assert "training length\n8,192" in after
    assert "8,192 here, 32,768 in the file" in after
    assert "29 new" in window.view("context").status
    trigger(window, "undo")
    assert text_of(window) == before
    trigger(window, "redo")
    assert text_of(window) == after


def test_zooming_leaves_the_length_as_it_is(window, config):
    change(window, count=50)
    assert window.view("context").trained_field.value == 32768


def test_a_link_leads_to_the_field_in_which_it_is_typed(window, qtbot, config):
    window.centre.show_view("frequencies")
    assert "--trained" not in text_of(window)
    follow_link(window, qtbot, "view:context#trained")
    field = QApplication.focusWidget()
    assert field is window.view("context").trained_field
    qtbot.keyClicks(field, "8192")
    press_key(window, field, Qt.Key.Key_Return)
    assert f"{NEW}\n29 of 64" in text_of(window)


def test_a_length_that_contradicts_the_scaling_is_a_warning_without_a_flag(window, qtbot, tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(llama(rope_scaling=LLAMA3)), encoding="utf-8")
    drop_file(window, path)
    window.right_panel.show_model()
    type_trained(window, qtbot, "4096")
    assert "Warning, contradiction" in text_of(window)
    assert "--" not in text_of(window)


def test_another_file_starts_at_the_top_of_the_page(window, config):
    bar = page(window).text.verticalScrollBar()
    trigger(window, "model")
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    drop_file(window, path_of("gemma-3-4b"))
    assert bar.value() == 0
    bar.setValue(40)
    encode(window, factor=4.0)
    assert bar.value() == 40

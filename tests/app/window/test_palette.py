"""The command palette, as somebody uses it: Ctrl+K, some words, and Enter."""

from itertools import permutations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from pe_explorer import encodings, pictures
from pe_explorer.app.window.actions import ACTIONS
from pe_explorer.app.window.palette import Palette
from pe_explorer.app.window.palette_entries import entries_in, found
from pe_explorer.exploration import Exploration, Panes
from pe_explorer.files import session
from pe_explorer.gallery.exhibits import exhibits
from pe_explorer.params import declared
from tests.app.acts import change, press_key
from tests.support.gestures import settle
from tests.support.samples import counting
from tests.support.windows import close_message, wait_until_idle

CTRL = Qt.KeyboardModifier.ControlModifier


def opened(window, qtbot):
    """Press Ctrl+K, and return the palette."""
    qtbot.keyClick(window.workspace.active, Qt.Key.Key_K, CTRL)
    settle()
    (palette,) = [found for found in window.findChildren(Palette) if found.isVisible()]
    return palette


def rows(palette):
    """Return the texts of each row."""
    items = [palette.list.topLevelItem(place) for place in range(palette.list.topLevelItemCount())]
    return [tuple(item.text(column).strip() for column in range(3)) for item in items]


def chosen(palette):
    return palette.list.currentItem().text(0)


def find(window, qtbot, words):
    """Open the palette, type words and press Enter."""
    palette = opened(window, qtbot)
    qtbot.keyClicks(palette.line, words)
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    wait_until_idle(window)
    assert not [left for left in window.findChildren(Palette) if left.isVisible()]


def names(window, kind):
    return [entry.name for entry in entries_in(window) if entry.kind == kind]


# -- what is found -----------------------------------------------------------------------------


def test_every_name_is_found_by_its_words_in_any_order(window):
    for entry in entries_in(window):
        words = entry.name.split()[:3]
        for order in permutations(words):
            assert found([entry], " ".join(order)) == [entry]


def test_all_tables_are_in_it(window):
    titles = [pictures.find(name).title for name in pictures.names()]
    assert names(window, "View") == titles
    assert {"Inspect", "Pins"} <= {entry.name for entry in entries_in(window)}
    assert names(window, "Exhibit") == [exhibit.title for exhibit in exhibits().values()]
    assert names(window, "Encoding") == [encodings.find(name).title() for name in encodings.names()]
    assert sum(entry.kind.endswith(" menu") for entry in entries_in(window)) == len(ACTIONS)
    fields = declared(type(window.model.state.encoding)).values()
    labels = [*(field.label for field in fields), "Start", "Count"]
    found_parameters = names(window, "Parameter")
    assert len(found_parameters) == len(labels)
    assert all(map(str.startswith, found_parameters, labels))
    assert "Base b" in found_parameters, "the symbol is a word of the name, too"


def test_a_metric_is_chosen_where_it_can_be_seen(window, qtbot):
    shown = window.workspace.shown
    find(window, qtbot, "metric manhattan")
    assert window.model.state.metric == "manhattan"
    assert window.workspace.shown == shown, "the distances are there already"
    window.model.set(panes=Panes(("clocks",), "one"))
    find(window, qtbot, "metric euclidean")
    assert window.model.state.metric == "euclidean"
    assert [*window.workspace.shown] == ["distances"]


def test_the_difference_from_a_pin_is_found_once_there_is_one(window, qtbot):
    (entry,) = [e for e in entries_in(window) if e.name == "Shown encoding difference"]
    assert entry.lack == "no encoding is pinned"
    find(window, qtbot, "pin encoding")
    find(window, qtbot, "difference")
    assert window.model.state.show == "difference"


def test_a_try_of_the_open_exhibit_is_found_by_its_words(window, qtbot):
    def tries():
        return {each.name for each in entries_in(window) if "Turn the clocks:" in each.name}

    window.exhibit_walk.open("000-turn")
    tried = exhibits()["000-turn"].tries
    assert tries() == {f"Try in Turn the clocks: {each.label}" for each in tried}
    find(window, qtbot, "44 positions on")
    assert window.model.state.options["shift"].k == 44
    assert window.exhibit_walk.exhibit.id == "000-turn"
    window.exhibit_walk.close()
    assert not tries()


# -- how it is used ----------------------------------------------------------------------------


def test_escape_closes_it_and_nothing_has_changed(window, qtbot):
    before = window.model.state
    palette = opened(window, qtbot)
    assert palette.line.hasFocus()
    assert len(rows(palette)) == len(entries_in(window))
    qtbot.keyClicks(palette.line, "zoom")
    press_key(window, palette.line, Qt.Key.Key_Escape)
    assert not window.findChildren(Palette)
    assert window.model.state == before


def test_the_arrows_move_while_somebody_types(window, qtbot):
    palette = opened(window, qtbot)
    qtbot.keyClicks(palette.line, "zoom")
    assert [name for name, _, _ in rows(palette)][:2] == ["Zoom in", "Zoom out"]
    assert chosen(palette) == "Zoom in"
    qtbot.keyClick(palette.line, Qt.Key.Key_Down)
    assert chosen(palette) == "Zoom out"
    qtbot.keyClick(palette.line, Qt.Key.Key_Up)
    qtbot.keyClick(palette.line, Qt.Key.Key_Down)
    assert palette.line.text() == "zoom"
    press_key(window, palette.line, Qt.Key.Key_Return)
    assert window.model.state.count == 100


def test_menu_and_shortcut_stand_at_the_right_and_a_sentence_where_nothing_is_found(window, qtbot):
    palette = opened(window, qtbot)
    qtbot.keyClicks(palette.line, "as code")
    assert rows(palette)[:2] == [
        ("Copy as code", "Edit menu", "Ctrl+Shift+K"),
        ("Copy as figure code", "Edit menu", "Ctrl+Shift+G"),
    ]
    palette.line.clear()
    qtbot.keyClicks(palette.line, "qqq")
    assert rows(palette) == [("Nothing has all these words — try fewer words", "", "")]
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    assert palette.isVisible()


def test_what_cannot_be_done_now_is_greyed_with_the_reason(window, qtbot):
    palette = opened(window, qtbot)
    qtbot.keyClicks(palette.line, "undo")
    assert rows(palette)[0] == ("Undo — nothing has been changed yet", "Edit menu", "Ctrl+Z")
    item = palette.list.topLevelItem(0)
    assert not item.flags() & Qt.ItemFlag.ItemIsEnabled
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    assert palette.isVisible()
    qtbot.keyClick(palette.line, Qt.Key.Key_Escape)
    change(window, count=77)
    find(window, qtbot, "undo")
    assert window.model.state.count == 50


@pytest.mark.parametrize("name", pictures.names())
def test_a_view_is_shown_in_the_active_pane(window, qtbot, name):
    window.workspace.arrange("one")
    find(window, qtbot, pictures.find(name).title)
    assert window.workspace.shown == (name,)


def test_an_exhibit_is_opened_as_one_step_and_an_encoding_is_chosen(window, qtbot):
    find(window, qtbot, "clocks nine")
    assert exhibits()["000-clocks"].matches(window.model.state)
    assert window.history.stack.undoText() == "exhibit Nine clocks"
    find(window, qtbot, "rope")
    assert window.model.state.encoding.name == "rope"


def test_a_recent_file_is_opened_and_one_that_is_gone_is_reported(window, qtbot, tmp_path):
    path = tmp_path / "talk.json"
    session.write(path, Exploration(count=7))
    window.settings.note_file(path)
    find(window, qtbot, "talk")
    assert window.model.state.count == 7
    window.settings.note_file(tmp_path / "gone.json")
    find(window, qtbot, "gone")
    assert "no such file" in close_message(window)


@pytest.mark.parametrize("name", encodings.names())
def test_a_parameter_gets_the_keyboard(window, qtbot, name):
    for field, parameter in declared(encodings.find(name)).items():
        change(window, encoding=counting(name, field))
        entry = next(
            entry
            for entry in entries_in(window)
            if entry.kind == "Parameter" and entry.name.startswith(parameter.label)
        )
        if entry.lack:
            continue
        window.workspace.active.setFocus()
        entry.do()
        settle(window.model)
        editor = window.panel.form.editor(field).main
        focused = QApplication.focusWidget()
        assert editor is focused or editor.isAncestorOf(focused)


@pytest.mark.parametrize("width", [800, 1280])
def test_the_panel_of_a_parameter_opens(window, qtbot, width):
    window.model.set_encoding(base=10_000)
    window.resize(width, 700)
    settle()
    window.actions_by_key["encoding"].setChecked(False)
    assert not window.sides.is_open("encoding")
    find(window, qtbot, "base")
    assert window.sides.is_open("encoding")
    assert window.panel.form.editor("base").main.hasFocus()
    qtbot.keyClicks(QApplication.focusWidget(), "500\r")
    settle(window.model)
    assert window.model.state.encoding.base == 500.0


def test_an_option_is_chosen_in_its_view(window, qtbot):
    find(window, qtbot, "distances part histogram")
    assert "distances" in window.workspace.shown
    assert pictures.find("distances").options(window.model.state).part == "histogram"


def test_a_click_does_it(window, qtbot):
    palette = opened(window, qtbot)
    qtbot.keyClicks(palette.line, "zoom")
    place = palette.list.visualItemRect(palette.list.topLevelItem(1)).center()
    qtbot.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    settle(window.model)
    assert window.model.state.count == 100

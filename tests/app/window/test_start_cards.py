"""The strip "Start here", as somebody new sees it: cards, their keys, and how it goes away."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.gallery.start_here import cards
from pe_explorer.model import Model
from tests.app.acts import click_on, press_key
from tests.support.gestures import settle
from tests.support.windows import trigger

every_card = pytest.mark.parametrize("place", range(len(cards())))


@pytest.fixture
def strip(window, qtbot):
    """The strip as at the first start."""
    window.resize(1280, 800)
    window.start_cards.open_at_first_start()
    assert window.start_cards.cards == [], "the window does not wait for them"
    qtbot.waitUntil(lambda: bool(window.start_cards.cards))
    settle()
    return window.start_cards


# -- the cards ---------------------------------------------------------------------------------


# -- how it is used ----------------------------------------------------------------------------


def test_a_window_that_nobody_starts_has_none_and_whoever_asks_gets_it_at_once(window):
    assert not window.start_cards.isVisible()
    assert window.start_cards.cards == []
    window.actions_by_key["start_here"].trigger()
    assert window.start_cards.isVisible()
    assert len(window.start_cards.cards) == len(cards())


def test_the_first_start_shows_it_above_the_panes(window, strip):
    assert strip.isVisible()
    assert [button.card for button in strip.cards] == list(cards())
    assert 80 <= strip.height() <= 100
    bottom = strip.mapTo(window, strip.rect().bottomLeft()).y()
    assert bottom < window.workspace.mapTo(window, window.workspace.rect().topLeft()).y()


@every_card
def test_a_click_opens_the_exhibit_and_the_keys_are_for_its_view(window, strip, qtbot, place):
    click_on(window, strip.cards[place])
    exhibit = cards()[place].exhibit
    assert exhibit.matches(window.model.state)
    assert window.history.stack.undoText() == exhibit.step
    assert QApplication.focusWidget() is window.view(exhibit.exploration.panes.active)
    assert strip.isVisible(), "so that the next one can be tried"
    assert [card.isChecked() for card in strip.cards] == [at == place for at in range(len(cards()))]
    assert strip.height() <= 50, "it takes one line now"
    click_on(window, strip.cards[place - 1])
    assert strip.cards[place - 1].isChecked()
    assert not strip.cards[place].isChecked()


def test_it_begins_with_a_lesson_and_all_exhibits(window, strip, qtbot):
    asked = []
    strip.gallery_asked.connect(lambda: asked.append(True))
    qtbot.mouseClick(strip.all_button, Qt.MouseButton.LeftButton)
    assert asked
    assert window.centre.has_gallery
    window.centre.show_panes()
    strip.open()
    click_on(window, strip.lesson_button)
    assert window.lesson_walk.lesson.id == "000"
    assert not strip.lesson_button.isVisible()


def test_tab_reaches_every_card_and_the_cross_and_arrow_keys_every_card(window, strip, qtbot):
    strip.cards[0].setFocus(Qt.FocusReason.TabFocusReason)
    for widget in [*strip.cards[1:], strip.close_button]:
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        assert widget.hasFocus()
    strip.cards[0].setFocus()
    for card in strip.cards[1:]:
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Right)
        assert card.hasFocus()
    assert strip.cards[-1].visibleRegion().boundingRect() == strip.cards[-1].rect()
    press_key(window, strip.cards[-1], Qt.Key.Key_Space)
    assert cards()[-1].exhibit.matches(window.model.state)
    assert not window.model.playhead.playing, "Space was for the card"


@pytest.mark.parametrize("width", [800, 1280, 1920])
def test_nothing_is_cut_off(window, strip, width):
    window.resize(width, 700)
    settle()
    for button in strip.cards:
        for label in button.findChildren(QLabel):
            assert button.rect().contains(label.geometry())
            if label.wordWrap():
                assert label.heightForWidth(label.width()) <= label.height()
            elif label.text():
                assert label.sizeHint().width() <= label.width()


# -- how it goes away --------------------------------------------------------------------------


def put_away_by_click(window, strip, qtbot):
    qtbot.mouseClick(strip.close_button, Qt.MouseButton.LeftButton)


def put_away_by_key(window, strip, qtbot):
    qtbot.keyClick(window.workspace.active, Qt.Key.Key_Escape)


@pytest.mark.parametrize("put_away", [put_away_by_click, put_away_by_key])
def test_it_is_put_away_and_brought_back(window, strip, qtbot, put_away):
    put_away(window, strip, qtbot)
    assert not strip.isVisible()
    assert window.settings.settings.start_here == "hide"
    strip.open_at_first_start()
    assert not strip.isVisible()
    trigger(window, "start_here")
    assert strip.isVisible()
    assert len(strip.cards) == len(cards())


@pytest.mark.parametrize("end", ["put away", "closed"])
def test_it_is_shown_at_the_first_start_alone(qtbot, tmp_path, end):
    shown = []
    for _ in range(2):
        settings = SettingsFile(tmp_path / "settings.ini")
        window = MainWindow(Model(), settings=settings)
        window.start_cards.open_at_first_start()
        with qtbot.waitExposed(window):
            window.show()
        shown.append(window.start_cards.isVisible())
        if end == "put away":
            window.start_cards.put_away()
            window.hide()  # a hidden window remembers no layout
        window.leave()
        settings.close()
        window.deleteLater()
        settle()
    assert shown == [True, False]
    assert SettingsFile(tmp_path / "settings.ini").notes == ()


def test_whoever_opens_the_gallery_needs_them_no_more(window, strip):
    window.actions_by_key["gallery"].trigger()
    window.centre.show_panes()
    assert not strip.isVisible()
    assert window.settings.settings.start_here == "hide"


def test_escape_belongs_to_an_editor_first(window, strip, qtbot):
    field = window.panel.form.editor("base").main
    field.setFocus()
    qtbot.keyClicks(field, "77")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert strip.isVisible()

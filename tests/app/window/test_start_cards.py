"""The strip "Start here", as somebody new sees it: cards, their keys, and how it goes away."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel

from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.gallery.start_here import cards
from pe_explorer.model import Model
from tests.app.acts import click_on, press_key
from tests.support.gestures import settle
from tests.support.windows import trigger


@pytest.fixture
def strip(window, qtbot):
    """The strip as at the first start."""
    assert not window.start_cards.isVisible(), "a window that nobody starts has none"
    window.start_cards.open_at_first_start()
    assert window.start_cards.cards == [], "the window does not wait for them"
    qtbot.waitUntil(lambda: bool(window.start_cards.cards))
    settle()
    return window.start_cards


def test_a_click_opens_the_exhibit_and_the_keys_are_for_its_view(window, strip):
    assert strip.isVisible()
    assert [button.card for button in strip.cards] == list(cards())
    assert 80 <= strip.height() <= 100
    bottom = strip.mapTo(window, strip.rect().bottomLeft()).y()
    assert bottom < window.workspace.mapTo(window, QPoint()).y()
    for place, card in enumerate(cards()):
        click_on(window, strip.cards[place])
        assert card.exhibit.matches(window.model.state)
        assert window.history.stack.undoText() == card.exhibit.step
        focused = window.view(card.exhibit.exploration.panes.active)
        assert QApplication.focusWidget() is focused
        assert strip.isVisible(), "so that the next one can be tried"
        assert [button.isChecked() for button in strip.cards].index(True) == place
        assert sum(button.isChecked() for button in strip.cards) == 1
        assert strip.height() <= 50, "it takes one line now"


def test_it_begins_with_a_lesson_and_whoever_opens_the_gallery_needs_it_no_more(window, strip):
    click_on(window, strip.lesson_button)
    assert window.lesson_walk.lesson.id == "000"
    assert not strip.lesson_button.isVisible()
    strip.open()
    click_on(window, strip.all_button)
    assert window.centre.has_gallery
    window.centre.show_panes()
    assert not strip.isVisible()
    assert window.settings.settings.start_here == "hide"


def test_tab_reaches_every_card_and_the_cross_and_arrow_keys_every_card(window, strip, qtbot):
    for key, stops in (
        (Qt.Key.Key_Tab, [*strip.cards, strip.close_button]),
        (Qt.Key.Key_Right, strip.cards),
    ):
        stops[0].setFocus(Qt.FocusReason.TabFocusReason)
        for widget in stops:
            assert widget.hasFocus()
            qtbot.keyClick(widget, key)
    strip.cards[-1].setFocus(Qt.FocusReason.TabFocusReason)
    assert strip.cards[-1].visibleRegion().boundingRect() == strip.cards[-1].rect()
    press_key(window, strip.cards[-1], Qt.Key.Key_Space)
    assert cards()[-1].exhibit.matches(window.model.state)
    assert not window.model.playhead.playing, "Space was for the card"


def test_nothing_is_cut_off(window, strip):
    for width in (800, 1280, 1920):
        window.resize(width, 700)
        settle()
        labels = [(card, label) for card in strip.cards for label in card.findChildren(QLabel)]
        for card, label in labels:
            assert card.rect().contains(label.geometry())
            if label.wordWrap():
                assert label.heightForWidth(label.width()) <= label.height()
            elif label.text():
                assert label.sizeHint().width() <= label.width()


def test_it_is_put_away_and_brought_back(window, strip, qtbot):
    field = window.panel.form.editor("base").main
    field.setFocus()
    qtbot.keyClicks(field, "77")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert strip.isVisible(), "Escape belongs to an editor first"
    for put_away in (
        lambda: qtbot.mouseClick(strip.close_button, Qt.MouseButton.LeftButton),
        lambda: qtbot.keyClick(window.workspace.active, Qt.Key.Key_Escape),
    ):
        put_away()
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

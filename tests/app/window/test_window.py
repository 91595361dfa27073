import re

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu

from pe_explorer import pictures, views
from pe_explorer.app.window.actions import ACTIONS, MENUS
from pe_explorer.colours.themes import THEMES
from pe_explorer.encodings import LIMIT
from pe_explorer.gallery.models import models
from pe_explorer.model import Exploration
from pe_explorer.widgets.theme import palette_of
from tests.app.acts import change, click_on, encode
from tests.support.gestures import settle, type_text, wheel
from tests.support.windows import close_dialogs

STEPS = ("undo", "redo")
MODEL = "model"
SHORTCUTS = [(action.key, keys) for action in ACTIONS for keys in action.shortcuts]


def press(window, keys):
    """Press a shortcut as a person would, with the focus where it is."""
    combination = QKeySequence(keys)[0]
    QTest.keyClick(
        QApplication.focusWidget() or window, combination.key(), combination.keyboardModifiers()
    )
    settle(window.model if window.isVisible() else None)


def change_and_undo(window):
    """Leave one step to undo and one to redo, so that both are enabled."""
    encode(window, base=50.0)
    change(window, metric="dot")
    window.undoing.undo()
    settle(window.model)


def prepare(window, key):
    """Do what an action needs that cannot be done at the start."""
    if key in STEPS:
        change_and_undo(window)
    if key == MODEL:
        model = models()["llama-2-7b"]
        window.document.begin_with(model.exploration, model.step)
        settle(window.model)


def menu_of(window, title):
    return next(menu for menu in window.findChildren(QMenu) if menu.title() == title)


# -- the actions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("title", MENUS)
def test_every_action_is_in_its_menu_and_works_from_there(window, title):
    """One after another, as somebody does them who tries a whole menu in one window."""
    for action in MENUS[title]:
        assert window.isVisible(), action.key
        prepare(window, action.key)
        entry = window.actions_by_key[action.key]
        assert entry in menu_of(window, title).actions(), action.key
        assert entry.isEnabled(), action.key
        assert (entry.text() == action.text) == (action.key not in STEPS), action.key
        assert entry.statusTip() == action.help
        assert action.help.endswith("."), action.key
        entry.trigger()
        settle(window.model if window.isVisible() else None)
        close_dialogs(window)


def closes_the_window(action):
    return action.key == "quit"


def test_all_but_steps_and_the_model_can_be_had_at_the_start(window):
    greyed = {key for key, entry in window.actions_by_key.items() if not entry.isEnabled()}
    assert greyed == {*STEPS, MODEL}


@pytest.mark.parametrize("title", MENUS)
def test_every_shortcut_does_what_its_action_does(window, title):
    """From the last of a menu to the first, each then in a state that others leave than above."""
    actions = list(reversed(MENUS[title]))
    actions.sort(key=closes_the_window)
    for key, keys in [(action.key, keys) for action in actions for keys in action.shortcuts]:
        prepare(window, key)
        done = []
        window.actions_by_key[key].triggered.connect(lambda *_, done=done: done.append(1))
        window.activateWindow()  # a dialog or a pane of its own had the keys
        settle()
        press(window, keys)
        close_dialogs(window)
        assert len(done) == 1, (key, keys)


def test_menus_are_those_of_the_table(window):
    assert tuple(entry.text() for entry in window.menuBar().actions()) == tuple(MENUS)
    assert len({keys for _, keys in SHORTCUTS}) == len(SHORTCUTS)
    assert len({action.key for action in ACTIONS}) == len(ACTIONS)


def done(window, *keys):
    for key in keys:
        window.actions_by_key[key].trigger()
    settle(window.model)
    return window.model.state


def test_zoom_in_and_out(window):
    assert done(window, "zoom_in").count == 25
    assert done(window, "zoom_out", "zoom_out").count == 100
    assert done(window, *["zoom_out"] * 60).count == LIMIT
    assert done(window, *["zoom_in"] * 60).count == 1


def test_to_cursor_and_to_zero_from_the_negative_too_and_of_offsets(window):
    window.model.set(position=10**15 + 3)
    state = done(window, "to_cursor")
    assert (state.start, state.count) == (10**15 + 3 - 25, 50)
    assert done(window, "to_zero").positions == range(50)
    window.model.set(start=-LIMIT, count=LIMIT)  # the whole
    assert done(window, "to_zero").start == 0
    window.model.set_encoding("alibi")
    window.model.set(start=500, count=50)
    assert done(window, "to_zero").positions == range(-49, 1)


def test_all_dimensions_and_reset_zoom(window):
    window.model.set_options("heatmap", first=5, dimensions=3)
    options = pictures.find("heatmap").options(done(window, "all_dimensions"))
    assert (options.first, options.dimensions) == (0, 0)
    window.model.set(start=700, count=9)
    window.model.set_options("heatmap", first=5, dimensions=3)
    state = done(window, "reset_zoom")
    options = pictures.find("heatmap").options(state)
    assert state.positions == range(50)
    assert (options.first, options.dimensions) == (0, 0)
    window.model.set_encoding("alibi")
    first = window.model.state.positions
    window.model.set(start=-500, count=20)
    assert done(window, "reset_zoom", "zoom_in", "reset_zoom").positions == first


def test_measure_from_the_cursor_and_full_screen(window):
    window.model.set(position=33)
    assert done(window, "set_reference").reference == 33
    for is_full in True, False:
        done(window, "full_screen")
        assert window.isFullScreen() == is_full


def test_reset_everything(window):
    window.model.set(start=7, count=9, metric="dot")
    window.model.set_encoding("binary", dim=8)
    window.model.playhead.play()
    panes = window.model.state.panes
    assert done(window, "reset").intention == Exploration(panes=panes)
    assert not window.model.playhead.playing


def test_play_steps_speed_loop(window):
    head = window.model.playhead
    done(window, "play")
    assert head.playing
    assert done(window, "step_forward").position >= 1
    assert not head.playing
    before = window.model.state.position
    assert done(window, "step_back").position == before - 1
    done(window, "faster", "faster", "slower")
    assert head.speed == 10.0
    assert window.actions_by_key["loop"].isChecked()
    done(window, "loop")
    assert (
        head.loop,
        window.actions_by_key["loop"].isChecked(),
        window.transport.loop.isChecked(),
    ) == (False, False, False)


def test_space_plays_wherever_the_focus_is_but_types_in_fields(window, qtbot):
    window.view("distances").setFocus()
    press(window, "Space")
    assert window.model.playhead.playing
    window.model.playhead.pause()
    settle(window.model)
    before = window.model.state.position
    field = window.view("distances").choices.reference
    type_text(qtbot, field, "1,5")
    assert field.text() == "1,5"
    assert window.model.state.position == before  # a comma steps back elsewhere


# -- docks, bars, themes ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("modifier", "title"),
    [(Qt.KeyboardModifier.ShiftModifier, "Inspect"), (Qt.KeyboardModifier.ControlModifier, "Pins")],
)
def test_a_key_opens_the_panel_at_a_page(window, modifier, title):
    assert not window.sides.is_open("explain")
    QTest.keyClick(window, Qt.Key.Key_F8, modifier)
    assert window.sides.is_open("explain")
    tabs = window.right_panel.parts().tabs
    assert tabs.tabText(tabs.currentIndex()) == title
    assert tabs.currentWidget().isVisible()
    window.actions_by_key["explain"].trigger()


@pytest.mark.parametrize("name", ["encoding", "explain"])
def test_panels_fold_come_back_float_and_are_put_back(window, name):
    window.resize(1280, 800)
    window.sides.open(name)
    settle(window.model)
    dock = window.sides.docks[name]
    place = dock.geometry()
    click_on(window, dock.titleBarWidget().fold)
    assert not dock.isVisible()
    entry = window.actions_by_key[name]
    assert entry in menu_of(window, "&View").actions()
    assert entry.isCheckable()
    assert not entry.isChecked()
    entry.trigger()
    settle(window.model)
    assert dock.isVisible()
    assert entry.isChecked()
    click_on(window, dock.titleBarWidget().own_window)
    assert dock.isWindow()
    window.actions_by_key["reset_layout"].trigger()
    window.sides.open(name)
    settle(window.model)
    assert not dock.isFloating()
    assert dock.isVisible()
    assert (dock.geometry().topLeft() - place.topLeft()).manhattanLength() < 60


@pytest.mark.parametrize("theme", THEMES)
def test_themes_are_in_the_view_menu(window, qapp, theme):
    entry = next(entry for entry in menu_of(window, "&View").actions() if entry.data() == theme)
    entry.trigger()
    settle(window.model)
    assert entry.isChecked()
    assert qapp.palette().window().color() == palette_of(theme).window().color()
    image = window.grab().toImage()
    ground = image.pixelColor(image.width() // 2, image.height() - 3)
    assert abs(ground.lightness() - QColor(palette_of(theme).window().color()).lightness()) < 40


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_nothing_overlaps_or_is_cut_off(window, size):
    window.resize(*size)
    settle(window.model)
    assert (window.width(), window.height()) == size
    parts = [
        *window.sides.docks.values(),
        window.centralWidget(),
        window.statusBar(),
        window.menuBar(),
    ]
    places = [part.geometry() for part in parts if part.isVisible()]
    assert all(window.rect().contains(place) for place in places)
    assert not window.isAnimated()  # Qt may crash at the end of the animation of a moved dock
    assert not [
        k for k, place in enumerate(places) for other in places[:k] if place.intersects(other)
    ]
    for label in window.findChildren(QLabel):
        if (
            label.isVisible()
            and not label.wordWrap()
            and label.text()
            and label is not window.status_bar.sentence
        ):
            text = re.sub("<[^>]*>", "", label.text())
            assert label.width() >= label.fontMetrics().horizontalAdvance(text), label.text()


# -- what it tells ---------------------------------------------------------------------------------


REFUSED = (
    {"start": 2**53 + 1},
    {"count": 0},
    {"position": float("nan")},
    {"position": "somewhere"},
    {"metric": ""},
)


def test_what_is_refused_is_told(window):
    before = window.model.state
    for refused in REFUSED:
        window.statusBar().clearMessage()
        assert not window.model.set(**refused), refused
        settle(window.model)
        told = window.statusBar().currentMessage()
        assert told.endswith("."), refused
        assert told.lower().startswith(next(iter(refused))), refused
        assert window.model.state is before, refused


# -- the end ---------------------------------------------------------------------------------------


def test_closed_while_it_plays_and_works(window):
    window.model.playhead.set_speed(1e6)
    window.model.playhead.play()
    window.model.set_encoding(dim=65_536)
    change(window, count=3000, metric="manhattan")
    wheel(window.view("heatmap"), QPoint(200, 200), -1)
    window.leave()
    window.leave()
    assert not window.isVisible()
    assert not any(window.model.worker.busy(name) for name in views.names())


def test_a_message_too_long_for_the_window_ends_in_an_ellipsis(window):
    bar = window.status_bar
    for width, is_cut in ((1600, False), (800, True)):
        window.resize(width, 700)
        settle(window.model)
        tip = window.actions_by_key["encoding"].statusTip()
        bar.showMessage(tip)
        assert (bar.shown_message == tip) != is_cut
        assert bar.shown_message.endswith("…") == is_cut
        assert bar.toolTip() == tip
        bar.clearMessage()

"""The window: its actions, bars and panels, and files that are dragged over it."""

import re

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDragLeaveEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu

from pe_explorer import pictures, views
from pe_explorer.app.window.actions import ACTIONS, MENUS
from pe_explorer.colours.themes import THEMES
from pe_explorer.encodings import LIMIT
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from pe_explorer.gallery.models import models
from pe_explorer.widgets.icons import icon
from pe_explorer.widgets.theme import make_palette
from tests.app.windows import change, click_on, close_dialogs, drop_file, encode
from tests.support.gestures import settle, type_text, wheel

STEPS = ("undo", "redo")


def press(window, keys):
    """Press a shortcut as a person would, with the focus where it is."""
    combination = QKeySequence(keys)[0]
    focused = QApplication.focusWidget() or window
    QTest.keyClick(focused, combination.key(), combination.keyboardModifiers())
    settle(window.model if window.isVisible() else None)


def prepare(window, key):
    """Do what an action needs that cannot be done at the start."""
    if key in STEPS:  # leave one step to undo and one to redo
        encode(window, base=50.0)
        change(window, metric="dot")
        window.editing.undo()
        settle(window.model)
    if key == "model":
        model = models()["llama-2-7b"]
        window.document.start_exploration(model.exploration, model.step)
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


@pytest.mark.parametrize("key", [*STEPS, "model"])
def test_a_disabled_action_says_why_and_a_step_is_named(window, key):
    entry = next(action for action in ACTIONS if action.key == key)
    action = window.actions_by_key[key]
    assert entry.unavailable_reason in action.toolTip()
    assert entry.unavailable_reason in action.statusTip()
    prepare(window, key)
    assert action.statusTip() == entry.help
    assert entry.unavailable_reason not in action.toolTip()
    if key in STEPS:
        stack = window.history.stack
        step = {"undo": stack.undoText, "redo": stack.redoText}[key]()
        assert step in action.toolTip()


@pytest.mark.parametrize("title", MENUS)
def test_every_shortcut_does_what_its_action_does(window, title):
    """From the last of a menu to the first, each then in a state that others leave than above."""
    actions = list(reversed(MENUS[title]))
    actions.sort(key=lambda action: action.key == "quit")
    for key, keys in [(action.key, keys) for action in actions for keys in action.keys.split()]:
        prepare(window, key)
        done = []
        window.actions_by_key[key].triggered.connect(lambda *_, done=done: done.append(1))
        window.activateWindow()  # a dialog or a pane of its own had the keys
        settle()
        press(window, keys)
        close_dialogs(window)
        assert len(done) == 1, (key, keys)


def test_menus_are_those_of_the_table_and_can_be_had_at_the_start(window):
    assert tuple(entry.text() for entry in window.menuBar().actions()) == tuple(MENUS)
    shortcuts = [keys for action in ACTIONS for keys in action.keys.split()]
    assert len({*shortcuts}) == len(shortcuts)
    assert len({action.key for action in ACTIONS}) == len(ACTIONS)
    greyed = {key for key, entry in window.actions_by_key.items() if not entry.isEnabled()}
    assert greyed == {*STEPS, "model"}
    keys = {entry: key for key, entry in window.actions_by_key.items()}
    bar = [keys.get(entry, "|" * entry.isSeparator()) for entry in window.bars.top.actions()]
    of_menus = [[action.key for action in MENUS[title] if action.is_in_toolbar] for title in MENUS]
    assert " ".join(bar).split() == " | ".join(map(" ".join, filter(None, of_menus))).split()


def done(window, *keys):
    for key in keys:
        window.actions_by_key[key].trigger()
    settle(window.model)
    return window.model.state


def test_actions_zoom_and_move(window):
    model, heatmap = window.model, pictures.find("heatmap")
    assert done(window, "zoom_in").count == 25
    assert done(window, "zoom_out", "zoom_out").count == 100
    assert done(window, "reset_zoom").positions == range(50)
    model.set(position=10**15 + 3)
    assert done(window, "to_cursor").positions == range(10**15 + 3 - 25, 10**15 + 28)
    assert done(window, "to_zero").positions == range(50)
    model.set(start=-LIMIT, count=LIMIT)  # the whole
    assert done(window, "to_zero").start == 0
    for key in ("all_dimensions", "reset_zoom"):
        model.set(start=700, count=9)
        model.set_options("heatmap", first=5, dimensions=3)
        state = done(window, key)
        options = heatmap(state).options
        assert (options.first, options.dimensions) == (0, 0)
        assert (state.positions == range(50)) == (key == "reset_zoom")
    model.set_encoding("alibi")
    first = model.state.positions
    model.set(start=500, count=50)
    assert done(window, "to_zero").positions == range(-49, 1)
    model.set(start=-500, count=20)
    assert done(window, "reset_zoom", "zoom_in", "reset_zoom").positions == first


def test_actions_set_and_reset(window):
    window.model.set(position=33)
    assert done(window, "set_reference").reference == 33
    for is_full in (True, False):
        done(window, "full_screen")
        assert window.isFullScreen() == is_full
    window.model.set(start=7, count=9, metric="dot")
    window.model.set_encoding("binary", dim=8)
    window.model.playhead.play()
    panes = window.model.state.panes
    assert done(window, "reset").intention == Exploration(panes=panes)
    assert not window.model.playhead.is_playing


def test_actions_play_step_and_loop(window):
    head, loop = window.model.playhead, window.actions_by_key["loop"]
    done(window, "play")
    assert head.is_playing
    assert done(window, "step_forward").position >= 1
    assert not head.is_playing
    before = window.model.state.position
    assert done(window, "step_back").position == before - 1
    done(window, "faster", "faster", "slower")
    assert head.speed == 5.0
    for loops in (True, False):
        assert (
            head.is_looping == loop.isChecked() == window.transport.loop_button.isChecked() == loops
        )
        done(window, "loop")
    for stepwise in (True, False):
        done(window, "stepwise")
        assert window.actions_by_key["stepwise"].isChecked() == head.is_stepwise == stepwise
        assert window.settings.settings.stepwise == stepwise
    for locked in (True, False):
        done(window, "lock")
        assert window.model.lock.is_locked == locked
        assert window.actions_by_key["lock"].isChecked() == locked


def test_space_plays_wherever_the_focus_is_but_types_in_fields(window, qtbot):
    window.view("distances").setFocus()
    press(window, "Space")
    assert window.model.playhead.is_playing
    window.model.playhead.pause()
    settle(window.model)
    before = window.model.state.position
    field = window.view("distances").choices.reference
    type_text(qtbot, field, "1,5")
    assert field.text() == "1,5"
    assert window.model.state.position == before  # a comma steps back elsewhere


# -- docks, bars, themes ---------------------------------------------------------------------------


def test_panels_open_at_a_page_fold_come_back_float_and_are_put_back(window):
    tabs = window.right_panel.pages().tabs
    for modifier, title in (
        (Qt.KeyboardModifier.ShiftModifier, "Inspect"),
        (Qt.KeyboardModifier.ControlModifier, "Pins"),
    ):
        QTest.keyClick(window, Qt.Key.Key_F8, modifier)
        assert window.sides.is_open("explain")
        assert tabs.tabText(tabs.currentIndex()) == title
        assert tabs.currentWidget().isVisible()
        window.actions_by_key["explain"].trigger()
        assert not window.sides.is_open("explain")
    for name in ("encoding", "explain"):
        window.sides.open(name)
        settle(window.model)
        dock, entry = window.sides.docks[name], window.actions_by_key[name]
        place = dock.geometry()
        click_on(window, dock.titleBarWidget().fold_button)
        assert not dock.isVisible()
        assert entry in menu_of(window, "&View").actions()
        assert (entry.isCheckable(), entry.isChecked()) == (True, False)
        entry.trigger()
        settle(window.model)
        assert dock.isVisible()
        assert entry.isChecked()
        click_on(window, dock.titleBarWidget().own_window_button)
        assert dock.isWindow()
        window.actions_by_key["reset_layout"].trigger()
        window.sides.open(name)
        settle(window.model)
        assert not dock.isFloating()
        assert dock.isVisible()
        assert (dock.geometry().topLeft() - place.topLeft()).manhattanLength() < 60


def test_themes_are_in_the_view_menu(window, qapp):
    for theme in THEMES:
        entry = next(each for each in menu_of(window, "&View").actions() if each.data() == theme)
        entry.trigger()
        settle(window.model)
        assert entry.isChecked()
        assert THEMES[theme] in entry.statusTip()
        icons = [window.actions_by_key[key].icon() for key in ("over-two", "encoding")]
        for name, found in zip(("panes-over-two", "panel-left"), icons, strict=True):
            drawn = icon(name, window.palette()).pixmap(16).toImage()
            assert found.pixmap(16).toImage() == drawn
        expected = make_palette(theme).window().color()
        assert qapp.palette().window().color() == expected
        image = window.grab().toImage()
        ground = image.pixelColor(image.width() // 2, image.height() - 3)
        assert abs(ground.lightness() - QColor(expected).lightness()) < 40


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_nothing_overlaps_or_is_cut_off(window, size):
    window.resize(*size)
    settle(window.model)
    assert (window.width(), window.height()) == size
    bars = (window.centralWidget(), window.statusBar(), window.menuBar())
    parts = [part for part in (*window.sides.docks.values(), *bars) if part.isVisible()]
    places = [part.geometry() for part in parts]
    assert all(window.rect().contains(place) for place in places)
    assert not window.isAnimated()  # Qt may crash at the end of the animation of a moved dock
    for number, place in enumerate(places):
        assert not any(place.intersects(other) for other in places[:number])
    assert window.rail.width() == window.rail.parentWidget().width()
    for label in window.findChildren(QLabel):
        if label.isVisible() and not label.wordWrap() and label is not window.status_bar.sentence:
            text = re.sub("<[^>]*>", "", label.text())
            assert label.width() >= label.fontMetrics().horizontalAdvance(text), label.text()
    for button in window.rail.buttons.values():
        seen = button.grab().toImage()
        button.setText("")
        assert button.grab().toImage() != seen, "its word is seen"


# -- what it tells, and the end --------------------------------------------------------------------


def test_refusals_are_shown_and_long_ones_end_in_an_ellipsis(window, monkeypatch):
    before, bar, times = window.model.state, window.status_bar, []
    with monkeypatch.context() as patched:
        patched.setattr(type(bar), "showMessage", lambda bar, text, time: times.append(time))
        window.model.refused.emit("No.")
        window.output.reported.emit("Done.")
    assert times == [8000, 4000]  # milliseconds
    assert bar.sentence.toolTip() == window.view("heatmap").status
    empty = bar.grab().toImage()
    for field, value in (
        ("start", 2**53 + 1),
        ("count", 0),
        ("position", float("nan")),
        ("position", "somewhere"),
        ("metric", ""),
    ):
        bar.clearMessage()
        assert not window.model.set(**{field: value})
        settle(window.model)
        assert bar.currentMessage().lower().startswith(field), value
        assert bar.currentMessage().endswith("."), value
        assert window.model.state is before
    tip = window.actions_by_key["encoding"].statusTip()
    for width, is_cut in ((1600, False), (800, True)):
        window.resize(width, 700)
        settle(window.model)
        bar.showMessage(tip)
        assert (bar.shown_message == tip) != is_cut
        assert bar.shown_message.endswith("…") == is_cut
        assert bar.toolTip() == tip
        assert bar.grab().toImage() != empty
    bar.show_error("short")
    change(window, position=3)
    assert bar.currentMessage() == "short"  # the cursor mends nothing
    change(window, count=51)
    assert bar.currentMessage() == ""


def test_closed_while_it_plays_and_works(window):
    window.model.playhead.set_speed(1e6)
    window.model.playhead.play()
    window.model.set_encoding(dim=65_536)
    change(window, count=3000, metric="manhattan")
    wheel(window.view("heatmap"), QPoint(200, 200), -1)
    window.leave()
    window.leave()
    assert not window.isVisible()
    assert not any(window.model.worker.is_busy(name) for name in views.names())


COPY, MOVE = Qt.DropAction.CopyAction, Qt.DropAction.MoveAction


def drag(widget, *paths, actions=COPY):
    """Drag files over a widget; return whether they may be dropped there."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path) for path in paths])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    event = QDragEnterEvent(QPoint(5, 5), actions, data, buttons, keys)
    event.ignore()
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_file_over_the_window_lights_it_up_until_it_leaves_or_is_dropped(
    qapp, window, theme, tmp_path
):
    qapp.set_theme(theme)
    target, before = window.drop_target, window.centralWidget().grab().toImage()
    places = [*window.workspace.built_views.values(), window.transport, window.rail]
    deepest = [view.childAt(view.rect().center()) or view for view in places]
    for widget in (*places, *deepest, window):
        assert drag(widget, "/talks/my session.json")
        assert target.isVisible(), widget
        assert "my session.json" in target.sentence == target.accessibleName()
        assert target.size() == window.centralWidget().size()
        assert window.centralWidget().grab().toImage() != before
        target.eventFilter(window, QDragLeaveEvent())
        assert not target.isVisible()
    assert window.centralWidget().grab().toImage() == before
    session.write(tmp_path / "s.json", Exploration(count=7))
    assert drag(window, str(tmp_path / "s.json"))
    drop_file(window, tmp_path / "s.json")
    assert not target.isVisible()
    assert window.model.state.count == 7


def test_what_cannot_be_opened_does_not_and_a_long_name_is_cut(window):
    assert not drag(window)
    assert not drag(window, "/a.json", "/b.json")
    assert not drag(window, "/a.json", actions=MOVE)
    assert not window.drop_target.isVisible()
    width = window.minimumSizeHint().width()
    assert drag(window, f"/{'long ' * 40}.json")
    window.drop_target.grab()
    assert window.minimumSizeHint().width() == width

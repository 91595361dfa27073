"""The panel that explains the active view, with mouse and keys."""

import time
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from pe_explorer import encodings, pictures
from pe_explorer.analysis import umap_process
from pe_explorer.gallery import guide
from pe_explorer.gallery.guide import MAX_TRIES, explain
from pe_explorer.model.history import History
from pe_explorer.panels.explain import ExplainPanel
from tests.support.gestures import settle
from tests.support.samples import samples

LEFT = Qt.MouseButton.LeftButton
NARROW = 240
PAUSE, LONGEST_PAUSE = 0.1, 2.0
"""Seconds without a change after which the words come, and with changes all the time."""


@pytest.fixture
def history(model):
    return History(model)


@pytest.fixture
def panel(show_panel):
    panel = show_panel(ExplainPanel(), NARROW, 700)
    panel.show_view("heatmap")
    return panel


@pytest.fixture
def counted(monkeypatch):
    """Return a list of the views whose words have been computed."""
    views = []

    def explain_and_count(view, state):
        views.append(view)
        return explain(view, state)

    monkeypatch.setattr(guide, "explain", explain_and_count)
    return views


def visible_words(panel):
    """Return the words that can be seen."""
    page = panel.page
    points = tuple(point.text.text() for point in page.points if point.isVisible())
    rows = [row for row in page.tries if row.button.isVisible()]
    tries = tuple((row.button.text(), row.outcome.text()) for row in rows)
    return page.title.text(), page.about.text(), page.shows.text(), points, tries


def expected_words(view, model):
    words = explain(view, model.state)
    tries = tuple((each.label, each.outcome) for each in words.tries)
    return words.title, words.about, words.shows, words.look, tries


def button(panel, model, **settings):
    """Return the button of the try with these settings of the encoding."""
    settings = {f"encoding.{name}": value for name, value in settings.items()}
    pairs = zip(explain("heatmap", model.state).tries, panel.page.tries, strict=False)
    (found,) = [row.button for attempt, row in pairs if attempt.settings == settings]
    return found


def test_it_shows_the_words_of_a_view_and_follows_what_is_set(panel, model, qtbot):
    assert visible_words(panel) == expected_words("heatmap", model)
    model.set_encoding("alibi", heads=12)
    settle(model)
    qtbot.waitUntil(lambda: visible_words(panel) == expected_words("heatmap", model))
    panel.show_view("clocks")
    assert visible_words(panel) == expected_words("clocks", model)
    assert not any(point.isVisible() for point in panel.page.points)


@pytest.mark.sampled(20)
@pytest.mark.parametrize("e", samples(), ids=lambda e: e.name)
@pytest.mark.parametrize("view", pictures.names())
def test_every_try_is_seen_whole_and_can_be_clicked_and_taken_back(
    panel, model, history, view, e, monkeypatch
):
    monkeypatch.setattr(umap_process, "unavailable_reason", lambda: "")
    first = e.first_range
    model.set(encoding=e, start=first.start, count=len(first))
    settle(model)
    panel.show_view(view)
    settle()
    page, before = panel.page, model.state
    room = page.viewport().width()
    assert page.widget().width() == room
    for label in (page.shows, page.about, *(point.text for point in page.points)):
        assert label.isHidden() or label.height() >= label.heightForWidth(label.width())
    for row in page.tries[: len(visible_words(panel)[4])]:
        assert row.button.sizeHint().width() <= row.button.width() <= room
        history.stack.clear()
        QTest.mouseClick(row.button, LEFT)
        assert model.state != before
        assert history.stack.count() == 1
        history.undo()
        settle(model)
        assert model.state == before
        panel.show_view(view)


def test_tries_are_for_the_keyboard_too_and_a_click_leaves_the_focus_where_it_is(panel, model):
    panel.page.setFocus()
    QTest.mouseClick(panel.page.tries[1].button, LEFT)
    assert QApplication.focusWidget() is panel.page
    assert len(visible_words(panel)[4]) == MAX_TRIES
    for row in panel.page.tries:
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        assert QApplication.focusWidget() is row.button
    before = model.state
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    assert model.state != before


def test_it_computes_nothing_while_it_cannot_be_seen_or_the_cursor_moves(
    panel, model, counted, qtbot
):
    for position in range(30):
        model.set(position=position, dimension=position)
        settle(model)
    panel.hide()
    for base in (20.0, 30.0):
        model.set_encoding(base=base)
        settle(model)
    panel.show_view("distances")
    QTest.qWait(150)
    assert counted == []
    panel.show()
    qtbot.waitUntil(lambda: counted == ["distances"])
    assert visible_words(panel) == expected_words("distances", model)


def test_while_a_slider_is_dragged_the_words_wait(panel, model, counted, qtbot):
    times = [time.perf_counter()]
    for base in range(2, 52):
        model.set_encoding(base=float(base))
        model.emit_changes()
        QTest.qWait(5)
        times.append(time.perf_counter())
    most = stood_still(times) + int((times[-1] - times[0]) / LONGEST_PAUSE)
    assert len(counted) <= most
    qtbot.waitUntil(lambda: visible_words(panel) == expected_words("heatmap", model))
    assert len(counted) <= most + 1


def stood_still(times):
    """Return how often the machine itself made a pause in which the words may come."""
    return sum(later - sooner > 0.8 * PAUSE for sooner, later in pairwise(times))


def test_where_there_is_no_pause_the_words_come_now_and_then(panel, model, counted, qtbot):
    times = []

    def scrolled():
        times.append(time.perf_counter())
        model.set(start=len(times))
        model.emit_changes()
        return bool(counted)

    qtbot.waitUntil(scrolled)
    assert len(times) > 5 or stood_still([*times, time.perf_counter()])


def test_a_try_of_before_a_change_sets_what_it_says_or_is_refused(panel, model, qtbot):
    """The words may be a moment behind."""
    wider, other = button(panel, model, dim=256), button(panel, model, base=100)
    model.set_encoding(dim=64)
    model.emit_changes()
    QTest.mouseClick(wider, LEFT)
    assert model.state.encoding.dim == 256
    model.set(encoding=encodings.create("index"))
    model.emit_changes()
    with qtbot.waitSignal(model.refused) as refusal:
        QTest.mouseClick(other, LEFT)
    assert "index" in refusal.args[0]
    assert model.state.encoding.name == "index"
    panel.detach()
    state = model.state
    QTest.mouseClick(panel.page.tries[0].button, LEFT)
    assert model.state is state


def test_a_try_of_umap_that_is_not_installed_says_what_to_install(panel, model, qtbot, monkeypatch):
    monkeypatch.setattr(
        umap_process, "unavailable_reason", lambda: "UMAP is not here: pip install it"
    )
    panel.show_view("projection")
    before = model.state
    (row,) = [row for row in panel.page.tries if "UMAP" in row.button.text()]
    with qtbot.waitSignal(model.refused) as refusal:
        QTest.mouseClick(row.button, LEFT)
    assert "pip install it" in refusal.args[0]
    assert model.state == before


# -- in the window ---------------------------------------------------------------------------------


def test_the_window_explains_its_active_view_and_folded_it_costs_nothing(window, qtbot, counted):
    parts = window.right_panel.pages()
    assert not parts.explanation.findChildren(QLabel)
    window.model.set_encoding(base=50.0)
    settle(window.model)
    QTest.qWait(150)
    assert counted == []
    window.sides.open("explain")
    settle(window.model)
    assert parts.tabs.tabText(0) == "Explain"
    assert parts.tabs.currentWidget() is parts.explanation
    panel = parts.explanation
    for name in [*window.workspace.shown_views, window.workspace.shown_views[0]]:
        window.workspace.activate(name)
        settle(window.model)
        assert visible_words(panel) == expected_words(name, window.model)
    panes = window.model.state.panes
    QTest.mouseClick(panel.page.tries[0].button, LEFT)
    settle(window.model)
    assert window.model.state.panes == panes
    window.actions_by_key["undo"].trigger()
    settle(window.model)
    assert window.model.state.panes == panes

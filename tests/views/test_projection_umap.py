"""UMAP in the pane of the projection, with a stand-in for umap-learn."""

import os
import signal

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pe_explorer.analysis import umap_process
from tests.support.gestures import click, inside, move, settle, wait_for_worker
from tests.support.notes import note, note_label, offer
from tests.support.processes import comes_true, is_running
from tests.support.umap_stand_in import DIES, FAILS, STOPS, stand_in


@pytest.fixture
def umap_learn(tmp_path, monkeypatch):
    stand_in(tmp_path, monkeypatch)
    yield
    umap_process.end()


@pytest.fixture
def view(umap_learn, show):
    """Return the view of a few positions, with PCA."""
    view = show("projection", count=60)
    wait_for_worker(view.model)
    return view


def says(view):
    return "" if note(view).isHidden() else note_label(view).text()


def choose(view, seed):
    """Choose UMAP with a seed, which tells the stand-in what to do."""
    view.set_options(method="umap", seed=seed)
    settle(view.model)


def points(view):
    drawn = view.drawn and view.drawn.figure.panels[0].trail
    return len(drawn.x) if drawn else 0


def test_a_phase_is_shown_and_pca_is_offered(view, qtbot):
    choose(view, STOPS)
    assert view.header.combos["method"].currentText() == "UMAP"
    qtbot.waitUntil(lambda: says(view).startswith("Finding neighbours… "))
    number = umap_process.shared.number
    QTest.mouseClick(offer(view), Qt.MouseButton.LeftButton)
    wait_for_worker(view.model)
    assert (view.options.method, says(view), points(view)) == ("pca", "", 60)
    assert comes_true(lambda: not is_running(number))


def test_a_choice_takes_the_place_of_the_one_before(view, qtbot):
    choose(view, STOPS)
    qtbot.waitUntil(lambda: says(view).startswith("Finding"))
    choose(view, 3)
    wait_for_worker(view.model)
    assert (says(view), points(view)) == ("", 60)
    assert "seed 3" in view.status


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_process_killed_from_outside_leaves_a_sentence_and_a_way_on(view, qtbot):
    choose(view, STOPS)
    qtbot.waitUntil(lambda: says(view).startswith("Finding"))
    os.kill(umap_process.shared.number, signal.SIGKILL)
    wait_for_worker(view.model)
    ended = "UMAP: the process that computes it has ended before its time (code −9); "
    assert says(view) == f"{ended}memory may have run out."
    assert (offer(view).text(), points(view)) == ("Try again", 0)
    QTest.mouseClick(offer(view), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: says(view).startswith("Finding"))
    assert view.model.state.options["projection"].seed == STOPS


def test_what_dies_each_time_says_so_each_time(view):
    choose(view, DIES)
    wait_for_worker(view.model)
    for _ in range(2):
        assert "(code 3)" in says(view)
        QTest.mouseClick(offer(view), Qt.MouseButton.LeftButton)
        wait_for_worker(view.model)


def test_what_cannot_be_laid_out_is_not_tried_again(view):
    choose(view, FAILS)
    wait_for_worker(view.model)
    assert says(view).startswith("UMAP: umap-learn found no layout (ValueError: no layout")
    assert offer(view).isHidden()


def test_a_hidden_view_ends_its_fit(view, qtbot):
    choose(view, STOPS)
    qtbot.waitUntil(lambda: says(view).startswith("Finding"))
    number = umap_process.shared.number
    view.hide()
    assert comes_true(lambda: not is_running(number))


def test_pointing_at_what_is_not_there_yet_means_nothing(umap_learn, show, qtbot):
    view = show("projection", count=60, options={"method": "umap", "seed": STOPS})
    qtbot.waitUntil(lambda: says(view).startswith("Finding"))
    for act in (move, click):
        act(view, inside(view, "points", 0.5, 0.05))
    assert view.model.preview is None
    assert view.model.state.position == 0

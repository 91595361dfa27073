"""The projection on the screen: its points, and UMAP with a stand-in for umap-learn."""

import os
import signal
import threading

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pe_explorer.analysis import umap_process
from tests.support.gestures import click, inside, move, settle, spot, wait_for_worker
from tests.support.notes import offer, says
from tests.support.processes import comes_true, is_running
from tests.support.umap_stand_in import DIES, FAILS, STOPS, stand_in

MISSING = "UMAP is not installed. This command adds it: pip install umap"


def locate(view, position):
    """Return the pixel of a position's point."""
    trail = view.snapshot.figure.panels[0].trail
    place = trail.locate(position)
    return spot(view, "points", trail.x[place], trail.y[place])


def test_the_mouse_previews_a_point_and_a_click_sets_the_cursor(show):
    view = show("projection", dimension=3)
    for _ in range(2):
        move(view, locate(view, 30))
    settle(view.model)
    assert view.model.preview.position == 30
    click(view, locate(view, 41))
    settle(view.model)
    assert (view.model.state.position, view.model.state.dimension) == (41, 3)


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


def choose(view, seed):
    """Choose UMAP with a seed, which tells the stand-in what to do."""
    view.set_options(method="umap", seed=seed)
    settle(view.model)


def points(view):
    drawn = view.snapshot and view.snapshot.figure.panels[0].trail
    return len(drawn.x) if drawn else 0


def test_a_phase_is_shown_and_pca_is_offered(view, qtbot):
    choose(view, STOPS)
    assert view.header.combos["method"].currentText() == "UMAP"
    qtbot.waitUntil(lambda: says(view).startswith("Finding neighbours… "))
    number = umap_process.shared_process.number
    QTest.mouseClick(offer(view), Qt.MouseButton.LeftButton)
    wait_for_worker(view.model)
    assert (view.options.method, says(view), points(view)) == ("pca", "", 60)
    assert comes_true(lambda: not is_running(number))


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_process_killed_from_outside_leaves_a_sentence_and_a_way_on(view, qtbot):
    choose(view, STOPS)
    qtbot.waitUntil(lambda: says(view).startswith("Finding"))
    os.kill(umap_process.shared_process.number, signal.SIGKILL)
    wait_for_worker(view.model)
    assert "(code −9)" in says(view)
    assert "memory" in says(view)
    assert (offer(view).text(), points(view)) == ("Try again", 0)
    QTest.mouseClick(offer(view), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: says(view).startswith("Finding"))
    assert view.model.state.options["projection"].seed == STOPS


@pytest.mark.parametrize(
    ("seed", "fact", "again"), [(DIES, "(code 3)", True), (FAILS, "ValueError: no layout", False)]
)
def test_what_fails_each_time_says_so_each_time(view, seed, fact, again):
    choose(view, seed)
    for _ in range(2):
        wait_for_worker(view.model)
        assert says(view).startswith("UMAP: ")
        assert fact in says(view)
        assert offer(view).isHidden() != again
        if again:
            QTest.mouseClick(offer(view), Qt.MouseButton.LeftButton)


def test_a_fit_gives_way_to_another_choice_and_ends_with_a_hidden_view(view, qtbot):
    choose(view, STOPS)
    qtbot.waitUntil(lambda: says(view).startswith("Finding"))
    for act in (move, click):  # what is not there yet is not pointed at
        act(view, inside(view, "points", 0.5, 0.05))
    assert (view.model.preview, view.model.state.position) == (None, 0)
    choose(view, 3)
    wait_for_worker(view.model)
    assert (says(view), points(view)) == ("", 60)
    assert "seed 3" in view.status
    choose(view, STOPS)
    qtbot.waitUntil(lambda: says(view).startswith("Finding"))
    number = umap_process.shared_process.number
    view.hide()
    assert comes_true(lambda: not is_running(number))


@pytest.fixture
def fits(monkeypatch):
    """Return the seeds that UMAP's stand-in was asked for."""
    asked = []

    def embed(rows, *, seed, request):
        asked.append(seed)
        assert isinstance(request, threading.Event)
        return np.random.default_rng(seed).normal(size=(len(rows), 2)).cumsum(axis=0)

    monkeypatch.setattr(umap_process, "unavailable_reason", lambda: "")
    monkeypatch.setattr(umap_process, "embed", embed)
    return asked


def test_umap_is_fitted_once_whatever_is_done_with_the_view(show, qapp, fits):
    view = show("projection", count=44)
    combo = view.header.combos["method"]
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Down)
    wait_for_worker(view.model)
    assert view.options.method == "umap"
    assert "42" in view.status
    shown = view.snapshot.figure.panels[0].trail.x
    move(view, locate(view, 20))
    click(view, locate(view, 30))
    qapp.set_theme("dark")
    view.resize(700, 500)
    view.hide()
    view.show()
    qapp.set_theme("light")
    view.set_options(method="pca")
    wait_for_worker(view.model)
    view.set_options(method="umap")
    wait_for_worker(view.model)
    assert fits == [42]
    np.testing.assert_array_equal(view.snapshot.figure.panels[0].trail.x, shown)
    view.set_options(seed=1)
    wait_for_worker(view.model)
    assert fits == [42, 1]


def test_without_umap_choosing_it_changes_nothing_and_a_sentence_says_what_to_install(
    show, monkeypatch
):
    monkeypatch.setattr(umap_process, "unavailable_reason", lambda: MISSING)
    view = show("projection")
    before, said = view.model.state, []
    view.model.refused.connect(said.append)
    combo = view.header.combos["method"]
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Down)
    settle(view.model)
    assert view.model.state is before
    assert combo.currentData() == "pca"
    assert said == [MISSING]

"""The projection on the screen: what is drawn, what mouse, wheel and choices do."""

import threading

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pe_explorer import encodings
from pe_explorer.analysis import umap_process
from tests.support.gestures import click, inside, move, settle, spot, wait_for_worker, wheel
from tests.support.notes import note

NOT_HERE = "UMAP is not installed. This command adds it: pip install umap"


def sines(dim=128, **parameters):
    return encodings.create("sinusoidal", dim=dim, **parameters)


def place_of(view, position):
    """Return the pixel of a position's point."""
    trail = view.drawn.figure.panels[0].trail
    place = trail.place_of(position)
    return spot(view, "points", trail.x[place], trail.y[place])


def test_the_mouse_previews_a_point_and_a_click_sets_the_cursor(show):
    view = show("projection", encoding=sines(18), dimension=3)
    for _ in range(2):
        move(view, place_of(view, 30))
    settle(view.model)
    assert view.model.preview.position == 30
    click(view, place_of(view, 41))
    settle(view.model)
    assert (view.model.state.position, view.model.state.dimension) == (41, 3)


def test_a_click_beside_all_points_sets_nothing(show):
    view = show("projection", encoding=encodings.create("index"), position=7)
    click(view, inside(view, "points", 0.5, 0.1))
    settle(view.model)
    assert view.model.state.position == 7


def test_the_wheel_shows_more_positions(show):
    view = show("projection", encoding=sines(18))
    wheel(view, inside(view, "points", 0.5, 0.5), -2)
    settle(view.model)
    assert view.model.state.count == round(50 * 0.8**-2)


def test_one_position_is_a_sentence_over_an_empty_plot(show):
    view = show("projection", encoding=sines(18), count=1)
    assert note(view).isVisible()
    click(view, inside(view, "points", 0.5, 0.02))
    settle(view.model)
    assert view.model.state.position == 0


# -- UMAP ------------------------------------------------------------------------------------------


@pytest.fixture
def fits(monkeypatch):
    """Return the seeds that UMAP's stand-in was asked for."""
    asked = []

    def embed(rows, *, metric, seed, request):
        asked.append(seed)
        assert isinstance(request, threading.Event)
        return np.random.default_rng(seed).normal(size=(len(rows), 2)).cumsum(axis=0)

    monkeypatch.setattr(umap_process, "missing", lambda: "")
    monkeypatch.setattr(umap_process, "embed", embed)
    return asked


def test_umap_is_fitted_once_whatever_is_done_with_the_view(show, qapp, fits):
    view = show("projection", encoding=sines(20), count=44)
    combo = view.header.combos["method"]
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Down)
    wait_for_worker(view.model)
    assert view.options.method == "umap"
    assert "42" in view.status
    shown = view.drawn.figure.panels[0].trail.x
    move(view, place_of(view, 20))
    click(view, place_of(view, 30))
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
    np.testing.assert_array_equal(view.drawn.figure.panels[0].trail.x, shown)
    view.set_options(seed=1)
    wait_for_worker(view.model)
    assert fits == [42, 1]


def test_without_umap_choosing_it_changes_nothing_and_a_sentence_says_what_to_install(
    show, monkeypatch
):
    monkeypatch.setattr(umap_process, "missing", lambda: NOT_HERE)
    view = show("projection", encoding=sines(20))
    before, said = view.model.state, []
    view.model.refused.connect(said.append)
    combo = view.header.combos["method"]
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Down)
    settle(view.model)
    assert view.model.state is before
    assert combo.currentData() == "pca"
    assert said == [NOT_HERE]

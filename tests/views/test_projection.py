"""The projection on the screen: what is drawn, what mouse, wheel and choices do."""

import threading

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from pe_explorer import encodings
from pe_explorer.analysis import umap_process
from pe_explorer.colours import maps
from tests.support.gestures import click, inside, move, settle, spot, wait_for_worker, wheel

NOT_HERE = "UMAP is not installed. This command adds it: pip install umap"


def sines(dim=128, **parameters):
    return encodings.create("sinusoidal", dim=dim, **parameters)


def place_of(view, position):
    """Return the pixel of a position's point."""
    trail = view.plot.item.trail
    place = trail.place_of(position)
    return spot(view, view.plot, trail.x[place], trail.y[place])


def test_points_are_drawn_in_the_colours_of_their_order(show):
    view = show("projection", encoding=sines(), position=20)
    canvas = view.stage.canvas_of(view.plot)
    image = view.stage.splitter.grab().toImage()
    order = maps.order_table(on_dark=False).astype(int)
    ratio = image.devicePixelRatio()
    for position in (0, 10, 40, 49):
        pixel = place_of(view, position) * ratio
        found = QColor(image.pixel(round(pixel.x()), round(pixel.y())))
        wanted = order[round(position / 49 * 255)]
        assert np.abs(np.array(found.getRgb()[:3]) - wanted).max() < 40
    assert view.plot.item.marked == (20, None)
    box = view.plot.box.size()
    assert box.width() == pytest.approx(box.height(), abs=1)
    assert canvas.isVisible()


def test_the_axes_say_what_they_hold_and_the_bar_counts_positions(show):
    view = show("projection", encoding=sines(1024), start=10**15, count=60)
    wait_for_worker(view.model)
    assert view.plot.left.labelText.startswith("component 2, ")
    assert view.plot.bottom.labelText.endswith("% of the variance")
    bar = view.plot.order_bar.axis
    ((spacing, places),) = bar.tickValues(-0.5, 59.5, 400)
    texts = bar.tickStrings(places, 1.0, spacing)
    assert texts[0] == "0"
    assert bar.labelText == "position: 1,000,000,000,000,000 +"


def test_the_mouse_previews_a_point_and_a_click_sets_the_cursor(show):
    view = show("projection", encoding=sines(18), dimension=3)
    for _ in range(2):
        move(view, place_of(view, 30))
    settle(view.model)
    assert view.model.preview.position == 30
    assert view.plot.item.marked == (0, 30)
    click(view, place_of(view, 41))
    settle(view.model)
    assert (view.model.state.position, view.model.state.dimension) == (41, 3)
    assert view.plot.item.marked[0] == 41


def test_a_click_beside_all_points_sets_nothing(show):
    view = show("projection", encoding=encodings.create("index"), position=7)
    click(view, inside(view, view.plot, 0.5, 0.1))
    settle(view.model)
    assert view.model.state.position == 7


def test_the_wheel_shows_more_positions(show):
    view = show("projection", encoding=sines(18))
    wheel(view, inside(view, view.plot, 0.5, 0.5), -2)
    settle(view.model)
    assert view.model.state.count == round(50 * 0.8**-2)
    assert len(view.plot.item.trail.x) == view.model.state.count


def test_a_cursor_elsewhere_has_no_ring(show):
    view = show("projection", encoding=sines(18), position=99)
    assert view.plot.item.marked == (None, None)
    view.model.set(position=9)
    settle(view.model)
    assert view.plot.item.marked == (9, None)


def test_one_position_is_a_sentence_over_an_empty_plot(show):
    view = show("projection", encoding=sines(18), count=1)
    assert "it needs at least 2" in view.stage.sentence
    assert not view.plot.item.trail.visible
    click(view, inside(view, view.plot, 0.5, 0.5))
    settle(view.model)
    assert view.model.state.position == 0


def test_the_colours_follow_the_theme(show, qapp):
    view = show("projection", encoding=sines(18))
    qapp.set_theme("dark")
    settle(view.model)
    first = maps.order_table(on_dark=True)[0]
    np.testing.assert_array_equal(view.plot.item.order[0], first)
    qapp.set_theme("light")
    settle(view.model)
    np.testing.assert_array_equal(view.plot.item.order, maps.order_table(on_dark=False))


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
    assert "Projection by UMAP (cosine, seed 42)" in view.status
    assert view.plot.bottom.labelText == "UMAP 1"
    shown = view.plot.item.trail.x
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
    np.testing.assert_array_equal(view.plot.item.trail.x, shown)
    view.set_options(seed=1)
    wait_for_worker(view.model)
    assert fits == [42, 1]
    assert "seed 1)" in view.status


def test_without_umap_the_view_shows_pca_and_says_what_adds_it(show, monkeypatch):
    monkeypatch.setattr(umap_process, "missing", lambda: NOT_HERE)
    view = show("projection", encoding=sines(20), options={"method": "umap"})
    settle(view.model)
    assert view.status.startswith(f"{NOT_HERE}. PCA is shown instead. Projection: ")
    assert view.lack.text() == "UMAP is not installed"
    assert view.lack.toolTip() == f"{NOT_HERE}."
    assert view.plot.item.trail.visible
    assert view.header.combos["method"].currentData() == "pca"
    assert view.options.method == "umap"  # as soon as it is installed
    view.set_options(method="pca")
    settle(view.model)
    assert not view.lack.text()


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


def test_without_umap_the_seed_of_a_session_that_wants_it_can_be_changed(show, monkeypatch):
    monkeypatch.setattr(umap_process, "missing", lambda: NOT_HERE)
    view = show("projection", encoding=sines(20), options={"method": "umap"})
    view.set_options(seed=7)
    settle(view.model)
    assert (view.options.method, view.options.seed) == ("umap", 7)


def test_a_title_without_room_loses_its_last_parts_first(show):
    """The share of the variance is read where there is room for it, and a name is never cut."""
    found = []
    for side in (900, 330, 250, 200):
        view = show("projection", width=side + 160, height=side)
        label = view.plot.bottom.labelText
        assert "…" not in label, side
        found.append(label)
    assert found[0].endswith(" % of the variance")
    assert found[1].endswith(" %") or found[2].endswith(" %")
    assert found[-1].startswith("component 1")

"""Curves on the screen: no oscillation of theirs is hidden, however many positions there are."""

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.panels.cursor import Readout
from tests.support.gestures import inside, move, settle, wait_for_worker

E = encodings.create("sinusoidal", dim=32)
VIEWS = {"distances": {"part": "curve"}, "properties": {"part": "look-alikes"}}
every_view = pytest.mark.parametrize(("name", "options"), VIEWS.items())


def curve(view):
    wait_for_worker(view.model)
    (found,) = view.snapshot.figure.panels[0].curves
    return found


def heights(name, positions):
    """Return what the curve of a view has at positions by the rows: a distance, or a likeness."""
    first, rows = E.table([0]), E.table(positions)
    likeness = (rows @ first.T)[:, 0] / (E.dim / 2)
    return likeness if name == "properties" else 1 - likeness


@every_view
def test_it_goes_through_every_position_as_far_as_these_are_few(show, name, options):
    view = show(name, 500, 400, options, encoding=E, count=5000)
    found = curve(view)
    np.testing.assert_array_equal(found.x, np.arange(5000))
    np.testing.assert_allclose(found.y, heights(name, range(5000)), atol=1e-12)
    assert found.band is None


@every_view
def test_more_are_between_the_least_and_the_greatest(show, name, options):
    view = show(name, 500, 400, options, encoding=E, count=60_000)
    found = curve(view)
    block = round(found.x[1] - found.x[0])
    whole = 60_000 // block
    blocks = heights(name, range(whole * block)).reshape(whole, block)
    assert found.band.is_exact
    np.testing.assert_allclose(found.band.low[:whole], blocks.min(axis=1), atol=1e-12)
    np.testing.assert_allclose(found.band.high[:whole], blocks.max(axis=1), atol=1e-12)


@every_view
def test_very_many_are_within_proven_bounds(show, name, options):
    view = show(name, 500, 400, options, encoding=E, count=10**9)
    found = curve(view)
    assert not found.band.is_exact
    block = round(found.x[1] - found.x[0])
    for column in (0, 1, len(found.x) // 2, len(found.x) - 2):
        somewhere = np.linspace(column * block, (column + 1) * block - 1, 5000).astype(int)
        drawn = heights(name, somewhere)
        assert found.band.low[column] - 1e-9 <= drawn.min()
        assert drawn.max() <= found.band.high[column] + 1e-9


def test_a_coarse_picture_of_many_positions_has_bounds(show):
    view = show("distances", 500, 400, VIEWS["distances"], encoding=E, count=10**6)
    wait_for_worker(view.model)
    view.model.set_encoding("sinusoidal", dim=32, base=999.0)
    view.model.emit_changes()
    (found,) = view.snapshot.figure.panels[0].curves
    assert view.model.worker.is_busy("distances")
    assert not found.band.is_exact
    assert curve(view).band.is_exact


def test_the_read_out_has_the_number_of_the_position_under_the_mouse(show):
    view = show("distances", 500, 400, VIEWS["distances"], encoding=E, count=10**6)
    wait_for_worker(view.model)
    readout = Readout()
    readout.show_view("distances")
    readout.attach(view.model)
    move(view, inside(view, "curve", 0.31, 0.5))
    settle(view.model)
    position = view.model.preview.position
    assert 300_000 < position < 320_000
    (wanted,) = heights("distances", [position])
    text = readout.label.text()
    readout.detach()
    assert f"{position:,}" in text
    assert any(
        abs(float(word) - wanted) < 1e-5
        for word in text.replace(",", "").replace("−", "-").split()
        if word.replace(".", "").isdigit() and "." in word
    )

"""Axes of curves: no large part of them is empty, and nothing lies beyond them."""

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.exploration import Pin
from pe_explorer.pictures.pixels import Size
from tests.support.states import figure_of

S = encodings.create
PIN = (Pin(S("sinusoidal", base=100.0), "pin"),)
FIELDS = {  # some of these would leave half of the axis empty or more
    "a quiet half": ("waves", {"dimensions": [64, 76, 90, 126]}, {}),
    "the slowest pair": ("waves", {"dimensions": [126, 127]}, {}),
    "slow angles": ("waves", {"quantity": "angle", "angle_turns": "one", "dimensions": [90]}, {}),
    "two positions": ("waves", {}, {"count": 2, "start": 1}),
    "hardly negative": ("distances", {"part": "curve"}, {"metric": "similarity", "start": -30}),
    "a negative pin": ("distances", {}, {"metric": "dot", "count": 1000, "pins": PIN}),
    "a larger matrix": (
        "distances", {}, {"metric": "sse", "encoding": S("sinusoidal", waves="sine", dim=64)}
    ),
    "alike": ("properties", {}, {"start": -30, "pins": PIN}),
    "correlated": ("properties", {}, {"metric": "correlation", "count": 1000}),
    "a tall pin": ("properties", {}, {"metric": "sse", "encoding": S("binary"), "pins": PIN}),
}  # fmt: skip


@pytest.mark.parametrize("name", FIELDS)
def test_curves_and_0_fill_most_of_an_axis(name):
    view, options, fields = FIELDS[name]
    figure = figure_of(view, options, **fields)
    panel = next(panel for panel in figure.panels if panel.y.origin is None)
    y = np.concatenate([np.append(curve.y, 0.0) for curve in panel.curves])
    low, high = np.nanmin(y), np.nanmax(y)
    assert panel.y.low <= low <= high <= panel.y.high
    strip = panel.cells.place.height if panel.cells else 0.0
    assert high - low + strip >= 0.5 * panel.y.length


def test_a_band_of_a_pin_on_another_scale_fills_the_axis():
    size, e = Size(300, 2, ranges=10**6), S("sinusoidal", dim=16)
    figure = figure_of("properties", {}, size, encoding=e, count=30_000, metric="sse", pins=PIN)
    (panel,) = figure.panels
    highest = max(curve.band.high.max() for curve in panel.curves)
    assert 0.5 * panel.y.high <= highest <= panel.y.high


def test_an_axis_of_values_stays_that_of_all_that_can_occur_where_curves_fill_it():
    for options in ({}, {"dimensions": [40, 41]}):
        (panel,) = figure_of("waves", options).panels
        assert (panel.y.low, panel.y.high) == (-1.1, 1.1)

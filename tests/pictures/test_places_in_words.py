"""Where words say that something is, is where the figure has it."""

import math

import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from pe_explorer.pictures.spots import FigurePoint, ViewPlace, find_figure_point
from tests.gallery.figures import figure_of_state

E, SMALL = (encodings.create("sinusoidal", dim=18, base=base) for base in (1e4, 1e2))
STATE = Exploration(encoding=E, start=5, count=40, reference=7, pins=(Pin(SMALL, "small"),))
WORDS = STATE.with_(start=0, count=8)
CURVE, BOTH = {"part": "curve"}, {"part": "both"}
PAIR = 1e4 ** (-8 / 18)  # the frequency of pair 4


def figure_and_spot(view, where, options, state=STATE):
    """Return a figure, and the spot of a place in a view by the place's own words."""
    state = pictures.with_options(state, view, **options)
    figure = figure_of_state(state, view)
    return figure, find_figure_point(
        figure, resolve(state, DirectStore()), ViewPlace(view, **where)
    )


def cosine(one, other, e=E):
    a, b = e.table([one, other])
    return 1 - a @ b / np.linalg.norm(a) / np.linalg.norm(b)


PLACES = [
    # a cell, a pair, a row and a column of the heatmap, also of some columns or a second window
    ("heatmap", {"position": 11, "dimension": 3}, {}, ("cells", 3, 6)),
    ("heatmap", {"position": 44, "dimension": 17}, {"upward": True}, ("cells", 17, 39)),
    ("heatmap", {"position": 9, "pair": 4}, {}, ("cells", 8, 4)),
    ("heatmap", {"position": 9}, {}, ("cells", 0, 4)),
    ("heatmap", {"dimension": 9}, {}, ("cells", 9, 0)),
    ("heatmap", {"position": 9, "dimension": 9}, {"first": 8, "dimensions": 4}, ("cells", 1, 4)),
    (
        "heatmap",
        {"position": 9, "dimension": 9},
        {"quantity": "angle", "pairs": True},
        ("cells", 4, 4),
    ),
    ("heatmap", {"position": 103, "dimension": 2}, {"second": 100}, ("second", 2, 3)),
    # distances, of the current encoding and of a pin
    ("distances", {"position": 30}, BOTH, ("curve", 25, cosine(7, 30))),
    ("distances", {"position": 30, "encoding": 1}, CURVE, ("curve", 25, cosine(7, 30, SMALL))),
    ("distances", {"position": 30, "value": 0.25}, CURVE, ("curve", 25, 0.25)),
    ("distances", {"position": 30, "other": 12}, BOTH, ("matrix", 7, 25)),
    ("distances", {"position": 30, "other": 12}, {"part": "matrix"}, ("matrix", 7, 25)),
    # waves, between positions too
    ("frequencies", {"pair": 4}, {"axis": "linear"}, ("curve", 4, PAIR)),
    ("frequencies", {"pair": 4}, {}, ("curve", 4, math.log10(PAIR))),
    ("frequencies", {"dimension": 9, "encoding": 1}, {}, ("curve", 4, math.log10(PAIR) / 2)),
    ("frequencies", {"pair": 4, "value": 0.1}, {}, ("curve", 4, -1)),
    ("waves", {"position": 7, "dimension": 1}, {"dimensions": (0, 1)}, ("curves", 2, math.cos(7))),
    (
        "waves",
        {"position": 9.5, "dimension": 1},
        {"dimensions": (0, 1)},
        ("curves", 4.5, math.cos(9.5)),
    ),
    ("waves", {"position": 7, "encoding": 1}, {"dimensions": (0,)}, ("curves", 2, math.sin(7))),
    ("waves", {"position": 7}, {"dimensions": (0, 1)}, ("curves", 2, math.sin(7))),
    # the matrix of a shift, and its tables
    ("shift", {"row": 1, "column": 0}, {"k": -10}, ("matrix", 0, 1)),
    ("shift", {"dimension": 4}, {"k": -10}, ("matrix", 4, 4)),
    ("shift", {"position": 9, "dimension": 2}, {"part": "tables"}, ("moved", 2, 4)),
]


@pytest.mark.parametrize(("view", "where", "options", "there"), PLACES)
def test_a_place_is_where_the_figure_has_it(view, where, options, there):
    _, point = figure_and_spot(view, where, options)
    off = 0.02 if view == "waves" else 1e-9
    assert point.panel == there[0]
    assert (point.x, point.y) == pytest.approx(there[1:], abs=off)


@pytest.mark.parametrize(
    ("view", "where", "options", "state", "number"),
    [
        ("heatmap", {"position": 11, "dimension": 3}, {}, STATE, math.cos(11 * 1e4 ** (-2 / 18))),
        ("heatmap", {"position": 103, "dimension": 0}, {"second": 100}, STATE, math.sin(103)),
        ("distances", {"position": 30, "other": 12}, BOTH, STATE, cosine(12, 30)),
        ("shift", {"row": 1, "column": 0}, {"k": -10}, STATE, -math.sin(10)),
        ("projection", {"position": 30}, {}, STATE, 30),
    ],
)
def test_the_number_there_is_that_of_the_place(view, where, options, state, number):
    figure, there = figure_and_spot(view, where, options, state)
    assert figure.panel(there.panel).find_value(there.x, there.y) == pytest.approx(number)


@pytest.mark.parametrize(
    ("view", "where", "options", "state", "panel", "place"),
    [
        ("distances", {"value": 0.5}, {"part": "histogram"}, STATE, "histogram", 0.5),
        ("shift", {"position": 9}, {"part": "residual"}, STATE, "residual", 4),
        ("properties", {"position": 30}, {}, STATE, "likeness", 25),
        (
            "tokens",
            {"position": 2},
            {"part": "moved", "before": "She told only him that she loved him."},
            WORDS,
            "moved",
            2,
        ),
    ],
)
def test_a_place_on_a_curve_is_at_its_height(view, where, options, state, panel, place):
    figure, there = figure_and_spot(view, where, options, state)
    assert (there.panel, there.x) == (panel, place)
    assert there.y == pytest.approx(figure.panels[0].curves[0].find_value(place))


def test_words_and_how_alike_they_are():
    for where, options, there in (
        ({"position": 5, "dimension": 2}, {}, FigurePoint("rows", 2, 5)),
        ({"position": 4, "other": 0}, BOTH, FigurePoint("after", 0, 4)),
        ({"position": 4, "other": 0}, {"part": "similarity"}, FigurePoint("after", 0, 4)),
    ):
        assert figure_and_spot("tokens", where, options, WORDS)[1] == there


@pytest.mark.parametrize(
    ("view", "where", "options"),
    [
        ("heatmap", {"position": 4, "dimension": 0}, {}),
        ("heatmap", {"position": 45, "dimension": 0}, {}),
        ("heatmap", {"position": 9, "dimension": 9}, {"first": 10, "dimensions": 4}),
        ("heatmap", {"position": 99, "dimension": 2}, {"second": 100}),
        ("distances", {"position": 45}, CURVE),
        ("distances", {"position": 30, "encoding": 2}, CURVE),
        ("clocks", {"pair": 9}, {}),
        ("frequencies", {"pair": 9}, {}),
        ("waves", {"position": 7, "dimension": 5}, {"dimensions": (0, 1)}),
        ("shift", {"row": 18, "column": 0}, {}),
        ("projection", {"position": 99}, {}),
    ],
)
def test_what_is_not_shown_is_nowhere(view, where, options):
    assert figure_and_spot(view, where, options)[1] is None


def test_a_clock_and_the_end_of_its_hand():
    figure, there = figure_and_spot("clocks", {"pair": 4}, {})
    grid, angle = figure.clocks.grid, 30 * PAIR
    x, y = grid.centres[4]
    assert (
        there == figure_and_spot("clocks", {"dimension": 9}, {})[1] == FigurePoint("clocks", x, y)
    )
    for options, across, up in (
        ({}, math.sin(angle), math.cos(angle)),
        ({"direction": "cos-sin"}, math.cos(angle), math.sin(angle)),
    ):
        _, there = figure_and_spot("clocks", {"pair": 4, "position": 30}, options)
        hand = x + grid.radius * across, y - grid.radius * up
        assert (there.x, there.y) == pytest.approx(hand)
    alone = STATE.with_(encoding=encodings.create("sinusoidal", dim=2), pins=())
    figure, there = figure_and_spot("clocks", {"pair": 0}, {}, alone)
    assert there == FigurePoint("clocks", *figure.clocks.grid.centres[0])

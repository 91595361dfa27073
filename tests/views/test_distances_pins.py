"""The curves of pinned encodings, and their legend."""

import threading
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor

from pe_explorer import encodings, pictures
from pe_explorer.analysis import distance
from pe_explorer.exploration import PIN_COLOURS, Pin
from pe_explorer.model import Exploration
from pe_explorer.pictures.distances import Distances
from pe_explorer.pictures.pixels import Size
from pe_explorer.widgets.theme import palette_of, pin_shade
from tests.support.computing import compute_with
from tests.support.gestures import click, settle, wait_for_worker
from tests.support.images import pixels
from tests.support.measures import usual_distances
from tests.support.pairwise import pairwise
from tests.support.pictures import draw

S = encodings.create


def state(e, *pins, **fields):
    made = tuple(
        Pin(pin, f"pin {k}", colour)
        for k, (pin, colour) in enumerate(zip(pins, PIN_COLOURS, strict=False))
    )
    return Exploration(encoding=e, pins=made, **fields)


def made(size, e, *pins, **fields):
    return Distances.compute(state(e, *pins, **fields), Size(*size), threading.Event())


@pytest.mark.parametrize("metric", distance.METRICS)
def test_every_pin_has_its_curve_from_the_same_reference(metric):
    others = S("sinusoidal", dim=8, base=50.0), S("binary", dim=12), S("fraction", dim=3, length=9)
    shown = made(
        (300, 100), S("sinusoidal", dim=12), *others, metric=metric, start=3, count=40, reference=17
    )
    for e, curve in zip(others, shown.curves[1:], strict=True):
        table = e.table(range(3, 43))
        np.testing.assert_allclose(
            curve, usual_distances(metric, e.table([17]), table)[0], rtol=1e-9, atol=1e-9
        )
    low, high = shown.curve_limits
    drawn = [curve for curve in shown.curves if np.isfinite(curve).any()]
    assert len(drawn) == (3 if metric == "correlation" else 4)  # equal numbers do not correlate
    assert all(low <= curve.min() and curve.max() <= high for curve in drawn)


def test_pins_leave_the_matrix_and_without_them_all_is_as_before():
    e = S("sinusoidal", dim=12)
    alone, beside = (
        made((300, 100), e, *pins, metric="euclidean") for pins in ((), (S("index", dim=12),))
    )
    np.testing.assert_array_equal(alone.matrix.indices, beside.matrix.indices)
    assert alone.matrix.limits == beside.matrix.limits == alone.curve_limits
    assert beside.curve_limits[1] > 100 > alone.matrix.limits[1]


def test_costs_count_the_pins():
    size = Size(300, 100)

    def cost(*pins):
        return Distances.cost(state(S("sinusoidal"), *pins, count=300), size)

    waves = cost(S("sinusoidal")) - cost()
    assert (
        300 * 128 / 2 < waves < 300 * 128
    )  # an offset in closed form is half a value; phases come first
    tables = cost(S("binary", dim=64)) - cost()
    assert 300 * 64 < tables < 3 * 300 * 64  # the two tables, and less for each comparison
    assert cost(S("sinusoidal"), S("binary", dim=64)) - cost() == pytest.approx(waves + tables)


# -- on the screen ---------------------------------------------------------------------------------


def pins(*bases, **more):
    return tuple(
        Pin(S("sinusoidal", base=base, **more), f"base {base}", colour)
        for base, colour in zip(bases, PIN_COLOURS, strict=False)
    )


def test_curves_and_legend_come_and_go_with_the_pins(show):
    view = show("distances")
    assert not view.curve_plot.curve_set.legend.isVisible()
    view.model.set(pins=pins(50, 500))
    settle(view.model)
    assert view.curve_plot.curve_set.legend.names == ("b = 10,000", "base 50", "base 500")
    assert view.curve_plot.curve_set.legend.isVisible()
    assert [line.isVisible() for line in view.curve_plot.curve_set.lines[1:]] == [True, True]
    assert all(
        line.zValue() < view.curve_plot.curve_set.lines[0].zValue()
        for line in view.curve_plot.curve_set.lines[1:]
    )
    _, y = view.curve_plot.curve_set.lines[1].getData()
    np.testing.assert_allclose(
        y, distance.from_reference(S("sinusoidal", base=50), 0, range(50)), atol=1e-15
    )
    view.model.set(pins=pins(50))
    settle(view.model)
    assert [line.isVisible() for line in view.curve_plot.curve_set.lines[1:]] == [True, False]
    view.model.set(pins=())
    settle(view.model)
    assert not view.curve_plot.curve_set.legend.isVisible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_curves_have_the_colours_of_their_pins(show, qapp, theme):
    view = show("distances", pins=pins(20, 1e9))
    qapp.set_theme(theme)
    settle(view.model)
    for line, colour in zip(view.curve_plot.curve_set.lines[1:], PIN_COLOURS, strict=False):
        assert line.opts["pen"].color() == QColor(pin_shade(colour, view.palette()))


def test_one_position_is_a_level_line_for_pins_too(show):
    view = show("distances", count=1, pins=pins(50), reference=9)
    x, y = view.curve_plot.curve_set.lines[1].getData()
    assert (x[0], x[1], y[0]) == (-0.5, 0.5, y[1])


def test_a_pin_without_distances_is_named_so(show):
    view = show("distances", pins=(Pin(S("index"), "index"),))
    assert view.curve_plot.curve_set.legend.names == (
        "sinusoidal",
        "index: no cosine distance from position 0",
    )  # a row of zeros
    view.model.set(reference=3)
    settle(view.model)
    assert view.curve_plot.curve_set.legend.names == ("sinusoidal", "index")


def test_a_name_is_cut_before_it_says_why_there_is_no_curve(show):
    view = show("distances", 1400, 700, pins=(Pin(S("index"), "a long name"),))
    legend = view.curve_plot.curve_set.legend
    assert [text for text, _ in legend._rows] == list(legend.names)
    view.resize(480, 340)
    settle(view.model)
    assert legend.names[1] == "a long name: no cosine distance from position 0"
    assert "no cosine distance" not in legend._rows[1][0]
    assert legend._rows[1][0].endswith(": none")


def behind(view):
    """Return how many of the points of all curves lie behind names or their legend."""
    legend, box = view.curve_plot.curve_set.legend, view.curve_plot.box
    places = [legend.mapRectToScene(each) for each in legend._ends or [legend.boundingRect()]]
    points = [
        box.mapViewToScene(QPointF(x, y))
        for line in view.curve_plot.curve_set.lines
        for x, y in zip(*line.getData(), strict=True)
    ]
    return sum(place.contains(point) for place in places for point in points)


@pytest.mark.parametrize("metric", ["cosine", "dot", "euclidean"])
@pytest.mark.parametrize("reference", [0, 25, 49])
def test_the_legend_stays_inside_and_hides_no_curve(show, metric, reference):
    view = show("distances", metric=metric, reference=reference, pins=pins(500))
    box = view.curve_plot.box.sceneBoundingRect()
    assert box.contains(
        view.curve_plot.curve_set.legend.mapRectToScene(
            view.curve_plot.curve_set.legend.boundingRect()
        )
    )
    assert behind(view) <= 15  # of 100


@pytest.mark.parametrize("size", [(420, 280), (554, 344)])
@pytest.mark.parametrize("metric", ["cosine", "dot"])
@pytest.mark.parametrize("count", [200, 200_000])
def test_the_legend_leaves_the_badge_to_be_read(show, size, metric, count):
    view = show("distances", *size, metric=metric, count=count, pins=pins(9_000))
    badge, legend = view.curve_plot.badge, view.curve_plot.curve_set.legend
    for _ in range(2):
        assert badge.isVisible()
        assert legend.isVisible()
        places = [item.mapRectToScene(item.boundingRect()) for item in (badge, legend)]
        assert not places[0].intersects(places[1].adjusted(1, 1, -1, -1))
        view.resize(size[0] + 40, size[1] + 30)
        settle(view.model)


@pytest.mark.parametrize("size", [(330, 200), (500, 300), (1400, 700)])
def test_eight_long_names_fit(show, size):
    made = tuple(
        Pin(S("sinusoidal", base=2.0 + k), f"{'a very long name' * 3} {k}", colour)
        for k, colour in enumerate(PIN_COLOURS)
    )
    view = show("distances", *size, pins=made)
    box, legend = (
        view.curve_plot.box.sceneBoundingRect(),
        view.curve_plot.curve_set.legend.mapRectToScene(
            view.curve_plot.curve_set.legend.boundingRect()
        ),
    )
    assert box.contains(legend) or box.width() < 60
    assert legend.height() < 0.75 * box.height() or box.height() < 80
    view.resize(700, 420)
    settle(view.model)
    assert view.curve_plot.box.sceneBoundingRect().contains(
        view.curve_plot.curve_set.legend.mapRectToScene(
            view.curve_plot.curve_set.legend.boundingRect()
        )
    )


@pytest.mark.parametrize("size", [(260, 190), (334, 175), (336, 265), (360, 166)])
def test_a_narrow_legend_has_whole_words(show, size):
    e = S("sinusoidal", dim=128, base=1e4)
    pins = (Pin(S("sinusoidal", dim=128, base=500.0), "sinusoidal d=128 b=500"),)
    view = show("distances", *size, encoding=e, pins=pins)
    names = set(view.curve_plot.curve_set.legend.texts)
    assert names == {"b = 10,000", "b = 500"}


def test_a_small_view_shows_curve_or_matrix_as_large_as_it_can(show):
    view = show("distances", 336, 265)
    canvases = {part: view.stage.canvas_of(view.plots[part]) for part in ("curve", "matrix")}
    assert canvases["curve"].isVisible()
    assert canvases["matrix"].isHidden()
    assert view.choices.part_box.isVisibleTo(view.header)
    assert view.curve_plot.box.width() > 200
    box = view.choices.part_box
    box.setCurrentIndex(box.findData("matrix"))
    settle(view.model)
    assert canvases["curve"].isHidden()
    assert view.matrix_plot.box.width() >= 160
    assert view.matrix_plot.box.width() == view.matrix_plot.box.height()
    assert view.options.part == "both"  # nothing of the document was changed
    assert pictures.find("distances").options(view.seen(view.model.state)).part == "matrix"
    view.resize(700, 400)
    settle(view.model)
    assert not any(canvas.isHidden() for canvas in canvases.values())
    assert not view.choices.part_box.isVisibleTo(view.header)
    assert view.curve_plot.bottom.labelText == "position"


def test_words_about_the_matrix_show_it_where_there_is_room_for_one(show):
    view = show("distances", 336, 265)
    view.favour({"matrix"})
    settle(view.model)
    assert view.stage.canvas_of(view.matrix_plot).isVisible()


def test_the_bar_lies_below_a_matrix_that_is_narrow(show):
    view = show("distances", 300, 600, options={"part": "matrix"})
    box, bar = view.matrix_plot.box, view.matrix_plot.bar
    assert box.width() == box.height() > 200
    assert bar.sceneBoundingRect().top() >= box.sceneBoundingRect().bottom()


def test_the_mouse_goes_through_the_legend(show):
    view = show("distances", pins=pins(50, 50, 50))
    middle = view.curve_plot.curve_set.legend.mapRectToScene(
        view.curve_plot.curve_set.legend.boundingRect()
    ).center()
    point = view.stage.canvas.mapFromScene(middle)
    click(view, point)
    settle(view.model)
    assert view.model.state.position == round(view.curve_plot.box.mapSceneToView(middle).x())


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_exported_pictures_have_the_legend(theme, scale):
    with_pins, without = (
        draw("distances", state(S("sinusoidal"), *others), 800, 400, scale, theme)
        for others in ((S("sinusoidal", base=500),), ())
    )
    shade = pin_shade("magenta", palette_of(theme))
    colour = QColor(shade)
    of_pin = (colour.blue(), colour.green(), colour.red())
    many, none = ((pixels(each) == of_pin).all(axis=2).sum() for each in (with_pins, without))
    assert many >= 16 * scale  # the stroke beside the name, at least
    assert none == 0


def test_long_work_goes_to_the_worker_and_arrives(show):
    view = show("distances", 1200, pins=pins(50, 500, dim=4096), metric="manhattan")
    view.model.set(count=300)
    wait_for_worker(view.model)
    assert [len(line.getData()[1]) for line in view.curve_plot.curve_set.lines[1:]] == [300, 300]


def test_another_name_or_colour_is_drawn_and_nothing_computed(show):
    view = show("distances", pins=pins(50, 500))
    view.redraw()  # for the room that the numbers beside the first picture left
    view.refresh()
    calls, own = [], view.picture.compute
    compute_with(view, lambda *given: calls.append(given) or own(*given))
    first, second = view.model.state.pins
    view.model.set(pins=(replace(first, name="mine", colour="teal"), second))
    settle(view.model)
    assert calls == []
    assert view.curve_plot.curve_set.legend.names == ("b = 10,000", "mine", "base 500")
    assert view.curve_plot.curve_set.lines[1].opts["pen"].color() == QColor(
        pin_shade("teal", view.palette())
    )
    view.model.set(pins=(second, first))
    settle(view.model)
    assert len(calls) == 1
    np.testing.assert_allclose(
        view.curve_plot.curve_set.lines[1].getData()[1],
        distance.from_reference(second.encoding, 0, range(50)),
        atol=1e-15,
    )


def test_a_name_given_while_it_computes_is_the_one_shown(show):
    view = show("distances", 1200, pins=pins(50, 500, dim=4096), metric="manhattan")
    first, second = view.model.state.pins
    view.model.set(count=301)
    view.model.announce()
    assert view.model.worker.busy("distances")
    view.model.set(pins=(replace(first, name="mine"), second))
    view.model.announce()
    wait_for_worker(view.model)
    assert view.curve_plot.curve_set.legend.names == ("d = 128, b = 10,000", "mine", "base 500")
    assert len(view.curve_plot.curve_set.lines[1].getData()[1]) == 301


@pytest.mark.parametrize(
    ("metric", "own", "words"),
    [
        ("cosine", "exact means", "Curves of pins: 1 of exact means, 2 of samples."),
        (
            "euclidean",
            "roots of mean squares",
            "Curves of pins: 1 of roots of mean squares, 2 of samples.",
        ),
        ("dot", "exact means", ""),
        ("manhattan", "samples", ""),
    ],
)
def test_the_status_tells_what_the_curves_of_pins_are(show, metric, own, words):
    others = tuple(Pin(S(name, dim=16), name) for name in ("sinusoidal", "binary", "index"))
    view = show(
        "distances",
        metric=metric,
        encoding=S("sinusoidal", dim=16),
        pins=others,
        count=10**6,
        reference=5,
    )
    wait_for_worker(view.model)
    assert view.status.startswith(f"Distances: {own} of ")
    assert view.status.endswith(words or "for each pixel of the matrix.")
    view.model.set(pins=others[:1])
    wait_for_worker(view.model)
    assert view.status.endswith("for each pixel of the matrix.")
    view.model.set(encoding=S("binary", dim=16))
    wait_for_worker(view.model)
    assert ("Curves of pins: 1 of" in view.status) == (metric in ("cosine", "euclidean"))


@pytest.mark.parametrize(
    ("width", "height", "part"),
    [
        *pairwise([60, 130, 240, 400], [40, 130, 180, 600], ["both", "matrix"]),
        *((900, height, part) for height in (40, 600) for part in ("both", "matrix")),
    ],
)
def test_several_matrices_are_as_many_as_have_room(show, width, height, part):
    pins = [Pin(S("sinusoidal", dim=8, base=500.0), "slow")]
    options = {"show": "current pinned difference", "part": part, "below": "dot"}
    view = show("distances", width, height, options, encoding=S("sinusoidal", dim=8), pins=pins)
    settle(view.model)
    names = ["curve", "second-curve", "matrix", "matrix-pinned", "matrix-difference"]
    seen = [name for name in names if view.stage.canvas_of(view.plot_of(name)).isVisible()]
    assert seen == names[names.index(seen[0]) :][: len(seen)]
    assert len(seen) >= 1
    if width == 900 and height == 600:
        assert seen == names[0 if part == "both" else 2 :]


@pytest.mark.parametrize("name", ["heatmap", "distances", "shift"])
def test_pictures_stand_in_the_order_that_was_asked_for_whichever_was_made_first(show, name):
    pins = [Pin(S("sinusoidal", dim=8, base=500.0), "slow")]
    part = {"distances": {"part": "matrix"}}.get(name, {})
    view = show(name, 1500, 500, part, encoding=S("sinusoidal", dim=8), pins=pins)
    for wanted in ("current difference", "current pinned difference"):
        if name == "heatmap":
            view.model.set(show=wanted)
        else:
            view.set_option("show", wanted)
        settle(view.model)
        frame = view.picture.frame(view.model.state)
        canvases = [view.stage.canvas_of(view.plot_of(panel.name)) for panel in frame.panels]
        assert len(canvases) == len(wanted.split())
        places = [canvas.mapTo(view, canvas.rect().topLeft()).x() for canvas in canvases]
        assert places == sorted(set(places))

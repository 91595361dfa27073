"""What a pixel stands for, in a corner of the picture; and which colours are really shown."""

import threading

import pytest

from pe_explorer import encodings, pictures
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from pe_explorer.pictures.pixels import Size
from tests.support.cases import for_each
from tests.support.gestures import settle
from tests.support.pictures import draw

ONE_KIND = encodings.create("sinusoidal", dim=128, waves="sine")
PIN = Pin(encodings.create("sinusoidal", base=50.0), "pin")


def badges(name, size, options=None, **fields):
    state = resolve(
        pictures.with_options(Exploration(**fields), name, **(options or {})), DirectStore()
    )
    picture = pictures.find(name)
    figure = picture.figure(state, picture.compute(state, Size(*size), threading.Event()))
    return [panel.badge for panel in figure.panels]


@for_each(
    ("size", "options", "badge"),
    [
        ((300, 100), {}, "mean of 12 positions"),
        ((300, 1200), {}, ""),
        ((64, 1200), {}, "sines and cosines of 2 pairs"),
        ((50, 1200), {}, "sines and cosines of 2.6 pairs"),
        ((10, 1200), {}, "sines and cosines of 13 pairs"),
        ((64, 100), {}, "mean of 12 positions, sines and cosines of 2 pairs"),
        ((64, 100), {"pixel": "sample"}, "first of 12 positions, sines and cosines of 2 pairs"),
        ((64, 100), {"quantity": "angle"}, "mean of 12 positions, first of 2 dimensions"),
        ((64, 1200), {"encoding": ONE_KIND}, "mean of 2 dimensions"),
        ((64, 100), {"encoding": ONE_KIND}, "mean of 12 positions × 2 dimensions"),
    ],
)
def test_a_pixel_of_a_heatmap(size, options, badge):
    fields = {"encoding": options.pop("encoding")} if "encoding" in options else {}
    assert badges("heatmap", size, options, count=1200, **fields) == [badge]


@pytest.mark.parametrize(
    ("encoding", "metric", "on_curve", "in_matrix"),
    [
        ("sinusoidal", "cosine", "mean of 10 positions", "mean of 30 × 30 positions"),
        ("sinusoidal", "manhattan", "middle of 10 positions", "middle of 30 × 30 positions"),
        (
            "sinusoidal",
            "euclidean",
            "root mean square of 10 positions",
            "root mean square of 30 × 30 positions",
        ),
    ],
)
def test_a_pixel_of_distances(encoding, metric, on_curve, in_matrix):
    fields = {"encoding": encodings.create(encoding), "metric": metric}
    assert badges("distances", (300, 100), count=3000, **fields) == [on_curve, in_matrix]
    assert badges("distances", (300, 100), count=80, **fields) == ["", ""]


def test_it_is_seen_on_the_screen_and_told_in_its_tooltip(show):
    view = show("heatmap", count=10**6)
    badge = view.plot.badge
    assert badge.isVisible()
    assert badge.text.startswith("mean of ")
    assert badge.text in badge.toolTip()
    place = badge.mapRectToParent(badge.boundingRect())
    assert view.plot.box.rect().contains(place)
    view.model.set(count=50)
    settle(view.model)
    assert not badge.isVisible()


@pytest.mark.parametrize("size", [(200, 140), (900, 600)])
def test_it_stays_inside_its_plot(show, size):
    view = show("distances", *size, count=10**9)
    for plot in (view.curve_plot, view.matrix_plot):  # the histogram has another badge
        place = plot.badge.mapRectToParent(plot.badge.boundingRect())
        assert plot.box.rect().contains(place) or not plot.badge.isVisible()
        assert plot.badge.isVisible() or min(size) < 200


def test_exported_figures_have_none(show):
    view = show("heatmap", count=10**6)
    view.hide_controls()
    view.model.set(count=10**5)
    settle(view.model)
    assert not view.plot.badge.isVisible()
    state = view.model.state
    pictures_ = [draw("heatmap", each, 400, 300, 1.0, "light") for each in (state, state)]
    assert pictures_[0] == pictures_[1]


TWO_SIDED = {"soft", "blue-red", "red-blue", "coolwarm", "coolwarm_r", "RdBu", "RdBu_r"}


@pytest.mark.parametrize(
    ("name", "fields", "options", "shown", "unsuited"),
    [
        ("heatmap", {"encoding": "index"}, {}, "viridis", TWO_SIDED),
        (
            "heatmap",
            {"pins": (PIN,), "show": "difference"},
            {"values": "grey"},
            "soft",
            {"viridis", "cividis", "grey"},
        ),
        ("distances", {}, {"values": "red-blue"}, "viridis", TWO_SIDED),
    ],
)
def test_a_view_names_the_colours_in_the_place_of_those_chosen(
    show, name, fields, options, shown, unsuited
):
    if "encoding" in fields:
        fields = {**fields, "encoding": encodings.create(fields["encoding"])}
    view = show(name, options=options, **fields)
    substitute = view.substitute
    assert (substitute.option, substitute.shown) == ("values", shown)
    assert set(substitute.unsuited) == unsuited
    assert substitute.why in view.status
    view.set_options(values=shown)
    settle(view.model)
    assert view.substitute is None

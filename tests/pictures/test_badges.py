"""What a pixel stands for, in few words; and which colours are shown in the place of others."""

import threading

import pytest

from pe_explorer import encodings, pictures
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from pe_explorer.pictures.pixels import Size

ONE_KIND = encodings.create("sinusoidal", dim=128, waves="sine")
DIFFERENCE = {
    "pins": (Pin(encodings.create("sinusoidal", base=50.0), "pin"),),
    "show": "difference",
}
TWO_SIDED = {"soft", "blue-red", "red-blue", "coolwarm", "coolwarm_r", "RdBu", "RdBu_r"}


def figure(name, size=(300, 200), options=None, **fields):
    state = pictures.with_options(Exploration(**fields), name, **(options or {}))
    picture, state = pictures.find(name), resolve(state, DirectStore())
    return picture.figure(state, picture.compute(state, Size(*size), threading.Event()))


def badges(name, size, options=None, **fields):
    return [panel.badge for panel in figure(name, size, options, **fields).panels]


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
    ("name", "fields", "values", "shown", "unsuited"),
    [
        ("heatmap", {"encoding": "index"}, "soft", "viridis", TWO_SIDED),
        ("heatmap", {"encoding": "index"}, "red-blue", "viridis", TWO_SIDED),
        ("heatmap", DIFFERENCE, "grey", "soft", {"viridis", "cividis", "grey"}),
        ("heatmap", {**DIFFERENCE, "show": "current"}, "grey", "", ()),
        ("distances", {}, "red-blue", "viridis", TWO_SIDED),
        ("distances", {"metric": "euclidean"}, "blue-red", "viridis", TWO_SIDED),
        ("distances", {"metric": "euclidean"}, "cividis", "", ()),
        ("distances", {"metric": "dot", "encoding": "sinusoidal"}, "blue-red", "", ()),
    ],
)
def test_colours_that_do_not_suit_the_numbers_are_replaced(name, fields, values, shown, unsuited):
    if "encoding" in fields:
        width = {"dim": 2} if name == "distances" else {}
        fields = {**fields, "encoding": encodings.create(fields["encoding"], **width)}
    found = figure(name, options={"values": values}, **fields)
    if not shown:
        assert found.substitute is None
        return
    assert (found.substitute.option, found.substitute.shown) == ("values", shown)
    assert set(found.substitute.unsuited) == set(unsuited)
    assert shown in found.status
    assert found.substitute.why in found.status
    assert {panel.cells.colour_map for panel in found.panels if panel.cells} == {shown}
    assert figure(name, options={"values": shown}, **fields).substitute is None

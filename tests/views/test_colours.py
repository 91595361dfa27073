import pytest

from pe_explorer import encodings
from pe_explorer.exploration import Pin

PIN = Pin(encodings.create("sinusoidal", base=50.0), "pin")


@pytest.mark.parametrize(
    ("name", "fields", "options", "says"),
    [
        (
            "distances",
            {"metric": "euclidean"},
            {"values": "blue-red"},
            "viridis, because blue-red needs values centred on 0",
        ),
        (
            "distances",
            {"metric": "dot", "encoding": encodings.create("sinusoidal", dim=2)},
            {"values": "blue-red"},
            "",
        ),
        ("distances", {"metric": "euclidean"}, {"values": "cividis"}, ""),
        (
            "heatmap",
            {"encoding": encodings.create("index")},
            {"values": "red-blue"},
            "viridis, because red-blue needs values centred on 0",
        ),
        (
            "heatmap",
            {"pins": (PIN,), "show": "difference"},
            {"values": "grey"},
            "soft, because differences lie on both sides of 0",
        ),
        (
            "heatmap",
            {"pins": (PIN,), "show": "difference"},
            {"values": "grey", "quantity": "angle"},
            "",
        ),
        ("heatmap", {"pins": (PIN,)}, {"values": "grey"}, ""),
    ],
)
def test_other_colours_than_the_chosen_ones_are_told(show, name, fields, options, says):
    view = show(name, options=options, **fields)
    found = view.status.partition(" Colours: ")[2]
    assert found == (f"{says}." if says else "")

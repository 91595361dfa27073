"""Fields of an exploration that every scheme has are called by words that fit every scheme."""

import pytest

from pe_explorer import quantities
from pe_explorer.exploration import Exploration
from pe_explorer.params import declared
from pe_explorer.pictures.heatmap import HeatmapOptions


@pytest.mark.parametrize("name", ["start", "count", "reference"])
def test_what_is_shown_may_be_offsets(name):
    kind = declared(Exploration)[name]
    assert kind.unit not in ("position", "positions")
    assert "position" not in kind.help.replace("position, or offset", "row").lower()


@pytest.mark.parametrize("name", ["first", "dimensions", "quantity"])
def test_columns_may_be_heads(name):
    kind = declared(HeatmapOptions)[name]
    words = [kind.label, kind.unit, kind.help, *getattr(kind, "choices", {}).values()]
    assert not any("dimension" in word.lower() for word in words)


def test_waves_may_be_of_cosines_and_sines():
    assert "dimension" not in quantities.find("angles").help

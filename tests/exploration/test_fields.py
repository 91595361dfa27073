"""Fields of an exploration that every scheme has are called by words that fit every scheme."""

from pe_explorer import quantities
from pe_explorer.exploration import Exploration
from pe_explorer.params import declared
from pe_explorer.pictures.heatmap import HeatmapOptions


def test_what_is_shown_may_be_offsets():
    for kind in (declared(Exploration)[name] for name in ("start", "count", "reference")):
        assert kind.unit not in ("position", "positions")
        assert "position" not in kind.help.replace("position, or offset", "row").lower()


def test_columns_may_be_heads_and_waves_cosines_and_sines():
    words = [quantities.find("angles").help]
    for kind in (declared(HeatmapOptions)[name] for name in ("first", "dimensions", "quantity")):
        words += [kind.label, kind.unit, kind.help, *getattr(kind, "choices", {}).values()]
    assert not any("dimension" in word.lower() for word in words)

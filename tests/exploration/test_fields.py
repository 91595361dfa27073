"""Fields of an exploration: defaults, limits, and labels that fit every scheme."""

import dataclasses
from itertools import product
from types import SimpleNamespace

import pytest

from pe_explorer import encodings, quantities
from pe_explorer.encodings import LIMIT, Unknown
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from pe_explorer.params import ParameterError, declared
from pe_explorer.pictures.heatmap import HeatmapOptions
from tests.support.samples import sample
from tests.support.sinusoids import rope, sinusoidal

NO_POSITIONS = [LIMIT + 1, -LIMIT - 1, "ten", None, float("nan"), float("inf"), 0.5, True, 10**400]


def test_defaults_are_the_papers_encoding_and_fifty_positions():
    state = Exploration()
    assert state.encoding == encodings.create("sinusoidal", dim=128, base=1e4)
    assert state.positions == range(50)
    assert (state.position, state.dimension, state.reference) == (0, 0, 0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        state.start = 3


def test_illegal_fields_are_refused():
    illegal = [*product(["start", "position", "reference"], NO_POSITIONS), ("metric", "cosin")]
    illegal += product(["count"], [0, -1, LIMIT + 1, 1.5, "many"])
    for name, value in illegal:
        with pytest.raises(ParameterError) as caught:
            Exploration(**{name: value})
        assert caught.value.name == name


def test_positions_beyond_two_to_the_53_are_refused():
    assert Exploration(start=LIMIT, count=1).positions[-1] == LIMIT
    for start, count, max_count in ((LIMIT, 2, 1), (LIMIT - 9, 11, 10)):
        with pytest.raises(ParameterError, match=f"at most {max_count}") as caught:
            Exploration(start=start, count=count)
        assert caught.value.name == "count"


@pytest.mark.parametrize("name", encodings.names())
def test_the_dimension_is_limited_by_the_width(name):
    narrow = sample(name, dim=3, head_dim=4, heads=3)
    wide = Exploration(encodings.create("sinusoidal", dim=60), dimension=59)
    state = resolve(wide.with_(encoding=narrow), DirectStore())
    assert state.dimension == narrow.width - 1 < 20
    assert state.with_(encoding=wide.encoding) == wide  # the intention has not changed


@pytest.mark.parametrize(
    ("e", "pin", "column_of_place"),
    [
        (rope(4), rope(4, layout="interleaved"), [0, 2, 1, 3, 4, 6, 5, 7]),
        (rope(2), rope(4), [0, None, 1, None, 2, None, 3, None]),
        (encodings.create("alibi", heads=2), sinusoidal(dim=2), [None, None]),
    ],
)
def test_the_cursor_is_on_the_column_with_the_same_meaning(e, pin, column_of_place):
    state = Exploration(e, pins=(Pin(pin),), show="pinned")
    for dimension in range(e.width):
        places = [place for place, column in enumerate(column_of_place) if column == dimension]
        assert state.with_(dimension=dimension).place == (places[0] if places else None)
    last_column = None
    for place, column in enumerate(column_of_place):
        last_column = last_column if column is None else column
        assert state.find_column(place) == last_column
    assert state.with_(pins=(Pin(Unknown("spiral", {}, "it is not known")),)).place is None


def test_the_name_follows_the_model_until_one_is_typed():
    near, far, other = (sinusoidal(base=base) for base in (2, 3, 4))
    opened = SimpleNamespace(names={"near": near, "far": far})
    state = Exploration(near, name="near", opened=opened)
    assert [state.with_(encoding=e).name for e in (far, other)] == ["far", ""]
    assert state.with_(encoding=far, name="mine").name == "mine"
    assert state.with_(name="mine").with_(encoding=far).name == "mine"
    assert state.with_(count=9).name == "near"


def test_labels_of_rows_fit_offsets():
    for parameter in (declared(Exploration)[name] for name in ("start", "count", "reference")):
        assert parameter.unit not in ("position", "positions")
        assert "position" not in parameter.help.replace("position or offset", "row").lower()


def test_labels_of_columns_fit_heads_and_sines():
    words = [quantities.find("angles").help]
    for parameter in (
        declared(HeatmapOptions)[name] for name in ("first", "dimensions", "quantity")
    ):
        words += [
            parameter.label,
            parameter.unit,
            parameter.help,
            *getattr(parameter, "choices", {}).values(),
        ]
    assert not any("dimension" in word.lower() for word in words)

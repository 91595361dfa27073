"""Unknown and invalid parts of a session are preserved."""

import json
from dataclasses import dataclass
from typing import ClassVar

import pytest
from hypothesis import given, strategies as st

from pe_explorer import encodings
from pe_explorer.encodings import EncodingError, Unknown, require_known
from pe_explorer.encodings.index import Index
from pe_explorer.exploration import Exploration, Pin
from pe_explorer.files.session import dumps, loads
from pe_explorer.params import Whole, declare, declared
from tests.support.unknown import LATER, NOT_KNOWN, add_scheme, document

ODD = {"name": "odd", "dim": 6, "groups": 4}


@dataclass(frozen=True)
class Odd(Index):
    """The index in groups of dimensions; some combinations of valid values are refused."""

    name: ClassVar[str] = "odd"
    groups: int = declare(Whole(4, 1, 100, label="Groups", help="How many."))

    def check_combination(self):
        if self.dim % self.groups:
            problem = f"{self.groups} do not divide {self.dim} dimensions"
            raise EncodingError("groups", problem)


WORDS = st.text(max_size=5)
NUMBERS = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)
UNHEARD = st.text(max_size=80).filter(lambda name: name not in encodings.names())


def opened(made):
    return loads(json.dumps(made))


def again(found):
    """Return the saved document of an opened session."""
    return json.loads(dumps(found.state, found.extra))


def test_unknown_encodings_round_trip():
    result = document(count=9, position=3, dimension=60_000)
    actual = opened(result)
    state, e = actual.state, actual.state.encoding
    assert (e.name, e.parameters) == ("x-helix", {"dim": 64, "theta": 5})
    (note,) = actual.notes
    assert note.startswith(f"encoding.name: {NOT_KNOWN}. ")
    dimension = result["cursor"]["dimension"]
    assert (state.count, state.position, state.dimension) == (9, 3, dimension)
    assert again(actual) == result
    assert opened(again(actual)).state == state


@given(
    UNHEARD,
    st.dictionaries(st.text(max_size=5).filter(lambda key: key != "name"), JSON, max_size=4),
)
def test_unknown_encodings_with_any_parameters_round_trip(name, parameters):
    spelled = {"name": name, **parameters}
    result = document(spelled, [("a", spelled)])
    del result["pins"][0]["name"]  # its default name follows from the encoding
    actual = opened(result)
    assert again(actual)["encoding"] == spelled
    assert again(actual)["pins"][0]["encoding"] == spelled
    assert opened(again(actual)).state == actual.state
    assert 1 <= len(actual.state.pins[0].name) <= declared(Pin)["name"].longest
    assert len(actual.notes) == 2
    for e in (actual.state.encoding, actual.state.pins[0].encoding):
        with pytest.raises(EncodingError) as exc_info:
            require_known(e)
        assert len(exc_info.value.problem) < 300
    assert loads(dumps(actual.state)).state == actual.state  # the saved text is valid


def test_unknown_pins_keep_their_order():
    result = document(
        {"name": "index", "dim": 16},
        [("a", {"name": "index", "dim": 3}), ("r", LATER), ("b", {"name": "binary", "dim": 5})],
    )
    result["comparison"] = {"compared": 1, "show": "difference", "name": "here"}
    actual = opened(result)
    assert [pin.name for pin in actual.state.pins] == ["a", "r", "b"]
    assert (actual.state.compared, actual.state.show, actual.state.pin.encoding.name) == (
        1,
        "difference",
        "x-helix",
    )
    assert [note.partition(":")[0] for note in actual.notes] == ["pins[1].encoding.name"]
    assert again(actual) == result


def test_conflicting_parameters_are_preserved(monkeypatch):
    add_scheme(monkeypatch, Odd)
    result = document(ODD, [("bad", ODD), ("good", {**ODD, "groups": 2})])
    actual = opened(result)
    assert isinstance(actual.state.encoding, Unknown)
    assert actual.state.pins[1].encoding == Odd(dim=6, groups=2)
    problem = "groups: 4 do not divide 6 dimensions"
    assert len(actual.notes) == 2
    for note, place in zip(actual.notes, ("encoding", "pins[0].encoding"), strict=True):
        assert note.startswith(f"{place}.{problem}. ")
    assert again(actual) == result
    with pytest.raises(EncodingError, match="odd: groups: 4 do not divide 6 dimensions"):
        require_known(actual.state.encoding)
    # with a default, and another error
    spelled = {"name": "odd", "dim": "wide", "groups": 5, "twist": [1]}
    actual = opened(document(spelled))
    assert (actual.state.encoding.parameters, len(actual.notes)) == (
        {"dim": "wide", "groups": 5, "twist": [1]},
        1,
    )
    assert again(actual)["encoding"] == spelled


def test_conflicting_options_are_reported(monkeypatch):
    from pe_explorer import pictures
    from pe_explorer.params import ParameterError
    from pe_explorer.pictures.clocks import ClockOptions

    def refuse(self):
        super(ClockOptions, self).__post_init__()
        if self.first and self.direction == "cos-sin":
            raise ParameterError("first", "must be 0 there")

    monkeypatch.setattr(ClockOptions, "__post_init__", refuse)
    result = json.loads(dumps(Exploration()))
    result["views"]["clocks"] = {"first": 3, "direction": "cos-sin"}
    actual = loads(json.dumps(result))
    (note,) = actual.notes
    assert note.startswith("views.clocks.first: must be 0 there. ")
    assert pictures.find("clocks")(actual.state).options == ClockOptions()

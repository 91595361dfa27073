"""Pins in the document and in its history."""

import pytest
from hypothesis import given, strategies as st

from pe_explorer import encodings
from pe_explorer.exploration import (
    MOST_PINS,
    PIN_COLOURS,
    Pin,
    current_name,
    difference_name,
    differing,
    pinned,
    repinned,
    restored_from_pin,
    short_name,
    unpinned,
)
from pe_explorer.model import Exploration, Model
from pe_explorer.model.history import History
from pe_explorer.params import ParameterError
from tests.support.sinusoids import sinusoidal


def with_pins(number, **fields):
    state = Exploration(**fields)
    for base in range(2, 2 + number):
        state = state.with_(encoding=encodings.create("sinusoidal", base=base))
        state = state.with_(**pinned(state))
    return state


def test_the_current_encoding_is_kept_and_compared_with():
    state = with_pins(3)
    assert [pin.encoding.base for pin in state.pins] == [2, 3, 4]
    assert state.pin.encoding == state.encoding
    assert [pin.colour for pin in state.pins] == list(PIN_COLOURS)[:3]
    assert with_pins(0).pin is None
    assert (state, hash(state)) == (with_pins(3), hash(with_pins(3)))
    assert state != with_pins(2)
    state = state.with_(**unpinned(state, 1))
    assert state.with_(**pinned(state)).pins[-1].colour == list(PIN_COLOURS)[1]  # it is free


def test_a_pin_more_than_there_is_room_for_is_refused():
    full = with_pins(MOST_PINS)
    assert {pin.colour for pin in full.pins} == set(PIN_COLOURS)
    with pytest.raises(ParameterError) as caught:
        full.with_(**pinned(full))
    assert caught.value.name == "pins"
    assert {"9", f"{MOST_PINS};"} <= set(caught.value.sentence.split())


@given(st.integers(1, MOST_PINS), st.data())
def test_the_compared_pin_stays_the_one_compared_with_while_it_is_there(number, data):
    state = with_pins(number).with_(compared=data.draw(st.integers(0, number - 1)))
    gone = data.draw(st.integers(0, number - 1))
    before, compared = state.pins, state.pin
    left = state.with_(**unpinned(state, gone))
    assert left.pins == tuple(pin for pin in before if pin is not before[gone])
    if before[gone] is not compared:
        assert left.pin is compared
    else:
        assert left.pin is (left.pins[min(gone, number - 2)] if number > 1 else None)


def test_names_and_colours_can_be_changed_and_are_checked():
    state = with_pins(2)
    changed = state.with_(**repinned(state, 1, name="  the  other ", colour="teal"))
    assert (changed.pins[1].name, changed.pins[1].colour) == ("the other", "teal")
    assert changed.pins[0] == state.pins[0]
    assert differing(state, changed) == {"pins"}
    for name in ("", "   ", "x" * 61, 3, "a\x00b", "\ud800"):
        with pytest.raises(ParameterError, match="name"):
            repinned(state, 0, name=name)
    with pytest.raises(ParameterError, match="colour"):
        repinned(state, 0, colour="infrared")


NAMES = {
    "sinusoidal d=128 b=10000": sinusoidal(),
    "sinusoidal d=64 b=500 endpoint": sinusoidal(dim=64, base=500, spacing="endpoint"),
    "sinusoidal d=128 b=10000 offset=1 scale=0.5": sinusoidal(offset=1, scale=0.5),
    "index d=3": encodings.create("index", dim=3),
    "alibi n=8": encodings.create("alibi"),
    "alibi n=12 symmetric": encodings.create("alibi", heads=12, symmetric=True),
    "learned wpe.npy row_offset=2": encodings.create("learned", file="/a/wpe.npy", row_offset=2),
}
LONG = sinusoidal(base=1.2345678901234567, offset=-(2**52), scale=-0.12345678901, waves="cosine")


def test_names_tell_encodings_apart_and_fit():
    assert [short_name(e) for e in NAMES.values()] == list(NAMES)
    cut = short_name(LONG)
    assert (len(cut) <= 60, cut[-1], Pin(LONG, cut).name) == (True, "…", cut)


def difference(e, pin, name="", whole=False):
    pins = (Pin(pin, name) if name else Pin(pin),)
    return difference_name(Exploration(encoding=e, pins=pins), whole=whole)


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"base": 500}, "b = 10,000 − b = 500"),
        ({"base": 500, "dim": 64}, "d = 128, b = 10,000 − d = 64, b = 500"),
        ({"base": 1234567.5}, "b = 10,000 − b = 1,234,567.5"),
        ({"base": 1e12}, "b = 10,000 − b = 10¹²"),
        ({"layout": "concatenated"}, "layout = interleaved − layout = concatenated"),
        ({}, "sinusoidal, d = 128, b = 10,000 − the same, pinned"),
    ],
)
def test_a_difference_is_called_by_what_differs(parameters, expected):
    pin = sinusoidal(**parameters)
    for name in (short_name(pin), "pin"):  # as the program names it
        assert difference(sinusoidal(), pin, name, whole=True) == expected


def test_a_difference_names_defaults_of_the_pin_other_schemes_and_names_that_were_given():
    e, index, given = sinusoidal(), encodings.create("index"), sinusoidal(base=500)
    other = sinusoidal(offset=3, layout="concatenated")
    assert difference(other, e) == "layout = concatenated,… − layout = interleaved, o…"
    alibi, symmetric = (encodings.create("alibi", symmetric=each) for each in (False, True))
    assert difference(symmetric, alibi) == "symmetric − no symmetric"
    assert difference(e, index) == "sinusoidal − index"
    assert difference(e, index, whole=True) == "sinusoidal − index, d = 16"
    assert difference(e, given, "as in 000") == "b = 10,000 − as in 000"
    assert difference(e, given, "W" * 60) == f"b = 10,000 − {'W' * 23}…"


def test_the_current_encoding_is_named_by_what_tells_it_from_any_pin_or_as_was_typed():
    pins = (
        Pin(sinusoidal(base=500), "the first"),
        Pin(sinusoidal(dim=64)),
        Pin(encodings.create("index")),
    )
    state = Exploration(encoding=sinusoidal(), pins=pins)
    assert current_name(state) == "sinusoidal, d = 128, b…"
    assert current_name(state, whole=True) == "sinusoidal, d = 128, b = 10,000"
    assert current_name(state.with_(pins=pins[:2])) == "d = 128, b = 10,000"
    assert current_name(state.with_(pins=pins[2:])) == "sinusoidal"
    assert current_name(state.with_(pins=())) == "sinusoidal"
    assert current_name(state.with_(pins=()), whole=True) == "sinusoidal, d = 128, b = 10,000"
    typed = state.with_(name=" as in  2017 ", compared=1)
    assert current_name(typed) == "as in 2017"
    assert difference_name(typed) == "as in 2017 − d = 64"
    assert current_name(typed.with_(name="W" * 60)) == f"{'W' * 23}…"
    with pytest.raises(ParameterError, match="name"):
        state.with_(name="x" * 61)


# -- undo ------------------------------------------------------------------------------------------


@pytest.fixture
def model(qapp):
    return Model(with_pins(2))


@pytest.fixture
def history(qapp, model):
    return History(model)


def change(model, **fields):
    model.set(**fields)
    model.announce()


def test_every_pin_is_a_step_of_its_own_and_comes_back(history, model):
    stack = history.stack
    for _ in range(3):  # faster than what counts as one gesture
        change(model, **pinned(model.state))
    assert stack.count() == 3
    assert stack.undoText() == "pin sinusoidal d=128 b=3 (4)"
    states = model.state
    stack.setIndex(0)
    assert model.state.intention == with_pins(2)
    stack.setIndex(3)
    assert model.state == states


def test_steps_say_what_was_done_with_a_pin(history, model):
    change(model, **repinned(model.state, 0, name="a name of more than 28 characters"))
    assert history.stack.undoText() == "rename sinusoidal d=128 b=2"
    change(model, **repinned(model.state, 1, colour="teal"))
    assert history.stack.undoText() == "colour of sinusoidal d=128 b=3"
    change(model, compared=0)
    assert history.stack.undoText() == "compare with a name of more than 28 char…"
    change(model, **unpinned(model.state, 1))
    assert history.stack.undoText() == "unpin sinusoidal d=128 b=3"
    change(model, **restored_from_pin(model.state, 0))
    assert (history.stack.undoText(), model.state.encoding.base) == ("base", 2)


def test_equal_pins_have_steps_too(history, model):
    change(model, pins=(model.state.pins[0],) * 3)
    change(model, **unpinned(model.state, 2))
    assert history.stack.undoText() == "unpin sinusoidal d=128 b=2"
    change(model, **repinned(model.state, 0, name="a"))
    assert history.stack.undoText() == "rename sinusoidal d=128 b=2"
    change(model, **unpinned(model.state, 0), metric="dot")
    assert history.stack.undoText() == "several changes"


def test_the_same_encoding_pinned_again_has_a_name_of_its_own():
    state = Exploration()
    for _ in range(MOST_PINS):
        state = state.with_(**pinned(state))
    first, *others = [pin.name for pin in state.pins]
    assert first == "sinusoidal d=128 b=10000"
    assert others == [f"{first} ({number})" for number in range(2, MOST_PINS + 1)]


def test_restored_its_rows_are_looked_at_from_where_they_begin():
    """Offsets are not positions: of ALiBi there is something to see where keys come before the
    query.
    """
    alibi, sinusoidal = encodings.create("alibi"), encodings.create("sinusoidal")
    state = Exploration(
        start=1000, position=1001, reference=1002, pins=(Pin(alibi), Pin(sinusoidal))
    )
    offsets = state.with_(**restored_from_pin(state, 0))
    assert (offsets.positions, offsets.position, offsets.reference) == (range(-49, 1), 0, 0)
    assert offsets.with_(**restored_from_pin(offsets, 1)).positions == range(50)
    assert state.with_(**restored_from_pin(state, 1)).positions == state.positions

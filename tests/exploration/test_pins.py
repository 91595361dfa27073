"""What is checked of an exploration and its pins, and names that are too long."""

import pytest

from pe_explorer import pictures
from pe_explorer.analysis.comparison import SHOW
from pe_explorer.encodings import create, find, names
from pe_explorer.exploration import (
    PIN_COLOURS,
    Exploration,
    Pin,
    changes,
    current_name,
    differing,
    distinguishing_name,
    pinned,
    repinned,
    restored_from_pin,
    short_name,
    shown_names,
    unpinned,
)
from pe_explorer.exploration.pins import check_pins
from pe_explorer.params import ParameterError, Real, Whole, used

COLOURS = [*PIN_COLOURS]
PINS = tuple(Pin(create("index", dim=dim), f"pin {dim}", COLOURS[dim - 1]) for dim in (1, 2, 4))


def test_pins_are_added_changed_and_removed():
    state = Exploration(pins=PINS, compared=1)
    added = {"pins": (*PINS, Pin(state.encoding, short_name(state.encoding), COLOURS[2]))}
    assert pinned(state) == {**added, "compared": 3}
    other = create("binary", dim=3)
    for name, number in (("given", ""), ("pin 2", " (2)"), ("mine", " (2)")):
        pin = pinned(state.with_(name="mine"), other, name)["pins"][-1]
        assert (pin.encoding, pin.name) == (other, name + number)
    for index, compared in enumerate((0, 1, 1)):
        left = PINS[:index] + PINS[index + 1 :]
        assert unpinned(state, index) == {"pins": left, "compared": compared}
    named = Pin(PINS[2].encoding, "new", PINS[2].colour)
    assert repinned(state, 2, name="new") == {"pins": (*PINS[:2], named)}
    assert restored_from_pin(state, 2) == {"encoding": PINS[2].encoding}


def test_a_short_name_has_all_numbers_with_a_symbol_and_else_only_what_is_no_default():
    for name in names():
        e = find(name).default()
        numbers = {key: it for key, it in used(e).items() if isinstance(it, Whole | Real)}
        symbols = [
            f"{it.symbol}={it.format(getattr(e, k))}" for k, it in numbers.items() if it.symbol
        ]
        assert short_name(e) == " ".join([name, *symbols])


def test_a_pin_is_called_by_every_kind_of_value_in_which_it_differs():
    rope = {"head_dim": 8, "rope_type": "longrope", "long_factor": (1.0, 2.0, 3.0, 4.0)}
    for one, other, names_of_one, names_of_other in (
        (
            create("rope", **rope, short_factor=(1.0, 1.0, 1.0, 2.0)),
            create("rope", **rope, short_factor=(1.0, 1.0, 1.0, 1.5)),
            "short_factor = 1 … 2 (4 numbers)",
            "short_factor = 1 … 1.5 (4 numbers)",
        ),
        (
            create("learned", file="/a/b.npy"),
            create("learned", file="/c/d e.npy", row_offset=2),
            "b.npy, row_offset = 0",
            "d e.npy, row_offset = 2",
        ),
        (create("alibi"), create("alibi", symmetric=True), "no symmetric", "symmetric"),
        (create("index"), create("index"), "the same, pinned", "the same, pinned"),
        (create("index"), create("alibi"), "index, d = 16", "alibi, n = 8"),
    ):
        assert distinguishing_name(Pin(one), other, whole=True) == names_of_one
        assert distinguishing_name(Pin(other, short_name(other)), one, whole=True) == names_of_other
        assert distinguishing_name(Pin(one, "mine"), other) == "mine"
    assert "short_factor=1 … 2" in short_name(
        create("rope", **rope, short_factor=(1.0, 2.0, 2.0, 2.0))
    )


def test_long_names_are_cut_to_60_and_24_characters():
    long = create("sinusoidal", base=1.2345678901234567, offset=-(2**52), scale=-0.12345678901)
    assert len(short_name(long)) == 60
    for length, cut in ((24, "W" * 24), (25, "W" * 23 + "…")):
        state = Exploration(name="W" * length)
        assert current_name(state) == cut
        assert current_name(state, whole=True) == "W" * length


def test_a_pin_that_does_not_exist_is_not_compared_with():
    other = next(word for word in SHOW.choices if word != SHOW.default)
    for pins, compared, show, name in (
        ((), 0, other, "show"),
        ((), 1, SHOW.default, "compared"),
        (PINS, 3, other, "compared"),
    ):
        with pytest.raises(ParameterError) as caught:
            check_pins(pins, compared, show)
        assert caught.value.name == name
    for pins, compared, show in (((), 0, SHOW.default), (PINS, 2, other), (PINS, 0, other)):
        check_pins(pins, compared, show)


def test_names_of_what_can_be_shown():
    called = shown_names(Exploration(name="a", pins=(Pin(create("index"), "b"),)))
    assert (called["current"], called["pinned"], called["difference"]) == ("a", "b", "a − b")
    words = {**called, "difference": "difference"}
    for word in (each for each in SHOW.choices if len(each.split()) == 2):
        assert called[word] == " | ".join(words[part] for part in word.split())
    assert shown_names(Exploration(name="a"))["current"] == "a"
    assert {*shown_names(Exploration())} == {*called} == {*SHOW.choices}


def test_only_chosen_options_are_held_and_changes_leave_out_what_is_transient():
    state = Exploration()
    other = pictures.with_options(state, "heatmap", pixel="sample")
    assert [*other.options] == ["heatmap"]
    assert other.options["heatmap"] != other.options["heatmap"].default()
    back = pictures.with_options(other, "heatmap", pixel="mean")
    assert (dict(back.options), back) == ({}, state)
    assert differing(state, other) == changes(state, other) == {"options.heatmap"}
    assert changes(state, other.with_(position=4, dimension=3, second=9)) == {"options.heatmap"}
    e = create("index")
    assert changes(state, state.with_(encoding=e, name="x")) == {"encoding"}
    assert changes(state, state.with_(name="x")) == {"name"}
    with_pin = Exploration(pins=PINS, compared=2, show="difference")
    fewer, none = with_pin.with_(pins=PINS[:1]), with_pin.with_(pins=())
    assert (fewer.compared, fewer.pin, fewer.show) == (0, PINS[0], "difference")
    assert (none.compared, none.pin, none.show) == (0, None, SHOW.default)

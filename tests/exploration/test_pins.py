"""Pins and their names, and changes of explorations."""

from itertools import product

import pytest

from pe_explorer import pictures
from pe_explorer.analysis.comparison import SHOW
from pe_explorer.encodings import create, find, names
from pe_explorer.exploration import (
    MAX_PINS,
    PIN_COLOURS,
    Exploration,
    Pin,
    add_pin,
    apply_pin,
    changes,
    find_differing_fields,
    make_current_name,
    make_difference_name,
    make_distinguishing_name,
    make_short_name,
    make_subject_names,
    remove_pin,
    update_pin,
)
from pe_explorer.exploration.pins import check_pins
from pe_explorer.params import ParameterError, Real, Whole, find_used_parameters
from tests.support.sinusoids import sinusoidal

COLOURS = [*PIN_COLOURS]
PINS = tuple(Pin(create("index", dim=dim), f"pin {dim}", COLOURS[dim - 1]) for dim in (1, 2, 4))


def test_pins_are_added_changed_and_removed():
    state = Exploration(pins=PINS, compared=1)
    added = {"pins": (*PINS, Pin(state.encoding, make_short_name(state.encoding), COLOURS[2]))}
    assert add_pin(state) == {**added, "compared": 3}
    assert hash(state) == hash(Exploration(pins=PINS, compared=1))
    other = create("binary", dim=3)
    for name, number in (("given", ""), ("pin 2", " (2)"), ("mine", " (2)")):
        pin = add_pin(state.with_(name="mine"), other, name)["pins"][-1]
        assert (pin.encoding, pin.name) == (other, name + number)
    for index, compared in product(range(3), repeat=2):
        remaining = PINS[:index] + PINS[index + 1 :]
        new_state = state.with_(**remove_pin(state.with_(compared=compared), index))
        assert new_state.pins == remaining
        assert new_state.pin == (remaining[min(index, 1)] if index == compared else PINS[compared])
    assert Exploration(**remove_pin(Exploration(pins=PINS[:1]), 0)).pin is None
    changed = update_pin(state, 2, name="  the  new ", colour="ink")
    assert changed == {"pins": (*PINS[:2], Pin(PINS[2].encoding, "the new", "ink"))}
    for fields in ({"name": ""}, {"name": "x" * 61}, {"name": "a\x00b"}, {"colour": "infrared"}):
        with pytest.raises(ParameterError) as caught:
            update_pin(state, 0, **fields)
        assert caught.value.name in fields


def test_restoring_a_pin_with_other_rows_shows_its_initial_range():
    state = Exploration(start=1000, position=1001, reference=1002, pins=PINS)
    assert apply_pin(state, 2) == {"encoding": PINS[2].encoding}
    state = state.with_(**add_pin(state, create("alibi"), "offsets"))
    offsets = state.with_(**apply_pin(state, 3))
    assert (offsets.positions, offsets.position, offsets.reference) == (range(-49, 1), 0, 0)
    assert offsets.with_(**apply_pin(offsets, 0)).positions == range(50)


def test_equal_pins_get_unique_names_and_colours_up_to_eight():
    state = Exploration()
    for _ in range(MAX_PINS):
        state = state.with_(**add_pin(state))
    first, *others = [pin.name for pin in state.pins]
    assert first == "sinusoidal d=128 b=10000"
    assert others == [f"{first} ({number})" for number in range(2, MAX_PINS + 1)]
    assert [pin.colour for pin in state.pins] == COLOURS
    with pytest.raises(ParameterError) as caught:
        state.with_(**add_pin(state))
    assert caught.value.name == "pins"
    assert {"9.", f"{MAX_PINS}"} <= set(caught.value.sentence.split())


def test_short_names_contain_all_numbers_with_a_symbol():
    for name in names():
        e = find(name).default()
        symbols = [
            f"{kind.symbol}={kind.format(getattr(e, key))}"
            for key, kind in find_used_parameters(e).items()
            if isinstance(kind, Whole | Real) and kind.symbol
        ]
        assert make_short_name(e) == " ".join([name, *symbols])


def test_pins_are_named_by_their_differences():
    rope = {"head_dim": 8, "rope_type": "longrope", "long_factor": (1.0, 2.0, 3.0, 4.0)}
    for first, other, name_of_first, name_of_other in (
        (
            create("rope", **rope, short_factor=(1.0, 1.0, 1.0, 2.0)),
            create("rope", **rope, short_factor=(1.0, 1.0, 1.0, 1.5)),
            "short list 1 … 2 (4 numbers)",
            "short list 1 … 1.5 (4 numbers)",
        ),
        (
            create("learned", file="/a/b.npy"),
            create("learned", file="/c/d e.npy", row_offset=2),
            "b.npy, first rows 0",
            "d e.npy, first rows 2",
        ),
        (create("alibi"), create("alibi", symmetric=True), "not symmetric", "symmetric"),
        (create("index"), create("index"), "same as current", "same as current"),
        (create("index"), create("alibi"), "index, width 16", "ALiBi, heads 8"),
        (create("learned"), create("learned", file="/a/b.npy"), "no file", "b.npy"),
    ):
        assert (
            make_distinguishing_name(Exploration(other), Pin(first), is_full=True) == name_of_first
        )
        assert (
            make_distinguishing_name(
                Exploration(first), Pin(other, make_short_name(other)), is_full=True
            )
            == name_of_other
        )
        assert make_distinguishing_name(Exploration(other), Pin(first, "mine")) == "mine"
    for dim, name in ((16, "index"), (3, "index, width 3")):  # brief names omit defaults
        assert (
            make_distinguishing_name(Exploration(create("alibi")), Pin(create("index", dim=dim)))
            == name
        )
    assert "short_factor=1 … 2" in make_short_name(
        create("rope", **rope, short_factor=(1.0, 2.0, 2.0, 2.0))
    )


def test_names_have_three_parameters_unless_pins_need_more():
    fields = {"dim": 64, "base": 500, "layout": "concatenated", "offset": 1}
    first, other = sinusoidal(**fields), sinusoidal(**fields, scale=0.5)
    state = Exploration(sinusoidal(), pins=(Pin(first, make_short_name(first)),))
    three = "width 64, base 500, concatenated"
    assert make_distinguishing_name(state, state.pins[0], is_full=True) == three
    state = state.with_(pins=(*state.pins, Pin(other, make_short_name(other))))
    names = [make_distinguishing_name(state, pin, is_full=True) for pin in state.pins]
    assert names == [f"{three}, offset 1", f"{three}, offset 1, scale 0.5"]
    state = state.with_(**add_pin(state.with_(encoding=first)))
    names = [make_distinguishing_name(state, pin, is_full=True) for pin in state.pins]
    assert names[2] == f"{names[0]} (2)"


NAMES = {
    "sinusoidal d=64 b=500 endpoint": sinusoidal(dim=64, base=500, spacing="endpoint"),
    "sinusoidal d=128 b=10000 offset=1 scale=0.5": sinusoidal(offset=1, scale=0.5),
    "alibi n=12 symmetric": create("alibi", heads=12, symmetric=True),
    "learned wpe.npy row_offset=2": create("learned", file="/a/wpe.npy", row_offset=2),
}


def test_long_names_are_cut_to_60_and_24_characters():
    assert [make_short_name(e) for e in NAMES.values()] == list(NAMES)
    cut = make_short_name(
        sinusoidal(base=1.2345678901234567, offset=-(2**52), scale=-0.12345678901)
    )
    assert (len(cut), cut[-1], Pin(sinusoidal(), cut).name) == (60, "…", cut)
    full = "x" * 60
    state = Exploration(pins=(Pin(sinusoidal(), full),))
    assert add_pin(state, create("index"), full)["pins"][1].name == "x" * 56 + " (2)"
    for length, cut in ((24, "W" * 24), (25, "W" * 23 + "…")):
        state = Exploration(name="W" * length)
        assert make_current_name(state) == cut
        assert make_current_name(state, is_full=True) == "W" * length
        other = Exploration(sinusoidal(base=500), pins=(Pin(sinusoidal(), "W" * length),))
        assert make_difference_name(other) == f"base 500 − {cut}"


def test_the_current_encoding_is_named_by_its_differences_or_as_typed():
    pins = (Pin(sinusoidal(base=500), "the first"), Pin(sinusoidal(dim=64)), Pin(create("index")))
    state = Exploration(encoding=sinusoidal(), pins=pins)
    for new_state, brief, whole in (
        (state, "sinusoidal, width 128…", "sinusoidal, width 128, base 10,000"),
        (state.with_(pins=pins[:2]), "width 128, base 10,000", "width 128, base 10,000"),
        (state.with_(pins=pins[2:]), "sinusoidal", "sinusoidal"),
        (state.with_(pins=()), "sinusoidal", "sinusoidal, width 128, base 10,000"),
        (state.with_(name=" as in  2017 "), "as in 2017", "as in 2017"),
    ):
        assert (make_current_name(new_state), make_current_name(new_state, is_full=True)) == (
            brief,
            whole,
        )
    assert make_difference_name(state.with_(name="2017", compared=1)) == "2017 − width 64"


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"base": 500, "dim": 64}, "width 128, base 10,000 − width 64, base 500"),
        ({"base": 1234567.5}, "base 10,000 − base 1,234,567.5"),
        ({"base": 1e12}, "base 10,000 − base 10¹²"),
        ({"layout": "concatenated"}, "interleaved layout − concatenated"),
        ({}, "sinusoidal, width 128, base 10,000 − same as current"),
    ],
)
def test_a_difference_is_named_by_different_parameters(parameters, expected):
    pin = sinusoidal(**parameters)
    for name in (make_short_name(pin), "pin"):  # names that the program gives
        state = Exploration(sinusoidal(), pins=(Pin(pin, name),))
        assert make_difference_name(state, is_full=True) == expected


def test_missing_pins_are_refused():
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


def test_names_of_choices_of_show():
    choices = make_subject_names(Exploration(name="a", pins=(Pin(create("index"), "b"),)))
    assert (choices["current"], choices["pinned"], choices["difference"]) == ("a", "b", "a − b")
    words = {**choices, "difference": "difference"}
    for word in (choice for choice in SHOW.choices if len(choice.split()) == 2):
        assert choices[word] == " | ".join(words[part] for part in word.split())
    declared_names = {word: SHOW.texts.get(word, word) for word in SHOW.choices}
    assert make_subject_names(Exploration(name="a")) == {**declared_names, "current": "a"}
    three = "current pinned difference"
    assert ({*choices}, choices[three]) == ({*SHOW.choices}, SHOW.texts[three])


def test_default_options_and_transient_fields_are_not_changes():
    state = Exploration()
    other = pictures.with_options(state, "heatmap", pixel="sample")
    assert [*other.options] == ["heatmap"]
    waves = pictures.find("waves")
    assert waves(other).options is waves(state).options
    assert other.options["heatmap"] != other.options["heatmap"].default()
    restored = pictures.with_options(other, "heatmap", pixel="mean")
    assert (dict(restored.options), restored) == ({}, state)
    assert find_differing_fields(state, other) == changes(state, other) == {"options.heatmap"}
    assert changes(state, other.with_(position=4, dimension=3, second=9)) == {"options.heatmap"}
    e = create("index")
    assert changes(state, state.with_(encoding=e, name="x")) == {"encoding"}
    assert changes(state, state.with_(name="x")) == {"name"}
    with_pin = Exploration(pins=PINS, compared=2, show="difference")
    fewer, none = with_pin.with_(pins=PINS[:1]), with_pin.with_(pins=())
    assert (fewer.compared, fewer.pin, fewer.show) == (0, PINS[0], "difference")
    assert (none.compared, none.pin, none.show) == (0, None, SHOW.default)

"""The contract of every encoding; new encodings are tested automatically."""

import dataclasses
import math
import pickle
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.encodings import (
    CodeAngles,
    Encoding,
    EncodingError,
    Multiples,
    Periodic,
    Rotary,
    Steady,
    Waves,
)
from pe_explorer.encodings.rope_types import RopeType
from pe_explorer.encodings.rope_types.ntk import LargerBaseType
from pe_explorer.exploration import Exploration
from pe_explorer.params import Choice, Flag, Optional, Real, Whole, declared
from pe_explorer.tables import MAX_COLUMNS
from tests.support import truth
from tests.support.definitions import FAR, LIMIT, as_mp
from tests.support.oracles import definition, of_scheme
from tests.support.samples import sample, samples


def ends(parameter):
    """Return the values of a parameter at the ends of its limits, or all its choices."""
    if isinstance(parameter, Choice):
        return list(parameter.choices)
    if isinstance(parameter, Flag):
        return [False, True]
    if isinstance(parameter, Optional):
        return [None, *ends(parameter.inner)]
    if isinstance(parameter, Whole | Real):
        return [parameter.clamp(parameter.low), parameter.high]
    return []


def variants():
    """Yield every encoding with its defaults, with each parameter at each end of its limits, and
    with the parameters of its definition.
    """
    for name in encodings.names():
        yield pytest.param(sample(name), id=name)
        for key, parameter in declared(encodings.find(name)).items():
            for value in ends(parameter):
                if e := encoding_or_none(name, **{key: value}):
                    yield pytest.param(e, id=f"{name}-{key}-{value}")
        for place, parameters in enumerate(of_scheme(name).sets):
            yield pytest.param(sample(name, **parameters), id=f"{name}-set-{place}")


def encoding_or_none(name, **parameters):
    """Return an encoding, or None if a value is illegal with the other defaults."""
    try:
        return sample(name, **parameters)
    except EncodingError as error:
        if error.name in declared(encodings.find(name)):
            return None
        raise


every_variant = pytest.mark.parametrize("e", [*variants()])
list_encodings = pytest.mark.parametrize("e", samples(), ids=lambda e: e.name)


def first_of(e, start, count):
    """Return the start nearest to the given one from which `count` positions have rows."""
    return min(max(start, e.domain[0]), e.domain[-1] + 1 - count)


def within(e, positions):
    """Return the positions that have a row."""
    return [p for p in positions if p in e.domain]


def test_names_are_sorted_by_rank():
    first = ["sinusoidal", "index", "fraction", "binary"]
    assert [name for name in encodings.names() if name in first] == first
    ranks = [encodings.find(name).rank for name in encodings.names()]
    assert ranks == sorted(set(ranks))


REFUSED = [
    *((name, *each) for name in encodings.names() for each in of_scheme(name).refused),
    ("sinusoidl", {}, ["encoding", "'sinusoidl'", "index", "'sinusoidal'?"]),
    ("", {}, ["encoding", "''", "sinusoidal"]),
    (None, {}, ["encoding", "None", "sinusoidal"]),
    (["index"], {}, ["encoding", "sinusoidal"]),
    ("index", {"base": 3.0}, ["base", "index", "dim"]),
]


def test_errors_of_create():
    for name, parameters, words in REFUSED:
        with pytest.raises(EncodingError) as caught:
            encodings.create(name, **parameters)
        assert caught.value.name == words[0]
        text = str(caught.value)
        assert [word for word in ("\n", *words) if word not in text] == ["\n"], parameters


UNDEFINED = {  # members that a scheme with an ability must define
    Encoding: ["width", "explain(0, 0)", "code(None)"],
    Multiples: ["slopes", "factors(range(3))"],
    Periodic: ["periods()"],
    Waves: [
        *("wave_indices", "sines", "pairs", "phasors([0])", "phasor_means(0, 1, 1)", "turn(0, 0)"),
        "radians(range(3), is_wrapped=True)",
    ],
    Steady: ["turns"],
    CodeAngles: ["compute_code_angles(range(3))"],
    Rotary: ["rotary"],
    RopeType: ["ratios", "reason(0)", "code(None)", "compute_code_frequencies(None)"],
    LargerBaseType: ["stretch"],
}


def test_undefined_members_raise_an_error():
    for kind, members in UNDEFINED.items():
        for member in members:
            with pytest.raises(NotImplementedError):
                eval(f"e.{member}", {"e": object.__new__(kind)})
    bare, base = type("Bare", (Encoding,), {"width": 3})(), LargerBaseType(1e4, 4, 2.0)
    for make in (partial(bare.block_means, 0, 1), bare.table, base.frequency, base.code):
        with pytest.raises(NotImplementedError):
            make([0] if make == bare.table else 1)


@every_variant
def test_tables_values_and_means_equal_the_definition(e):
    defined, where, columns = definition(e), within(e, FAR), truth.some(e.width)
    table = e.table(where)
    assert (table.shape, table.dtype) == ((len(where), defined.width), np.float64)
    assert table.flags.c_contiguous
    assert e.domain == defined.domain
    assert truth.error(e, where, range(len(where)), columns) <= 1e-15
    values = [[e.value(p, j) for j in columns] for p in where]
    np.testing.assert_allclose(values, table[:, columns], rtol=1e-15, atol=1e-15)
    for start, block in [(-3, 7), (-10, 7), (-LIMIT, 1), (10**15, 10**6), (-(10**15), 7 * 10**14)]:
        if len(e.domain) >= 3 * block:
            start = first_of(e, start, 3 * block)
            means = e.block_means(start, block, 3)
            assert (means.shape, means.dtype) == ((3, e.width), np.float64)
            assert truth.block_mean_error(e, start, block, 3, columns) <= 1e-15
    count = 200 if e.width < 10_000 else 20
    start = first_of(e, -100, count)
    single, rows = e.block_means(start, 1, count), e.table(range(start, start + count))
    np.testing.assert_allclose(single[:, :600], rows[:, :600], rtol=1e-15, atol=1e-15)
    if e.value_range:
        low, high = e.value_range
        means = e.block_means(first_of(e, -2 * count, 4 * count), 4, count)
        for numbers in (table, rows, means):
            assert low - 1e-15 <= numbers.min()
            assert numbers.max() <= high + 1e-15


@list_encodings
def test_means_of_the_definition_are_means_of_its_values(e):
    defined = definition(e)
    for start, block in [(-10, 7), (-8, 4), (-7, 15), (3, 1), (-50, 100)]:
        start = first_of(e, start, block)
        for j in truth.some(e.width):
            numbers = [as_mp(defined.element(p, j)) for p in range(start, start + block)]
            mean = as_mp(defined.block_mean(start, block, j))
            assert abs(sum(numbers) / block - mean) < (1e-13 if defined.table_rows else 1e-50)


@every_variant
def test_encodings_are_immutable_values(e):
    twin = encodings.create(e.name, **e.parameters)
    assert twin == e == pickle.loads(pickle.dumps(e))
    assert hash(twin) == hash(e)
    assert e.parameters == {name: getattr(e, name) for name in declared(type(e))}
    for name in e.parameters:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(e, name, 2)
    assert declared(Exploration)["dimension"].high >= e.width - 1
    assert e.width <= MAX_COLUMNS


@list_encodings
def test_columns_have_titles_and_meanings(e):
    meanings = e.list_column_meanings()
    assert meanings.shape == (e.width,)
    assert len(set(meanings.tolist())) == e.width
    titles = [e.format_column_title(j) for j in range(e.width)]
    assert all(titles)
    defined = definition(e)
    assert titles == [defined.title(j) for j in range(e.width)]
    assert (e.rows.name, e.columns.name, e.columns.plural) == (
        (defined.row, defined.column, defined.columns)
    )
    assert e.format_name() == defined.called
    for axis in (e.rows, e.columns):
        assert axis.plural == " and ".join(f"{one}s" for one in axis.name.split(" or "))
    assert len(e.first_range)


@list_encodings
def test_summary_help_and_readings(e):
    assert encodings.find(e.name) is type(e)
    assert e.summary().strip()
    assert "\n" not in e.summary()
    bounds = {"binary": (0, 1), "sinusoidal": (-1, 1), "rope": (-1, 1)}
    assert e.value_range == bounds.get(e.name)
    kinds = declared(type(e))
    assert e.family != "absolute" or "dim" not in kinds or kinds["dim"].is_shared
    for parameter in declared(type(e)).values():
        assert parameter.label
        assert parameter.help.endswith(".")
    for p in within(e, [0, 3]) or e.domain[:1]:
        for j in truth.some(e.width):
            reading = e.reading(p, j)
            assert reading[0] == ("Value", repr(e.value(p, j)))
            assert all(name and text for name, text in reading)


@list_encodings
def test_an_empty_list_of_positions_gives_no_rows(e):
    assert e.domain == definition(e).domain
    for positions in ([], (), range(0), range(5, 5, 3), np.array([]), np.empty(0, np.int64)):
        assert e.table(positions).shape == (0, e.width)
    assert e.block_means(3, 10, 0).shape == (0, e.width)


FORMS = (tuple, np.array, lambda whole: np.array(whole, float),
         lambda whole: np.array(whole, object), lambda whole: np.repeat(whole, 2)[::2])  # fmt: skip


@list_encodings
def test_all_types_of_whole_positions_give_equal_rows(e):
    for whole in (
        range(3, 50, 4), range(70, -30, -7), [5], [4, 4, 4], [3, 4, 9, 6], [9, 1, 5, 5, 2**53 - 1],
    ):  # fmt: skip
        if len(within(e, whole)) == len(whole):
            expected = e.table(list(whole))
            assert truth.error(e, whole, range(len(whole)), truth.some(e.width)) <= 1e-15
            for form in (whole, *(form(whole) for form in FORMS)):
                np.testing.assert_array_equal(e.table(form), expected)
    for dtype in ("u1", "i1", "u8", ">i4", "f4", ">f8"):
        typed = np.array([100, 3, 17], dtype)
        np.testing.assert_array_equal(e.table(typed), e.table([100, 3, 17]))


NO_POSITIONS = [
    [math.nan], [1, math.inf], [-math.inf], [2**53 + 1], [-(2**53) - 1, 0], [0.5, 2.0**53 + 2],
    [10**20], [-(10**400)], np.array([2**64 - 1], np.uint64), range(2**53, 2**53 + 2),
    range(0, -(10**30), -1), [[1, 2]], np.empty((0, 3)), [[1], [2, 3]], 7, "12", ["1", "2"],
    [True, False], [None], [1j], [Fraction(1, 2)], {1: 2},
]  # fmt: skip
NO_BLOCKS = [
    ((0.5, 1, 1), "start"), (("0", 1, 1), "start"), ((-(2**53) - 1, 1, 1), "start"),
    ((0, 0, 1), "block"), ((0, 10**400, 1), "block"), ((0, 1.5, 1), "block"),
    ((0, 1, -1), "rows"), ((0, 1, None), "rows"), ((2**53, 2, 1), "rows"),
    ((0, 10**12, 10**12), "rows"),
]  # fmt: skip


@list_encodings
def test_invalid_positions_and_blocks_are_refused(e):
    for positions in NO_POSITIONS:
        with pytest.raises(EncodingError, match=r"^positions: .") as caught:
            e.table(positions)
        assert caught.value.name == "positions"
    for blocks, name in NO_BLOCKS:
        with pytest.raises(EncodingError) as caught:
            e.block_means(*blocks)
        assert caught.value.name == name


@list_encodings
def test_out_is_filled_or_refused(e):
    for positions in (range(20, 400, 3), [5, 1, 9], [0.25, 7.5]):
        out = np.full((len(positions), e.width), np.nan)
        if e.name != "learned" or positions != [0.25, 7.5]:  # learned tables refuse fractions
            assert e.table(positions, out=out) is out
            np.testing.assert_array_equal(out, e.table(positions))
    n, d = 4, e.width
    for bad_out in (
        np.empty((n + 1, d)),
        np.empty((n, d + 1)),
        np.empty(n * d),
        np.empty((n, d), np.float32),
        np.empty((n, d), np.complex128),
        np.empty((n, d), ">f8"),
        np.empty((n, d), order="F"),
        np.empty((n, 2 * d))[:, ::2],
    ):
        with pytest.raises(EncodingError, match=rf"^out: .*\(4, {d}\)"):
            e.table(range(4), out=bad_out)


@pytest.mark.parametrize("e", [e for e in samples() if isinstance(e, Steady)])
def test_frequencies_are_copies(e):
    frequencies = e.frequencies()
    assert frequencies.dtype == np.float64
    assert len(e.wavelengths()) == len(frequencies)
    frequencies[:] = 7.0
    assert (e.frequencies() != 7.0).all()

"""The contract of every encoding: a new one is tested here as soon as its file exists."""

import dataclasses
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.encodings import EncodingError, Stored, Waves
from pe_explorer.exploration import Exploration
from pe_explorer.params import Choice, Flag, Optional, Real, Whole, declared
from pe_explorer.tables import MOST_COLUMNS
from tests.support import truth
from tests.support.cases import for_each
from tests.support.definitions import FAR, LIMIT, as_mp
from tests.support.oracles import definition, of_scheme
from tests.support.samples import sample, samples


def ends(parameter):
    """Return the values of a parameter at the ends of its limits, or all of few."""
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
    """Yield every encoding as it is, with each parameter at each end of its limits, and as its
    definition asks for it.
    """
    for name in encodings.names():
        yield pytest.param(sample(name), id=name)
        for key, parameter in declared(encodings.find(name)).items():
            for value in ends(parameter):
                if e := made(name, **{key: value}):
                    yield pytest.param(e, id=f"{name}-{key}-{value}")
        for place, parameters in enumerate(of_scheme(name).sets):
            yield pytest.param(sample(name, **parameters), id=f"{name}-set-{place}")


def made(name, **parameters):
    """Return an encoding, None where a value does not go with the other defaults."""
    try:
        return sample(name, **parameters)
    except EncodingError as error:
        if error.name in declared(encodings.find(name)):
            return None
        raise


def params(found):
    return for_each("e", [pytest.param(e, id=e.name) for e in found])


every_variant = for_each("e", list(variants()))
every_encoding = params(samples())
every_formula = params([e for e in samples() if not isinstance(e, Stored)])


def first_of(e, start, count):
    """Return a start as near to the wanted one as rows for `count` positions allow."""
    return min(max(start, e.domain[0]), e.domain[-1] + 1 - count)


def within(e, positions):
    """Return those of some positions that have a row."""
    return [p for p in positions if p in e.domain]


def test_names_the_best_known_first():
    first = ["sinusoidal", "index", "fraction", "binary"]
    assert [name for name in encodings.names() if name in first] == first
    ranks = [encodings.find(name).rank for name in encodings.names()]
    assert ranks == sorted(set(ranks))


@pytest.mark.parametrize(
    ("name", "parameters", "words"),
    [
        *((name, *each) for name in encodings.names() for each in of_scheme(name).refused),
        ("sinusoidl", {}, ["encoding", "'sinusoidl'", "index", "did you mean 'sinusoidal'?"]),
        ("", {}, ["encoding", "''", "sinusoidal"]),
        (None, {}, ["encoding", "None", "sinusoidal"]),
        (["index"], {}, ["encoding", "sinusoidal"]),
        ("sinusoidal", {"dims": 3}, ["dims", "sinusoidal", "base", "did you mean 'dim'?"]),
        ("index", {"base": 3.0}, ["base", "index", "dim"]),
        ("sinusoidal", {"dim": 0}, ["dim", "0", "1 to 65536", "nearest valid value is 1"]),
        (
            "sinusoidal",
            {"dim": 65_537},
            ["dim", "65537", "1 to 65536", "nearest valid value is 65536"],
        ),
        ("sinusoidal", {"dim": 2.5}, ["dim", "2.5", "1 to 65536"]),
        ("sinusoidal", {"dim": True}, ["dim", "True"]),
        ("sinusoidal", {"base": 1}, ["base", "1", "1e12", "must be greater than 1"]),
        ("sinusoidal", {"base": math.nan}, ["base", "nan", "1e12"]),
        (
            "sinusoidal",
            {"layout": "interleave"},
            ["layout", "'interleave'", "concatenated", "did you mean 'interleaved'?"],
        ),
        ("fraction", {"length": 0}, ["length", "0", "1 to 2^53", "nearest valid value is 1"]),
    ],
)
def test_create_says_what_is_wrong_and_what_would_be_right(name, parameters, words):
    with pytest.raises(EncodingError) as caught:
        encodings.create(name, **parameters)
    assert caught.value.name == words[0]
    assert [word for word in words if word not in str(caught.value)] == []
    assert "\n" not in str(caught.value)


def test_errors_survive_pickling():
    error = EncodingError("dim", "0 is outside")
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), copy.name, copy.problem, str(copy)) == (
        EncodingError,
        "dim",
        "0 is outside",
        "dim: 0 is outside",
    )


@every_variant
def test_table_is_the_definition(e):
    defined, where = definition(e), within(e, FAR)
    assert e.table(where).shape == (len(where), defined.width)
    assert e.domain == defined.domain
    assert truth.error(e, where, range(len(where)), truth.some(e.width)) <= 1e-15


@every_encoding
@for_each(("start", "block"), [(-10, 7), (-8, 4), (-7, 15), (3, 1), (-50, 100)])
def test_means_of_the_definition_are_sums_of_its_numbers(e, start, block):
    """This vouches for the closed forms."""
    defined, start = definition(e), first_of(e, start, block)
    for j in truth.some(e.width):
        numbers = [as_mp(defined.element(p, j)) for p in range(start, start + block)]
        mean = as_mp(defined.block_mean(start, block, j))
        assert abs(sum(numbers) / block - mean) < (1e-13 if defined.table_rows else 1e-50)


@every_variant
def test_block_means_are_those_of_the_definition(e):
    for start, block in [(-10, 7), (-LIMIT, 1), (10**15, 10**6), (-(10**15), 7 * 10**14)]:
        if len(e.domain) >= 3 * block:
            start = first_of(e, start, 3 * block)
            means = e.block_means(start, block, 3)
            assert (means.shape, means.dtype) == ((3, e.width), np.float64)
            assert truth.block_mean_error(e, start, block, 3, truth.some(e.width)) <= 1e-15


@every_variant
def test_tables_and_values_are_one(e):
    where = within(e, FAR)
    table = e.table(where)
    assert table.shape == (len(where), e.width)
    assert table.dtype == np.float64
    assert table.flags.c_contiguous
    for j in truth.some(e.width):
        for row, p in enumerate(where):
            assert e.value(p, j) == pytest.approx(table[row, j], rel=1e-15, abs=1e-15)


@every_variant
def test_block_means_of_single_positions_are_the_table(e):
    count = 200 if e.width < 10_000 else 20
    start = first_of(e, -100, count)
    np.testing.assert_allclose(
        e.block_means(start, 1, count)[:, :600],
        e.table(range(start, start + count))[:, :600],
        rtol=1e-15,
        atol=1e-15,
    )


@for_each("e", [variant for variant in variants() if variant.values[0].value_range])
def test_values_stay_in_the_declared_range(e):
    low, high = e.value_range
    blocks = 250 if e.width < 10_000 else 10
    near = range(-2 * blocks, 2 * blocks)
    for values in (e.table(FAR), e.table(near), e.block_means(near.start, 4, blocks)):
        assert low - 1e-15 <= values.min()
        assert values.max() <= high + 1e-15


@every_variant
def test_frozen_and_equal_by_value(e):
    twin = encodings.create(e.name, **e.parameters)
    assert twin == e
    assert hash(twin) == hash(e)
    assert twin is not e
    assert pickle.loads(pickle.dumps(e)) == e
    assert e.parameters == {name: getattr(e, name) for name in declared(type(e))}
    for name in e.parameters:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(e, name, 2)


@every_encoding
def test_other_parameters_are_another_encoding(e):
    for name, parameter in declared(type(e)).items():
        for value in ends(parameter):
            if value != e.parameters[name]:
                try:
                    other = dataclasses.replace(e, **{name: value})
                except EncodingError:  # does not go with the others
                    continue
                assert other != e


@every_encoding
def test_columns_have_titles_and_meanings(e):
    meanings = e.column_meanings()
    assert meanings.shape == (e.width,)
    assert len(set(meanings.tolist())) == e.width
    titles = [e.column_title(j) for j in range(e.width)]
    assert all(titles)
    defined = definition(e)
    assert titles == [defined.title(j) for j in range(e.width)]
    assert (e.rows.name, e.columns.name, e.columns.plural) == (
        (defined.row, defined.column, defined.columns)
    )
    assert e.called() == defined.called
    for axis in (e.rows, e.columns):
        assert axis.plural == " and ".join(f"{one}s" for one in axis.name.split(" or "))
    assert len(e.first_range)


@every_encoding
@for_each("position", [0, 3])
def test_readings_begin_with_the_value(e, position):
    p = position if position in e.domain else e.domain[0]
    for j in truth.some(e.width):
        reading = e.reading(p, j)
        assert reading[0] == ("Value", repr(e.value(p, j)))
        assert all(name and text for name, text in reading)


def test_encodings_of_equal_parameters_differ():
    assert encodings.create("index", dim=4) != encodings.create("binary", dim=4)


@every_encoding
def test_describes_itself(e):
    assert encodings.find(e.name) is type(e)
    assert e.summary().strip()
    assert "\n" not in e.summary()
    for parameter in declared(type(e)).values():
        assert parameter.label
        assert parameter.help.endswith(".")


@every_encoding
@for_each(
    "positions",
    [[], (), range(0), range(5, 5, 3), range(9, 3), np.array([]), np.empty(0, np.int64)],
    ids=repr,
)
def test_no_positions_no_rows(e, positions):
    assert e.table(positions).shape == (0, e.width)
    assert e.block_means(3, 10, 0).shape == (0, e.width)


@every_formula
@for_each(
    "whole",
    [range(3, 50, 4), range(70, -30, -7), [5], [4, 4, 4], [3, 4, 9, 6], [9, 1, 5, 5, 2**53 - 1]],
    ids=str,
)
def test_all_forms_of_whole_positions_are_equal(e, whole):
    expected = e.table(list(whole))
    assert truth.error(e, whole, range(len(whole)), range(e.width)) <= 1e-15
    for form in (
        whole,
        tuple(whole),
        np.array(whole),
        np.array(whole, float),
        np.array(whole, object),
        np.repeat(whole, 2)[::2],
    ):
        assert np.array_equal(e.table(form), expected)


@every_encoding
@for_each("dtype", ["u1", "i1", "u8", ">i4", "f4", ">f8"])
def test_all_types_of_positions_are_equal(e, dtype):
    assert np.array_equal(e.table(np.array([100, 3, 17], dtype)), e.table([100, 3, 17]))


@every_encoding
@for_each(
    "positions",
    [
        [math.nan], [1, math.inf], [-math.inf], [2**53 + 1], [-(2**53) - 1, 0], [0.5, 2.0**53 + 2],
        [10**20], [-(10**400)], np.array([2**64 - 1], np.uint64), range(2**53, 2**53 + 2),
        range(0, -(10**30), -1), [[1, 2]], np.empty((0, 3)), [[1], [2, 3]], 7, "12", ["1", "2"],
        [True, False], [None], [1j], [Fraction(1, 2)], {1: 2},
    ],
    ids=lambda positions: str(positions)[:30],
)  # fmt: skip
def test_refused_positions(e, positions):
    with pytest.raises(EncodingError, match=r"^positions: .") as caught:
        e.table(positions)
    assert caught.value.name == "positions"


@every_formula
@for_each("positions", [range(20, 400, 3), [5, 1, 9], [0.25, 7.5]], ids=str)
def test_out_is_filled_and_returned(e, positions):
    out = np.full((len(positions), e.width), np.nan)
    assert e.table(positions, out=out) is out
    assert truth.error(e, positions, range(len(positions)), [0, e.width - 1]) <= 1e-15
    assert np.array_equal(out, e.table(positions))


@every_encoding
@for_each(
    "spoil",
    [
        lambda n, d: np.empty((n + 1, d)),
        lambda n, d: np.empty((n, d + 1)),
        lambda n, d: np.empty(n * d),
        lambda n, d: np.empty((n, d), np.float32),
        lambda n, d: np.empty((n, d), np.complex128),
        lambda n, d: np.empty((n, d), ">f8"),
        lambda n, d: np.empty((n, d), order="F"),
        lambda n, d: np.empty((n, 2 * d))[:, ::2],
    ],
    ids=["rows", "columns", "flat", "float32", "complex", "byte order", "Fortran", "strided"],
)
def test_out_that_does_not_fit_is_refused(e, spoil):
    with pytest.raises(EncodingError, match=rf"^out: .*\(4, {e.width}\)"):
        e.table(range(4), out=spoil(4, e.width))


@every_encoding
@for_each(
    ("blocks", "name"),
    [
        ((0.5, 1, 1), "start"), (("0", 1, 1), "start"), ((-(2**53) - 1, 1, 1), "start"),
        ((0, 0, 1), "block"), ((0, 10**400, 1), "block"), ((0, 1.5, 1), "block"),
        ((0, 1, -1), "rows"), ((0, 1, None), "rows"), ((2**53, 2, 1), "rows"),
        ((0, 10**12, 10**12), "rows"),
    ],
    ids=lambda value: str(value)[:30],
)  # fmt: skip
def test_refused_blocks(e, blocks, name):
    with pytest.raises(EncodingError) as caught:
        e.block_means(*blocks)
    assert caught.value.name == name


def test_refused_blocks_say_how_many_fit():
    e = encodings.create("index")
    with pytest.raises(EncodingError, match="at most 9007 rows fit"):
        e.block_means(0, 10**12, 9008)
    assert e.block_means(0, 10**12, 9007).shape == (9007, 16)


@params([e for e in samples() if isinstance(e, Waves)])
def test_frequencies_are_copies(e):
    frequencies = e.frequencies()
    assert frequencies.dtype == np.float64
    assert len(e.wavelengths()) == len(frequencies)
    frequencies[:] = 7.0
    assert (e.frequencies() != 7.0).all()


@every_variant
def test_every_column_can_be_chosen(e):
    """What counts columns, such as the cursor, has one limit for all encodings."""
    assert declared(Exploration)["dimension"].high >= e.width - 1
    assert e.width <= MOST_COLUMNS

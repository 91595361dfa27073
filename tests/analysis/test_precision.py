"""Errors of float32 and smaller types, compared with a rewritten version of the usual code."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis import precision
from pe_explorer.encodings import EncodingError
from pe_explorer.numeric.rounding import round_to
from tests.support.oracles import definition
from tests.support.samples import samples


def once(x):
    """Return numbers rounded once to float32."""
    return np.float64(np.float32(x))


def annotated(positions, dim, base):
    """Return the table of "The Annotated Transformer", every step rounded once."""
    falls = once(-(math.log(base) / dim))
    frequencies = once(np.exp(once(np.arange(0, dim, 2) * falls)))
    angles = once(once(np.array(positions))[:, None] * frequencies)
    table = np.zeros((len(positions), dim))
    table[:, 0::2] = once(np.sin(angles))
    table[:, 1::2] = once(np.cos(angles))
    return table


def llama(positions, head_dim, theta):
    """Return cosines, then sines, as transformers computes them, every step rounded once."""
    powers = once(theta ** once(np.arange(0, head_dim, 2) / head_dim))
    angles = once(once(np.array(positions))[:, None] * once(1 / powers))
    angles = np.concatenate([angles, angles], axis=1)
    return np.concatenate([once(np.cos(angles)), once(np.sin(angles))], axis=1)


# Tables of the usual code


@pytest.mark.parametrize("dim", [2, 16, 512])
@pytest.mark.parametrize("base", [1e4, 1.5, 5e5])
@pytest.mark.parametrize("start", [0, -30, 10**6, 10**12, 2**53 - 40])
@pytest.mark.sampled(20)
def test_float32_table_matches_the_annotated_transformer(dim, base, start):
    e, positions = encodings.create("sinusoidal", dim=dim, base=base), range(start, start + 40)
    actual = precision.table(e, positions)
    np.testing.assert_array_equal(actual, annotated(positions, dim, base))
    np.testing.assert_array_equal(precision.error(e, positions), actual - e.table(positions))


@pytest.mark.parametrize("start", [0, 10**6])
def test_float32_table_matches_llama(start):
    e, positions = encodings.create("rope", head_dim=64, rope_theta=5e5), range(start, start + 30)
    np.testing.assert_array_equal(precision.table(e, positions), llama(positions, 64, 5e5))
    interleaved = encodings.create("rope", head_dim=64, rope_theta=5e5, layout="interleaved")
    of_half = np.sort(precision.error(e, positions), axis=1)
    of_other = np.sort(precision.error(interleaved, positions), axis=1)
    np.testing.assert_array_equal(of_half, of_other)
    twice = encodings.create(
        "rope", head_dim=64, rope_theta=5e5, rope_type="longrope", attention=2.0
    )
    doubled = 2 * llama(positions, 64, 5e5)
    np.testing.assert_array_equal(precision.table(twice, positions), doubled)


@pytest.mark.parametrize(
    "parameters",
    [
        {"dim": 7},
        {"dim": 7, "spacing": "endpoint"},
        {"dim": 8, "layout": "concatenated", "order": "cos-sin"},
        {"dim": 6, "waves": "sine"},
        {"dim": 6, "waves": "cosine", "offset": 5},
        {"dim": 6, "scale": 1000.0, "offset": -3},
    ],
    ids=str,
)
def test_every_sinusoid_is_close_to_its_definition(parameters):
    """Errors of float32 angles are a few units in the last place."""
    e, positions = encodings.create("sinusoidal", **parameters), range(90, 120)
    errors = precision.error(e, positions)
    actual = precision.table(e, positions)
    limit = 6e-7 * max(1.0, abs(e.scale) * 125)
    assert 0 < np.abs(errors).max() < limit
    for row in (0, 17):
        for column in range(e.dim):
            exact = float(definition(e).element(positions[row], column))
            assert errors[row, column] == pytest.approx(actual[row, column] - exact, abs=1e-15)
    np.testing.assert_array_equal(actual, once(actual))


CODED = [
    encodings.create("sinusoidal", dim=10, offset=5),
    encodings.create("sinusoidal", dim=8, offset=-70, scale=-0.3, layout="concatenated"),
    encodings.create("rope", head_dim=12, rope_type="yarn", factor=4.0),
]


@pytest.mark.parametrize("e", CODED, ids=str)
@pytest.mark.parametrize("code", ["float64", "float32"])
def test_errors_of_moved_rows_match_rounded_code(e, code):
    def kept(numbers):
        return once(numbers) if code == "float32" else numbers

    def waves(positions):
        angles = np.multiply.outer(np.array(positions) + float(e.origin), e.frequencies())
        if code == "float32":
            angles = e.compute_code_angles(positions)
        return kept(np.cos(angles)), kept(np.sin(angles))

    for start, k in ((3, 7), (10**6, -1000)):
        here, there, turn = (
            waves(range(first, first + count))
            for first, count in ((start, 300), (start + k, 300), (k - e.origin, 1))
        )
        cosines = kept(kept(here[0] * turn[0]) - kept(here[1] * turn[1]))
        sines = kept(kept(here[1] * turn[0]) + kept(here[0] * turn[1]))
        off = np.abs([cosines - there[0], sines - there[1]]).max(axis=(0, 2))
        actual = precision.compute_code_differences(e, k, range(start, start + 300), code)
        np.testing.assert_array_equal(actual, e.amplitude * off)
        assert 0 < actual.max() < (0.2 if code == "float32" else 1e-9)


@pytest.mark.parametrize("e", samples(dim=15, head_dim=16), ids=lambda e: e.name)
def test_code_moves_rows_if_all_waves_have_partners(e):
    defined = definition(e)
    for k, there in ((1, 0 < defined.pairs == defined.count), (0, "waves" in defined.abilities)):
        assert (precision.why_no_code(e, k, "float64") == "") == there
        is_usual = there and "code_angles" in defined.abilities
        assert (precision.why_no_code(e, k, "float32") == "") == is_usual


# Encodings without such code


@pytest.mark.parametrize("e", samples(dim=16, head_dim=16), ids=lambda e: e.name)
def test_float32_error_is_finite_or_refused(e):
    if "code_angles" in definition(e).abilities:
        assert np.isfinite(precision.error(e, range(10))).all()
        assert np.isfinite(precision.error(e, [0.25, 1000.3])).all()
        return
    with pytest.raises(EncodingError, match="float32") as exc_info:
        precision.table(e, range(10))
    assert e.format_name() in str(exc_info.value)


# Other types, compared with integers and 50 digits

FORMATS = {
    "float32": (24, -126, float(np.finfo(np.float32).max)),
    "bfloat16": (8, -126, float.fromhex("0x1.fep127")),
    "float16": (11, -14, 65504.0),
    "float8-e4m3fn": (4, -6, 448.0),
    "float8-e5m2": (3, -14, 57344.0),
}  # significant binary digits, least exponent with all digits, largest number
OFTEN = [
    encodings.create("sinusoidal", dim=128),
    encodings.create("sinusoidal", dim=128, base=500_000.0),
]
mp = mpmath.mp.clone()
mp.dps = 50


def rounded(number, dtype):
    """Return a number rounded to nearest even with integers, as a float."""
    digits, least, largest = FORMATS[dtype]
    if not mp.isfinite(number) or not number:
        return float(number)
    number = mp.mpf(number)
    exact = Fraction(int(mp.sign(number)) * int(number.man)) * Fraction(2) ** int(number.exp)
    unit = Fraction(2) ** (max(int(mp.floor(mp.log(abs(number), 2))), least) - digits + 1)
    result = round(exact / unit) * unit
    if abs(result) <= largest:
        return float(result)
    return math.nan if dtype == "float8-e4m3fn" else math.copysign(math.inf, number)


def emulated(e, position, dtype, cast):
    """Return the angles and the cosines and sines of one row, rounded with integers."""

    def step(number, value=""):
        if cast == "everything" or value == cast == "positions":
            return rounded(number, dtype)
        once = rounded(number, "float32")
        return rounded(once, dtype) if value == cast else once

    angles, cosines, sines = [], [], []
    for i in range(len(e.frequencies())):
        if e.name == "sinusoidal":
            fall = step(-(mp.log(e.base) / e.dim))
            frequency = step(mp.exp(step(2 * i * mp.mpf(fall))), "frequencies")
            place = step(mp.mpf(position) + e.offset, "positions")
            angle = step(mp.mpf(place) * frequency)
            angles.append(step(mp.mpf(angle) * step(e.scale), "angles"))
        else:
            power = step(mp.mpf(step(e.rope_theta)) ** step(mp.mpf(2 * i) / e.rotary)) if i else 1.0
            divisor = (e.short_factor or (1.0,) * (i + 1))[i]
            frequency = step(1 / mp.mpf(step(mp.mpf(step(divisor)) * power)), "frequencies")
            place = step(position, "positions")
            angles.append(step(mp.mpf(place) * frequency, "angles"))
        amplitude = step(mp.mpf(e.amplitude))
        for function, values in ((mp.cos, cosines), (mp.sin, sines)):
            values.append(step(mp.mpf(step(function(angles[-1]))) * amplitude, "result"))
    return angles, cosines, sines


CAST_ENCODINGS = [
    encodings.create("sinusoidal", dim=7),  # the last dimension is a single sine
    encodings.create("sinusoidal", dim=6, base=1e12, offset=3, scale=0.3),
    encodings.create("rope", head_dim=6, rope_theta=5e5),
    encodings.create(
        "rope", head_dim=6, rope_type="longrope", attention=1.19, short_factor=(1.0, 1.5, 3.3)
    ),
]
PLACES = [0, 1, 257, 4095, 65_503, -7, 0.3, 1000.25, 2**53]


@pytest.mark.parametrize("e", CAST_ENCODINGS, ids=str)
@pytest.mark.parametrize("dtype", FORMATS)
@pytest.mark.parametrize("cast", precision.CAST.choices)
def test_every_cast_matches_an_emulation(e, dtype, cast):
    if dtype.startswith("float8") and cast not in ("result", "once"):
        with pytest.raises(EncodingError) as exc_info:
            precision.table(e, [1], dtype=dtype, cast=cast)
        assert (exc_info.value.name, "bfloat16" in exc_info.value.remedy) == ("cast", True)
        return
    in_range = [p for p in PLACES if dtype != "float16" or abs(p) < 65_000]
    for p in in_range:
        if p == 2**53 and e.origin:
            continue  # beyond the domain
        (row,) = precision.table(e, [p], dtype=dtype, cast=cast)
        (errors,) = precision.phase_error(e, [p], dtype=dtype, cast=cast)
        exact_angles = [definition(e).frequency(i) * (mp.mpf(p) + e.origin) for i in range(3)]
        angles, cosines, sines = emulated(e, p, dtype, cast)
        if cast == "once":
            values = [definition(e).element(p, j) for j in range(e.width)]
            np.testing.assert_array_equal(row, [rounded(value, dtype) for value in values])
            assert not errors.any()
            continue
        for wave, is_sine, value in zip(e.wave_indices, e.sines, row, strict=True):
            assert value == (sines if is_sine else cosines)[wave]
        for angle, exact, error in zip(angles, exact_angles, errors, strict=False):
            assert error == pytest.approx(float(angle - exact), rel=1e-12, abs=1e-15)
        np.testing.assert_allclose(
            precision.error(e, [p], dtype=dtype, cast=cast), [row] - e.table([p]), atol=1e-15
        )


@pytest.mark.parametrize("dtype", FORMATS)
def test_rounding_matches_integers(dtype):
    digits, least, largest = FORMATS[dtype]
    unit, spacing = 2.0 ** (least - digits + 1), 2.0 ** (1 - digits)
    numbers = [0.0, unit / 2, unit * 1.5, unit * 2.5, 2.0**least - unit / 2, 1 + spacing / 2]
    numbers += [1 + 1.5 * spacing, np.nextafter(1 + spacing / 2, 2), 1 / 3, math.pi, largest]
    numbers += [np.nextafter(largest * (1 + spacing / 4), 0), largest * 1.3, 2**53 - 1.0, 1e300]
    numbers += [math.inf, 257.0, 2049.0, 65_519.0, 65_520.0]
    numbers += [-number for number in numbers]
    expected = [
        rounded(x, dtype) if math.isfinite(x) else x * (math.nan if "e4m3" in dtype else 1)
        for x in numbers
    ]
    np.testing.assert_array_equal(round_to(numbers, dtype), expected)
    assert math.isnan(round_to(math.nan, dtype))


@pytest.mark.parametrize("dtype", ["bfloat16", "float8-e4m3fn", "float8-e5m2"])
def test_rounding_matches_ml_dtypes(dtype):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    bits = np.random.default_rng(0).integers(0, 2**32, 200_000, dtype=np.uint32)
    numbers = np.concatenate([bits.view(np.float32), np.arange(-600, 600, 0.25, np.float32)])
    with np.errstate(over="ignore", invalid="ignore"):
        expected = numbers.astype(getattr(ml_dtypes, dtype.replace("-", "_"))).astype(np.float64)
        actual = round_to(numbers, dtype)
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize(
    ("dtype", "wrong", "of_4096", "of_32768"),
    [("bfloat16", 257, 769, 1153), ("float16", 2049, 3073, 6145)],
)
def test_positions_that_a_type_keeps(dtype, wrong, of_4096, of_32768):
    kept = [rounded(p, dtype) for p in range(4096)]
    assert next(p for p in range(4096) if kept[p] != p) == wrong
    assert len(set(kept)) == precision.distinct(range(4096), dtype) == of_4096
    assert precision.distinct(range(32_768), dtype) == of_32768
    for start, stop in ((-700, 900), (-5, 1), (4000, 4001), (0, 0)):
        expected = len({rounded(p, dtype) for p in range(start, stop)})
        assert precision.distinct(range(start, stop), dtype) == expected
    assert precision.distinct([0.1, 0.1001, 0.2], dtype) == (2 if dtype == "bfloat16" else 3)
    e, errors = OFTEN[0], {}
    for cast in ("positions", "everything"):
        errors[cast] = precision.error(e, [wrong - 1, wrong], dtype=dtype, cast=cast)
    assert np.abs(errors["positions"][0]).max() < 1e-4 < 0.5 < np.abs(errors["positions"][1]).max()


def test_positions_beyond_float16_are_infinite():
    positions = range(65_500, 70_000)
    expected = len({rounded(p, "float16") for p in positions})
    assert precision.distinct(positions, "float16") == expected == 2
    count = 2047 + 5 * 1024 + 1  # below 2,048, up to 65,504, and infinity
    assert precision.distinct(range(-(2**53), 2**53), "float16") == 2 * count + 1
    for cast in ("positions", "everything"):
        rows = precision.table(OFTEN[0], [65_519, 65_520], dtype="float16", cast=cast)
        assert np.isfinite(rows[0]).all()
        assert np.isnan(rows[1]).all()
    largest = precision.first_beyond(
        OFTEN[0], range(65_504, 65_600), 1e5, dtype="float16", cast="positions"
    )
    assert largest == 65_520


@pytest.mark.parametrize(
    ("e", "dtype", "cast", "first"),
    [
        (OFTEN[0], "bfloat16", "frequencies", 82),
        (OFTEN[0], "float16", "frequencies", 414),
        (OFTEN[1], "bfloat16", "frequencies", 56),
        (OFTEN[1], "float16", "frequencies", 610),
        (OFTEN[0], "bfloat16", "angles", 40),
        (OFTEN[0], "float16", "angles", 303),
    ],
)
def test_first_position_that_is_off(e, dtype, cast, first):
    """The tolerance is 0.1 rad, and the angles have 50 digits."""

    exact_frequencies = [definition(e).frequency(i) for i in range(64)]
    digits = FORMATS[dtype][0]
    fast = [w for w in exact_frequencies if w * first / 2**digits > 0.1 or w == 1]  # can be off

    def rounded_code(number):
        return rounded(rounded(number, "float32"), dtype)

    def worst(p):
        if cast == "frequencies":
            off = [abs(w - code) * p for w, code in rounded_frequencies]
        else:
            off = [abs(rounded_code(p * w) - p * w) for w in fast]
        return max(off), off.index(max(off))

    rounded_frequencies = [(w, rounded_code(w)) for w in exact_frequencies]
    assert next(p for p in range(1000) if worst(p)[0] > 0.1) == first
    found = precision.first_beyond(e, range(4096), 0.1, dtype=dtype, cast=cast)
    assert found == first
    errors = precision.phase_error(e, [first], dtype=dtype, cast=cast)
    assert np.abs(errors).argmax() == worst(first)[1]
    if dtype == "bfloat16" and cast == "frequencies":
        expected = 5.01 if e.base == 1e4 else 7.33
        off = np.abs(precision.phase_error(e, [4095], dtype=dtype, cast=cast)).max()
        assert off == pytest.approx(float(worst(4095)[0]), rel=1e-4)
        assert off == pytest.approx(expected, abs=0.005)


@pytest.mark.parametrize(
    ("dtype", "unit", "near_error", "far_error"),
    [("bfloat16", 2.0**-9, 1.08, 4.2), ("float16", 2.0**-12, 1.66, 31.7)],
)
def test_values_that_are_rounded_only_at_the_end(dtype, unit, near_error, far_error):
    """`unit` is half a unit in the last place of values near 1; float32 angles add errors."""
    e, near, far = encodings.create("rope", head_dim=128), range(4096), range(126_976, 131_072)
    for positions in (near, range(2**53 - 500, 2**53)):
        errors = precision.error(e, positions, dtype=dtype, cast="once")
        assert 0.9 * unit < np.abs(errors).max() <= unit
    for positions, largest in ((near, near_error), (far, far_error)):
        errors = precision.error(e, positions, dtype=dtype, cast="result")
        assert np.abs(errors).max() / unit == pytest.approx(largest, rel=4e-3)
        row, column = divmod(int(np.abs(errors).argmax()), e.width)
        value = emulated(e, positions[row], dtype, "result")[1 + (column >= 64)][column % 64]
        exact = definition(e).element(positions[row], column)
        assert errors[row, column] == pytest.approx(float(value - exact), abs=1e-15)

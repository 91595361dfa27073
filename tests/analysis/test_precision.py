"""Errors of float32, compared with a rewritten version of the usual code."""

import math

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis import precision
from pe_explorer.encodings import EncodingError
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

"""The matrix that moves rows by some positions."""

import math

import numpy as np
import pytest

from pe_explorer import quantities
from pe_explorer.encodings import EncodingError
from tests.support.definitions import mp
from tests.support.oracles import definition
from tests.support.requirements import (
    COUNT,
    START,
    QuantityRequirements,
    numbers_of,
    quantity_input,
    whole,
)
from tests.support.samples import sample
from tests.support.sinusoids import sinusoid, turned
from tests.support.slow_waves import PROMISED, relative_error, seeded, some_waves


class Definition(QuantityRequirements):
    differs = True

    @staticmethod
    def check(found, defined, positions):
        assert found.shape == (defined.moved, defined.moved)
        if defined.moved == defined.width == 2 * defined.pairs:
            moved = defined.rows([p + 1 for p in positions])
            np.testing.assert_allclose(defined.rows(positions) @ found, moved, atol=1e-12)


@pytest.mark.parametrize("k", [10, -44])
def test_shift_matrix_moved_rows_and_residual(k):
    for e, title in ((sample("sinusoidal", dim=18), "dimension"), (sample("rope"), "channel")):
        titles = list(quantities.data("shift-matrix", quantity_input(e, k=k)).titles())
        assert titles[:3] == [title, "0", "1"]
    e = sample("sinusoidal", dim=18)
    np.testing.assert_allclose(numbers_of("shift-matrix", e, k=k), turned(18, 1e4, k), atol=1e-14)
    moved = sinusoid(np.arange(START + k, START + COUNT + k), 18)
    np.testing.assert_allclose(numbers_of("shifted", e, k=k), moved, atol=1e-13)
    residuals = numbers_of("shift-residual", e, k=k)
    assert residuals.shape == (COUNT,)
    assert residuals.max() < 1.2e-15


def test_without_a_shift_matrix_the_best_fit_is_used():
    e = sample("index")
    positions = np.arange(START, START + COUNT)
    factor = (positions * (positions + 7)).sum() / (positions**2).sum()
    shifted = np.outer(factor * positions, np.ones(e.width))
    np.testing.assert_allclose(numbers_of("shifted", e, k=7), shifted)
    residuals = np.abs(factor * positions - positions - 7)
    np.testing.assert_allclose(numbers_of("shift-residual", e, k=7), residuals, atol=1e-9)
    fit = numbers_of("shift-matrix", e, k=7)
    np.testing.assert_allclose(np.ones(e.width) @ fit, factor)


def test_chunks_of_the_widest_matrix_are_computed_alone():
    e = sample("sinusoidal", dim=65_536)
    data = quantities.data("shift-matrix", quantity_input(e, k=10))
    out = np.empty((2, 65_536))
    data.fill(range(1001, 1003), out)
    expected = np.zeros((2, 65_536))
    for row, (pair, member) in zip(expected, [(500, 1), (501, 0)], strict=True):
        angle = 10 * 1e4 ** (-pair / 32_768)
        row[2 * pair + member] = math.cos(angle)
        row[2 * pair + 1 - member] = math.sin(angle) * (1 if member else -1)
    np.testing.assert_allclose(out, expected, atol=1e-14)


def test_shifts_to_missing_rows_are_refused():
    e = sample("learned")
    last = e.domain[-1]
    for what in ("shift-matrix", "shifted", "shift-residual"):
        with pytest.raises(EncodingError, match=r"row 1,000,000 positions later") as caught:
            quantities.data(what, quantity_input(e, k=10**6))
        assert caught.value.name == "k"
    inputs = quantity_input(e, positions=range(last - 5, last + 1), k=2)
    assert np.isfinite(whole(quantities.data("shifted", inputs))).all()
    with pytest.raises(EncodingError, match=f"position {last:,} has no row 2 positions later"):
        quantities.data("shift-residual", inputs)
    first = quantity_input(e, positions=range(5), k=-2)
    with pytest.raises(EncodingError, match="position 0 has no row -2 positions later"):
        quantities.data("shift-residual", first)
    wide = sample("sinusoidal", dim=1025, waves="sine")
    assert "1,024 dimensions" in quantities.unavailable_reason("shifted", quantity_input(wide))


def test_small_sines_of_shifts_have_a_small_relative_error(sampled):
    for seed in sampled(range(80), 50):
        pick = seeded("shift", seed)
        e = some_waves(pick)
        if e.name == "sinusoidal" and e.waves != "both":
            continue
        k = pick.choice([pick.randint(1, 99), -pick.randint(1, 10**9)])
        found, defined = numbers_of("shift-matrix", e, k=k), definition(e)
        off_diagonal = np.abs(found[~np.eye(len(found), dtype=bool)])
        for i in range(defined.count):
            angle = defined.frequency(i) * k
            if abs(angle) < 1:
                exact = abs(mp.sin(angle))
                nearest = off_diagonal[np.argmin(np.abs(off_diagonal - float(exact)))]
                assert relative_error(nearest, exact) <= PROMISED

"""Subjects with a pin, compared with differences computed by hand."""

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis.comparison import (
    SHOW,
    Subject,
    choose_subject,
    explain_different_rows,
    explain_mismatch,
    find_cursor_columns,
    subtract_values,
)
from tests.support.definitions import mp
from tests.support.oracles import definition
from tests.support.samples import sample
from tests.support.slow_waves import almost_equal, block_of, error, seeded, some_rows, some_waves

WIDE = encodings.create("sinusoidal", dim=20)
NARROW = encodings.create("sinusoidal", dim=7, base=500.0, layout="concatenated")
POSITIONS = range(10**15, 10**15 + 60, 3)


def test_show_selects_the_encodings_of_a_subject():
    for show, shown in (("current", [WIDE]), ("pinned", [NARROW]), ("difference", [WIDE, NARROW])):
        assert list(choose_subject(show, WIDE, NARROW).encodings) == shown
    assert {choose_subject(show, WIDE, None) for show in SHOW.choices} == {Subject("current", WIDE)}


@pytest.mark.parametrize(("e", "less"), [(WIDE, NARROW), (NARROW, WIDE)])
def test_values_of_a_difference(e, less):
    difference = Subject("difference", e, less)
    expected = e.table(POSITIONS)[:, :7] - less.table(POSITIONS)[:, :7]
    assert difference.width == 7
    np.testing.assert_allclose(difference.table(POSITIONS), expected, rtol=0, atol=1e-15)
    out = np.empty((20, 7))
    assert difference.table(POSITIONS, out) is out
    np.testing.assert_allclose(out, expected, rtol=0, atol=1e-15)


@pytest.mark.parametrize("subject", [Subject("current", WIDE), Subject("difference", WIDE, NARROW)])
def test_means_are_those_of_the_values(subject):
    singles = subject.table(range(-500, 500)).reshape(4, 250, subject.width)
    np.testing.assert_allclose(subject.block_means(-500, 250, 4), singles.mean(axis=1), atol=1e-14)


@pytest.mark.parametrize(
    ("e", "less"),
    [
        (WIDE, encodings.create("index", dim=5)),
        (encodings.create("fraction", dim=5), WIDE),
        (encodings.create("binary", dim=3), encodings.create("index", dim=2)),
        (
            encodings.create("sinusoidal", dim=5),
            encodings.create("sinusoidal", dim=5, order="cos-sin"),
        ),
        (encodings.create("sinusoidal", dim=5, spacing="endpoint"), NARROW),
    ],
    ids=str,
)
def test_differences_of_waves_and_other_columns(e, less):
    difference, width = Subject("difference", e, less), min(e.width, less.width)
    expected = e.table(range(4, 16))[:, :width] - less.table(range(4, 16))[:, :width]
    np.testing.assert_allclose(difference.table(range(4, 16)), expected, rtol=0, atol=1e-15)
    means = expected.reshape(4, 3, width).mean(axis=1)
    np.testing.assert_allclose(difference.block_means(4, 3, 4), means, rtol=0, atol=1e-14)
    values = [difference.value(5, place) for place in range(width)]
    np.testing.assert_allclose(values, expected[1], rtol=0, atol=1e-15)
    both = list(zip(e.kinds[:width].tolist(), less.kinds[:width].tolist(), strict=True))
    alike = difference.kinds[:, None] == difference.kinds
    assert alike.tolist() == [[one == other for one in both] for other in both]


def test_columns_and_rows_of_a_subject():
    half, other = (encodings.create("rope", head_dim=4, layout=x) for x in ("half", "interleaved"))
    pinned = Subject("pinned", other)
    assert find_cursor_columns(pinned, half).tolist() == [0, 2, 1, 3, 4, 6, 5, 7]
    assert find_cursor_columns(Subject("pinned", WIDE), NARROW).tolist() == [*range(7), *[-1] * 13]
    assert find_cursor_columns(Subject("difference", WIDE, NARROW), WIDE).tolist() == [*range(7)]
    learned = sample("learned")
    for subject in (Subject("difference", WIDE, learned), Subject("difference", learned, WIDE)):
        assert subject.domain == learned.domain
    assert (pinned.missing_reason, pinned.domain, pinned.width) == ("", other.domain, 8)
    assert Subject("difference", half, other).format_column_title(1) == "cos 1"
    assert (
        Subject("difference", WIDE, NARROW).missing_reason == explain_mismatch(WIDE, NARROW) == ""
    )
    rows = sample("learned", row_offset=learned.file_table.rows)  # all of them are before 0
    assert "position" in explain_mismatch(learned, rows)


def test_a_difference_of_almost_equal_cosines():
    e = encodings.create("sinusoidal", dim=64, base=1e4)
    less = encodings.create("sinusoidal", dim=64, base=10000.0000001)
    actual = Subject("difference", e, less).table(range(1, 2))[0, 41]
    assert actual == pytest.approx(-6.25003717377247e-17, rel=1e-14, abs=0)


def almost_equal_waves(*words):
    """Return a random generator, and the difference of two random encodings."""
    pick = seeded(*words)
    e = some_waves(pick)
    less = almost_equal(pick, e)
    return pick, Subject("difference", e, less), definition(e), definition(less)


@pytest.mark.parametrize("tens", range(20))
@pytest.mark.sampled(8)
def test_differences_are_as_accurate_as_angle_differences(tens):
    for seed in range(10 * tens, 10 * tens + 10):
        pick, subject, a, b = almost_equal_waves("difference", seed)
        rows = some_rows(pick, a.origin)[:300]
        table, j = subject.table(rows), pick.randrange(subject.width)
        for row in {0, len(rows) - 1, pick.randrange(len(rows))}:
            p, most = rows[row], _promised(a, b, block_of(rows, row), j)
            exact = a.element(p, j) - b.element(p, j)
            assert error(table[row, j], exact) <= most
            assert error(subject.value(p, j), exact) <= most


@pytest.mark.parametrize("tens", range(15))
@pytest.mark.sampled(6)
def test_differences_of_means_are_as_accurate(tens):
    for seed in range(10 * tens, 10 * tens + 10):
        pick, subject, a, b = almost_equal_waves("difference of means", seed)
        block, count = pick.choice([2, 3, 10, 999, 10**6]), pick.choice([1, 2, 20])
        start = pick.choice([0, 5, -block // 2, -block * count, 10**9]) - a.origin
        actual, j = subject.block_means(start, block, count), pick.randrange(subject.width)
        for row in {0, count - 1}:
            first = start + row * block
            with mp.workdps(120):
                exact = a.block_mean(first, block, j) - b.block_mean(first, block, j)
            frequency, value = a.frequency(a.wave(j)[0]), actual[row, j]
            most = _promised(a, b, (start, start + block * count - 1), j)
            if abs(frequency) > 1 and abs(block * mp.sin(frequency / 2)) < 1:  # near a whole turn
                most += 1e-3 * float(abs(exact))
                value = np.nan_to_num(value, nan=float(exact))
            assert error(value, exact) <= most or (np.isnan(value) and abs(exact) < 1e-60)


def _promised(a, b, positions, j):
    """Return the documented error, 6e-16 relative to a difference of angles."""
    return 6e-16 * min(1, max(float(abs(a.angle(p, j) - b.angle(p, j))) for p in positions))


def test_attention_factors_that_are_almost_equal():
    e, less = (
        encodings.create("rope", rope_type="yarn", factor=factor) for factor in (4.0, 4.0000001)
    )
    subject, a, b = Subject("difference", e, less), definition(e), definition(less)
    for j in (0, 40, 130, 250):  # of changed and unchanged pairs
        exact = a.element(3, j) - b.element(3, j)
        assert subject.table(range(3, 4))[0, j] == pytest.approx(float(exact), rel=1e-13, abs=0)


def test_differences_of_too_close_frequencies_are_nan():
    tiny, larger = (
        encodings.create("sinusoidal", dim=4, scale=scale) for scale in (1e-90, 1.0000001e-90)
    )
    assert np.isnan(Subject("difference", tiny, larger).table([1])).all()
    assert not Subject("difference", tiny, tiny).table([1]).any()
    other = encodings.create("sinusoidal", dim=4)
    exact = other.table([1])[0] - [0, 1, 0, 1]
    actual = Subject("difference", other, tiny).table([1])[0]
    np.testing.assert_allclose(actual, exact, rtol=1e-15, atol=1e-15)


def test_numbers_that_cancel_are_nan():
    other = encodings.create("sinusoidal", dim=20, base=1e4 + 1e-7)
    numbers, less = np.array([1.0, 1.0, 0.0, 1.0]), np.array([1.0, 1.0 + 1e-13, 0.0, 1.0 + 1e-9])
    actual = subtract_values(numbers, less, WIDE, other)
    assert np.isnan(actual[:2]).all()
    assert actual[2:].tolist() == [0.0, 1.0 - (1.0 + 1e-9)]
    assert subtract_values(numbers, less, WIDE, NARROW)[0] == 0  # they are not almost equal
    small = np.array([1e-12, 1e-10])
    actual = subtract_values(small, np.zeros(2), WIDE, NARROW, 1.0)
    np.testing.assert_array_equal(actual, [np.nan, 1e-10])


def test_reasons_name_both_encodings_and_their_axes():
    alibi, rope = encodings.create("alibi"), encodings.create("rope")
    for words, why in (
        (("ALiBi", "offsets", "sinusoidal", "positions"), explain_different_rows(alibi, WIDE)),
        (("RoPE", "cosines", "sinusoidal", "dimensions"), explain_mismatch(rope, WIDE)),
    ):
        assert [word for word in words if word not in why] == []

"""Shift matrices against arithmetic with 80 digits, tables, and least squares of NumPy."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pe_explorer import encodings
from pe_explorer.analysis import moved_rows, shift
from pe_explorer.analysis.moved_rows import largest_differences
from pe_explorer.analysis.shift_fit import MOST_FITTED, best_fit, why_no_fit
from pe_explorer.encodings import LIMIT, EncodingError
from tests.support.cases import for_each
from tests.support.pairwise import pairwise
from tests.support.samples import sample, samples, stored_table

mp = mpmath.mp.clone()
mp.dps = 80

ULP = 2.0**-52
SHIFTS = [0, 1, -1, 10, -10, 44, 4096, 10**9 + 7, LIMIT, -LIMIT, LIMIT - 1]
FAMILIES = pairwise(
    [2, 4, 7, 8, 33],  # width
    [1.5, 1e4, 1e8],  # base
    ["interleaved", "concatenated"],
    ["paper", "endpoint"],
    ["sin-cos", "cos-sin"],
    [0, 3, -LIMIT],  # offset
    [1.0, -0.37, 1e-9, 1e6],  # scale
    SHIFTS,
)
NO_MATRIX = [
    sample("index"),
    sample("fraction"),
    sample("binary"),
    sample("learned"),
    sample("alibi"),
    sample("alibi", symmetric=True),
    encodings.create("sinusoidal", waves="sine"),
    encodings.create("sinusoidal", waves="cosine"),
    encodings.create("sinusoidal", dim=1),
    encodings.create("sinusoidal", dim=7),
]


def sines(**parameters):
    return encodings.create("sinusoidal", **parameters)


def notebook(**parameters):
    """Return the encoding of the notebook: all sines, then all cosines, down to 1/10000."""
    return sines(dim=512, layout="concatenated", spacing="endpoint", **parameters)


def frequencies(e):
    """Return the frequencies of the pairs with 80 digits, by their definition."""
    pairs, base = e.dim // 2, mp.mpf(e.base)
    step = mp.mpf(2) / e.dim
    if e.spacing == "endpoint":
        step = mp.mpf(1) / max(pairs - 1, 1)
    return [mp.mpf(e.scale) * base ** (-i * step) for i in range(pairs)]


def expected(e, k):
    """Return the matrix of a sinusoidal encoding, cell by cell."""
    pairs = e.dim // 2
    found = np.zeros((e.dim, e.dim))
    for i, frequency in enumerate(frequencies(e)):
        columns = (2 * i, 2 * i + 1) if e.layout == "interleaved" else (i, pairs + i)
        s, c = columns if e.order == "sin-cos" else columns[::-1]
        angle = k * frequency
        found[s, s] = found[c, c] = mp.cos(angle)
        found[c, s], found[s, c] = mp.sin(angle), -mp.sin(angle)
    if e.dim % 2:  # a column of zeros, which stays as it is
        found[-1, -1] = 1.0
    return found


@for_each(("dim", "base", "layout", "spacing", "order", "offset", "scale", "k"), FAMILIES)
def test_every_number_is_right_to_1e_15(dim, base, layout, spacing, order, offset, scale, k):
    if dim % 2:  # only this spacing leaves no sine alone
        spacing = "endpoint"
    given = {"layout": layout, "spacing": spacing, "order": order}
    e = sines(dim=dim, base=base, offset=offset, scale=scale, **given)
    np.testing.assert_allclose(shift.matrix(e, k), expected(e, k), rtol=0, atol=1e-15)


@for_each(
    ("dim", "layout", "spacing", "order", "offset", "k"),
    pairwise(
        [2, 6, 64],
        ["interleaved", "concatenated"],
        ["paper", "endpoint"],
        ["sin-cos", "cos-sin"],
        [0, -5],
        [1, -10, 12_345, 2**40, 2**53 - 300, -(2**53) + 300],
    ),
)
def test_rows_times_the_matrix_are_the_rows_that_come_k_later(
    dim, layout, spacing, order, offset, k
):
    e = sines(dim=dim, layout=layout, spacing=spacing, order=order, offset=offset)
    positions = np.arange(-100, 101, 7)
    moved = e.table(positions) @ shift.matrix(e, k)
    np.testing.assert_allclose(moved, e.table(positions + k), rtol=0, atol=4 * ULP)


@given(
    st.integers(-LIMIT, LIMIT),
    st.integers(-(2**40), 2**40),
    st.sampled_from([("rope", {"head_dim": 12}), ("sinusoidal", {"dim": 10})]),
)
@settings(max_examples=60, deadline=None)
def test_matrices_turn_and_add_up(k, other, scheme):
    name, parameters = scheme
    e = encodings.create(name, **parameters)
    one = shift.matrix(e, k)
    np.testing.assert_allclose(one @ one.T, np.eye(len(one)), atol=4 * ULP)
    np.testing.assert_array_equal(shift.matrix(e, -k), one.T)
    if abs(k + other) <= LIMIT:
        both = one @ shift.matrix(e, other)
        np.testing.assert_allclose(shift.matrix(e, k + other), both, atol=6 * ULP)


@for_each(
    ("head_dim", "layout", "part", "k"),
    pairwise([4, 8, 64], ["half", "interleaved"], [1.0, 0.5], [1, -10, 999_999, LIMIT - 200]),
)
def test_for_rotary_encodings_it_is_the_rotation_itself(head_dim, layout, part, k):
    e = sample("rope", head_dim=head_dim, layout=layout, partial_rotary_factor=part)
    heads = np.random.default_rng(3).normal(size=(31, head_dim))
    turn = shift.matrix(e, k)
    assert turn.shape == (head_dim, head_dim)
    np.testing.assert_allclose(heads @ turn, e.rotate(heads, [k] * 31), atol=20 * ULP)
    positions = np.arange(-50, 105, 5)
    moved = e.rotate(heads, positions) @ turn
    np.testing.assert_allclose(moved, e.rotate(heads, positions + k), atol=20 * ULP)
    by_hand = np.eye(head_dim)
    turned = int(head_dim * part)
    for i in range(turned // 2):
        a, b = (2 * i, 2 * i + 1) if layout == "interleaved" else (i, i + turned // 2)
        angle = k * mp.mpf(10_000) ** (mp.mpf(-2 * i) / turned)
        by_hand[a, a] = by_hand[b, b] = mp.cos(angle)
        by_hand[a, b], by_hand[b, a] = mp.sin(angle), -mp.sin(angle)
    np.testing.assert_allclose(turn, by_hand, rtol=0, atol=1e-15)


@pytest.mark.parametrize("e", samples(dim=8, head_dim=8), ids=lambda e: e.name)
def test_what_is_moved_are_rows_and_means_of_rows(e):
    positions = range(60)
    rows = moved_rows.rows(e, positions)
    assert rows.shape == (60, moved_rows.width(e))
    means = moved_rows.block_means(e, 0, 12, 5)
    np.testing.assert_allclose(means, rows.reshape(5, 12, -1).mean(axis=1), atol=1e-12)
    assert moved_rows.movable(e, 7)[-1] + 7 == e.domain[-1]
    assert moved_rows.movable(e, -7)[0] - 7 == e.domain[0]


def test_a_rotary_row_is_a_head_that_is_turned():
    e = sample("rope", head_dim=12, partial_rotary_factor=0.7, layout="interleaved")
    head = np.array([1.0, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1])
    positions = range(-20, 20)
    np.testing.assert_array_equal(moved_rows.rows(e, positions), e.rotate([head] * 40, positions))


# -- the blocks alone ----------------------------------------------------------------------------


@for_each("e", [*samples(dim=6, head_dim=6), notebook()], ids=lambda e: e.name)
def test_blocks_move_rows_as_the_matrix_does(e):
    for k in (0, 10):
        if shift.why_none(e, k):
            continue
        blocks, rows = shift.sparse_shift(e, k), moved_rows.rows(e, range(20))
        np.testing.assert_allclose(blocks.moved(rows), rows @ blocks.whole, atol=2 * ULP)
        np.testing.assert_array_equal(blocks.whole, shift.matrix(e, k))


def test_a_matrix_of_65536_rows_is_131072_numbers():
    blocks = shift.sparse_shift(sines(dim=65_536), -LIMIT)
    assert sum(len(part) for part in (blocks.kept, blocks.taken)) == 2 * 65_536
    np.testing.assert_allclose(np.hypot(blocks.kept, blocks.taken), 1.0, atol=2 * ULP)


def test_differences_are_the_largest_of_each_row():
    e, positions = sines(dim=8), range(5, 300)
    blocks = shift.sparse_shift(e, 10)
    table, later = e.table(positions), e.table(range(15, 310))
    wrong = blocks._replace(kept=blocks.kept + 0.25)
    found = largest_differences(e, 10, wrong, positions)
    truth = np.abs(table @ wrong.whole - later).max(axis=1)
    np.testing.assert_allclose(found, truth, atol=1e-14)
    assert found.max() > 0.2
    assert largest_differences(e, 10, blocks, positions).max() < 4 * ULP


# -- what the documents say ----------------------------------------------------------------------


def test_ten_back_has_four_diagonals():
    matrix = shift.matrix(notebook(), -10)
    rows, columns = np.nonzero(matrix)
    assert matrix.shape == (512, 512)
    assert len(rows) == 1024
    assert set(columns - rows) == {0, 256, -256}  # the diagonal is two of the four
    assert matrix[0, 0] == pytest.approx(-0.83907, abs=5e-6)
    assert matrix[256, 0] == pytest.approx(-0.54402 * -1, abs=5e-6)
    assert matrix[0, 256] == pytest.approx(-0.54402, abs=5e-6)
    assert matrix[511, 511] == pytest.approx(0.9999995, abs=5e-8)
    np.testing.assert_array_equal(shift.matrix(notebook(), 10), matrix.T)
    np.testing.assert_allclose(shift.matrix(notebook(), -20), matrix @ matrix, atol=2.3e-16)
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(512), atol=2.3e-16)


def test_rows_of_positions_that_were_never_made():
    e = notebook()
    moved = shift.sparse_shift(e, -10).moved(e.table(range(50)))
    assert moved[0, 0] == pytest.approx(0.54402, abs=5e-6)
    np.testing.assert_allclose(moved[10], [0] * 256 + [1] * 256, atol=1e-15)
    for start in (0, 10, 10**6, 10**9):
        positions = range(start, start + 50)
        assert largest_differences(e, -10, shift.sparse_shift(e, -10), positions).max() < 1.15e-15
    moved = e.table(range(50)) @ shift.matrix(e, -20)
    np.testing.assert_allclose(moved, e.table(range(-20, 30)), atol=1.15e-15)


def test_two_by_two():
    e = sines(dim=2)
    block = [[0.540302, 0.841471], [-0.841471, 0.540302]]  # for columns: ours is for rows
    np.testing.assert_allclose(shift.matrix(e, 1).T, block, atol=5e-7)
    everywhere = largest_differences(e, 1, shift.sparse_shift(e, 1), range(50))
    assert everywhere.max() < 2.3e-16
    twice = shift.matrix(e, 1) @ shift.matrix(e, 1)
    np.testing.assert_allclose(shift.matrix(e, 2), twice, atol=1.2e-16)
    assert np.degrees(np.arccos(shift.matrix(e, 44)[0, 0])) == pytest.approx(1.0143, abs=5e-5)
    assert np.abs(e.table([710]) - e.table([0])).max() == pytest.approx(6.0e-5, abs=5e-7)


def test_wider_than_two():
    e = sines(dim=4)
    matrix = shift.matrix(e, 3)
    assert not matrix[:2, 2:].any()
    assert not matrix[2:, :2].any()
    angles = [np.degrees(np.arctan2(matrix[i + 1, i], matrix[i, i])) for i in (0, 2)]
    np.testing.assert_allclose(angles, [171.89, 1.7189], atol=5e-3)
    assert largest_differences(e, 3, shift.sparse_shift(e, 3), range(50)).max() < 2.3e-16
    assert (np.count_nonzero(shift.matrix(sines(dim=128), 3)) // 4) == 64


def test_every_clock_turns_by_its_own_angle():
    angles = [572.96, 205.91, 74.00, 26.59, 9.56, 3.43, 1.23, 0.44, 0.16]
    matrix = shift.matrix(sines(dim=18), 10)
    for i, angle in enumerate(angles):
        cosine, sine = matrix[2 * i, 2 * i], matrix[2 * i + 1, 2 * i]
        assert np.degrees(np.arctan2(sine, cosine)) % 360 == pytest.approx(angle % 360, abs=5e-3)
    assert (matrix[0, 0], matrix[1, 0]) == pytest.approx((-0.83907, -0.54402), abs=5e-6)
    far = shift.matrix(sines(dim=18), 44)
    assert far[0, 0] == pytest.approx(0.999843, abs=5e-7)
    assert np.degrees(np.arctan2(far[3, 2], far[2, 2])) % 360 == pytest.approx(186, abs=0.5)


def test_only_the_sinusoid_of_the_four_wishes_has_a_matrix():
    e = sines(dim=1024)
    assert largest_differences(e, 1, shift.sparse_shift(e, 1), range(1, 250)).max() < 1.15e-15
    others = [
        sample("index"),
        sample("fraction", length=30),
        sample("binary"),
        sines(dim=1024, waves="sine"),
    ]
    assert all(map(shift.why_none, others))


# -- where there is no matrix --------------------------------------------------------------------


@for_each("e", NO_MATRIX, ids=lambda e: e.name)
def test_where_there_is_no_matrix_there_is_a_reason(e):
    for k in (1, -10, LIMIT):
        with pytest.raises(EncodingError) as raised:
            shift.matrix(e, k)
        assert raised.value.name == "encoding"
        assert raised.value.problem == shift.why_none(e, k)
        named = "the rows come from a file" if e.name == "learned" else e.called()
        assert named in raised.value.problem
    np.testing.assert_array_equal(shift.matrix(e, 0), np.eye(moved_rows.width(e)))


def test_the_reason_names_what_is_alone():
    assert "every dimension of sinusoidal is a sine" in shift.why_none(sines(waves="sine"))
    assert "every dimension of sinusoidal is a cosine" in shift.why_none(sines(waves="cosine"))
    assert "dimension 6 of sinusoidal is a sine alone" in shift.why_none(sines(dim=7))
    concatenated = sines(dim=7, layout="concatenated", order="cos-sin")
    assert "dimension 3 of sinusoidal is a cosine alone" in shift.why_none(concatenated)


def test_waves_that_do_not_turn_need_no_other():
    for waves in ("sine", "cosine", "both"):
        e = sines(dim=5, waves=waves, scale=0.0)
        np.testing.assert_array_equal(shift.matrix(e, 7), np.eye(5))
    assert shift.matrix(sines(dim=1, spacing="endpoint"), 3) == [[1.0]]


@pytest.mark.parametrize("k", [LIMIT + 1, -LIMIT - 1, 0.5, "ten", None, float("nan")])
def test_other_shifts_are_a_sentence(k):
    for call in (shift.matrix, lambda e, k: best_fit(e, k, range(9))):
        with pytest.raises(EncodingError) as raised:
            call(sines(), k)
        assert raised.value.name == "k"


@for_each(
    ("e", "k", "positions"),
    [
        (sample("index"), 10, range(50)),
        (sample("fraction"), -3, range(0, 500, 5)),
        (sample("binary"), 1, range(300)),
        (sines(dim=7), 10, range(2000)),
        (sines(dim=16, waves="sine", base=20.0), 4, range(3000)),
        (sines(dim=12, waves="cosine", base=3.0), -4, range(100)),
        (sample("learned"), 1, range(500)),
        (sample("alibi"), 5, range(-49, 1)),
        (sample("index"), 10, range(100_000)),  # in parts, as the next one
        (sines(dim=7), 10, range(200_000)),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_best_fit_is_that_of_least_squares(e, k, positions):
    later = range(positions.start + k, positions.stop + k, positions.step)
    before, after = e.table(positions), e.table(later)
    found, _, rank, _ = np.linalg.lstsq(before, after, rcond=None)
    fit = best_fit(e, k, positions)
    np.testing.assert_allclose(fit.whole, found, atol=1e-6)
    assert fit.largest == pytest.approx(np.abs(before @ found - after).max(), rel=1e-6)
    assert (fit.rank, fit.rows) == (rank, len(positions))
    np.testing.assert_allclose(fit.moved(before), before @ fit.whole)


def test_a_lone_sine_leaves_a_little():
    """Over 2,000 positions the exhibit's number; over all 8,001 a little more."""
    e = sines(dim=7)
    assert best_fit(e, 10, range(2000)).largest == pytest.approx(0.0033, abs=5e-5)
    assert best_fit(e, 10, range(8001)).largest == pytest.approx(0.00374, abs=5e-6)


def test_a_line_misses_by_what_no_factor_adds():
    """All numbers of a row are p: the best factor a brings a·p nearest to p + k."""
    k, positions = 10, np.arange(50)
    factor = (positions * (positions + k)).sum() / (positions**2).sum()
    truth = np.abs(factor * positions - positions - k).max()
    assert best_fit(sample("index"), k, range(50)).largest == pytest.approx(truth)


def test_a_fit_keeps_to_the_rows_that_there_are(tmp_path):
    e = encodings.create("learned", file=stored_table())
    fit = best_fit(e, 100, range(-50, 4000))
    assert fit.rows == 2900
    with pytest.raises(EncodingError, match="no position shown has a row that is 10,000 after it"):
        best_fit(e, 10_000, range(50))
    path = tmp_path / "holes.npy"
    np.save(path, np.array([[1.0, 2.0], [np.nan, 1.0], [3.0, 4.0]]))
    with pytest.raises(EncodingError, match="not finite"):
        best_fit(encodings.create("learned", file=str(path)), 1, range(3))


def test_a_fit_reports_and_can_be_stopped():
    shares = []
    best_fit(sample("index"), 1, range(100_000), shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(shares) >= 6

    def stop(share):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        best_fit(sample("index"), 1, range(100_000), stop)


def test_what_is_too_wide_for_least_squares_says_so():
    e = sines(dim=MOST_FITTED + 1)
    with pytest.raises(EncodingError, match="up to 1,024 dimensions"):
        best_fit(e, 1, range(9))
    assert not why_no_fit(sines(dim=MOST_FITTED))


@pytest.mark.parametrize("size", [2.0**1023, 2.0**-1022, 1.0])
def test_a_best_fit_of_the_smallest_and_largest_numbers(tmp_path, size):
    rows = np.array([[1.7, -1.7], [-1.7, 1.7], [1.0, 1.0], [0.0, 0.0], [0.5, 0.25]]) * size
    np.save(tmp_path / "rows.npy", rows)
    e = encodings.create("learned", file=str(tmp_path / "rows.npy"))
    fit = best_fit(e, 1, range(5))
    plain = rows / size
    wanted, _, rank, _ = np.linalg.lstsq(plain[:-1], plain[1:], rcond=1e-12)
    np.testing.assert_allclose(fit.whole, wanted, rtol=1e-12, atol=1e-13)
    assert fit.rank == rank
    np.testing.assert_allclose(fit.moved(rows), plain @ wanted * size, rtol=1e-12)
    differences = largest_differences(e, 1, fit, range(4)) / size
    np.testing.assert_allclose(
        differences, np.abs(plain[:-1] @ wanted - plain[1:]).max(axis=1), atol=1e-14
    )


def test_rows_that_do_not_move_stay_as_they_are_whatever_their_numbers():
    table = np.array([[np.inf, 1.0], [1.7e308, -np.inf]])
    by = shift.sparse_shift(sample("learned"), 0)._replace(
        kept=np.ones(2), partner=np.full(2, -1), taken=np.zeros(2), sines=np.zeros(2, dtype=bool)
    )
    np.testing.assert_array_equal(by.moved(table), table)

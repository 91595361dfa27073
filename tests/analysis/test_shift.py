"""Shift matrices, compared with 80-digit arithmetic, tables, and NumPy's least squares."""

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis import moved_rows, shift
from pe_explorer.analysis.moved_rows import compute_max_differences
from pe_explorer.analysis.shift import MAX_FIT_WIDTH, explain_no_fit, fit_matrix
from pe_explorer.encodings import LIMIT, EncodingError
from tests.support.definitions import mp
from tests.support.oracles import definition
from tests.support.pairwise import pairwise
from tests.support.samples import sample, samples
from tests.support.sinusoids import sinusoidal as sines
from tests.support.tables_in_files import put

ULP = 2.0**-52
SHIFTS = [0, 1, -1, 10, -10, 44, 4096, 10**9 + 7, LIMIT, -LIMIT, LIMIT - 1]
SINUSOIDS = pairwise(
    [2, 4, 7, 8, 64],  # width
    [1.5, 1e4, 1e8],  # base
    ["interleaved", "concatenated"],
    ["paper", "endpoint"],
    ["sin-cos", "cos-sin"],
    [0, 3, -LIMIT],  # offset
    [1.0, -0.37, 1e-9, 1e6],  # scale
)
ROTARY = pairwise([4, 8, 64], ["half", "interleaved"], [1.0, 0.5])


def notebook():
    """Return the encoding of the notebook: all sines, then all cosines."""
    return sines(dim=512, layout="concatenated", spacing="endpoint")


def expected(e, k):
    """Return the matrix of an encoding, cell by cell."""
    defined = definition(e)
    actual, turned = np.eye(defined.moved), getattr(defined, "rotated", defined.moved)
    columns = {}
    for j in range(turned):
        if wave := defined.wave(j):
            columns.setdefault(wave[0], []).append(j)
    for pair, both in columns.items():
        # or the two channels of a pair
        cosine, sine = sorted(both, key=lambda j: defined.wave(j)[1])
        angle = k * defined.frequency(pair)
        actual[cosine, cosine] = actual[sine, sine] = mp.cos(angle)
        actual[cosine, sine], actual[sine, cosine] = mp.sin(angle), -mp.sin(angle)
    return actual


@pytest.mark.parametrize("k", SHIFTS)
def test_shift_matrices_are_accurate_to_1e_15(k):
    for dim, base, layout, spacing, order, offset, scale in SINUSOIDS:
        spacing = "endpoint" if dim % 2 else spacing  # "paper" leaves a sine without its cosine
        e = sines(
            dim=dim, base=base, layout=layout, spacing=spacing, order=order, offset=offset,
            scale=scale,
        )  # fmt: skip
        matrix = shift.matrix(e, k)
        np.testing.assert_allclose(matrix, expected(e, k), rtol=0, atol=1e-15, err_msg=str(e))
        np.testing.assert_array_equal(shift.matrix(e, -k), matrix.T)
        positions = np.arange(-100, 101, 7)
        if abs(k) < LIMIT - 100:
            moved = e.table(positions) @ matrix
            np.testing.assert_allclose(moved, e.table(positions + k), rtol=0, atol=5 * ULP)


@pytest.mark.parametrize("k", [1, -10, 999_999, LIMIT - 200])
def test_the_shift_of_rotary_encodings_is_the_rotation(k):
    for head_dim, layout, part in ROTARY:
        e = sample("rope", head_dim=head_dim, layout=layout, partial_rotary_factor=part)
        heads = np.random.default_rng(3).normal(size=(31, head_dim))
        turn, positions = shift.matrix(e, k), np.arange(-50, 105, 5)
        np.testing.assert_allclose(turn, expected(e, k), rtol=0, atol=1e-15)
        np.testing.assert_allclose(heads @ turn, e.rotate(heads, [k] * 31), atol=20 * ULP)
        moved = e.rotate(heads, positions) @ turn
        np.testing.assert_allclose(moved, e.rotate(heads, positions + k), atol=20 * ULP)


@pytest.mark.parametrize("e", samples(dim=8, head_dim=8), ids=lambda e: e.name)
def test_moved_rows_and_their_block_means(e):
    rows = moved_rows.rows(e, range(60))
    assert rows.shape == (60, moved_rows.width(e))
    means = moved_rows.block_means(e, 0, 12, 5)
    np.testing.assert_allclose(means, rows.reshape(5, 12, -1).mean(axis=1), atol=1e-12)
    assert moved_rows.movable_positions(e, 7)[-1] + 7 == e.domain[-1]
    assert moved_rows.movable_positions(e, -7)[0] - 7 == e.domain[0]


def test_a_rotary_row_is_a_rotated_head():
    e = sample("rope", head_dim=12, partial_rotary_factor=0.7, layout="interleaved")
    head = np.array([1.0, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1])
    positions = range(-20, 20)
    np.testing.assert_array_equal(moved_rows.rows(e, positions), e.rotate([head] * 40, positions))


# -- the blocks alone ----------------------------------------------------------------------------


@pytest.mark.parametrize("e", [*samples(dim=6, head_dim=6), notebook()], ids=lambda e: e.name)
def test_sparse_and_dense_matrices_move_rows_equally(e):
    for k in (0, 10):
        if not shift.explain_no_matrix(e, k):
            blocks, rows = shift.build_sparse_shift(e, k), moved_rows.rows(e, range(20))
            np.testing.assert_allclose(blocks.apply(rows), rows @ blocks.matrix, atol=2 * ULP)
            np.testing.assert_array_equal(blocks.matrix, shift.matrix(e, k))


def test_a_sparse_matrix_of_65536_rows_has_131072_numbers():
    blocks = shift.build_sparse_shift(sines(dim=65_536), -LIMIT)
    assert sum(len(part) for part in (blocks.diagonal, blocks.partner_values)) == 2 * 65_536
    np.testing.assert_allclose(np.hypot(blocks.diagonal, blocks.partner_values), 1.0, atol=2 * ULP)


def test_largest_differences_match_each_row():
    e, positions = sines(dim=8), range(5, 300)
    blocks = shift.build_sparse_shift(e, 10)
    table, later = e.table(positions), e.table(range(15, 310))
    wrong = blocks._replace(diagonal=blocks.diagonal + 0.25)
    actual = compute_max_differences(e, 10, wrong, positions)
    np.testing.assert_allclose(actual, np.abs(table @ wrong.matrix - later).max(axis=1), atol=1e-14)
    assert actual.max() > 0.2


# -- where there is no matrix --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("e", "words"),
    [
        (sample("index"), "index"),
        (sample("fraction"), "fraction"),
        (sample("binary"), "binary"),
        (sample("learned"), "rows come from a file"),
        (sample("alibi"), "ALiBi"),
        (sample("alibi", symmetric=True), "ALiBi"),
        (sines(waves="sine"), "every dimension of sinusoidal is a sine"),
        (sines(waves="cosine"), "every dimension of sinusoidal is a cosine"),
        (sines(dim=1), "sinusoidal"),
        (sines(dim=7), "dimension 6 of sinusoidal is a sine"),
        (
            sines(dim=7, layout="concatenated", order="cos-sin"),
            "dimension 3 of sinusoidal is a cosine",
        ),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_the_reason_for_no_matrix_names_the_column(e, words):
    for k in (1, -10, LIMIT):
        with pytest.raises(EncodingError) as raised:
            shift.matrix(e, k)
        assert raised.value.name == "encoding"
        assert raised.value.problem == shift.explain_no_matrix(e, k)
        assert words in raised.value.problem
    assert shift.explain_no_matrix(e, 0) == ""
    np.testing.assert_array_equal(shift.matrix(e, 0), np.eye(moved_rows.width(e)))


def test_constant_waves_need_no_partner():
    for waves in ("sine", "cosine", "both"):
        e = sines(dim=5, waves=waves, scale=0.0)
        np.testing.assert_array_equal(shift.matrix(e, 7), np.eye(5))
        assert shift.explain_no_matrix(e, 7) == ""
    assert shift.matrix(sines(dim=1, spacing="endpoint"), 3) == [[1.0]]


@pytest.mark.parametrize("k", [LIMIT + 1, -LIMIT - 1, 0.5, "ten", None, float("nan")])
def test_invalid_shifts_are_refused(k):
    for call in (shift.matrix, lambda e, k: fit_matrix(e, k, range(9))):
        with pytest.raises(EncodingError) as raised:
            call(sines(), k)
        assert raised.value.name == "k"


@pytest.mark.parametrize(
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
        (sample("index"), 10, range(40_000)),  # this and the next are processed in chunks
        (sines(dim=7), 10, range(80_000)),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_best_fit_matches_least_squares(e, k, positions):
    later = range(positions.start + k, positions.stop + k, positions.step)
    before, after = e.table(positions), e.table(later)
    actual, _, rank, _ = np.linalg.lstsq(before, after, rcond=None)
    fit = fit_matrix(e, k, positions)
    np.testing.assert_allclose(fit.matrix, actual, atol=1e-6)
    assert fit.largest == pytest.approx(np.abs(before @ actual - after).max(), rel=1e-6)
    assert (fit.rank, fit.rows) == (rank, len(positions))
    np.testing.assert_allclose(fit.apply(before), before @ fit.matrix)


def test_best_fit_uses_existing_rows_only(tmp_path):
    e = sample("learned")
    assert fit_matrix(e, 100, range(-50, 4000)).rows == 2900
    with pytest.raises(EncodingError, match="no position shown has a row 10,000 positions later"):
        fit_matrix(e, 10_000, range(50))
    holes = put(tmp_path / "holes.npy", np.array([[1.0, 2.0], [np.nan, 1.0], [3.0, 4.0]]))
    with pytest.raises(EncodingError, match="NaN or infinity"):
        fit_matrix(encodings.create("learned", file=holes), 1, range(3))


def test_best_fit_reports_progress_and_can_be_cancelled():
    shares = []
    fit_matrix(sample("index"), 1, range(40_000), shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(shares) >= 4

    def stop(share):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        fit_matrix(sample("index"), 1, range(40_000), stop)


def test_too_wide_encodings_have_no_best_fit():
    e = sines(dim=MAX_FIT_WIDTH + 1)
    with pytest.raises(EncodingError, match="limited to 1,024 dimensions"):
        fit_matrix(e, 1, range(9))
    assert explain_no_fit(sines(dim=MAX_FIT_WIDTH)) == ""


def test_best_fit_samples_very_many_rows():
    """At least two rows per column, and no more than take a few seconds."""
    assert [shift.compute_max_rows(width) for width in (1, 100, 1024)] == [2**22, 41_943, 3814]
    fit = shift.build_matrix_or_fit(sample("binary", dim=1), 1, range(9 * 10**6))
    assert (fit.rows, fit.rank) == (3 * 10**6, 1)
    assert isinstance(shift.build_matrix_or_fit(sines(dim=4), 1, range(9)), shift.SparseShift)


@pytest.mark.parametrize("size", [2.0**1023, 2.0**-1022, 1.0])
def test_a_best_fit_of_the_smallest_and_largest_numbers(tmp_path, size):
    rows = np.array([[1.7, -1.7], [-1.7, 1.7], [1.0, 1.0], [0.0, 0.0], [0.5, 0.25]]) * size
    e = encodings.create("learned", file=put(tmp_path / "rows.npy", rows))
    fit = fit_matrix(e, 1, range(5))
    plain = rows / size
    wanted, _, rank, _ = np.linalg.lstsq(plain[:-1], plain[1:], rcond=1e-12)
    np.testing.assert_allclose(fit.matrix, wanted, rtol=1e-12, atol=1e-13)
    assert fit.rank == rank
    np.testing.assert_allclose(fit.apply(rows), plain @ wanted * size, rtol=1e-12)
    differences = compute_max_differences(e, 1, fit, range(4)) / size
    np.testing.assert_allclose(
        differences, np.abs(plain[:-1] @ wanted - plain[1:]).max(axis=1), atol=1e-14
    )


def test_the_identity_leaves_infinite_rows_unchanged():
    table = np.array([[np.inf, 1.0], [1.7e308, -np.inf]])
    by = shift.build_sparse_shift(sample("learned"), 0)._replace(
        diagonal=np.ones(2),
        partner=np.full(2, -1),
        partner_values=np.zeros(2),
        sines=np.zeros(2, dtype=bool),
    )
    np.testing.assert_array_equal(by.apply(table), table)

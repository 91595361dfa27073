"""The figure of a shift: its matrix in pixels, its tables, and what it says, against sums."""

import math
import threading
from typing import ClassVar

import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.encodings import LIMIT
from pe_explorer.pictures.cost import is_expensive
from pe_explorer.pictures.gestures import Drag, Wheel
from pe_explorer.pictures.limits import find_limit_above
from pe_explorer.pictures.pixels import Size
from pe_explorer.progress import CancelledError
from tests.pictures.resampling import resampled
from tests.support.requirements import NOTHING, PictureRequirements, numbers_of
from tests.support.samples import sample, stored_table
from tests.support.sinusoids import sinusoid, sinusoidal as sines, turned
from tests.support.states import (
    cost_of,
    figure_of as shown,
    inspection_of_view,
    snapshot,
    state_of,
)


class Definition(PictureRequirements):
    with_options: ClassVar = {"--part tables": NOTHING}


SHIFT = pictures.find("shift")
every_part = pytest.mark.parametrize("part", ["matrix", "tables", "residual"])


def figure_of(e, size=(300, 200), part="matrix", *, start=0, count=50, **options):
    size = size if isinstance(size, Size) else Size(*size)
    return shown("shift", {"part": part, **options}, size, encoding=e, start=start, count=count)


def greatest(matrix, group):
    """Return the number of greatest magnitude in each square of cells, smaller at the ends."""
    starts = range(0, len(matrix), group)
    squares = [[matrix[i : i + group, j : j + group].ravel() for j in starts] for i in starts]
    return [[square[np.abs(square).argmax()] for square in row] for row in squares]


@pytest.mark.parametrize(("dim", "pixels"), [(16, 200), (64, 10), (64, 64), (100, 33), (30, 7)])
@pytest.mark.parametrize("k", [10, -7])
def test_a_pixel_of_the_matrix_is_the_greatest_of_its_cells(dim, pixels, k):
    (panel,) = figure_of(sines(dim=dim), (pixels, pixels), k=k).panels
    group = -(-dim // pixels)
    np.testing.assert_allclose(panel.cells.values, greatest(turned(dim, 1e4, k), group), atol=1e-14)
    assert panel.cells.limits == (-1.0, 1.0)
    assert (panel.x.count, panel.y.is_downward) == (dim, True)
    assert panel.badge == (f"greatest of {group} × {group} dimensions" if group > 1 else "")
    if group == 1:
        assert panel.find_value(0, 1) == pytest.approx(math.sin(k), abs=1e-15)


@every_part
def test_the_reported_residual_is_independent_of_the_size_of_the_view(part):
    sizes = (60, 50), (300, 200), (2000, 1500)
    (said,) = {figure_of(sines(dim=64), size, part, count=5000).status for size in sizes}
    assert "The largest residual of" in said


def test_a_part_of_the_matrix_can_be_shown():
    (panel,) = figure_of(sines(dim=64), k=3, first=11, dimensions=20).panels
    np.testing.assert_allclose(panel.cells.values, turned(64, 1e4, 3)[11:31, 11:31], atol=1e-14)
    assert (panel.x.origin, panel.y.origin) == (11, 11)
    drawn, drag = snapshot("shift", {"first": 11, "dimensions": 20}, encoding=sines()), Drag()
    drag.x = drag.y = -0.25  # along the diagonal
    assert drawn.picture.find_drag_fields(drawn, drag)["options"] == {"first": 16}
    closest = drawn.picture.find_wheel_fields(drawn, Wheel("matrix", 0.01, 0.5, 0.5, False))
    assert closest["options"]["dimensions"] == 1


def test_a_wide_encoding_needs_no_wide_matrix():
    """Of its 67 million cells only those on the diagonal and beside it are not 0."""
    e = sines(dim=8192)
    (panel,) = figure_of(e, (256, 256), k=10).panels
    assert panel.cells.values.shape == (256, 256)
    angles = 10 / 1e4 ** (np.arange(4096) * 2 / 8192)
    either = np.maximum(abs(np.cos(angles)), abs(np.sin(angles)))  # of both signs is the sine
    exact = either.reshape(256, -1).max(axis=1)
    np.testing.assert_allclose(abs(np.diag(panel.cells.values)), exact, atol=1e-14)
    assert np.count_nonzero(panel.cells.values) == 256
    (panel,) = figure_of(e, (400, 400), k=10).panels  # its last pixel has few
    cells = panel.cells
    assert np.abs(np.diag(cells.values)[:-1]).max() > 0.5 * cells.limits[1]
    assert cells.place.width == len(cells.values) * 21
    far = figure_of(sines(dim=65_536), (64, 64), k=LIMIT)
    assert far.panels[0].cells.values.shape == (64, 64)


@pytest.mark.parametrize("k", [10, -10, 1234])
def test_tables_are_the_rows_that_are_moved_and_the_true_ones(k):
    e = sines(dim=16, layout="concatenated")
    moved, later = figure_of(e, part="tables", start=5, count=40, k=k).panels
    exact = sinusoid(np.arange(5 + k, 45 + k), 16)
    exact = np.hstack([exact[:, ::2], exact[:, 1::2]])
    for panel, origin in ((moved, 5), (later, 5 + k)):
        np.testing.assert_allclose(panel.cells.values, exact, atol=1e-12)
        assert panel.y.origin == origin


def test_pixels_of_tables_are_means_at_any_number_of_positions():
    e = sines(dim=12)
    figure = figure_of(e, (6, 10), "tables", count=1000, k=100)
    exact = resampled(sinusoid(range(100, 1100), 12).reshape(10, 100, 12).mean(axis=1), 6, turns=2)
    for panel in figure.panels:
        np.testing.assert_allclose(panel.cells.values, exact, atol=1e-12)
        assert panel.badge == "mean of 100 positions, sines and cosines of 2 pairs"
        assert panel.cells.place.width == 12
    far = figure_of(e, part="tables", count=10**15, k=10)
    first, second = (panel.cells.values for panel in far.panels)
    np.testing.assert_allclose(first, second, atol=1e-15)
    for count, nearly in ((50, False), (10**4, False), (10**9, True)):
        status = figure_of(sines(), part="tables", count=count, k=10).status
        assert ("cancel" in status) == nearly  # where waves cancel in every pixel


def test_narrow_columns_of_one_kind_are_means():
    of_one_kind = sines(dim=128, waves="sine")
    for height, rows in ((100, "mean of 12 positions × "), (1200, "mean of ")):
        shown = figure_of(of_one_kind, (64, height), "tables", count=1200)
        assert {panel.badge for panel in shown.panels} == {f"{rows}2 dimensions"}


def test_channels_of_pairs_take_turns_and_those_that_are_not_turned_do_not():
    e = encodings.create("rope", head_dim=64, partial_rotary_factor=0.5, layout="interleaved")
    moved, _ = figure_of(e, (32, 20), "tables", count=9, k=3).panels
    angles = np.arange(3, 12)[:, None] * 1e4 ** (-np.arange(0, 32, 2) / 32)
    heads = np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(9, 32)
    np.testing.assert_allclose(moved.cells.values[:, :16], resampled(heads, 16, 2), atol=1e-12)
    np.testing.assert_allclose(moved.cells.values[:, 16:], 1.0, atol=1e-12)


def test_the_curve_is_the_largest_difference_of_each_row():
    (panel,) = figure_of(sines(dim=8), part="residual", start=10, k=-10).panels
    (curve,) = panel.curves
    assert len(curve.y) == 50
    assert curve.y.max() < 1.15e-15
    (panel,) = figure_of(sample("index"), part="residual", k=10).panels
    positions = np.arange(50)
    factor = (positions * (positions + 10)).sum() / (positions**2).sum()
    exact = np.abs(factor * positions - positions - 10)
    np.testing.assert_allclose(panel.curves[0].y, exact, atol=1e-9)
    high = find_limit_above(exact)
    assert (panel.y.low, panel.y.high) == pytest.approx((-0.03 * high, 1.03 * high))


@pytest.mark.parametrize("code", ["float64", "float32"])
@pytest.mark.parametrize("start", [0, 10**6])
def test_rows_of_code_are_a_second_curve_in_powers_of_ten(code, start):
    e = sines(dim=8)
    figure = figure_of(e, part="residual", start=start, count=40, k=3, code=code)
    (panel,) = figure.panels
    assert panel.y.powers
    heights = np.concatenate([curve.y for curve in panel.curves])
    spare = max(0.03, 0.03 * (np.nanmax(heights) - np.nanmin(heights)))
    ends = np.nanmin(heights) - spare, np.nanmax(heights) + spare
    assert (panel.y.low, panel.y.high) == pytest.approx(ends)
    exact, of_code = panel.curves
    assert (exact.name, of_code.name) == ("exact rows", f"{code} code")
    assert np.nanmax(exact.y) < -15
    written = numbers_of("shift-residual", e, positions=range(start, start + 40), k=3, code=code)
    found = np.nan_to_num(10.0**of_code.y)  # without a difference there is no power of ten
    np.testing.assert_allclose(found, written[:, 1], rtol=1e-12, atol=1e-300)
    assert f"Rows computed by {code} code" in figure.status


def test_a_single_row_is_a_level_line():
    figure = figure_of(sines(dim=4), part="residual", k=LIMIT)
    (panel,) = figure.panels
    assert panel.curves[0].is_visible
    assert panel.curves[0].x.tolist() == [-0.5, 0.5]
    assert [(part.left, part.right) for part in panel.hatched_areas] == [(-0.5, -0.5), (0.5, 49.5)]
    assert "residual of 1 position is 0, at position 0" in figure.status


def test_it_says_that_there_is_a_matrix_and_what_it_leaves():
    figure = figure_of(sines(), k=10)
    assert "moves every row by 10 " in figure.status
    assert "The largest residual of 50 positions is" in figure.status
    assert figure.note is None
    assert "moves every row by −1 " in figure_of(sines(), k=-1).status
    assert "moves every row by 0 " in figure_of(sample("index"), k=0).status


@pytest.mark.parametrize(
    ("e", "sentence"),
    [
        (sines(waves="sine"), "every dimension of sinusoidal is a sine"),
        (sample("index"), "index grows with the position"),
        (sample("learned"), "the rows come from a file"),
        (sample("alibi"), "alibi grows with the offset"),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_where_there_is_no_matrix_it_says_why_and_shows_the_best_fit(e, sentence):
    first = e.first_range
    count = 200 if first.start == 0 else len(first)
    for part in ("matrix", "tables", "residual"):
        figure = figure_of(e, part=part, start=first.start, count=count, k=5)
        assert sentence in figure.note.sentence.lower()
        assert "best fit" in figure.note.sentence
        panel = figure.panels[0]
        assert panel.cells is not None or panel.curves[0].is_visible
    place, half = {"start": first.start, "count": count, "k": 5}, e.width // 2
    whole, means = (figure_of(e, (n, n), **place).panels[0].cells for n in (e.width, half))
    exact = whole.values.reshape(half, 2, half, 2).mean(axis=(1, 3))
    np.testing.assert_allclose(means.values, exact, atol=1e-12)


def test_few_rows_and_wide_ones_have_no_fit_that_says_something():
    note = figure_of(sample("learned"), count=8, k=1).note
    assert "8 positions" in note.sentence
    assert "more than 12" in note.sentence
    figure = figure_of(sines(dim=2000, waves="sine"), k=1)
    assert "1,024 dimensions" in figure.note.sentence
    assert figure.panels[0].cells is None


@every_part
def test_rows_that_there_are_not(part):
    e = encodings.create("learned", file=stored_table())
    note = figure_of(e, part=part, start=10**6, k=1).note
    assert note.button_text
    assert note.rows == range(2999)
    moved, _ = figure_of(e, part="tables", start=-10, k=30).panels
    assert np.isnan(moved.cells.values[:10]).all()
    assert moved.hatched_areas[0].height == 10


def test_shifts_have_limits():
    for k in (LIMIT + 1, -LIMIT - 1):
        with pytest.raises(ValueError, match=r"-2\^53 to 2\^53"):
            state_of("shift", {"k": k})


def test_a_long_fit_is_left_to_the_worker_and_can_be_stopped():
    size, stopped = Size(300, 300), threading.Event()
    stopped.set()
    state = state_of("shift", {"k": 1}, encoding=sines(dim=512, waves="sine"), count=4000)
    with pytest.raises(CancelledError):
        SHIFT(state).numbers(size, stopped)
    assert is_expensive(SHIFT(state).cost(size))
    assert not is_expensive(cost_of("shift", {"k": 1}, Size(600, 600)))
    for dim in (1, 2, 4):
        e = sample("binary", dim=dim)
        few, many = (cost_of("shift", {"k": 3}, size, encoding=e, count=n) for n in (100, 2**20))
        assert not is_expensive(few)
        assert is_expensive(many)


@pytest.mark.parametrize(
    ("part", "what"),
    [("matrix", "shift-matrix"), ("tables", "shifted"), ("residual", "shift-residual")],
)
def test_the_numbers_of_each_part_can_be_exported(part, what):
    picture = pictures.make_picture("shift", state_of("shift", {"part": part}))
    assert (picture.quantity_name(), picture.show) == (what, "current")


def test_the_inspector_has_the_block_and_the_proof():
    for dimension, part, other in ((1, math.cos, "cos"), (0, math.sin, "sin")):
        fields = {"encoding": sines(dim=18), "position": 10, "dimension": dimension}
        found, numbers = inspection_of_view("shift", {"k": 10}, **fields)
        assert found.formula[0].startswith(f"{other}(θ + kω) = ")
        assert found.formula[-1] == f"= {part(20):+.6f}"
    assert float(numbers["cos kω"]) == pytest.approx(math.cos(10), abs=1e-15)
    assert float(numbers["sin kω"]) == pytest.approx(math.sin(10), abs=1e-15)
    assert float(numbers["Angle"].removesuffix("°")) == pytest.approx(212.9578, abs=1e-4)
    assert numbers["Pair"] == "0 and 1"
    assert numbers["Row 0"] == "-0.839072  +0.544021"
    assert numbers["Row 1"] == "-0.544021  -0.839072"
    assert float(numbers["Residual"]) < 1e-15


def test_the_block_of_a_rotary_pair_is_that_of_its_channels():
    e = sample("rope", head_dim=8)
    found, numbers = inspection_of_view("shift", {"k": 2}, encoding=e, position=3, dimension=9)
    assert numbers["Pair"] == "1 and 5"
    assert float(numbers["cos kω"]) == pytest.approx(math.cos(2 * 1e4**-0.25), abs=1e-15)
    assert not found.missing_reason


@pytest.mark.parametrize(("k", "dimension"), [(3, 0), (1, 127), (0, 0)])
def test_the_main_number_can_be_copied_below_0_too(k, dimension):
    found, _ = inspection_of_view("shift", {"k": k}, dimension=dimension)
    frequency = 10_000 ** -(dimension // 2 / 64)
    assert float(found.number) == pytest.approx(math.cos(k * frequency), rel=1e-14)


def test_without_a_matrix_or_a_row_the_inspector_says_why():
    found, numbers = inspection_of_view("shift", {"k": 2}, encoding=sample("index"))
    assert numbers["cos kω"] == "none"
    assert found.missing_reason.startswith("Index grows with the position")
    found, numbers = inspection_of_view("shift", {"k": 2}, position=LIMIT)
    assert numbers["Residual"] == "none"
    assert f"{LIMIT + 2:,}" in found.missing_reason


def test_a_shift_back_turns_by_negative_angles():
    for scale in (1.0, -1.0):
        for k in (1, -1, 10, -10, 44):
            turns = k * scale * 10_000.0 ** (-np.arange(9) / 9) / math.tau
            expected = np.fmod(turns, 1) * 360
            for pair in range(9):
                fields = {"encoding": sines(dim=18, scale=scale), "dimension": 2 * pair}
                _, texts = inspection_of_view("shift", {"k": k}, **fields)
                assert float(texts["Angle"].rstrip("°")) == pytest.approx(expected[pair], abs=1e-9)

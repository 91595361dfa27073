"""The figure of a shift: its matrix in pixels, its tables, and what it says, against sums."""

import math
import threading
from concurrent.futures import CancelledError
from typing import ClassVar

import numpy as np
import pytest

from pe_explorer import encodings, pictures, quantities
from pe_explorer.encodings import LIMIT
from pe_explorer.exploration import DirectStore, Exploration, resolve
from pe_explorer.figures.layout import areas
from pe_explorer.figures.size import PRESETS
from pe_explorer.pictures.cost import takes_long
from pe_explorer.pictures.gestures import OnScreen, Pointer
from pe_explorer.pictures.pixels import Size
from tests.support.cases import for_each
from tests.support.figures import STYLE, figures_of, measure
from tests.support.resampling import resampled
from tests.support.samples import sample, stored_table
from tests.support.sinusoids import sinusoid, sinusoidal as sines, turned
from tests.support.wanted import NOTHING, Drawn, numbers_of


class Definition(Drawn):
    with_options: ClassVar = {"--part tables": NOTHING}


SHIFT = pictures.find("shift")
RUNNING = threading.Event()
SIZE = Size(300, 200)


def state_of(e, options=None, **fields):
    state = pictures.with_options(Exploration(e, **fields), "shift", **(options or {}))
    return resolve(state, DirectStore())


def figure_of(e, size=SIZE, *, cancelled=RUNNING, options=None, **fields):
    state = state_of(e, options, **fields)
    return SHIFT.figure(state, SHIFT.compute(state, size, cancelled))


def greatest(matrix, group):
    """Return the number of greatest magnitude in each square of cells, smaller at the ends."""
    starts = range(0, len(matrix), group)
    squares = [[matrix[i : i + group, j : j + group].ravel() for j in starts] for i in starts]
    return [[square[np.abs(square).argmax()] for square in row] for row in squares]


def test_the_matrix_has_a_cell_for_each_number():
    (panel,) = figure_of(sines(dim=16), options={"k": 10}).panels
    np.testing.assert_allclose(panel.cells.values, turned(16, 1e4, 10), atol=1e-14)
    assert panel.cells.limits == (-1.0, 1.0)
    assert (panel.x.title, panel.x.count, panel.y.down) == ("dimension", 16, True)
    assert panel.value_at(0, 1) == pytest.approx(math.sin(10), abs=1e-15)
    assert panel.value_at(1, 0) == pytest.approx(-math.sin(10), abs=1e-15)
    assert not panel.badge


@pytest.mark.parametrize(("dim", "pixels"), [(64, 10), (64, 64), (100, 33), (30, 7)])
def test_a_pixel_of_the_matrix_is_the_greatest_of_its_cells(dim, pixels):
    (panel,) = figure_of(sines(dim=dim), Size(pixels, pixels), options={"k": -7}).panels
    group = -(-dim // pixels)
    wanted = greatest(turned(dim, 1e4, -7), group)
    np.testing.assert_allclose(panel.cells.values, wanted, atol=1e-14)
    assert panel.cells.limits == (-1.0, 1.0)
    assert panel.badge == (f"greatest of {group} × {group} dimensions" if group > 1 else "")


@pytest.mark.parametrize("part", ["matrix", "tables", "residual"])
def test_what_is_said_of_the_residual_is_not_about_the_size_of_the_view(part):
    of_sizes = {
        figure_of(sines(dim=64), size, count=5000, options={"part": part}).status.split(" Each ")[0]
        for size in (Size(60, 50), Size(300, 200), Size(2000, 1500))
    }
    (said,) = of_sizes
    assert "The largest residual of" in said


def test_a_part_of_the_matrix_can_be_shown():
    (panel,) = figure_of(sines(dim=64), options={"k": 3, "first": 11, "dimensions": 20}).panels
    np.testing.assert_allclose(panel.cells.values, turned(64, 1e4, 3)[11:31, 11:31], atol=1e-14)
    assert (panel.x.origin, panel.y.origin) == (11, 11)


def test_a_wide_encoding_needs_no_wide_matrix():
    """Of its 67 million cells only those on the diagonal and beside it are not 0."""
    e = sines(dim=8192)
    (panel,) = figure_of(e, Size(256, 256), options={"k": 10}).panels
    assert panel.cells.values.shape == (256, 256)
    angles = 10 / 1e4 ** (np.arange(4096) * 2 / 8192)
    either = np.maximum(abs(np.cos(angles)), abs(np.sin(angles)))  # of both signs is the sine
    truth = either.reshape(256, -1).max(axis=1)
    np.testing.assert_allclose(abs(np.diag(panel.cells.values)), truth, atol=1e-14)
    assert np.count_nonzero(panel.cells.values) == 256
    (panel,) = figure_of(e, Size(400, 400), options={"k": 10}).panels  # its last pixel has few
    cells = panel.cells
    assert np.abs(np.diag(cells.values)[:-1]).max() > 0.5 * cells.limits[1]
    assert cells.place.width == len(cells.values) * 21
    far = figure_of(sines(dim=65_536), Size(64, 64), options={"k": LIMIT})
    assert far.panels[0].cells.values.shape == (64, 64)


@pytest.mark.parametrize("k", [10, -10, 1234])
def test_tables_are_the_rows_that_are_moved_and_the_true_ones(k):
    e = sines(dim=16, layout="concatenated")
    moved, later = figure_of(e, start=5, count=40, options={"k": k, "part": "tables"}).panels
    frequencies = 1e4 ** (-np.arange(8) / 8)
    angles = np.arange(5 + k, 45 + k)[:, None] * frequencies
    truth = np.hstack([np.sin(angles), np.cos(angles)])
    np.testing.assert_allclose(moved.cells.values, truth, atol=1e-12)
    np.testing.assert_allclose(later.cells.values, truth, atol=1e-12)
    assert (moved.y.origin, later.y.origin) == (5, 5 + k)


def test_pixels_of_tables_are_means_at_any_number_of_positions():
    e = sines(dim=12)
    figure = figure_of(e, Size(6, 10), count=1000, options={"k": 100, "part": "tables"})
    truth = resampled(sinusoid(range(100, 1100), 12).reshape(10, 100, 12).mean(axis=1), 6, turns=2)
    for panel in figure.panels:
        np.testing.assert_allclose(panel.cells.values, truth, atol=1e-12)
        assert panel.badge == "mean of 100 positions, sines and cosines of 2 pairs"
        assert panel.cells.place.width == 12
    assert figure.status.endswith(f"Each pixel shows the {figure.panels[0].badge}.")
    far = figure_of(e, count=10**15, options={"k": 10, "part": "tables"})
    first, second = (panel.cells.values for panel in far.panels)
    np.testing.assert_allclose(first, second, atol=1e-15)


@pytest.mark.parametrize("pixels", [50, 100, 200, 300, 600])
def test_narrow_columns_of_tables_keep_their_kind(pixels):
    options = {"k": 3, "part": "tables"}
    size = Size(pixels, 99, beside=pixels - 9)
    moved, later = figure_of(sines(dim=128), size, count=20, options=options).panels
    table = sinusoid(range(3, 23), 128)
    for panel, width in ((moved, pixels), (later, pixels - 9)):
        truth = resampled(table, width, turns=2)
        np.testing.assert_allclose(panel.cells.values, truth, atol=1e-12)


def test_channels_of_pairs_take_turns_and_those_that_are_not_turned_do_not():
    e = encodings.create("rope", head_dim=64, partial_rotary_factor=0.5, layout="interleaved")
    options = {"k": 3, "part": "tables"}
    moved, _ = figure_of(e, Size(32, 20), count=9, options=options).panels
    p = np.arange(3, 12)[:, None]
    angles = p * 1e4 ** (-np.arange(0, 32, 2) / 32)
    heads = np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(9, 32)
    np.testing.assert_allclose(moved.cells.values[:, :16], resampled(heads, 16, 2), atol=1e-12)
    np.testing.assert_allclose(moved.cells.values[:, 16:], 1.0, atol=1e-12)


def test_a_click_names_the_nearest_column_of_the_kind_that_is_seen():
    state = state_of(sines(dim=128), {"part": "tables"})
    drawn = OnScreen(state, SHIFT.compute(state, Size(32, 40), RUNNING), None)
    found = [
        SHIFT.pointed_at(state, drawn, Pointer("later", (pixel + 0.5) * 4 - 0.5, 7.0))
        for pixel in range(32)
    ]
    assert [each["dimension"] % 2 for each in found] == [0, 1] * 16
    assert all(abs(each["dimension"] - 4 * n - 1.5) <= 1.5 for n, each in enumerate(found))
    of_matrix = SHIFT.pointed_at(state, drawn, Pointer("matrix", 5.5, 7.0))
    assert of_matrix == {"dimension": 6}


def test_the_curve_is_the_largest_difference_of_each_row():
    e = sines(dim=8)
    (panel,) = figure_of(e, start=10, count=50, options={"k": -10, "part": "residual"}).panels
    (curve,) = panel.curves
    assert len(curve.y) == 50
    assert curve.y.max() < 1.15e-15
    (panel,) = figure_of(sample("index"), count=50, options={"k": 10, "part": "residual"}).panels
    positions = np.arange(50)
    factor = (positions * (positions + 10)).sum() / (positions**2).sum()
    truth = np.abs(factor * positions - positions - 10)
    np.testing.assert_allclose(panel.curves[0].y, truth, atol=1e-9)
    assert panel.y.high >= truth.max()


def differences_of_code(positions, dim, k, kind):
    """Return how far rows of plain code are from themselves, with each step rounded to a kind."""
    falls = kind(-(math.log(1e4) / dim))
    found = []
    for p in positions:
        off = []
        for i in range(0, dim, 2):
            rate = kind(np.exp(kind(i * falls))) if kind is np.float32 else 1e4 ** (-i / dim)
            row, later, by = (kind(kind(step) * rate) for step in (p, p + k, k))
            (s, c), (t, u), (a, b) = (
                (kind(math.sin(angle)), kind(math.cos(angle))) for angle in (row, later, by)
            )
            off.append(abs(float(kind(kind(s * b) + kind(c * a)) - t)))
            off.append(abs(float(kind(kind(c * b) - kind(s * a)) - u)))
        found.append(max(off))
    return np.array(found)


@pytest.mark.parametrize(("code", "kind"), [("float64", np.float64), ("float32", np.float32)])
@pytest.mark.parametrize("start", [0, 10**6])
def test_rows_of_code_are_a_second_curve_in_powers_of_ten(code, kind, start):
    options = {"k": 3, "part": "residual", "code": code}
    figure = figure_of(sines(dim=8), start=start, count=40, options=options)
    (panel,) = figure.panels
    assert panel.y.powers
    exact, of_code = panel.curves
    assert (exact.name, of_code.name) == ("exact rows", f"{code} code")
    assert np.nanmax(exact.y) < -15
    own = differences_of_code(range(start, start + 40), 8, 3, kind)
    off = np.nan_to_num(10.0**of_code.y) - own  # without a difference there is no power of ten
    assert np.abs(off).max() < 2e-16 + 0.15 * own.max()
    assert f"Rows of {code} code are off by up to" in figure.status


@pytest.mark.parametrize("code", ["float64", "float32"])
def test_far_rows_of_code_and_those_without_a_matrix_are_drawn(code):
    for e in (sines(dim=7, waves="sine"), sample("index"), sample("rope"), sines(dim=6, offset=9)):
        for k, start in ((LIMIT, 0), (-3, -LIMIT), (2, LIMIT - 9), (0, 5)):
            options = {"k": k, "part": "residual", "code": code}
            (panel,) = figure_of(e, start=start, count=10, options=options).panels
            assert len(panel.curves) == 1 + panel.y.powers
            for curve in panel.curves:
                assert not np.isinf(curve.y).any()


def test_both_curves_are_exported():
    state = state_of(sines(dim=8), {"k": 3, "part": "residual", "code": "float64"}, count=9)
    options = {"k": 3, "code": "float64"}
    found = numbers_of("shift-residual", state.encoding, positions=range(9), **options)
    exact = numbers_of("shift-residual", state.encoding, positions=range(9), k=3)
    assert np.array_equal(found[:, 0], exact)
    own = differences_of_code(range(9), 8, 3, np.float64)
    assert np.abs(found[:, 1] - own).max() < 2e-16


def test_a_single_row_is_a_level_line_and_where_there_are_none_it_is_hatched():
    figure = figure_of(sines(dim=4), count=50, options={"k": LIMIT, "part": "residual"})
    (panel,) = figure.panels
    assert panel.curves[0].visible
    assert panel.curves[0].x.tolist() == [-0.5, 0.5]
    assert [(part.left, part.right) for part in panel.hatched] == [(-0.5, -0.5), (0.5, 49.5)]
    assert figure.status.endswith("The row of position 0 is met exactly.")
    e = encodings.create("learned", file=stored_table())
    last = e.domain[-1]
    figure = figure_of(e, start=last - 9, count=20, options={"k": 2, "part": "residual"})
    (panel,) = figure.panels
    assert np.isfinite(panel.curves[0].y).sum() == 8
    assert [(part.left, part.right) for part in panel.hatched] == [(-0.5, -0.5), (7.5, 19.5)]


def test_where_waves_cancel_in_every_pixel_it_says_so():
    options = {"k": 10, "part": "tables"}
    assert "nearly 0 everywhere" in figure_of(sines(), count=10**9, options=options).status
    for fields in ({"count": 50}, {"count": 10**4}):
        assert "nearly 0" not in figure_of(sines(), options=options, **fields).status


def test_on_a_page_both_tables_are_about_as_wide():
    options = pictures.with_options(Exploration(), "shift", part="tables").options
    size = PRESETS["two-columns"]
    figures = figures_of("shift", options=options, size=size)
    ((moved, later),) = areas(figures, STYLE, *size.in_points, measure)
    assert moved.width == pytest.approx(later.width, rel=0.1)
    assert moved.height == pytest.approx(later.height, rel=0.01)


# -- what it says --------------------------------------------------------------------------------


def test_it_says_that_there_is_a_matrix_and_what_it_leaves():
    figure = figure_of(sines(), options={"k": 10})
    assert "One matrix moves every row on by 10 positions." in figure.status
    assert "The largest residual of 50 positions is" in figure.status
    assert figure.note is None
    assert "moves every row back by 1 position." in figure_of(sines(), options={"k": -1}).status
    assert "stays as it is" in figure_of(sample("index"), options={"k": 0}).status


@for_each(
    ("e", "sentence"),
    [
        (sines(waves="sine"), "every dimension of sinusoidal is a sine"),
        (sines(dim=7), "dimension 6 of sinusoidal is a sine alone"),
        (sample("index"), "index grows with the position"),
        (sample("fraction"), "fraction grows with the position"),
        (sample("binary"), "binary has no sines and cosines"),
        (sample("learned"), "the rows come from a file"),
        (sample("alibi"), "ALiBi grows with the offset"),
    ],
    ids=lambda value: getattr(value, "name", None),
)
@for_each("part", ["matrix", "tables", "residual"])
def test_where_there_is_no_matrix_it_says_why_and_shows_the_best_fit(e, sentence, part):
    first = e.first_range
    fields = {"start": first.start, "count": 200 if first.start == 0 else len(first)}
    figure = figure_of(e, options={"k": 5, "part": part}, **fields)
    assert sentence.lower() in figure.note.sentence.lower()
    assert "best fit" in figure.note.sentence
    panel = figure.panels[0]
    assert panel.cells is not None or panel.curves[0].visible


def test_few_rows_have_a_fit_by_chance():
    figure = figure_of(sample("learned"), count=8, options={"k": 1})
    assert (
        "So few rows, 8 rows, have a best fit by chance; show more than 12" in figure.note.sentence
    )


def test_what_is_too_wide_for_a_fit_says_so_and_shows_no_matrix():
    figure = figure_of(sines(dim=2000, waves="sine"), options={"k": 1})
    assert "The best fit is made for up to 1,024 dimensions" in figure.note.sentence
    assert figure.panels[0].cells is None


@pytest.mark.parametrize("part", ["matrix", "tables", "residual"])
def test_rows_that_there_are_not(part):
    e = encodings.create("learned", file=stored_table())
    figure = figure_of(e, start=10**6, count=50, options={"k": 1, "part": part})
    assert figure.note.offer == "Show its rows"
    assert figure.note.rows == range(2999)
    figure = figure_of(e, start=-10, count=50, options={"k": 30, "part": "tables"})
    moved, _ = figure.panels
    assert np.isnan(moved.cells.values[:10]).all()
    assert moved.hatched[0].height == 10


@pytest.mark.parametrize("k", [LIMIT, -LIMIT])
@pytest.mark.parametrize("part", ["matrix", "tables", "residual"])
def test_the_farthest_shifts_are_drawn(k, part):
    for start, count in ((0, 1), (LIMIT - 9, 10), (-LIMIT, 10), (-LIMIT, 2 * LIMIT)):
        figure = figure_of(sines(dim=6), start=start, count=min(count, LIMIT), options={
            "k": k, "part": part})  # fmt: skip
        assert figure.status.endswith(".")


def test_beyond_2_to_the_53_is_a_sentence():
    for k in (LIMIT + 1, -LIMIT - 1):
        with pytest.raises(ValueError, match=r"outside -2\^53 to 2\^53"):
            pictures.with_options(Exploration(), "shift", k=k)


# -- long work ------------------------------------------------------------------------------------


def test_a_long_fit_reports_and_stops():
    e, state = sines(dim=512, waves="sine"), None
    state = state_of(e, {"k": 1}, count=4000)
    assert takes_long(SHIFT.cost(state, Size(300, 300)))
    stopped = threading.Event()
    stopped.set()
    with pytest.raises(CancelledError):
        SHIFT.compute(state, Size(300, 300), stopped)
    assert not takes_long(SHIFT.cost(state_of(sines(), {"k": 1}), Size(600, 600)))


@pytest.mark.parametrize("dim", [1, 2, 4])
def test_a_fit_of_many_short_rows_is_left_to_the_worker(dim):
    few, many = (state_of(sample("binary", dim=dim), {"k": 3}, count=n) for n in (100, 2**20))
    assert not takes_long(SHIFT.cost(few, Size(300, 300)))
    assert takes_long(SHIFT.cost(many, Size(300, 300)))


# -- what is exported ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "what"),
    [("matrix", "shift-matrix"), ("tables", "shifted"), ("residual", "shift-residual")],
)
def test_the_numbers_of_each_part_can_be_exported(part, what):
    assert SHIFT.exported(state_of(sines(), {"part": part})) == (what, "current")
    assert what in quantities.names()


# -- the cursor ------------------------------------------------------------------------------------


def texts(e, **fields):
    options = fields.pop("options", {})
    found = SHIFT.inspect(state_of(e, options, **fields), RUNNING)
    return found, {value.name: value.text for value in found.values}


def test_the_inspector_has_the_block_and_the_proof():
    found, numbers = texts(sines(dim=18), position=10, dimension=1, options={"k": 10})
    assert float(numbers["cos kω"]) == pytest.approx(math.cos(10), abs=1e-15)
    assert float(numbers["sin kω"]) == pytest.approx(math.sin(10), abs=1e-15)
    assert float(numbers["Angle"].removesuffix("°")) == pytest.approx(212.9578, abs=1e-4)
    assert numbers["Pair"] == "0 and 1"
    assert numbers["Row 0"] == "-0.839072  +0.544021"
    assert numbers["Row 1"] == "-0.544021  -0.839072"
    assert float(numbers["Residual"]) < 1e-15
    assert found.formula[0] == "cos(θ + kω) = cos θ · cos kω − sin θ · sin kω"
    assert found.formula[-1] == f"= {math.cos(20):+.6f}"
    sine, _ = texts(sines(dim=18), position=10, dimension=0, options={"k": 10})
    assert sine.formula[0] == "sin(θ + kω) = sin θ · cos kω + cos θ · sin kω"
    assert sine.formula[-1] == f"= {math.sin(20):+.6f}"


def test_the_block_of_a_rotary_pair_is_that_of_its_channels():
    e = sample("rope", head_dim=8)
    found, numbers = texts(e, position=3, dimension=9, options={"k": 2})
    assert numbers["Pair"] == "1 and 5"
    assert float(numbers["cos kω"]) == pytest.approx(math.cos(2 * 1e4**-0.25), abs=1e-15)
    assert not found.lack


def test_without_a_matrix_the_inspector_says_why():
    found, numbers = texts(sample("index"), options={"k": 2})
    assert numbers["cos kω"] == "none"
    assert found.lack.startswith("Index grows with the position")
    found, numbers = texts(sines(), position=LIMIT, options={"k": 2})
    assert numbers["Residual"] == "none"
    assert found.lack == f"There is no position {LIMIT + 2:,} to move to."


def test_columns_that_are_not_shown_are_led_to():
    state = state_of(sines(dim=64), {"first": 20, "dimensions": 8}, dimension=50)
    outside = SHIFT.cursor_outside(state)
    assert outside.sentence == "Cursor at dimension 50, to the right"
    after = state.with_(**outside.fields)
    options = after.options["shift"]
    assert options.first <= 50 < options.first + 8

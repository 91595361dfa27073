"""Values become pixels: bytes for colours between limits, and blocks of positions."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as arrays

from pe_explorer import encodings, quantities
from pe_explorer.analysis.comparison import Subject
from pe_explorer.encodings import LIMIT, EncodingError
from pe_explorer.exploration import Pin
from pe_explorer.pictures.axis_numbers import find_axis_notation
from pe_explorer.pictures.figure import PanelAxis
from pe_explorer.pictures.limits import find_limit_above
from pe_explorer.pictures.pixels import (
    NO_VALUE_INDEX,
    Size,
    compute_colour_indices,
    find_column_edges,
    find_row_edges,
    spread,
)
from pe_explorer.quantities import QuantityInput
from tests.support.states import figure_of, numbers_of_view
from tests.support.tables_in_files import put

LARGEST = float(np.finfo(np.float64).max)
RANDOM = np.random.default_rng(8).uniform(-1.0, 1.0, (60, 24))
TABLES = {
    "of either sign": RANDOM * LARGEST,
    "above zero": np.abs(RANDOM) * LARGEST,
    "everywhere": np.full((60, 24), 1e308),
    "with infinities": np.where(
        RANDOM > 0.9, np.inf, np.where(RANDOM < -0.9, np.nan, RANDOM * 1e308)
    ),
    "of any size": np.sign(RANDOM) * 10.0 ** (600 * np.abs(RANDOM) - 300).clip(-300, 308),
}


@pytest.fixture
def learned(tmp_path):
    return lambda numbers: encodings.create("learned", file=put(tmp_path / "t.npy", numbers))


@pytest.mark.parametrize(
    ("start", "count", "expected"),
    [
        (0, 50, (0, 0)),
        (0, 10**7 - 1, (0, 0)),
        (0, 10**9, (0, 6)),
        (10**15, 50, (10**15, 0)),
        (10**15 + 12_345, 50, (10**15 + 12_000, 0)),
        (10**15, 2 * 10**12, (0, 15)),
        (10**12 - 500_000, 10**6, (10**12, 0)),
        (-(10**15), 50, (-(10**15), 0)),
    ],
)
def test_notation(start, count, expected):
    assert find_axis_notation(start, count) == expected


@given(st.integers(1, LIMIT), st.integers(1, 5000))
def test_every_position_has_its_pixel(count, pixels):
    block, rows = spread(count, pixels)
    assert 1 <= rows <= pixels
    assert (rows - 1) * block < count <= rows * block


values = arrays.arrays(
    np.float64,
    arrays.array_shapes(min_dims=2, max_dims=2),
    elements=st.floats(-1e30, 1e30) | st.just(np.nan),
)


@given(values)
def test_the_gate_lets_only_bytes_through(values):
    image = compute_colour_indices(values, (-1.0, 1.0))
    assert (image.dtype, image.shape) == (np.uint8, values.shape)
    assert image.flags.c_contiguous
    finite = np.isfinite(values.astype(np.float32))
    assert (image[~finite] == NO_VALUE_INDEX).all()
    np.testing.assert_array_equal(image[finite & (values <= -1)], 0)
    np.testing.assert_array_equal(image[finite & (values >= 1)], 254)


def test_the_gate_makes_an_image_of_anything():
    objects, turned = np.zeros((2, 3), dtype=object), np.zeros((4, 6)).T
    for values in ([1, 2, 3], [5], np.float16([[0.5]]), [[True, False]], objects, turned):
        image = compute_colour_indices(np.asarray(values), (0.0, 1.0))
        assert (image.dtype, image.ndim, image.flags.c_contiguous) == (np.uint8, 2, True)


def test_a_level_scale_is_no_division_by_zero():
    assert compute_colour_indices(np.ones((2, 2)), (1.0, 1.0)).tolist() == [[0, 0], [0, 0]]


@pytest.mark.parametrize("low", [0.0, 0.25, 62.500000000000014, 97.49999999999997, 127.5])
def test_cells_have_a_pixel_each_where_there_are_as_many_wherever_they_begin(low):
    for cells in (7, 99, 620):
        for edges in (find_column_edges, find_row_edges):
            assert set(np.diff(edges(cells, low, low + cells)).tolist()) == {1}


@pytest.mark.parametrize("low", [0.0, 62.5])
@pytest.mark.parametrize("spare", [-6, -1, 1, 6])
def test_pixels_too_many_or_too_few_are_at_the_right_end(low, spare):
    edges = find_column_edges(620, low, low + 620 + spare)
    cells = np.repeat(np.arange(620), np.diff(edges))
    assert cells.tolist() == [min(pixel, 619) for pixel in range(620 + spare)]


@pytest.mark.parametrize("largest", [5e-324, 1e-310, 1.0, 1e307, 1.79e308])
def test_colours_of_limits_as_far_apart_as_can_be(largest):
    """Of each number, how far it is from the lower limit to the upper, in exact fractions."""
    values = [largest, -largest, 0.0, largest / 4]
    low, high = Fraction(-largest), Fraction(largest)
    shares = [(Fraction(value) - low) / (high - low) for value in values]
    (found,) = compute_colour_indices(np.array([values]), (-largest, largest)).tolist()
    assert found == [math.floor(share * 254 + Fraction(1, 2)) for share in shares]
    axis = PanelAxis("value", -largest, largest)
    np.testing.assert_allclose([axis.part(value) for value in values], np.array(shares, float))


@pytest.mark.parametrize(
    ("values", "limit"),
    [
        ([0.0], 1.0),
        ([], 1.0),
        ([1.0], 1.0),
        ([5e-324], 1.0),
        ([7.6], 8.0),
        ([-0.12], 0.12),
        ([0.53], 0.6),
        ([1.6, -1.2], 2.0),
        ([-3.1, 2.0], 4.0),
        ([4.1e15], 5e15),
        ([8.1e306], 1e307),
        ([1e307, 4.1e307], 5e307),
        ([np.nan, 1.3], 1.5),
        ([-np.inf, 1.3, np.inf], 1.5),
        *(([most, 1.0], 5e307) for most in (5.1e307, 7.6e307, -1e308, LARGEST)),  # 2 · 5e307 fits
    ],
)
def test_the_least_round_number_that_no_finite_value_passes(values, limit):
    assert find_limit_above(np.array(values)) == pytest.approx(limit, rel=1e-15)


@pytest.mark.parametrize("numbers", TABLES.values(), ids=TABLES)
def test_large_numbers_are_shown_without_a_warning(learned, numbers):
    e = learned(numbers)
    assert figure_of("heatmap", encoding=e, count=60).panels[0].cells is not None
    for metric in ("cosine", "manhattan", "dot", "euclidean", "sse"):
        figure = figure_of("distances", encoding=e, count=60, metric=metric)
        assert figure.panel("matrix").cells is not None


def test_limits_of_large_numbers(learned):
    def shown(table, height=100, **fields):
        e = learned(np.array(table))
        return numbers_of_view("heatmap", size=Size(100, height), encoding=e, count=60, **fields)

    ends = shown([[1e308, -1e308, 2.5e307, 0.0]])
    assert ends.limits == pytest.approx((-5e307, 5e307), rel=1e-15)
    np.testing.assert_array_equal(ends.indices[0], [254, 0, 191, 127])
    low, high = shown(TABLES["everywhere"]).limits
    assert low < 1e308 < high
    pin = Pin(encodings.create("index", dim=24), "index")
    table = np.where(RANDOM > 0.5, np.nan, RANDOM * 1e308)
    for height in (100, 20):  # single rows, and means of blocks
        less = shown(table, height, pins=(pin,), show="difference")
        assert less.limits == pytest.approx((-5e307, 5e307), rel=1e-15)
    e = learned(np.linspace(0.0, 4.5e307, 60)[:, None])
    y = figure_of("distances", encoding=e, count=60, metric="manhattan").panels[0].y
    assert (y.low, y.high) == pytest.approx((-0.03 * 5e307, 1.03 * 5e307))


def test_why_there_is_no_curve(learned):
    e = learned(RANDOM * LARGEST)
    note = figure_of("distances", encoding=e, count=60, metric="dot").note
    assert "finite" in note.sentence
    assert "zeros" not in note.sentence
    for number, offered in ((0.0, "euclidean"), (np.nan, "")):
        table = RANDOM.copy()
        table[0] = number
        note = figure_of("distances", encoding=learned(table), count=60).note
        assert ("zeros" in note.sentence) == (number == 0)
        assert ("NaN or infinity" in note.sentence) == bool(np.isnan(number))
        assert note.metric == offered


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_reported(learned, number):
    table = RANDOM.copy()
    table[30, 3] = number
    e = learned(table)

    def mentions_cell(e=e, options=None, **fields):
        status = figure_of("heatmap", options, Size(700, 400), encoding=e, **fields).status
        return "no finite number" in status

    assert mentions_cell()
    assert mentions_cell(count=1000)
    assert not mentions_cell(start=31, count=40)  # with rows that there are not, which are hatched
    assert not mentions_cell(count=1000, options={"first": 4, "dimensions": 3})
    asked = QuantityInput(Subject("current", e), range(60), reference=30)
    with pytest.raises(EncodingError, match="has NaN or infinity"):
        quantities.data("distances", asked)
    assert not mentions_cell(learned(RANDOM))

"""Values become pixels: bytes for colours, blocks of positions, numbers beside them."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as arrays

from pe_explorer.encodings import LIMIT
from pe_explorer.pictures.axis_numbers import notation
from pe_explorer.pictures.pixels import NO_VALUE, colour_indices, edges_across, edges_down, spread


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
    assert notation(start, count) == expected


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
    image = colour_indices(values, (-1.0, 1.0))
    assert (image.dtype, image.ndim, image.flags.c_contiguous, image.shape) == (
        np.uint8,
        2,
        True,
        values.shape,
    )
    finite = np.isfinite(values.astype(np.float32))
    assert (image[~finite] == NO_VALUE).all()
    np.testing.assert_array_equal(image[finite & (values <= -1)], 0)
    np.testing.assert_array_equal(image[finite & (values >= 1)], 254)


@pytest.mark.parametrize(
    "values",
    [
        [1, 2, 3],
        [5],
        np.float16([[0.5]]),
        [[True, False]],
        np.zeros((2, 3), dtype=object),
        np.zeros((4, 6)).T,
    ],
)
def test_the_gate_makes_an_image_of_anything(values):
    image = colour_indices(np.asarray(values), (0.0, 1.0))
    assert (image.dtype, image.ndim, image.flags.c_contiguous) == (np.uint8, 2, True)


def test_a_level_scale_is_no_division_by_zero():
    assert colour_indices(np.ones((2, 2)), (1.0, 1.0)).tolist() == [[0, 0], [0, 0]]


@pytest.mark.parametrize("low", [0.0, 0.25, 62.500000000000014, 97.49999999999997, 127.5])
def test_cells_have_a_pixel_each_where_there_are_as_many_wherever_they_begin(low):
    for cells in (7, 99, 620):
        for edges in (edges_across, edges_down):
            assert set(np.diff(edges(cells, low, low + cells)).tolist()) == {1}

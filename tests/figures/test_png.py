"""PNG files: read byte by byte as the specification says."""

import numpy as np
import pytest

from pe_explorer.figures.png import CHUNK_ROWS, png
from tests.support.pngs import pixels_of


@pytest.mark.parametrize("channels", [1, 3, 4])
@pytest.mark.parametrize("rows", [1, 2, CHUNK_ROWS, CHUNK_ROWS + 1, 3 * CHUNK_ROWS])
def test_each_pixel_is_where_it_was(channels, rows):
    rng = np.random.default_rng(rows)
    pixels = rng.integers(0, 256, (rows, 5, channels), dtype=np.uint8)
    pixels[rows // 3 : rows // 2 + 1] = pixels[rows // 3]  # repeated, also over a part's end
    pixels[CHUNK_ROWS - 1 : CHUNK_ROWS + 3] = 255
    table = rng.integers(0, 256, (256, 4), dtype=np.uint8) if channels == 1 else None
    parts = (pixels[first : first + CHUNK_ROWS] for first in range(0, rows, CHUNK_ROWS))
    read, colours = pixels_of(b"".join(png(5, rows, channels, parts, colours=table)))
    assert read == [row.tobytes() for row in pixels]
    assert colours == (b"" if table is None else table[:, :3].tobytes())


def test_rows_that_repeat_take_hardly_any_room():
    row = np.random.default_rng(1).integers(0, 256, (1, 4000), dtype=np.uint8)
    once = sum(map(len, png(4000, 1, 1, [row])))
    often = sum(map(len, png(4000, 200, 1, [row.repeat(200, axis=0)])))
    assert often - once < 200 * 4000 / 300

"""The colours of pictures, as tests count them."""

import numpy as np

from tests.support.cases import for_each
from tests.support.images import distinct


@for_each("channels", [3, 4])
@for_each("levels", [1, 2, 256])
@for_each("kind", [np.uint8, int])
def test_each_colour_is_found_once(channels, levels, kind):
    picture = np.random.default_rng(0).integers(0, levels, (40, 50, channels)).astype(kind)
    found = distinct(picture)
    expected = np.unique(picture.reshape(-1, channels), axis=0)
    assert sorted(map(tuple, found)) == sorted(map(tuple, expected))

"""The colours of pictures, as tests count them."""

import numpy as np
import pytest

from tests.support.images import distinct


@pytest.mark.parametrize("channels", [3, 4])
@pytest.mark.parametrize("levels", [1, 2, 256])
@pytest.mark.parametrize("kind", [np.uint8, int])
def test_each_colour_is_found_once(channels, levels, kind):
    picture = np.random.default_rng(0).integers(0, levels, (40, 50, channels)).astype(kind)
    found = distinct(picture)
    expected = np.unique(picture.reshape(-1, channels), axis=0)
    assert sorted(map(tuple, found)) == sorted(map(tuple, expected))

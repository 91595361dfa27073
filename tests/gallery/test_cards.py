"""The small pictures of exhibits: one for each, and small files. If not: python -m tests.cards."""

import pytest
from PySide6.QtGui import QImage

from pe_explorer.assets import asset
from pe_explorer.gallery.exhibits import exhibits

MOST_BYTES = 12_000


@pytest.mark.parametrize("name", exhibits())
def test_every_exhibit_has_a_small_picture(name):
    path = exhibits()[name].picture
    assert path.stat().st_size < MOST_BYTES
    image = QImage(str(path))
    assert (image.width(), image.height()) == (176, 152)
    shades = {image.pixel(x, y) for x in range(0, 176, 5) for y in range(0, 152, 5)}
    assert len(shades) > 1, "it is a picture"


def test_no_picture_is_left_of_an_exhibit_that_is_gone():
    files = {path.name for path in asset("gallery/cards").iterdir()}
    assert files == {exhibit.picture.name for exhibit in exhibits().values()}

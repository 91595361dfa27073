"""The small pictures of exhibits: one for each, and small files. If not: python -m tests.cards."""

import pytest
from PySide6.QtGui import QColor, QImage

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


@pytest.mark.parametrize("name", ["start", "paper-base", "paper-big", "000-wider", "002-table"])
def test_narrow_columns_take_turns_in_small_pictures_too(name):
    """Slow sines are hardly above 0 in the first row, and slow cosines hardly below 1."""
    image = QImage(str(exhibits()[name].picture))
    row = [QColor(image.pixel(x, 0)).getRgb() for x in range(100, 170)]
    shades = [max(shade) - min(shade) for k in (0, 1) for shade in zip(*row[k::2], strict=True)]
    assert max(shades) <= 17  # a step of those that are left in a small file
    assert max(abs(a - b) for a, b in zip(row[0], row[1], strict=True)) > 80

"""What stands where on a page, for every view at the sizes that have a name."""

import pytest

from pe_explorer import pictures
from pe_explorer.figures.layout import areas, page_of
from pe_explorer.figures.page import Image, Text
from pe_explorer.figures.size import PRESETS
from pe_explorer.figures.style import Style
from tests.support.figures import made, measure


def box(text):
    """Return left, top, right and bottom of a text."""
    width = measure(text.text, text.size)
    before = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * width
    up, down = 0.75 * text.size, 0.2 * text.size
    if text.upward:
        return text.x - up, text.y - width + before, text.x + down, text.y + before
    return text.x - before, text.y - up, text.x - before + width, text.y + down


def overlaps(one, two):
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


@pytest.mark.parametrize("size", PRESETS)
@pytest.mark.parametrize("view", pictures.names())
def test_no_two_texts_overlap_and_all_are_on_the_page(view, size):
    figures, width, height = made(view, Style(), PRESETS[size])
    page = page_of(figures, Style(), width, height, measure)
    texts = [item for item in page.items if isinstance(item, Text)]
    boxes = [box(text) for text in texts]
    assert len(boxes) > 3
    for text, (left, top, right, bottom) in zip(texts, boxes, strict=True):
        on_page = left >= 0 and top >= 0 and right <= width and bottom <= height
        assert on_page, text
    for number, one in enumerate(boxes):
        others = zip(texts[:number], boxes, strict=False)
        touching = [other.text for other, two in others if overlaps(one, two)]
        assert not touching, texts[number].text


def test_cells_are_those_of_the_device_pixels_of_their_area():
    style = Style()
    figures, width, height = made("heatmap", style, start=0, count=10**6)
    ((area,),) = areas(figures, style, width, height, measure)
    page = page_of(figures, style, width, height, measure)
    image = next(item for item in page.items if isinstance(item, Image))
    rows = image.cells.shape[0]
    block = -(-(10**6) // round(area.height * 300 / 72))
    assert rows == -(-(10**6) // block)
    assert image.clip == area

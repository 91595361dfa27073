"""Sizes of figures as people write them."""

import pytest

from pe_explorer.figures.size import (
    FigureSize,
    find_smallest_size,
    parse_figure_size,
    require_pixels,
)
from pe_explorer.params import ParameterError

WRITTEN = {
    "84x60mm": (84, 60, "mm"),
    "84mm x 60mm": (84, 60, "mm"),
    " 84mm×60 ": (84, 60, "mm"),
    "84,60mm": (84, 60, "mm"),
    "3.3,2.4IN": (3.3, 2.4, "in"),
    "3.3x2.4IN": (3.3, 2.4, "in"),
    "2^10 x 3*256": (1024, 768, "px"),
    "8e1mm × 60.25": (80, 60.25, "mm"),
    "1234.5678x60mm": (1234.5678, 60, "mm"),
    "1600x900": (1600, 900, "px"),
    "1600pxx900px": (1600, 900, "px"),
    "20x2000mm": (20, 2000, "mm"),
    "160x16384": (160, 16_384, "px"),
    "0.8x80in".ljust(100): (0.8, 80, "in"),
}
NO_SIZE = " Give width and height"
REFUSED = {
    **dict.fromkeys(("", "84", "84mm", "84x60cm", "84mmx60in", "84 60", "x60", "-8x60"), NO_SIZE),
    **dict.fromkeys(("8ex60", "nanxnan", "1600xnan", "84x60x2", "84x6²mm", "10²x60mm"), NO_SIZE),
    **dict.fromkeys(("84x60mm".ljust(101), "0x60mm", "84x0mm"), NO_SIZE),
    "3,3x2,4in": "got '3,3'",  # no separator
    "1,600x900": "got '1,600', which could mean 1600 or 1.6",
    **dict.fromkeys(("19x60mm", "84x2000.1mm", "0.7x2in", "159x900", "16385x900"), "sides from "),
    **dict.fromkeys(("84x60", "84x60px"), "or millimetres write 84x60mm"),
    **dict.fromkeys(("84x10", "3000x60", "84x10mm"), "hoose another size"),
}


@pytest.mark.sampled(99)  # each takes a few milliseconds
@pytest.mark.parametrize("text", WRITTEN)
def test_a_size_is_read_as_people_write_it(text):
    size = FigureSize(*WRITTEN[text])
    assert parse_figure_size(text) == size
    assert parse_figure_size(str(size)) == size


@pytest.mark.sampled(99)  # each takes a few milliseconds
@pytest.mark.parametrize("text", REFUSED, ids=lambda text: text[:20])
def test_invalid_sizes_and_sizes_beyond_the_limits_are_refused(text):
    with pytest.raises(ParameterError) as raised:
        parse_figure_size(text)
    assert raised.value.name == "size"
    assert REFUSED[text] in raised.value.problem or REFUSED[text] in str(raised.value)


def test_a_picture_has_at_most_so_many_pixels():
    require_pixels(1 << 14, 1 << 14)
    size = FigureSize(2000, 1500, "mm")
    assert size.density(72) == 1
    wide, high = (size.density(2400) * side for side in size.in_points)
    assert wide * high == pytest.approx(1 << 28)
    with pytest.raises(ParameterError, match="limit of 2"):
        require_pixels((1 << 14) + 1, 1 << 14)


@pytest.mark.parametrize(
    ("size", "needed", "least"),
    [
        ("84x20mm", (0, 60), "84x60mm"),
        ("2000x20mm", (0, 60), "2000x60mm"),
        ("20x1999.5mm", (60, 0), "60x2000mm"),
        ("84x20mm", (0, 2000), "84x2000mm"),
        ("84x20mm", (100, 100), "164x100mm"),
        ("0.8x2in", (80, 2), "80x2in"),
        ("84x20mm", (0, 2001), None),
        ("84x20mm", (2001, 0), None),
    ],
)
def test_the_least_size_may_be_as_large_as_sizes_can_be(size, needed, least):
    def fits(tried):
        return tried.width >= needed[0] and tried.height >= needed[1]

    assert find_smallest_size(parse_figure_size(size), fits) == (least and parse_figure_size(least))

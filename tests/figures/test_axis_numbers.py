"""Numbers beside axes: exact, distinct, and in full where they are short."""

import math
import re
from decimal import Decimal
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, example, given, strategies as st

from pe_explorer.encodings import LIMIT
from pe_explorer.figures.layout import areas, make_page
from pe_explorer.figures.page import PageText
from pe_explorer.pictures.axis_numbers import find_quarter_step, format_values, list_multiples
from pe_explorer.pictures.figure import Figure, Panel, PanelAxis, make_whole_axis
from tests.support.figures import STYLE, items_of, measure, sized
from tests.support.printed import in_ascii, value_of

EM = 8.0  # points: the size of texts


@st.composite
def ranges(draw):
    start = draw(
        st.one_of(
            st.integers(-LIMIT, LIMIT),
            st.integers(0, 10**6),
            st.sampled_from([10**15, 10**15 - 1, 10**7 - 1, 10**7]),
        )
    )
    count = draw(st.one_of(st.integers(1, LIMIT), st.integers(1, 10**4)))
    return start, min(count, LIMIT + 1 - start)


def beside(axis, height):
    """Return the texts beside an upright axis, where on it they stand, and its title."""
    figure = Figure((Panel("only", PanelAxis("across", 0.0, 1.0), axis),))
    size = sized(f"80x{height}mm")
    ((area,),) = areas([figure], STYLE, *size.in_points, measure)
    items = items_of(make_page([figure], STYLE, size, measure), PageText)
    numbers = [item for item in items if item.anchor == "end" and not item.is_upward]
    parts = [(area.bottom - item.y + 0.36 * EM) / area.height for item in numbers]
    places = [axis.low + part * (axis.high - axis.low) for part in parts]
    lines = sorted((item for item in items if item.is_upward), key=lambda item: item.x)
    return [item.text for item in numbers], places, " ".join(line.text for line in lines)


def labelled(title):
    """Return the offset and the power of ten that the title of an axis names."""
    title = in_ascii(re.sub(r"\^\{(\d+)\}", r"^\1", title)).replace(",", "")
    offset, power = re.search(r" ([-+]) ([^ )]+)", title), re.search(r"× 10\^(\d+)", title)
    subtracted = int(Decimal(offset[2].replace("10^", "1e"))) if offset else 0
    added = subtracted if offset and offset[1] == "-" else -subtracted
    return added, int(power[1]) if power else 0


@given(ranges(), st.integers(60, 600))
@example((-(10**7), 1), 60)
def test_title_and_numbers_give_the_exact_position(shown, height):
    start, count = shown
    texts, places, title = beside(make_whole_axis("position", start, count), height)
    offset, power = labelled(title)
    plain = [text.replace("−", "-").replace(",", "") for text in texts]
    read = [int(Decimal(text) * 10**power) + offset for text in plain]
    assert [number - start for number in read] == pytest.approx(places, abs=1e-6 * count)
    assert all(start <= number < start + count for number in read)
    assert title.startswith(("position", "(position"))


@pytest.mark.parametrize(
    ("values", "spacing", "texts"),
    [
        ([0, 50, 100, 350], 50, ["0", "50", "100", "350"]),
        ([-20000, 0, 20000], 20000, ["−20,000", "0", "20,000"]),
        ([-1, -0.5, 0, 0.5, 1], 0.5, ["−1", "−0.5", "0", "0.5", "1"]),
        ([0, 1e15, 2e15], 1e15, ["0", "10¹⁵", "2·10¹⁵"]),
        ([-1e-4, -5e-5, 0, 5e-5], 5e-5, ["−1·10⁻⁴", "−5·10⁻⁵", "0", "5·10⁻⁵"]),
        ([0, 0.00015, 0.0003], 5e-5, ["0", "0.00015", "0.0003"]),
        ([1e15, 1e15 + 5, 1e15 + 10], 5, ["10¹⁵", "+5", "+10"]),
        ([1e15 + 10, 1e15 + 15, 1e15 + 20], 5, ["10¹⁵…", "+15", "+20"]),
        ([1, 1.00001, 1.00002], 1e-5, ["1", "+0.00001", "+0.00002"]),
        ([-1e15 - 10, -1e15 - 5, -1e15], 5, ["−10", "−5", "−10¹⁵"]),
        ([0, 2e-17], 1e-17, ["0", "2·10⁻¹⁷"]),
    ],
)
def test_values_are_written_in_full_where_they_are_short(values, spacing, texts):
    assert format_values([float(value) for value in values], spacing) == texts


@given(st.floats(-1e17, 1e17), st.floats(1e-12, 1e17), st.integers(30, 300))
@example(low=524288.0, span=1.19e-07, height=30)
@example(low=-524288.0, span=3e-9, height=50)
@example(low=1e17, span=700.0, height=30)
@example(low=0.015201808722757884, span=7.898522874932123e-06, height=30)
@example(low=337769972052786.0, span=2.0, height=190)
def test_numbers_beside_axes_are_distinguishable(low, span, height):
    high = low + span
    rounding = math.ulp(max(abs(low), abs(high)))
    assume(high - low > 20 * rounding)
    texts, places, _ = beside(PanelAxis("value", low, high), height)
    assert len(texts) == len(set(texts)) >= 2
    spacing = min(two - one for one, two in pairwise(places))
    near = {"rel": 0, "abs": 1e-3 * spacing + 3 * rounding}
    if texts[0].endswith("…"):  # all are offsets from a number written in part
        values = [value_of(text) for text in texts[1:]]
        assert np.diff(values) == pytest.approx(np.diff(places[1:]), **near)
        return
    values = [value_of(text) for text in texts]
    if any(text.startswith("+") for text in texts) or max(map(abs, places)) > 10**4 * spacing:
        base = max(values, key=abs)  # one is whole, and the rest are offsets from it
        values = [each if each == base else base + each for each in values]
    assert values == pytest.approx(places, **near)


@pytest.mark.parametrize(("least", "wanted"), [(30, [0, 90, 180, 270, 360]), (95, [0, 180, 360])])
def test_degrees_are_counted_by_quarters_of_a_turn(least, wanted):
    assert list_multiples(0.0, 360.0, find_quarter_step(least)) == wanted

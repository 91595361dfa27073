import math
import re
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import assume, example, given, strategies as st

from pe_explorer.encodings import LIMIT
from pe_explorer.widgets.axes import RangeAxis, ValueAxis
from tests.support.printed import in_ascii, value_of


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


def labelled(axis):
    """Return the offset and the power of ten that an axis names in its title."""
    offset = re.search(r": (\S+) \+", axis.labelText)
    power = re.search(r"× ?10<sup>(\d+)</sup>", axis.labelText)
    plain = in_ascii(offset[1]).replace(",", "") if offset else "0"
    added = int(Decimal(plain.replace("10^", "1e")))
    return added, int(power[1]) if power else 0


@given(ranges(), st.integers(60, 4000))
@example((-(10**7), 1), 60)
def test_title_and_numbers_give_the_exact_position(shown, pixels):
    start, count = shown
    axis = RangeAxis("left", "position")
    axis.resize(60, pixels)
    axis.set_origin(start, count)
    ((spacing, ticks),) = axis.tickValues(-0.5, count - 0.5, pixels)
    offset, power = labelled(axis)
    texts = axis.tickStrings(ticks, 1.0, spacing)
    read = [
        int(Decimal(text.replace("−", "-").replace(",", "")) * 10**power) + offset for text in texts
    ]
    assert read == [start + int(tick) for tick in ticks]
    assert all(position % spacing == 0 and start <= position < start + count for position in read)
    assert len(ticks) <= pixels / 36 + 2
    assert axis.labelText.startswith("position")  # it keeps its name


@pytest.mark.parametrize(
    ("length", "label"),
    [(500, "position: 1,000,000,000 +"), (170, "position: 10⁹ +"), (60, "position: 10⁹ +")],
)
def test_an_axis_far_from_0_keeps_its_name(qapp, length, label):
    axis = RangeAxis("bottom", "position")
    axis.resize(length, 40)
    axis.set_origin(10**9, 50)
    assert axis.labelText == label
    axis.set_origin(0, 50)
    assert axis.labelText == "position"


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
def test_values_are_written_in_full_where_they_are_short(qapp, values, spacing, texts):
    assert ValueAxis("right").tickStrings([float(value) for value in values], 1.0, spacing) == texts


@given(st.floats(-1e17, 1e17), st.floats(1e-12, 1e17), st.integers(60, 2000))
@example(low=524288.0, span=1.19e-07, pixels=86)
@example(low=-524288.0, span=3e-9, pixels=186)
@example(low=1e17, span=700.0, pixels=86)
@example(low=337769972052786.0, span=2.0, pixels=720)
def test_numbers_beside_values_are_told_from_each_other(qapp, low, span, pixels):
    high = low + span
    assume(high - low > 20 * math.ulp(max(abs(low), abs(high))))
    axis = ValueAxis("right")
    ((spacing, ticks),) = axis.tickValues(low, high, pixels)
    texts = axis.tickStrings(ticks, 1.0, spacing)
    assert len(texts) == len(set(texts)) == len(ticks) <= pixels / 36 + 2
    assert all(low - spacing <= tick <= high + spacing for tick in ticks)
    rounding = math.ulp(
        max(abs(low), abs(high)) + spacing
    )  # half of it in each tick: the numbers are told in full
    if texts and texts[0].endswith("…"):  # all are told from a number that is written in part
        told = [value_of(text) for text in texts[1:]]
        steps = np.diff(ticks[1:])
        assert np.diff(told) == pytest.approx(steps, rel=1e-3, abs=rounding)
    elif texts:  # one is whole, and the others are told from it, or all are
        shared, is_whole = 0.0, [True] * len(texts)
        if max(map(abs, ticks)) > 10**4 * spacing:
            base = max(range(len(texts)), key=lambda place: abs(value_of(texts[place])))
            shared = value_of(texts[base])
            is_whole = [place == base for place in range(len(texts))]
        told = [
            value_of(text) + (0.0 if whole else shared)
            for text, whole in zip(texts, is_whole, strict=True)
        ]
        assert told == pytest.approx(ticks, rel=0, abs=1e-3 * spacing + rounding)


def test_a_title_is_cut_where_the_axis_is_short_and_stays_in_the_middle(qapp):
    axis = ValueAxis("left")
    whole = "Manhattan distance from position 999999999999999"
    axis.set_title(whole)
    for height, title in ((500, whole), (150, "Manhattan distance"), (60, "Man…"), (450, whole)):
        axis.resize(58, height)
        place = axis.label.mapRectToParent(axis.label.boundingRect())
        assert place.height() <= height + 8
        assert abs(place.center().y() - height / 2) < 6
        assert axis.labelText[:3] == title[:3]
        assert axis.labelText.endswith(title[-1])


def test_a_title_without_room_loses_its_last_parts_before_it_is_cut_inside_a_word(qapp):
    axis, titles = ValueAxis("bottom"), []
    axis.set_title("component 1, 13.06 % of the variance")
    for length in range(600, 80, -10):
        axis.resize(length, 40)
        titles.append(axis.labelText)
    whole, *others = dict.fromkeys(titles)
    assert whole == "component 1, 13.06 % of the variance"
    assert others[:2] == ["component 1, 13.06 %", "component 1"]


@pytest.mark.parametrize(
    "make", [lambda: RangeAxis("bottom", "position"), lambda: ValueAxis("left")]
)
def test_an_axis_without_its_values_has_no_place_instead_of_an_error(make, qapp):
    # Qt asks for it while an axis is made, and again while Python collects it as garbage.
    axis = make()
    assert not axis.boundingRect().isNull()
    vars(axis).clear()
    assert axis.boundingRect().isNull()


def test_powers_of_ten_are_written_beside_their_exponents(qapp):
    axis = ValueAxis("left")
    axis.count_in_powers(True)
    ((_, ticks),) = axis.tickValues(-2.1, 2.1, 300)
    assert ticks == [-2, -1, 0, 1, 2]
    assert axis.tickStrings([*ticks, 0.5], 1.0, 1) == ["0.01", "0.1", "1", "10", "100", ""]


@pytest.mark.parametrize(("length", "ticks"), [(300, [0, 90, 180, 270, 360]), (80, [0, 180, 360])])
def test_degrees_are_counted_by_quarters_of_a_turn(qapp, length, ticks):
    axis = ValueAxis("right")
    axis.resize(60, length)
    axis.set_title("angle", "°")
    ((_, found),) = axis.tickValues(0.0, 360.0, length)
    assert found == ticks
    assert axis.labelText == "angle (°)"

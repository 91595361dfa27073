import math
from functools import partial

import pytest
from hypothesis import given, strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyle

from pe_explorer import encodings
from pe_explorer.model import Exploration
from pe_explorer.params import Real, Whole, declared
from pe_explorer.widgets.sliders import Slider, make_scale
from pe_explorer.widgets.theme import colours
from tests.support.gestures import turn_wheel

PARAMETERS = {
    f"{cls.__name__}.{name}": parameter
    for cls in (Exploration, *map(encodings.find, encodings.names()))
    for name, parameter in declared(cls).items()
    if isinstance(parameter, Whole | Real) and parameter.slider_range
}


@pytest.mark.parametrize("parameter", PARAMETERS.values(), ids=PARAMETERS)
def test_a_slider_spans_the_comfortable_range_in_legal_steps(parameter):
    scale, (low, high) = make_scale(parameter), parameter.slider_range
    assert 50 <= scale.steps < 2**31
    values = [scale.find_value(step) for step in range(scale.steps + 1)]
    assert values == sorted(values)
    assert (values[0], values[-1]) == (low, high)
    for value in values:
        assert parameter.check("x", value) == value
        assert scale.find_value(scale.find_step(value)) == value
    if low <= parameter.default <= high:
        assert parameter.default in values
    assert (scale.find_step(parameter.low), scale.find_step(parameter.high)) == (0, scale.steps)
    middle = scale.find_value(scale.steps // 2)
    for page in (False, True):
        assert (
            scale.compute_value_after_step(middle, 1, page)
            > middle
            > scale.compute_value_after_step(middle, -1, page)
        )
        assert (
            scale.compute_value_after_step(high, 1, page),
            scale.compute_value_after_step(low, -1, page),
        ) == (
            high,
            low,
        )


COUNT, WIDE, DOUBLING = (
    partial(Whole, 5, 0, 10**6, slider_range=(0, 100)),
    partial(Whole, 5, 1, 10**6, slider_range=(1, 10_000), log=True),
    partial(Whole, 5, 1, 10**6, slider_range=(2, 8192), has_binary_steps=True),
)
SHARE, BASE = (
    partial(Real, 1.0, -10, 10, slider_range=(0, 4)),
    partial(Real, 1.0, 1, 1e12, slider_range=(1.1, 1e8), log=True),
)


@pytest.mark.parametrize(
    ("make", "value", "up", "page_up", "ticks"),
    [
        (COUNT, 50, 51, 58, range(0, 101, 10)),
        (WIDE, 50, 51, 100, [10**n for n in range(5)]),
        (DOUBLING, 96, 97, 192, [2**n for n in range(1, 14)]),
        (SHARE, 1.0, 1.01, 1.1, [n / 2 for n in range(9)]),
        (BASE, 1e4, 12600.0, 1e5, [10**n for n in range(1, 9)]),
    ],
)
def test_size_of_steps_and_ticks(make, value, up, page_up, ticks):
    scale = make_scale(make(label="n", help=""))
    assert [scale.find_value(tick) for tick in scale.ticks] == [*ticks]
    assert scale.compute_value_after_step(value, 1, page=False) == up
    assert scale.compute_value_after_step(value, 1, page=True) == page_up
    assert scale.compute_value_after_step(up, -1, page=False) == value


def test_a_typed_value_beyond_the_range_can_only_come_back():
    scale = make_scale(Whole(5, 0, 2**53, slider_range=(0, 100), label="n", help=""))
    assert scale.compute_value_after_step(2**53, 1, page=True) == 2**53
    assert scale.compute_value_after_step(2**53, -1, page=False) == 2**53 - 1
    assert scale.steps == 100  # one for each whole number
    assert make_scale(WIDE(label="n", help="")).compute_value_after_step(1, 1, page=True) == 2


def test_a_slider_that_doubles_stops_at_the_widths_of_models():
    parameter = Whole(
        128, 1, 65_536, slider_range=(2, 8192), has_binary_steps=True, label="d", help=""
    )
    scale = make_scale(parameter)
    stops = {scale.find_value(step) for step in range(scale.steps + 1)}
    assert stops >= {2, 3, 16, 18, 64, 96, 100, 128, 192, 320, 512, 768, 1024, 1280, 1536, 2048}
    assert stops >= {2560, 3072, 4096, 5120, 6144, 8192}
    assert not any(stop % 2 for stop in stops if stop > 32)  # a width of pairs
    for power in range(1, 14):  # halfway in the exponent is halfway on the slider
        assert scale.find_step(2**power) == 16 * (power - 1)
    assert scale.find_step(65_536) == scale.steps


@given(st.floats(-1e300, 1e300, allow_nan=False))
def test_step_of_any_number_is_a_step(value):
    for parameter in PARAMETERS.values():
        scale = make_scale(parameter)
        assert 0 <= scale.find_step(value) <= scale.steps


@pytest.fixture
def slider(qtbot):
    slider = Slider()
    qtbot.addWidget(slider)
    slider.setRange(0, 100)
    slider.resize(300, 22)
    with qtbot.waitExposed(slider):
        slider.show()
    slider.activateWindow()
    return slider


def test_the_mouse_takes_the_handle_there_and_tells_all_the_way(slider, qtbot):
    left, values = Qt.MouseButton.LeftButton, []
    qtbot.mouseClick(slider, left, pos=QPoint(150, 11))
    assert abs(slider.value() - 50) <= 1
    assert not slider.isSliderDown()
    slider.setValue(50)
    qtbot.mousePress(slider, left, pos=QPoint(153, 11))  # off its middle: it does not move
    assert slider.value() == 50
    qtbot.mouseRelease(slider, left, pos=QPoint(153, 11))
    slider.setValue(0)
    slider.valueChanged.connect(values.append)
    qtbot.mousePress(slider, left, pos=QPoint(5, 11))
    for x in (50, 100, 200, 400):
        qtbot.mouseMove(slider, QPoint(x, 11))
    qtbot.mouseRelease(slider, left, pos=QPoint(400, 11))
    assert values == sorted(values)
    assert (len(values), slider.value()) == (4, 100)


def test_ticks_stand_where_the_handle_would(slider, qapp):
    slider.set_ticks([0, 50, 100])
    assert slider.height() == 22
    handle = slider.style().pixelMetric(QStyle.PixelMetric.PM_SliderLength, None, slider)
    image, edge = slider.grab().toImage(), QColor(colours(slider.palette()).edge)
    found = [
        [x for x in range(image.width()) if image.pixelColor(x, 21 - up) == edge] for up in range(5)
    ]
    half, travel = handle // 2, slider.width() - handle
    wanted = pytest.approx([half, half + travel / 2, half + travel], abs=1)
    assert found == [wanted] * 4 + [[]]
    heard = []
    slider.valueChanged.connect(heard.append)
    QTest.mousePress(slider, Qt.MouseButton.RightButton, pos=QPoint(150, 11))
    assert (heard, slider.isSliderDown()) == ([], False)


def test_wheel_is_for_the_panel_until_the_slider_has_the_focus(slider, qtbot):
    steps = []
    slider.stepped.connect(lambda direction, page: steps.append((direction, page)))
    slider.clearFocus()
    assert not turn_wheel(slider, 120)
    assert steps == []
    slider.setFocus()
    qtbot.waitUntil(slider.hasFocus)
    assert turn_wheel(slider, 120)
    for _ in range(4):
        turn_wheel(slider, -60)  # a touch pad's half notches
    assert steps == [(1, False), (-1, False), (-1, False)]
    assert math.fmod(slider.value(), 1) == 0


def test_keys_ask_for_steps(slider, qtbot):
    for key, step in (
        ("Right", (1, False)),
        ("Up", (1, False)),
        ("Left", (-1, False)),
        ("PageDown", (-1, True)),
        ("PageUp", (1, True)),
    ):
        with qtbot.waitSignal(slider.stepped) as signal:
            qtbot.keyClick(slider, getattr(Qt.Key, f"Key_{key}"))
        assert tuple(signal.args) == step

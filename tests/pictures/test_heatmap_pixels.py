"""What a pixel of the heatmap stands for, near and far, against exact means."""

import math
import threading

import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.encodings import LIMIT, Stored
from pe_explorer.encodings.abilities import needs
from pe_explorer.exploration import Exploration, Pin
from pe_explorer.pictures.heatmap import Heatmap
from pe_explorer.pictures.pixels import NO_VALUE, Size, colour_indices
from tests.support import truth
from tests.support.resampling import resampled
from tests.support.samples import sample, samples
from tests.support.sinusoids import sinusoid

S = encodings.create
WITHOUT_FILES = [e.name for e in samples() if not isinstance(e, Stored)]
FAR = {"count": 10**12, "start": 10**6}


def explored(options=None, pin=None, **fields):
    if pin is not None:
        fields = {"show": "difference", **fields, "pins": (Pin(pin, "other"),)}
    return pictures.with_options(Exploration(**fields), "heatmap", **(options or {}))


def made(size, options=None, **fields):
    return Heatmap.compute(explored(options, **fields), Size(*size), threading.Event())


def figure(options=None, **fields):
    state = explored(options, **fields)
    return Heatmap.figure(state, Heatmap.compute(state, Size(500, 400), threading.Event()))


def off(indices, values, limits=(-1.0, 1.0)):
    """Return by how many colours indices differ from those of values, at most."""
    low, high = limits
    return np.abs(indices - np.clip((np.asarray(values) - low) / (high - low), 0, 1) * 254).max()


@pytest.mark.parametrize(("count", "height"), [(1000, 100), (997, 100), (101, 100), (5000, 7)])
@pytest.mark.parametrize(("dim", "width"), [(64, 200), (64, 20), (64, 64), (30, 7)])
def test_a_pixel_is_the_mean_of_what_it_stands_for(count, height, dim, width):
    fields = {"encoding": S("sinusoidal", dim=dim, base=100.0), "start": 37, "count": count}
    shown = made((width, height), **fields)
    rows = shown.indices.shape[0]
    assert (shown.block, shown.group) == (-(-count // height), max(1, dim / width))
    table = sinusoid(np.arange(37, 37 + rows * shown.block), dim, 100.0)
    means = table.reshape(rows, shown.block, dim).mean(axis=1)
    assert off(shown.indices, resampled(means, width, turns=2)) <= 0.51


@pytest.mark.parametrize("name", WITHOUT_FILES)
def test_huge_pixels_are_exact_means(name):
    e = sample(name, dim=40, heads=40, head_dim=40)
    for start, count in ((0, 64 * 10**9), (10**15, 64 * 10**12), (2**52, 2**52)):
        shown = made((200, 64), encoding=e, start=start, count=count)
        assert shown.block == count // 64
        for row in (0, 31, 63):
            for j in (0, 1, 6, e.width // 2, e.width - 1):
                mean = truth.block_mean(e, start + row * shown.block, shown.block, j)
                assert off(float(shown.indices[row, j]), float(mean), shown.limits) <= 1.5


@pytest.mark.parametrize(
    ("start", "block", "pinned"),
    [
        *((0, 1, pinned) for pinned in (False, True)),
        *((10**15, block, False) for block in (1, 1000, 10**11)),
        *((start, block, True) for start, block in ((10**12, 1), (500, 40), (10**15, 7))),
    ],
)
def test_angles_are_those_of_the_mean_turn(start, block, pinned):
    """A pixel has the direction of the mean of its phasors, or none where they cancel."""
    e, pin = S("sinusoidal", dim=16, base=1e12), S("sinusoidal", dim=16, base=300.0)
    fields = {"encoding": e, "start": start, "count": 20 * block}
    shown = made((64, 20), {"quantity": "angle"}, pin=pin if pinned else None, **fields)
    assert (shown.block, shown.limits) == (block, (0.0, 360.0))
    for row in (0, 7, 19):
        first = start + row * block
        for pair in range(8):
            if pinned:
                mean = truth.mean_turned(e, pin, first, block, 2 * pair)
            else:
                sine, cosine = (truth.block_mean(e, first, block, 2 * pair + k) for k in range(2))
                mean = complex(float(cosine), float(sine))
            seen = int(shown.indices[row, 2 * pair])
            assert seen == shown.indices[row, 2 * pair + 1]
            if abs(mean) < 0.04:
                assert seen == NO_VALUE
            elif abs(mean) > 0.06:
                apart = abs(seen / 254 * 360 - np.degrees(np.angle(mean))) % 360
                assert min(apart, 360 - apart) < 0.8


# -- errors of code in float32 ---------------------------------------------------------------------


def module_in_float32(positions, dim):
    """Return the table that the code of document 001 makes, each step rounded once to float32."""

    def once(x):
        return np.float64(np.float32(x))

    frequencies = once(np.exp(once(np.arange(0, dim, 2) * once(-(math.log(1e4) / dim)))))
    angles = once(once(np.array(positions))[:, None] * frequencies)
    both = np.stack([once(np.sin(angles)), once(np.cos(angles))], axis=2)
    return both.reshape(len(positions), dim)


@pytest.mark.parametrize(
    ("start", "largest", "limit"), [(4950, 3.855e-4, 5e-4), (10**6, 0.0586, 0.075)]
)
def test_errors_of_float32(start, largest, limit):
    e, positions = S("sinusoidal", dim=512), range(start, start + 50)
    shown = made((512, 50), {"quantity": "error"}, encoding=e, start=start, count=50)
    expected = module_in_float32(positions, 512) - e.table(positions)
    np.testing.assert_allclose(shown.values, expected, rtol=0, atol=1e-15)
    assert np.abs(shown.values).max() == pytest.approx(largest, rel=1e-3)
    assert shown.limits == pytest.approx((-limit, limit))


def test_from_far_a_pixel_shows_the_error_of_its_first_position():
    e = S("sinusoidal", dim=16)
    shown = made((8, 10), {"quantity": "error"}, encoding=e, start=10**9, count=10**9)
    positions = range(10**9, 2 * 10**9, 10**8)
    errors = module_in_float32(positions, 16) - e.table(positions)
    assert (shown.block, shown.group) == (10**8, 2)
    of_every_second_pair = errors.reshape(10, 4, 4)[:, :, :2].reshape(10, 8)
    np.testing.assert_allclose(shown.values, of_every_second_pair, rtol=0, atol=1e-15)


def test_the_error_at_the_cursor_and_what_has_none():
    e, error = S("sinusoidal", dim=512), {"quantity": "error"}
    state = explored(error, encoding=e, start=4950, count=50, position=4974, dimension=8)
    found = Heatmap.inspect(state, threading.Event())
    assert float(found.values[-1].text) == pytest.approx(3.8552057e-4, rel=1e-6)
    pin = S("sinusoidal", dim=512, base=100.0)
    assert Heatmap.is_lacking(explored(error, encoding=e, pin=pin))
    assert not Heatmap.is_lacking(explored(error, encoding=e, pin=pin, show="pinned"))
    assert Heatmap.is_lacking(explored(error, encoding=S("index")))


@pytest.mark.parametrize("name", [e.name for e in samples() if needs.waves(e)])
def test_without_waves_there_are_no_angles(name):
    angle, e = {"quantity": "angle"}, sample(name)
    assert "values" in Heatmap.remedy(explored(angle, encoding=e))
    for current, pin in ((e, S("sinusoidal")), (S("sinusoidal"), e)):
        state = explored(angle, encoding=current, pin=pin)
        assert e.called() in Heatmap.lack(state)
        assert not Heatmap.is_lacking(explored(encoding=e))


# -- at every range --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", encodings.names())
@pytest.mark.parametrize("quantity", ["value", "angle", "error"])
def test_there_is_something_to_see_or_a_sentence(name, quantity):
    e = sample(name, dim=12)
    if Heatmap.lack(explored({"quantity": quantity}, encoding=e)):
        assert quantity != "value"
        return
    for pixel in ("mean", "sample"):
        for start, count in ((0, 1), (-5, 20), (10**15, 10**15), (-LIMIT, LIMIT), (LIMIT, 1)):
            options = {"quantity": quantity, "pixel": pixel}
            shown = made((1100, 100), options, encoding=e, start=start, count=count)
            assert shown.indices is not None or shown.note
            if shown.indices is not None:
                assert shown.indices.shape == (min(100, -(-count // shown.block)), e.width)
                assert shown.note or (shown.indices != NO_VALUE).any()


@pytest.mark.parametrize(
    ("first", "dimensions", "shown_first", "shown_count"),
    [(0, 0, 0, 20), (5, 3, 5, 3), (19, 0, 0, 20), (65_535, 4, 16, 4), (3, 65_536, 0, 20)],
)
def test_dimensions_are_fitted_to_the_width(first, dimensions, shown_first, shown_count):
    options = {"first": first, "dimensions": dimensions}
    shown = made((300, 100), options, encoding=S("sinusoidal", dim=20))
    assert (shown.first, shown.dimensions) == (shown_first, shown_count)
    part = sinusoid(np.arange(50), 20, 1e4)[:, shown_first : shown_first + shown_count]
    np.testing.assert_array_equal(shown.indices, colour_indices(part, (-1, 1)))


def test_large_values_close_together_differ():
    shown = made((100, 64), encoding=S("index", dim=4), start=10**15, count=50)
    assert (shown.indices[0, 0], shown.indices[49, 0]) == (0, 254)
    assert len(np.unique(shown.indices[:, 0])) == 50


def test_what_is_flat_says_so_and_leads_to_structure():
    figure_ = figure(**FAR)
    assert figure_.note.offer
    assert figure_.note.period > 1000
    assert figure(count=2000).note is None
    assert figure({"pixel": "sample"}, **FAR).note is None


@pytest.mark.parametrize("scale", [1e-30, 1e-100, 5e-324])
def test_waves_longer_than_all_positions_are_flat_without_having_turned(scale):
    e = S("sinusoidal", dim=8, waves="sine", scale=scale)
    flat = made((200, 100), encoding=e, count=10**12)
    assert (flat.note, flat.period) == ("", 0.0)


@pytest.mark.parametrize(("start", "colours"), [(-49, "viridis"), (0, "viridis"), (-25, "")])
def test_values_without_bound_have_a_middle_where_they_lie_on_both_sides_of_0(start, colours):
    e = S("alibi")
    shown = figure(encoding=e, start=start, count=50)
    (low, high), table = shown.panels[0].cells.limits, e.table(range(start, start + 50))
    assert (shown.substitute.shown if shown.substitute else "") == colours
    if colours:
        assert (low, high) == (table.min(), table.max())
    else:
        assert low == -high
        assert np.abs(table).max() <= high <= 2 * np.abs(table).max()


# -- differences -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("e", "pin"),
    [
        (S("sinusoidal", dim=12, base=1e4), S("sinusoidal", dim=12, base=1e4 * (1 + 1e-9))),
        (S("sinusoidal", dim=12), S("sinusoidal", dim=8, base=500, layout="concatenated")),
        (S("sinusoidal", dim=6), S("fraction", dim=10, length=100)),
        (S("binary", dim=9), S("sinusoidal", dim=12)),
    ],
)
def test_differences_are_right_to_rounding(e, pin):
    """Against 80 digits: of near-equal encodings, too, where their own digits cancel."""

    def number(exact):
        is_fraction = hasattr(exact, "numerator")
        return truth.mp.mpf(exact.numerator) / exact.denominator if is_fraction else exact

    for start, block in ((0, 1), (10**9, 1), (LIMIT - 20, 1), (12345, 1000), (10**12, 10**9)):
        values = made((10_000, 5), encoding=e, pin=pin, start=start, count=5 * block).values
        assert values.shape == (5, min(e.width, pin.width))
        for (row, j), found in np.ndenumerate(values):
            own, pinned = (
                number(truth.block_mean(x, start + row * block, block, j)) for x in (e, pin)
            )
            room = 1e-15 * max(1, abs(float(own)), abs(float(pinned)))
            assert abs(truth.mp.mpf(float(found)) - (own - pinned)) <= room


@pytest.mark.parametrize(("dim", "width"), [(64, 200), (64, 20)])
def test_a_pixel_is_the_mean_of_the_differences_in_it(dim, width):
    e, pin = S("sinusoidal", dim=dim, base=100.0), S("sinusoidal", dim=40, base=50.0)
    shown = made((width, 100), encoding=e, pin=pin, count=1000, start=7)
    assert (shown.block, shown.group, shown.dimensions) == (10, max(1, 40 / width), 40)
    apart = e.table(range(7, 1007))[:, :40] - pin.table(range(7, 1007))
    columns = resampled(apart.reshape(100, 10, 40).mean(axis=1), width, turns=2)
    low, high = shown.limits
    assert low == -high
    assert np.abs(columns).max() <= high <= 2 * np.abs(columns).max()
    assert off(shown.indices, columns, shown.limits) <= 0.51


def test_where_the_mean_of_one_changes_its_sign_the_difference_does_not():
    """A side lobe: the mean of pair 2 points the other way in one of the encodings alone."""
    e, pin = S("sinusoidal", dim=64), S("sinusoidal", dim=64, base=500.0)
    shown = made((64, 20), {"quantity": "angle"}, encoding=e, pin=pin, count=200)
    assert shown.indices[0, 4] / 254 * 360 == pytest.approx(330.1, abs=0.75)


@pytest.mark.parametrize(("quantity", "limits"), [("value", (-1, 1)), ("angle", (0, 360))])
def test_equal_encodings_agree(quantity, limits):
    options = {"quantity": quantity}
    for count in (50, 10**4):
        shown = made((300, 100), options, pin=S("sinusoidal"), count=count)
        assert "agree" in shown.note
        assert shown.limits == limits


@pytest.mark.parametrize("pixel", ["mean", "sample"])
@pytest.mark.parametrize("block", [10**9, 10**13])
def test_equal_angles_agree_however_many_a_pixel_stands_for(block, pixel):
    e, pin = S("sinusoidal", dim=31), S("sinusoidal", dim=31, order="cos-sin")
    options = {"quantity": "angle", "pixel": pixel}
    shown = made((300, 100), options, encoding=e, pin=pin, count=100 * block, start=10**15)
    assert "agree" in shown.note
    assert not shown.indices.any()


def test_they_agree_where_all_that_is_shown_is_equal():
    """The first pair has frequency 1, whatever the base."""
    angle, pin = {"quantity": "angle"}, S("sinusoidal", base=500)
    shown = made((300, 100), angle, encoding=S("sinusoidal"), pin=pin, **FAR)
    assert shown.note == ""  # other angles cancel, which is no agreement
    assert not shown.indices[:, :2].any()
    assert (shown.indices[:, 2:] == NO_VALUE).all()
    assert "agree" in made((300, 100), {"dimensions": 2}, pin=pin).note
    assert not made((300, 100), pin=pin).note


def test_many_turns_cancel_in_angles_but_differences_of_values_follow_their_size():
    pin = S("sinusoidal", base=500, scale=2.0)
    shown = made((300, 100), {"quantity": "angle"}, pin=pin, **FAR)
    assert "cancel everywhere" in shown.note
    frequencies = S("sinusoidal").frequencies() - pin.frequencies()
    assert shown.period == pytest.approx(2 * np.pi / np.abs(frequencies).min())
    shown = made((300, 100), pin=S("sinusoidal", base=500), **FAR)
    assert shown.note == ""
    assert 0 < shown.limits[1] < 0.1
    assert np.ptp(shown.indices.astype(int)) > 100


def test_a_difference_is_called_by_its_two_sides():
    state = {"encoding": S("sinusoidal", dim=64), "pin": S("sinusoidal", dim=32)}
    for options in ({}, {"quantity": "angle"}):
        shown = figure(options, **state)
        assert "d = 64 − other" in shown.status
        assert "d = 64 − other" in shown.panels[0].cells.title
        assert "d = 64 − other" not in figure(options, show="pinned", **state).status
    assert " 32 dimensions " in figure(**state).status
    for show in ("pinned", "difference"):  # without pins there is nothing to compare with
        np.testing.assert_array_equal(
            figure(show=show).panels[0].cells.values, figure().panels[0].cells.values
        )


def test_of_a_wider_pin_the_cursor_reaches_what_the_current_has():
    state = {"encoding": S("sinusoidal", dim=10), "pin": S("sinusoidal", dim=40)}
    status = figure(show="pinned", **state).status
    assert " 10 of its 40 " in status


def test_costs_count_both():
    size = Size(500, 400)
    pins = (None, S("sinusoidal", base=500))
    single, both = (Heatmap.cost(explored(pin=pin, count=10**6), size) for pin in pins)
    assert both == 2 * single

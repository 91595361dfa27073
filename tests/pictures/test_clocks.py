"""The pages of unit circles: where clocks stand, which pairs they show, and what they say."""

import math

import numpy as np
import pytest

from pe_explorer.colours import maps
from pe_explorer.params import ParameterError
from pe_explorer.pictures.clock_face import arrange, face, thin_out_positions
from pe_explorer.pictures.clock_pixels import draw_points
from pe_explorer.pictures.clock_texts import format_count, format_wave_labels
from pe_explorer.pictures.clocks import (
    ClockArea,
    ClockOptions,
    Clocks,
    compute_turns,
    find_clock_index,
)
from tests.support.definitions import mp
from tests.support.requirements import PAIRS, PictureRequirements
from tests.support.sinusoids import sinusoidal
from tests.support.states import cost_of, figure_of, inspection_of_view, state_of


class Definition(PictureRequirements):
    needs = PAIRS


def figure(width=600, height=600, options=None, **fields):
    return figure_of("clocks", options, ClockArea(width, height), **fields)


@pytest.mark.parametrize(("is_clockwise", "count"), [(True, 100), (False, 2)])
def test_points_are_sine_and_cosine(is_clockwise, count):
    options = {"direction": "sin-cos" if is_clockwise else "cos-sin"}
    found = figure(options=options, encoding=sinusoidal(dim=18), start=5, count=count).clocks
    theta = np.outer(np.arange(5, 5 + count), 1e4 ** (-2 * np.arange(9) / 18))
    x, y = (np.sin(theta), np.cos(theta)) if is_clockwise else (np.cos(theta), np.sin(theta))
    scale = found.grid.radius * found.grid.ratio
    np.testing.assert_allclose(found.x, x * scale, atol=scale * 1e-6)
    np.testing.assert_allclose(found.y, -y * scale, atol=scale * 1e-6)
    assert (found.order[0], found.order[-1]) == (0, pytest.approx(1))
    assert found.is_clockwise == is_clockwise


def painted(made, colours_of, width, height):
    """Return the RGBA, not premultiplied, that drawing disc after disc gives."""
    grid = made.grid
    out = np.zeros((height, width, 4))
    rows, columns = np.mgrid[:height, :width] + 0.5
    for k in range(len(made.order)):
        colour = np.append(colours_of[round(float(made.order[k]) * (len(colours_of) - 1))], 255.0)
        for clock, (x, y) in enumerate(grid.centres):
            far = np.hypot(
                columns - x * grid.ratio - made.x[k, clock],
                rows - y * grid.ratio - made.y[k, clock],
            )
            cover = np.clip(grid.dot_radius * grid.ratio + 0.5 - far, 0, 1)[..., None]
            out = out * (1 - cover) + colour * cover
    return out


@pytest.mark.parametrize(("count", "ratio"), [(1, 1.0), (7, 2.0), (60, 1.0)])
def test_discs_are_those_of_a_painter(count, ratio):
    found = face(sinusoidal(dim=8), range(count), arrange(4, 240, 260, 28, ratio, 0), True)
    width, height = round(240 * ratio), round(260 * ratio)
    table = maps.table("viridis")
    ours = draw_points(found, table, width, height).copy().view(np.uint8).reshape(height, width, 4)
    off = np.abs(ours[..., [2, 1, 0, 3]] - painted(found, table, width, height))
    # One disc alone is exact; where edges of many meet in a pixel, three of them are mixed.
    assert off.mean() < 0.15
    assert np.percentile(off.max(axis=2)[ours[..., 3] > 0], 90) < 24
    if count == 1:
        assert off.max() <= 1.5


def test_hands_stand_at_the_angles_of_the_position_and_between_two():
    e = sinusoidal(dim=18)
    rates = 1e4 ** (-2 * np.arange(9) / 18) / math.tau
    for ahead in (0.0, 0.5):
        turns = [sum(each) for each in compute_turns(e, figure(encoding=e).clocks, 37, ahead)]
        np.testing.assert_allclose(turns, (37 + ahead) * rates)


@pytest.mark.parametrize("position", [0, 44, 10**6, 2**53 - 1])
@pytest.mark.parametrize("ahead", [0.1, 0.625, 1 - 2**-53])
@mp.workdps(60)
def test_hands_between_positions_are_exact(position, ahead):
    e = sinusoidal(dim=64)
    found = compute_turns(e, figure(encoding=e).clocks, position, ahead)
    assert len(found) == 32
    for pair, (whole, fraction) in enumerate(found):
        exact = (
            (position + mp.mpf(ahead)) * mp.mpf(10) ** (-4 * mp.mpf(2 * pair) / 64) / (2 * mp.pi)
        )
        assert (whole, fraction) == (mp.floor(exact), float(exact - mp.floor(exact)))


def test_far_positions_are_exact():
    start, e = 10**15, sinusoidal(dim=2, base=10.0)
    with np.errstate(all="raise"):
        clocks = figure(encoding=e, start=start, count=3).clocks
        ((whole, fraction),) = compute_turns(e, clocks, start + 2)
    assert (whole, fraction) == e.turn(0, start + 2)
    assert whole == 159154943091895  # floor(10^15 / 2π), to 30 digits 159154943091895.3357...


@pytest.mark.parametrize(
    ("dim", "dimension", "marked"), [(18, 5, 2), (18, 17, 8), (7, 6, None), (2, 1, None)]
)
def test_the_clock_of_the_cursor_is_marked_where_there_are_several(dim, dimension, marked):
    e = sinusoidal(dim=dim)
    assert find_clock_index(e, figure(encoding=e).clocks, dimension) == marked


def test_the_cursor_has_pair_angle_turns_and_wavelength():
    found, numbers = inspection_of_view("clocks", position=20, dimension=9)
    turns = 20 / 10000 ** (8 / 128) / math.tau
    assert (numbers["Pair"], numbers["Columns"]) == ("4", "8 and 9")
    assert float(found.number) == pytest.approx(turns % 1 * 360, abs=1e-9)
    assert int(numbers["Whole turns"]) == int(turns)
    wavelength = math.tau * 10000 ** (8 / 128)
    assert float(numbers["Wavelength in positions"]) == pytest.approx(wavelength, rel=1e-11)
    alone, _ = inspection_of_view("clocks", encoding=sinusoidal(dim=7), dimension=6)
    assert "Dimension 6" in alone.missing_reason
    assert not alone.number


@pytest.mark.parametrize("pairs", [1, 2, 5, 9, 16, 64, 500, 32768])
def test_every_clock_lies_within_its_cell_and_the_area(pairs):
    for size in ((90, 100), (300, 200), (520, 420), (1900, 200), (3800, 2000)):
        grid = arrange(pairs, *size, 28, 1.0, 0)
        assert 1 <= grid.clock_count <= min(pairs, grid.columns * grid.rows)
        assert grid.columns * grid.width <= size[0] + 1e-6
        assert grid.rows * grid.height <= size[1] + 1e-6
        assert 0 < grid.radius + grid.dot_radius < grid.outer_radius
        for clock, (x, y) in enumerate(grid.centres):
            left, top, width, height = grid.cell(clock)
            assert left <= x - grid.outer_radius < x + grid.outer_radius <= left + width
            assert (
                top - 1
                <= y - grid.outer_radius
                < y + grid.outer_radius + grid.text_height
                <= top + height
            )
            assert grid.find_clock(x, y) == clock


def test_all_that_fit_are_as_large_as_can_be():
    grid = arrange(9, 600, 640, 28, 1.0, 0)
    others = [min(600 / columns, 640 / -(-9 // columns) - 28) / 2 for columns in range(1, 10)]
    assert grid.outer_radius == pytest.approx(max(others) - 4)
    grid = arrange(9, 600, 660, 28, 1.0, 0)
    assert (grid.columns, grid.rows, grid.clock_count) == (3, 3, 9)


@pytest.mark.parametrize("wanted", [1, 2, 3, 7, 12, 40])
@pytest.mark.parametrize("pairs", [1, 2, 9, 200])
def test_columns_that_are_wanted_are_there_where_clocks_can_be_read(pairs, wanted):
    least = 46  # pixels of a cell without its text
    for width, height in ((300, 200), (900, 600), (560, 80), (150, 13_000)):
        grid = arrange(pairs, width, height, 28, 1.0, 0, requested_columns=wanted)
        usual = arrange(pairs, width, height, 28, 1.0, 0)
        columns = min(wanted, pairs)
        if width / columns >= least and height >= least + 28:
            assert (grid.columns, grid.rejected_columns) == (columns, 0)
            assert grid.height >= least + 28
            most = min(pairs, columns * int(height / (least + 28)), 160)
            assert grid.clock_count == (usual.clock_count if columns == usual.columns else most)
        else:
            found = grid.columns, grid.numbers, grid.rejected_columns
            assert found == (usual.columns, usual.numbers, wanted)
        assert grid.columns * (grid.rows - 1) < grid.clock_count <= grid.columns * grid.rows


@pytest.mark.parametrize(
    ("pairs", "places"), [(64, 12), (64, 64), (64, 100), (5, 2), (7, 1), (1, 1)]
)
def test_spread_pairs_go_from_the_first_to_the_last(pairs, places):
    numbers = list(arrange(pairs, 84 * places, 106, 28, 1.0, 3, spread=True).numbers)
    assert len(numbers) == min(pairs, places)
    assert numbers[0] == 0
    assert numbers[-1] == (pairs - 1 if places > 1 else 0)
    gaps = np.diff(numbers)
    assert ((gaps.min(initial=1) <= gaps) & (gaps <= gaps.min(initial=pairs) + 1)).all()


def test_spread_clocks_are_those_of_their_pairs():
    e = sinusoidal(dim=256)
    shown = figure(400, 300, {"pairs": "spread"}, encoding=e, count=20)
    found = shown.clocks
    numbers = list(found.grid.numbers)
    assert (numbers[0], numbers[-1]) == (0, 127)
    rates, scale = 1e4 ** (-2 * np.array(numbers) / 256), found.grid.radius
    theta = np.outer(np.arange(20), rates)
    np.testing.assert_allclose(found.x, np.sin(theta) * scale, atol=scale * 1e-6)
    turns = [sum(each) for each in compute_turns(e, found, 37)]
    np.testing.assert_allclose(turns, 37 * rates / math.tau)
    assert list(found.dimensions) == [(2 * pair, 2 * pair + 1) for pair in numbers]
    for texts in format_wave_labels(found):
        assert all(str(pair) in text for pair, text in zip(numbers, texts, strict=True))
    assert f"{len(numbers)} of 128 pairs" in shown.status


def test_the_last_page_is_full():
    for dim, size in ((256, (400, 300)), (4, (400, 300))):
        grid = figure(
            *size, {"pairs": "first", "first": 127}, encoding=sinusoidal(dim=dim)
        ).clocks.grid
        assert grid.first + grid.clock_count == dim // 2


@pytest.mark.parametrize("clocks", [1, 9, 24, 64, 160])
@pytest.mark.parametrize("start", [7, -(2**53), 10**15])
def test_points_are_few_and_of_evenly_spaced_positions_that_are_shown(clocks, start):
    grid, e = arrange(clocks, 900, 700, 16, 1, 0), sinusoidal(dim=2 * clocks)
    for count in (1, 50, 1024, 1025, 1417, 2049, 6387, 100_003, 10**9 + 1, 2**53):
        shown = thin_out_positions(range(start, start + count), clocks)
        assert shown.start == start
        assert len(shown) <= min(1024, (1 << 14) // clocks)
        assert shown[-1] + shown.step >= start + count
        assert shown.step == 1 or count > 1024 or count * clocks > 1 << 14
        if count < 2**53:
            points = face(e, range(start, start + count), grid, True)
            gaps = thin_out_positions(range(start, start + count), grid.clock_count)
            numbers = [found // gaps.step for found in points.positions - start]
            assert numbers == list(range(len(gaps)))
            assert points.positions[-1] < start + count
            assert 0 <= points.order.min() <= points.order.max() <= 1
            draw_points(points, maps.table("viridis"), 900, 700)
    assert cost_of("clocks", size=ClockArea(520, 420), encoding=e, count=10**9) <= 1 << 14


@pytest.mark.parametrize("start", [-(2**53), 2**53 - 10])
def test_extremes_have_clocks_and_short_texts(start):
    for parameters in ({"dim": 3}, {"dim": 65_536, "base": 1e12}, {"scale": 0.0}, {"scale": -1e6}):
        e = sinusoidal(**parameters)
        found = figure(420, 320, encoding=e, start=start, count=11).clocks
        assert np.isfinite(found.x).all()
        assert all(len(texts) == found.grid.clock_count for texts in format_wave_labels(found))
        for whole, fraction in compute_turns(e, found, start):
            assert len(format_count(whole, fraction, 14)) <= 15


@pytest.mark.parametrize(
    ("whole", "fraction", "longest", "text"),
    [
        (5, 0.88858, 30, "5.89 turns"),
        (0, 0.999999, 30, "0.99 turns"),
        (-1, 0.2, 30, "−0.80 turns"),
        (1_432_394_487_827_058, 0.5, 40, "1,432,394,487,827,058.50 turns"),
        (1_432_394, 0.5, 15, "1,432,394 turns"),
        (1_432_394_487_827_058, 0.5, 14, "1.43·10¹⁵ turns"),
        (-1_432_394_487_827_058, 0.5, 14, "−1.4·10¹⁵ turns"),
        (-1_432_394_487_827_058, 0.5, 12, "−10¹⁵ turns"),
    ],
)
def test_turns_are_counted_when_completed(whole, fraction, longest, text):
    assert format_count(whole, fraction, longest) == text


@pytest.mark.parametrize(
    ("parameters", "wavelength"),
    [
        ({"dim": 18}, f"{math.tau * 1e4 ** (2 / 18):.2f}"),
        ({"dim": 4, "scale": 1e-100}, "6.283·10¹⁰²"),
        ({"dim": 4, "scale": 1e-310}, "∞"),
    ],
)
def test_labels_name_pair_and_wavelength(parameters, wavelength):
    text = next(format_wave_labels(figure(encoding=sinusoidal(**parameters)).clocks))[1]
    assert "1" in text
    assert wavelength in text


def test_what_has_no_pairs_says_what_is_missing():
    missing = {
        ("waves", "sine"): "the cosine",
        ("waves", "cosine"): "the sine",
        ("dim", 1): "width 2",
    }
    for parameter, words in missing.items():
        missing_reason = Clocks(
            state_of("clocks", encoding=sinusoidal(**dict([parameter])))
        ).explain_unavailability()
        assert words in missing_reason


def test_the_status_tells_which_pairs_and_positions_are_drawn():
    options = {"pairs": "first", "first": 8}
    shown = figure(400, 300, options, encoding=sinusoidal(dim=256), count=10**9)
    found = shown.clocks
    assert f"{found.grid.clock_count} of 128 pairs" in shown.status
    assert "pair 8 " in shown.status
    assert f"every {-(-(10**9) // len(found.positions)):,}" in shown.status
    assert "1 dimension without a pair" in figure(encoding=sinusoidal(dim=19)).status


def test_options_have_limits():
    for fields in ({"first": -1}, {"first": 32_768}, {"direction": "up"}, {"pairs": "last"}):
        with pytest.raises(ParameterError):
            ClockOptions(**fields)

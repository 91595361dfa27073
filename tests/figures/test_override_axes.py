"""What an author gives a figure instead of its own: scales, numbers beside axes, and colours."""

import math

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.colours.maps import table
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from pe_explorer.figures import matplotlib_figure
from pe_explorer.figures.overrides import with_overrides
from pe_explorer.figures.page import PageImage, PageText, Polyline
from pe_explorer.figures.style import Style, read_style, with_style
from pe_explorer.params import ParameterError, declared
from pe_explorer.pictures.figure import Band, Curve, Figure
from tests.figures.pages import known_panel
from tests.support.figures import check_texts, items_of, options_of, page_with, words_of
from tests.support.processes import run_program

S = encodings.create
E = S("sinusoidal", dim=16)
CURVE = {"encoding": E, "count": 50, **options_of("distances", part="curve")}
HISTOGRAM = {"encoding": E, **options_of("distances", part="histogram")}


def apart(offset):
    """Return the cosine distance of rows so far apart, from the sum of their cosines."""
    return 1 - math.fsum(math.cos(offset * 10000 ** (-2 * k / 16)) for k in range(8)) / 8


def frame_and_curve(page):
    """Return the frame of the first panel, and the points of its longest curve."""
    frame, *_ = (it.points for it in items_of(page, Polyline) if it.is_rule and len(it.points) == 5)
    curve = max((it.points for it in items_of(page, Polyline) if not it.is_rule), key=len)
    return frame.min(axis=0), frame.max(axis=0), curve


def axes_of_script(view, style, **fields):
    """Return the axes that the script of a figure draws."""
    given = {name: value for name, value in fields.items() if value is not None}
    state = resolve(Exploration(**given), DirectStore())
    figure = matplotlib_figure(view, state, size="174x90mm", **style)
    figure.canvas.draw()
    return figure.axes


def numbers_below(page):
    texts = (text for text in items_of(page, PageText) if not text.is_upward)
    lowest = max(text.y for text in texts if text.text[0].isdigit())
    return [it.text for it in items_of(page, PageText) if it.y == lowest]


# -- scales --------------------------------------------------------------------------------------


def test_points_of_curves_lie_where_the_logarithms_of_their_numbers_say():
    limits = {"x_limits": (1.0, 50.0), "y_limits": (0.01, 1.0)}
    style = {**limits, "x_scale": "log", "y_scale": "log"}
    (left, top), (right, bottom), curve = frame_and_curve(
        page_with("distances", style=Style(**style), **CURVE)
    )
    curve = curve[np.isfinite(curve).all(axis=1)]
    assert len(curve) == 49  # without position 0
    for position, (x, y) in enumerate(curve, 1):
        part = math.log(position) / math.log(50)
        assert x == pytest.approx(left + part * (right - left), abs=1e-6)
        part = math.log10(apart(position)) / 2 + 1
        assert y == pytest.approx(bottom - part * (bottom - top), abs=1e-6)
    (ax,) = axes_of_script("distances", style, **CURVE)
    assert (ax.get_xscale(), ax.get_yscale(), ax.get_xlim(), ax.get_ylim()) == (
        *("log", "log"),
        *(pytest.approx(ends) for ends in limits.values()),
    )
    line = max(ax.lines, key=lambda line: len(line.get_xdata()))
    drawn_points = dict(zip(*line.get_data(), strict=True))
    assert all(drawn_points[p] == pytest.approx(apart(p)) for p in range(1, 50))


def test_a_logarithmic_axis_of_a_view_can_be_linear():
    wavelengths = {"encoding": E, **options_of("frequencies", quantity="wavelength")}
    style = {"y_scale": "linear"}
    page = page_with("frequencies", style=Style(**style), **wavelengths)
    _, _, curve = frame_and_curve(page)
    exact = math.tau * 10000 ** (np.arange(8) / 8)
    part = (curve[:, 1] - curve[0, 1]) / (curve[-1, 1] - curve[0, 1])
    np.testing.assert_allclose(part, (exact - exact[0]) / (exact[-1] - exact[0]), atol=1e-9)
    assert {"0", "10,000"} <= set(words_of(page))
    ax, *_ = axes_of_script("frequencies", style, **wavelengths)
    assert ax.get_yscale() == "linear"
    np.testing.assert_allclose(ax.lines[0].get_ydata(), exact)
    zero = page_with("frequencies", style=Style(**style, y_limits=(0.0, 100.0)), **wavelengths)
    assert "0" in words_of(zero)  # which the axis of the view has no place for


REFUSED = [
    ("distances", {"x_scale": "log"}, CURVE, "x-scale: 0 cannot", "x-limits above 0"),
    (
        *("distances", {"y_scale": "log"}, CURVE),
        *("y-scale: 0 at position 0 cannot", "y-limits above 0"),
    ),
    (
        *("waves", {"y_scale": "log", "x_limits": (1.0, 3.0)}, {"encoding": E}),
        *(r"y-scale: −0\.99\d* at position 3 cannot be shown", "or a linear scale"),
    ),
    (
        *("distances", {"y_scale": "log", "y_limits": (-1.0, 1.0)}, CURVE),
        *("y-limits: −1 cannot", "above 0"),
    ),
    ("distances", {"x_scale": "log"}, HISTOGRAM, "x-scale: 0 cannot", "x-limits above 0"),
    ("properties", {"x_scale": "log"}, {"encoding": E}, "strip of colours", "hoose auto"),
]


@pytest.mark.parametrize(("view", "style", "fields", "fault", "remedy"), REFUSED)
def test_what_has_no_logarithm_is_named_with_what_to_do(view, style, fields, fault, remedy):
    fields = {"start": 1, **fields} if view == "properties" else fields
    with pytest.raises(ParameterError, match=f"{fault}.*{remedy}"):
        page_with(view, style=Style(**style), **fields)


def test_without_limits_positive_numbers_have_an_axis_that_shows_them_all():
    fields = {**CURVE, "start": 3, "count": 40}
    page = page_with("distances", style=Style(x_scale="log", y_scale="log"), **fields)
    (left, top), (right, bottom), curve = frame_and_curve(page)
    assert (curve >= (left, top)).all()
    assert (curve <= (right, bottom)).all()
    assert np.ptp(curve[:, 0]) > 0.9 * (right - left)  # no large empty ends
    check_texts(page)


def test_all_of_a_panel_moves_with_its_axes():
    panel = known_panel()
    style = Style(x_scale="log", y_scale="log", x_limits=(100.0, 140.0), y_limits=(0.5, 10.0))
    (found,) = with_overrides(Figure((panel,)), style).panels
    origin = panel.x.origin
    assert [10**mark.x for mark in found.marks] == pytest.approx(
        [mark.x + origin for mark in panel.marks if 100 <= mark.x + origin <= 140]
    )
    assert [10**level.y for level in found.levels] == pytest.approx(
        [level.y for level in panel.levels if 0.5 <= level.y <= 10]
    )
    assert [(10**dot.x, 10**dot.y) for dot in found.dots] == [
        pytest.approx((dot.x + origin, dot.y)) for dot in panel.dots if 0.5 <= dot.y <= 10
    ]
    for before, after in zip(panel.shaded_areas, found.shaded_areas, strict=True):
        assert 10**after.right == pytest.approx(min(140, before.right + origin))
        assert after.top == pytest.approx(math.log10(0.5))


def test_what_stands_for_many_positions_reaches_over_all_of_them():
    x = np.array([4.5, 14.5, 24.5])
    band = Band(np.array([1.0, 2, 3]), np.array([2.0, 4, 6]))
    panel = known_panel()._replace(curves=(Curve("a", x, band.low, band=band),))
    panel = panel._replace(x=panel.x.__class__("position", -0.5, 29.5, 0, 30))
    style = Style(x_scale="log", x_limits=(1.0, 30.0))
    (curve,) = with_overrides(Figure((panel,)), style).panels[0].curves
    np.testing.assert_allclose(10 ** curve.x[1:], [9.5, 9.5, 19.5, 19.5, 29.5])
    assert curve.x[0] < 0  # beyond the left end
    assert curve.band.high.tolist() == [2, 2, 4, 4, 6, 6]


def test_bars_stand_on_the_lower_end_of_a_logarithmic_axis():
    style = {"y_scale": "log", "y_limits": (0.001, 100.0)}
    (ax,) = axes_of_script("distances", style, **HISTOGRAM)
    (ground,) = (each.get_paths()[0].vertices for each in ax.collections)
    assert ground[:, 1].min() <= 0.001
    assert ground[:, 1].max() == pytest.approx(max(ax.lines[0].get_ydata()))


# -- numbers beside axes -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("view", "style", "fields", "expected"),
    [
        ("distances", {"x_ticks": (64, 0, 16.5, 32, 16)}, CURVE, ["0", "16", "32"]),
        ("heatmap", {"x_ticks": (0, 7, 15, 16)}, {"encoding": E}, ["0", "7", "15"]),
        ("waves", {"x_ticks": (10**12, 10**12 + 20)}, {"start": 10**12}, ["0", "20"]),
        ("waves", {"x_ticks": tuple(range(50))}, {"encoding": E}, None),
        (
            *("distances", {"x_ticks": (1, 2, 20), "x_scale": "log", "x_limits": (1.0, 50.0)}),
            *(CURVE, ["1", "2", "20"]),
        ),
    ],
)
def test_chosen_numbers_stand_beside_axes_as_far_as_these_reach(view, style, fields, expected):
    page = page_with(view, style=Style(**style), **fields)
    check_texts(page)  # no two overlap
    if expected is not None:
        assert numbers_below(page) == expected
    ax, *_ = axes_of_script(view, style, **fields)
    if view != "waves":
        assert [it.get_text() for it in ax.get_xticklabels()] == expected
        assert ax.get_xticks().tolist() == [float(number) for number in expected]
        assert ax.xaxis.get_minorticklocs().size == 0


def test_numbers_of_a_logarithmic_axis_are_values():
    style = {"y_ticks": (5e-4, 0.01, 1.0)}
    words = words_of(page_with("frequencies", style=Style(**style), encoding=E))
    assert {"5·10⁻⁴", "10⁻²", "10⁰"} <= set(words)
    words = words_of(page_with("frequencies", style=Style(y_ticks=(0.002, 0.5)), encoding=E))
    assert {"0.002", "0.5"} <= set(words)
    ax, *_ = axes_of_script("frequencies", style, encoding=E)
    np.testing.assert_allclose(ax.get_yticks(), style["y_ticks"])


def test_an_empty_list_is_an_axis_without_numbers_and_a_square_stays_one():
    style = Style(x_ticks=(), y_ticks=(), bar_ticks=())
    page = page_with(
        "distances", style=style, **{**CURVE, **options_of("distances", part="matrix")}
    )
    assert not [text for text in words_of(page) if text[0].isdigit()]
    one = page_with("distances", style=Style(x_ticks=(0.0, 7.0)), encoding=E)
    image = items_of(one, PageImage)[0]
    assert image.place.width == pytest.approx(image.place.height)


# -- colours -------------------------------------------------------------------------------------


def test_chosen_colours_are_those_of_cells_numbers_and_bar():
    style = Style(colours="#000000, #FF0000 #ffffff", bar_ticks=(-1.0, 0.5))
    page = page_with("heatmap", style=style, encoding=E, count=9)
    image, bar = items_of(page, PageImage)
    for colours in (image.colours[:255, :3], bar.cells[::-1, 0, :3]):
        assert colours[[0, 127, 254]].tolist() == [[0, 0, 0], [255, 0, 0], [255, 255, 255]]
        assert abs(colours[190].astype(int) - (255, 126, 126)).max() <= 1
    assert {"−1", "0.5"} <= set(words_of(page))
    reversed_ = page_with("heatmap", style=Style(colours="cividis_r"), encoding=E)
    image = items_of(reversed_, PageImage)[0]
    np.testing.assert_array_equal(image.colours[:255, :3], table("cividis", 255)[::-1])
    ax, bar = axes_of_script(
        "heatmap", {"colours": style.colours, "bar_ticks": (-1.0, 0.5)}, encoding=E
    )
    found = ax.images[0].cmap([0.0, 0.5, 1.0])[:, :3]
    np.testing.assert_allclose(found, [[0, 0, 0], [1, 0, 0], [1, 1, 1]], atol=0.01)
    assert bar.get_yticks().tolist() == [-1.0, 0.5]


def test_numbers_in_cells_can_be_read_on_chosen_colours():
    words = {"encoding": S("sinusoidal", dim=4), **options_of("tokens", part="rows")}
    for colours, ink in (("#000000 #101010", "#ffffff"), ("#eeeeee #ffffff", "#000000")):
        page = page_with("tokens", style=Style(colours=colours), size="174x120mm", **words)
        inks = {it.colour for it in items_of(page, PageText) if it.size < 8 and "." in it.text}
        assert inks == {ink}


@pytest.mark.parametrize("view", ["projection", "clocks"])
def test_what_is_in_order_follows_chosen_colours(view):
    style = {"colours": "#102030 #405060", "bar_ticks": (0.0, 40.0)}
    page = page_with(view, style=Style(**style), encoding=E, size="174x90mm")
    bar = items_of(page, PageImage)[-1]
    assert bar.cells[0, 0, :3].tolist() == [0x40, 0x50, 0x60]
    assert {"0", "40"} <= set(words_of(page))
    *_, bar = axes_of_script(view, style, encoding=E)
    assert bar.get_yticks().tolist() == [0.0, 40.0]


def test_angles_may_have_any_colours():
    angles = {"encoding": E, **options_of("heatmap", quantity="angle")}
    image, *_ = items_of(page_with("heatmap", style=Style(colours="grey"), **angles), PageImage)
    np.testing.assert_array_equal(image.colours[:255, :3], table("grey", 255))


@pytest.mark.parametrize(
    ("colours", "fault"),
    [
        ("virids", "soft, .*reversed.*#ffffff, got 'virids'.*'viridis'"),
        ("#000000 #fff", "#000000 #ffffff, got '#fff'"),
        ("#000000 white", "got 'white'"),
        ("#000000", "two colours.*, got '#000000'"),
        ("_r", "got '_r'"),
    ],
)
def test_what_is_no_colour_is_named_with_what_is_allowed(colours, fault):
    with pytest.raises(ParameterError, match=f"^colours: .*{fault}"):
        Style(colours=colours)


def pointed_ends(page):
    """Return which ends of the bars of a page are triangles."""
    bars = [image.place for image in items_of(page, PageImage) if 1 in image.cells.shape[:2]]
    triangles = [it for it in items_of(page, Polyline) if len(it.points) == 4 and it.fill]
    return [
        (
            any(it.points[:, 1].min() == pytest.approx(bar.bottom) for it in triangles),
            any(it.points[:, 1].max() == pytest.approx(bar.top) for it in triangles),
        )
        for bar in bars
    ]


@pytest.mark.parametrize(
    ("limits", "ends", "extend"),
    [
        ((-0.5, 0.8), (True, True), "both"),
        ((-1.0, 0.8), (False, True), "max"),
        ((-0.5, 1.0), (True, False), "min"),
        ((-1.0, 1.0), (False, False), "neither"),
        (None, (False, False), "neither"),
    ],
)
def test_a_bar_is_pointed_where_values_lie_beyond_its_end(limits, ends, extend):
    fields = {"encoding": E, "size": "84x60mm"}
    assert pointed_ends(page_with("heatmap", style=Style(limits=limits), **fields)) == [ends]
    bar = axes_of_script("heatmap", {"limits": limits}, encoding=E)[1]
    assert vars(bar)["_colorbar"].extend == extend
    constant = {"encoding": S("fraction"), "size": "84x60mm"}  # from 0 to 1, by the same layout
    page = page_with("heatmap", style=Style(limits=limits), **constant)
    assert pointed_ends(page) == [(False, ends[1])]


def test_a_bar_of_two_tables_is_pointed_for_both():
    fields = {"encoding": S("fraction"), "pins": (Pin(E),), "show": "pinned", "size": "174x90mm"}
    for show, expected in (("current", (False, True)), ("current pinned", (True, True))):
        page = page_with("heatmap", style=Style(limits=(-0.5, 0.5)), **{**fields, "show": show})
        assert pointed_ends(page)[-1] == expected


# -- files ---------------------------------------------------------------------------------------


def test_a_figure_keeps_its_axes_and_colours(tmp_path):
    def render(*words):
        return run_program(tmp_path, "render", *words, "--size", "174x90mm")

    flags = {
        "x_scale": "log",
        "y_scale": "log",
        "x_limits": "1 50",
        "y_limits": "0.01 2",
        "x_ticks": "1 10 50",
        "y_ticks": "",
        "bar_ticks": "-1 0.5",
        "colours": "#000000 #c0ffee",
    }
    words = [
        word for name, text in flags.items() for word in (f"--{name.replace('_', '-')}={text}",)
    ]
    assert render("distances", *words, "-o", "a.svg").returncode == 0
    assert render("--session", "a.svg", "-o", "b.svg").returncode == 0
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    style = Style(**{name: declared(Style)[name].parse(name, text) for name, text in flags.items()})
    assert read_style(with_style({}, "distances", style), "distances", Style()) == style
    refused = render("distances", "--x-scale", "log", "-o", "c.svg")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "--x-scale: 0 cannot be shown" in refused.stderr

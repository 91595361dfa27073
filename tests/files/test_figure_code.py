"""Scripts of figures, run by matplotlib."""

import sys
import threading
from unittest.mock import patch

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from pe_explorer import encodings, pictures
from pe_explorer.colours.dashes import DASHES
from pe_explorer.colours.maps import VALUE_MAPS, make_order_table, table
from pe_explorer.colours.themes import DARK, LIGHT
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration import PIN_COLOURS, DirectStore, Exploration, Pin, resolve
from pe_explorer.figures import matplotlib_figure
from pe_explorer.figures.making import PictureRequest
from pe_explorer.figures.script import (
    MAX_CHARACTERS,
    FigureCodeError,
    draw_figure as drawn_at_once,
    make_figure_script,
)
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.files.figure_code import figure_code
from pe_explorer.params import ParameterError
from pe_explorer.pictures import figure as figures
from pe_explorer.pictures.figure import Curve, Panel, PanelAxis, make_whole_axis
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.trail import Trail
from tests.figures.pages import known_panel
from tests.support.samples import sample
from tests.support.sinusoids import sinusoid
from tests.support.tables_in_files import numbers, put

SIZE, STYLE = FigureSize(174, 120, "mm"), Style(dpi=72.0)
SHOWN = Exploration(encoding=encodings.create("sinusoidal", dim=8), start=100, count=20)


def explored(start=0, count=50, **fields):
    e = encodings.create("sinusoidal", dim=18)
    fields = {"reference": start, "position": start, **fields}
    return resolve(Exploration(e, start=start, count=count, **fields), DirectStore())


def code_of(view, state, style=STYLE, size=SIZE, only=""):
    state = resolve(state, DirectStore())
    return figure_code([PictureRequest(view, state, only)], style, size, threading.Event())


def run(*scripts):
    """Run scripts, and return the size, texts and axes of each figure."""
    return [draw_script(script) for script in scripts]


def draw_script(script):
    mpl.use("Agg")
    with mpl.rc_context(), patch.object(plt, "show"), patch.object(Figure, "savefig"):
        plt.style.use("default")
        exec(compile(script, "script", "exec"), {"__name__": "__main__"})
        figure = plt.gcf()
        figure.canvas.draw()
        actual = {
            "size": figure.get_size_inches().tolist(),
            "dpi": figure.dpi,
            "title": figure.get_suptitle().replace(r"\$", "$"),
            "axes": [described(ax) for ax in figure.axes],
        }
        plt.close("all")
    return actual


def described(ax):
    actual = {"title": ax.get_title(), "is_bar": hasattr(ax, "_colorbar"), "is_shown": ax.axison}
    for side, axis, (low, high) in (
        ("x", ax.xaxis, sorted(ax.get_xlim())),
        ("y", ax.yaxis, sorted(ax.get_ylim())),
    ):
        actual[f"{side}lim"] = list(axis.get_view_interval())
        actual[f"{side}label"] = axis.get_label_text()
        actual[f"{side}ticks"] = [tick for tick in axis.get_ticklocs() if low <= tick <= high]
    actual["images"] = [
        {
            "values": np.ma.filled(image.get_array().astype(float), np.nan),
            "limits": list(image.get_clim()),
            "colours": image.cmap(np.linspace(0, 1, 5)),
        }
        for image in ax.images
    ]
    actual["lines"] = [
        {
            "x": np.asarray(line.get_xdata(), float),
            "y": np.asarray(line.get_ydata(), float),
            "dashes": vars(line)["_dash_pattern"][1] or (),
            "look": line.get_linestyle(),
        }
        for line in ax.lines
    ]
    actual["dots"] = [
        collection.get_offsets()
        for collection in ax.collections
        if collection.get_offsets().size and collection.get_array() is not None
    ]
    return actual


def find_axes(found):
    return [ax for ax in found["axes"] if not ax["is_bar"] and ax["is_shown"]]


def test_scripts_have_formulas_if_accurate_and_no_folders(tmp_path):
    script = code_of("heatmap", explored())
    assert "table = " in script
    assert len(script.splitlines()) <= 60
    far = code_of("heatmap", explored(10**15, 30))
    assert "frequencies" not in far  # float64 angles are inaccurate there
    put(tmp_path / "t.npy", numbers(20, 6))
    e = encodings.create("learned", file=str(tmp_path / "t.npy"))
    assert str(tmp_path) not in code_of("heatmap", Exploration(e, count=20))
    script = code_of("waves", explored())
    (ax,) = find_axes(*run(script))
    curves = [line for line in ax["lines"] if len(line["y"]) > 50]
    waves = np.outer(curves[0]["x"], 10000.0 ** (-np.arange(9) / 9))
    expected = np.concatenate([np.sin(waves), np.cos(waves)], axis=1).T
    assert len(curves) > 1
    assert all(np.abs(expected - line["y"]).max(axis=1).min() < 1e-9 for line in curves)


@pytest.mark.parametrize("limits", [(1.0, 50.0), (0.25, 30.0)])
def test_curves_on_a_logarithmic_axis_have_the_same_numbers(limits):
    def apart(x):  # by the sum of the cosines of all pairs
        return 1 - np.cos(np.outer(x, 10000.0 ** (-np.arange(9) / 9))).mean(axis=1)

    style = Style(x_scale="log", x_limits=limits)
    for view, exact in (("waves", np.sin), ("distances", apart)):
        state = pictures.with_options(explored(), "distances", part="curve")
        (ax,) = find_axes(*run(code_of(view, state, style)))
        x, y = next((it["x"], it["y"]) for it in ax["lines"] if len(it["x"]) > 2)
        shown = (limits[0] <= x) & np.isfinite(y)
        assert shown.sum() > 25
        assert np.isfinite(y[x > 0]).all()
        assert not np.isfinite(y[x <= 0]).any()
        np.testing.assert_allclose(y[shown], exact(x[shown]), rtol=0, atol=1e-5)


def test_a_formula_of_some_dimensions_is_of_no_others():
    script = code_of("heatmap", pictures.with_options(SHOWN, "heatmap", first=3, dimensions=4))
    assert "table = " in script
    (image,) = find_axes(*run(script))[0]["images"]
    exact = sinusoid(np.arange(100, 120), 8)[:, 3:7]
    np.testing.assert_allclose(image["values"], exact, rtol=0, atol=1e-12)


def test_pins_with_a_formula_have_their_own_tables(tmp_path):
    file = put(tmp_path / "t.npy", numbers(20, 8))
    waves = [encodings.create("sinusoidal", dim=8, base=base) for base in (1e4, 500.0)]
    pins = (Pin(waves[1], "slow"), Pin(encodings.create("learned", file=file), "stored"))
    state = Exploration(waves[0], count=20, metric="euclidean", pins=pins)
    script = code_of("distances", state, only="curve")
    assert ("pin_1 = table" in script, "pin_2" in script) == (True, False)
    (ax,) = find_axes(*run(script))
    state = pictures.with_options(SHOWN, "distances", below="dot", part="curve")
    titles = [" ".join(ax["ylabel"].split()) for ax in find_axes(*run(code_of("distances", state)))]
    assert titles == ["cosine distance from position 0", "dot product with position 0"]
    curves = [line["y"] for line in ax["lines"] if len(line["y"]) == 20]
    for table_of_one in (*(e.table(range(20)) for e in waves), numbers(20, 8)):
        truth = np.linalg.norm(table_of_one - table_of_one[0], axis=1)
        assert any(np.allclose(curve, truth, atol=1e-5) for curve in curves)


@pytest.mark.sampled(0)
def test_long_scripts_are_drawn_with_fewer_points():
    script = code_of("distances", explored().with_(count=10**9))
    assert len(script) < MAX_CHARACTERS


def test_a_script_that_would_be_too_long_is_refused(monkeypatch):
    monkeypatch.setattr("pe_explorer.figures.script.MAX_CHARACTERS", 100)
    with pytest.raises(FigureCodeError, match="characters of code; the limit is 100"):
        code_of("heatmap", SHOWN)
    with pytest.raises(FigureCodeError, match="positions 0 to 2,999"):
        code_of("waves", Exploration(sample("learned"), start=10**6))


def test_the_heading_of_a_script():
    one = code_of("heatmap", SHOWN)
    alibi = code_of("heatmap", Exploration(encodings.create("alibi"), start=-1999, count=1001))
    state = resolve(SHOWN, DirectStore())
    views = ("heatmap", "distances")
    two = figure_code(
        [PictureRequest(view, state) for view in views], STYLE, SIZE, threading.Event()
    )
    for script, facts in (
        (one, ("Heatmap of sinusoidal", "positions 100 to 119")),
        (alibi, ("Heatmap of alibi", "offsets -1,999 to -999")),
        (two, ("Heatmap, Distances of sinusoidal", "positions 100 to 119")),
    ):
        assert [fact for fact in facts if fact not in script[:200]] == []
    assert ("table = " in one, "table = " in two) == (True, False)
    drawn = [image["values"] for ax in find_axes(run(two)[0]) for image in ax["images"]]
    alone = [
        image["values"]
        for actual in run(*(code_of(view, SHOWN) for view in views))
        for ax in find_axes(actual)
        for image in ax["images"]
    ]
    assert [item.shape[0] == 20 for item in drawn] == [entry.shape[0] == 20 for entry in alone]


def test_scripts_use_the_colour_map():
    names = tuple(VALUE_MAPS)
    states = [pictures.with_options(SHOWN, "heatmap", values=name) for name in names]
    for name, actual in zip(
        names, run(*(code_of("heatmap", state) for state in states)), strict=True
    ):
        (image,) = find_axes(actual)[0]["images"]
        expected = table(name, 255)[[0, 127, 254]] / 255
        np.testing.assert_allclose(np.array(image["colours"])[[0, 2, 4], :3], expected, atol=0.03)


def test_pins_have_dashes():
    bases = dict(zip(PIN_COLOURS, (30.0, 100.0, 300.0, 1000.0), strict=False))
    pins = [Pin(encodings.create("sinusoidal", base=bases[base]), base, base) for base in bases]
    for view in ("distances", "frequencies", "properties", "waves"):
        (actual,) = run(code_of(view, Exploration(pins=pins)))
        lines = [line for ax in actual["axes"] for line in ax["lines"]]
        patterns = {tuple(line["dashes"]) for line in lines}
        for colour in bases:
            expected = 0.75 * np.array(DASHES[colour])
            same = [pattern for pattern in patterns if len(pattern) == len(expected)]
            assert any(np.allclose(item, expected, atol=0.05) for item in same)


def test_the_style_is_in_the_script():
    how = {"labels": False, "colour_bar": False, "limits": (-0.5, 0.25), "upward": True}
    style = Style(title="costs $5", dpi=120.0, ground="dark", ticks=3, **how)
    state = explored()
    plain, actual = run(code_of("heatmap", state), code_of("heatmap", state, style))
    assert len(plain["axes"]) == 2  # with the colour bar
    (ax,) = actual["axes"]
    assert (ax["xlabel"], ax["ylabel"], actual["dpi"]) == ("", "", 120)
    assert actual["title"] == "costs $5"
    assert ax["images"][0]["limits"] == [-0.5, 0.25]
    assert ax["ylim"] == [-0.5, 49.5]
    assert 1 <= len(ax["xticks"]) <= 4


def test_typed_formulas_are_typeset():
    texts = (("position", r"$t$"), ("value", r"$\omega_i t$"))
    script = code_of("heatmap", SHOWN, Style(title=r"$\theta = 10^4$", texts=texts))
    (actual,) = run(script)
    assert actual["title"] == r"$\theta = 10^4$"
    assert find_axes(actual)[0]["ylabel"] == "$t$"
    (plain,) = run(code_of("heatmap", SHOWN, Style(title="from $5 to $6")))
    assert plain["title"] == "from $5 to $6"
    assert r"$\\omega_i t$" in script


@pytest.mark.parametrize("size", ["84x60mm", "3.3x2.4in", FigureSize(480, 360)])
def test_the_function_has_the_size_and_numbers_of_the_view(size):
    figure = matplotlib_figure("heatmap", SHOWN, size=size, dpi=120.0)
    inches = {"84x60mm": (84 / 25.4, 60 / 25.4), "3.3x2.4in": (3.3, 2.4)}.get(size, (5.0, 3.75))
    assert figure.get_size_inches().tolist() == pytest.approx(inches)
    ax, bar = figure.axes
    angles = np.arange(100, 120)[:, None] * 10000.0 ** (-np.arange(4) / 4)
    expected = np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(20, 8)
    np.testing.assert_allclose(ax.images[0].get_array(), expected, rtol=0, atol=1e-14)
    assert ax.images[0].get_extent() == [-0.5, 7.5, 119.5, 99.5]
    assert bar.get_ylabel() == "value"
    figure.canvas.draw()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("view", [*pictures.names(), "plate"])
def test_the_function_draws_every_view_and_leaves_pyplot_alone(view, tmp_path):
    before = dict(mpl.rcParams)
    figure = matplotlib_figure(view, SHOWN, size="174x120mm", theme="dark")
    figure.savefig(tmp_path / "figure.png")
    assert dict(mpl.rcParams) == before
    assert plt.get_fignums() == []
    assert mpl.colors.to_hex(figure.get_facecolor()) == DARK.base
    assert figure.findobj(lambda each: getattr(each, "get_array", lambda: None)() is not None) or (
        any(ax.lines for ax in figure.axes)
    )


def test_the_function_draws_hands_to_the_point_of_the_cursor():
    figure = matplotlib_figure("clocks", SHOWN.with_(position=104), cursor="show")
    for ax in figure.axes[:4]:
        (points,), hand = ax.collections, ax.lines[-1]
        ends = np.transpose(hand.get_data())
        np.testing.assert_allclose(ends, [(0, 0), points.get_offsets()[4]], rtol=0, atol=1e-6)


def test_the_function_frames_the_cursor_around_numbers():
    tokens = Exploration(encoding=encodings.create("sinusoidal", dim=4), position=1, dimension=2)
    rows, *_ = matplotlib_figure("tokens", tokens, cursor="show").axes
    assert rows.texts
    (frame,) = rows.collections
    assert frame.get_paths()[0].get_extents().extents.tolist() == [1.5, 0.5, 2.5, 1.5]
    assert not rows.lines


def test_invalid_figures_are_refused(monkeypatch):
    index = Exploration(encoding=encodings.create("index"))
    for wrong, error, facts in (
        ({"view": "heatmpa"}, ParameterError, "view: .*'heatmpa'.*'heatmap'"),
        ({"theme": "drak"}, ParameterError, "theme: .*light or dark.*'drak'"),
        ({"size": "3"}, ParameterError, "size: .*'3'"),
        ({"font_size": 99.0}, ParameterError, "font_size: .* got 99"),
        ({"letters": 8}, TypeError, "letters"),
        ({"view": "clocks", "exploration": index}, EncodingError, "no sines or cosines"),
    ):
        with pytest.raises(error, match=facts):
            matplotlib_figure(**{"view": "heatmap", "exploration": SHOWN, **wrong})
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r'pip install "pe-explorer\[matplotlib\]"'):
        matplotlib_figure("heatmap", SHOWN)


def test_panel_items_are_at_their_coordinates():
    figure = drawn_at_once([figures.Figure((known_panel(),))], Style(cursor="show"), SIZE)
    far = known_panel()._replace(x=make_whole_axis("position", 10**9, 50))
    (ax,) = drawn_at_once([figures.Figure((far,))], STYLE, SIZE).axes
    assert (ax.get_xlabel(), ax.get_xlim()) == ("position − 10⁹", (-0.5, 49.5))
    high = far.curves[0]._replace(y=far.curves[0].y + 1e9)
    script = make_figure_script([figures.Figure((far._replace(curves=(high,)),))], STYLE, SIZE)
    lines = [line["y"] for line in run(script)[0]["axes"][0]["lines"]]
    assert any(len(y) == len(high.y) and np.abs(y - high.y).max() < 1e-4 for y in lines)
    (ax,) = figure.axes
    x, (mine, ranges, _) = np.arange(100.0, 150), known_panel().curves
    assert (ax.get_xlim(), ax.get_ylim()) == ((99.5, 149.5), (-2, 4))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("position", "value")
    lines = [(item.get_linestyle(), item.get_xdata(), item.get_ydata()) for item in ax.lines]
    wanted = [
        ("--", [110, 110], [0, 1]), ("--", [0, 1], [1.5, 1.5]), ("--", [0, 1], [3.5, 3.5]),
        ("--", [107, 107], [0, 1]), ("--", [0, 1], [3, 3]), ("-", x, mine.y),
        ("--", x, ranges.band.high), ("--", x, ranges.band.low), ("--", [], []),
        ("None", [105], [1]),
    ]  # fmt: skip
    assert [entry[0] for entry in lines] == [element[0] for element in wanted]
    for line, expected in zip(lines, wanted, strict=True):
        for one, other in zip(line[1:], expected[1:], strict=True):
            np.testing.assert_allclose(one, other)
    assert [line.get_zorder() for line in ax.lines[5:]] == [3, 2, 2, 2, 2]
    names = [(text.get_text(), *text.get_position(), text.get_va()) for text in ax.texts]
    assert names == [
        (" 1: 12", 110, 1, "top"),
        (" half", 0, 1.5, "bottom"),
        (" whole", 0, 3.5, "top"),
    ]
    grounds = [
        collection.get_paths()[0].get_extents().extents.tolist() for collection in ax.collections
    ]
    assert grounds[:2] == [[99.5, -2, 104.5, 4], [144.5, -2, 154.5, 4]]
    np.testing.assert_allclose(grounds[2], [120, 1.4, 149, 2.98])
    assert [part.get_hatch() for part in ax.collections] == [None, "///", None]
    assert ax.collections[1].get_linewidth() == 0
    _, labels = ax.get_legend_handles_labels()
    entries = ["mine", "ranges", "gone: no rows here", "training", "no rows", "least to greatest"]
    assert sorted(labels) == sorted(entries)
    assert [get_text.get_text() for get_text in ax.get_legend().get_texts()] == labels


def test_clocks_have_hands_and_names_that_fit():
    picture = pictures.make_picture("clocks", explored(position=7))
    figure = picture.figure(picture.numbers(Size(600, 400), threading.Event()))
    figure = picture.with_cursor(figure)
    names = {}
    for size in (SIZE, FigureSize(400, 100, "mm")):
        *clocks, bar = draw_script(make_figure_script([figure], Style(cursor="show"), size))["axes"]
        shown = [ax for ax in clocks if ax["dots"]]
        for k, ax in enumerate(shown):
            angle = 7 * 10000 ** (-k / 9)
            rim, hand = ax["lines"]
            np.testing.assert_allclose(np.hypot(rim["x"], rim["y"]), 1)
            np.testing.assert_allclose(hand["x"], [0, np.sin(angle)], atol=1e-6)
            np.testing.assert_allclose(hand["y"], [0, np.cos(angle)], atol=1e-6)
        assert (len(shown), bar["ylabel"]) == (9, "position")
        names[size] = [ax["title"].replace(r"$\lambda$", "λ") for ax in shown]
        room = 0.8 * size.in_points[0] / figure.clocks.grid.columns
        assert max(map(len, names[size])) * 0.55 * 8 <= room
    half = draw_script(make_figure_script([figure] * 2, STYLE, SIZE))["axes"]
    first = next(ax["title"] for ax in half if ax["dots"])
    room = 0.4 * SIZE.in_points[0] / figure.clocks.grid.columns
    assert len(first.replace(r"$\lambda$", "λ")) * 0.55 * 8 <= room
    assert all(map(str.startswith, names[size], ["pair"] * 9))
    assert names[size] != names[SIZE]


@pytest.mark.parametrize("ground", ["white", "dark"])
def test_ordered_points_have_colours_and_a_cursor(ground):
    x, y = np.array([0.0, 1, 1, 0]), np.array([0.0, 0, 2, 2])
    axis, trail = PanelAxis("component", -1.0, 3.0), Trail(x, y, range(1, 9, 2), ("row", 10, 9), 2)
    panel = Panel("points", axis, axis, trail=trail)
    style = Style(cursor="show", ground=ground)
    ax, bar = drawn_at_once([figures.Figure((panel,))], style, SIZE).axes
    joined, marked = ax.lines
    np.testing.assert_array_equal(joined.get_xydata(), np.column_stack([x, y]))
    assert marked.get_xydata().tolist() == [[1, 2]]
    (dots,) = ax.collections
    np.testing.assert_array_equal(dots.get_offsets(), np.column_stack([x, y]))
    assert (dots.get_array().tolist(), dots.get_clim()) == ([11, 13, 15, 17], (10, 18))
    assert (bar.get_ylabel(), ax.get_aspect()) == ("row", 1)
    colours = make_order_table(has_dark_background=ground == "dark")[[0, -1]] / 255
    np.testing.assert_allclose(dots.cmap([0.0, 1.0])[:, :3], colours, atol=0.01)


@pytest.mark.parametrize(("fields", "low"), [({"is_stepped": True}, 0), ({"bar_base": 1.0}, 1)])
def test_areas_below_steps_and_bars_are_filled(fields, low):
    curve = Curve("", np.arange(4.0), np.array([2.0, 2, 3, 3]), **fields)
    panel = Panel("only", PanelAxis("a", -1.0, 5.0), PanelAxis("b", -1.0, 5.0), curves=(curve,))
    (ax,) = drawn_at_once([figures.Figure((panel,))], STYLE, SIZE).axes
    (ground,) = (collection.get_paths()[0].get_extents() for collection in ax.collections)
    half = 0.5 if low == 0 else 0
    assert ground.extents.tolist() == [-half, low, 3 + half, 3]
    assert mpl.colors.to_hex(ax.collections[0].get_facecolor()[0]) == LIGHT.area_fill


def test_long_titles_are_wrapped_and_symbols_typeset():
    title = "a title of many words that is far longer than the axis that it belongs to, " * 2
    word = "x" * 150
    names = ("_hidden", "ω₁ and Λ", "10⁻⁵ for $5")
    x = np.arange(3.0)
    curves = tuple(Curve(name, x, x + place) for place, name in enumerate(names))
    panel = Panel("only", PanelAxis(word, 0.0, 2.0), PanelAxis(title, 0.0, 5.0), curves=curves)
    (ax,) = drawn_at_once([figures.Figure((panel,))], STYLE, SIZE).axes
    lines = ax.get_ylabel().split("\n")
    wide, length = 0.55 * 8, 0.8 * SIZE.in_points[1]
    assert " ".join(lines) == title.strip()
    assert len(lines) == -(-len(title) * wide // length)
    assert max(map(len, lines)) * wide <= 1.2 * length
    assert ax.get_xlabel() == word
    shown = [get_text.get_text() for get_text in ax.get_legend().get_texts()]
    assert shown == [" _hidden", r"$\omega_{1}$ and $\Lambda$", r"10$^{−5}$ for \$5"]


def two_panels(**fields):
    x = np.arange(3.0)
    title = "a title of many words that is longer than the axis that it belongs to"
    one = Panel("one", PanelAxis(title, 0.0, 2.0), PanelAxis("y", 0.0, 2.0))
    one = one._replace(curves=(Curve("", x, x),))
    return figures.Figure((one, one._replace(name="other")), **fields)


def test_titles_of_neighbouring_panels_do_not_touch():
    figure = drawn_at_once([two_panels()], STYLE, FigureSize(120, 80, "mm"))
    figure.canvas.draw()
    one, other = (ax.xaxis.label.get_window_extent() for ax in figure.axes)
    assert 0 <= one.x0 < one.x1 < other.x0 < other.x1 <= figure.bbox.width


def test_long_legends_fit_on_the_page():
    x = np.arange(3.0)
    name = "a curve with a name of many words that is as long as the axis is, " * 2
    axes = PanelAxis("x", 0.0, 2.0), PanelAxis("y", 0.0, 3.0)
    curves = (Curve(name, x, x), Curve("short", x, x + 1, "green"))
    figure = drawn_at_once([figures.Figure((Panel("only", *axes, curves=curves),))], STYLE, SIZE)
    figure.canvas.draw()
    place = figure.axes[0].get_legend().get_window_extent()
    assert 0 <= place.x0 < place.x1 <= figure.bbox.width


@pytest.mark.parametrize("noted", ["one", "other"])
def test_notes_are_in_their_panel(noted):
    note = figures.Note("There is nothing to see.", panel=noted)
    axes = drawn_at_once([two_panels(note=note)], STYLE, SIZE).axes
    actual = {ax.get_label(): [text.get_text() for text in ax.texts] for ax in axes}
    assert actual == {"one": [], "other": []} | {noted: [note.sentence]}


def test_axes_have_powers_names_and_limited_ticks():
    x = make_whole_axis("word", 0, 50, names=tuple(f"word {n}" for n in range(50)))
    y = PanelAxis("frequency", -4.0, 1.0, powers=True)
    steps = Curve("", np.arange(50.0), np.linspace(-3, 0, 50), is_stepped=True)
    figure = figures.Figure((Panel("only", x, y, curves=(steps,)),))
    for ticks, places in ((None, range(0, 50, 2)), (5, range(0, 50, 10))):
        (ax,) = drawn_at_once([figure], Style(ticks=ticks, grid=True), SIZE).axes
        assert (ax.get_yscale(), ax.get_ylim()) == ("log", pytest.approx((1e-4, 10)))
        assert ax.get_xticks().tolist() == [*places]
        labels = ax.get_xticklabels()
        assert [label.get_text() for label in labels] == [f"word {n}" for n in places]
        assert {item.get_rotation() for item in labels} == {90 if ticks is None else 0}
        assert ax.get_legend() is None
        assert ax.xaxis.get_gridlines()[0].get_visible()


@pytest.mark.parametrize(("count", "columns"), [(2, 2), (3, 2), (4, 2), (5, 2)])
def test_figures_of_a_plate_are_in_labelled_rows(count, columns):
    x = np.arange(3.0)
    title = "many words " * 20
    axes = PanelAxis(title, 0.0, 2.0), PanelAxis("b", 0.0, 2.0)
    one = figures.Figure((Panel("only", *axes, curves=(Curve("", x, x),)),))
    several = [one._replace(letter=f"figure {n}") for n in range(count)]
    figure = drawn_at_once(several, Style(title="All"), SIZE)
    assert figure.get_suptitle() == "All"
    assert [it.get_suptitle() for it in figure.subfigs[:count]] == [it.letter for it in several]
    assert len(figure.subfigs) == -(-count // columns) * columns
    lines = figure.subfigs[0].axes[0].get_xlabel().split("\n")
    length = 0.8 * SIZE.in_points[0] / columns
    assert len(lines) == -(-len(title) * 0.55 * 8 // length)
    left = [subfig.bbox.x0 for subfig in figure.subfigs]
    assert [element == left[0] for element in left] == [n % columns == 0 for n in range(len(left))]

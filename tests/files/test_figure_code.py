"""The script of a figure, run by matplotlib, draws what the figure says, and needs nothing else."""

import ast
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
from pe_explorer.colours.maps import VALUE_MAPS, table
from pe_explorer.colours.themes import DARK
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration import PIN_COLOURS, DirectStore, Exploration, Panes, Pin, resolve
from pe_explorer.figures import matplotlib_figure
from pe_explorer.figures.script import MOST_CHARACTERS, FigureCodeError, figure_script
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.files.figure_code import figure_code
from pe_explorer.params import ParameterError
from pe_explorer.pictures.pixels import Size
from tests.support.pairwise import pairwise
from tests.support.tables_in_files import numbers, put

SIZE, STYLE, PIXELS = FigureSize(174, 120, "mm"), Style(dpi=72.0), Size(60, 64)
PLACES = {"near": (0, 50), "billion": (10**9, 40), "quadrillion": (10**15, 30), "wide": (0, 10**9)}
SCHEMES = {
    "sinusoidal": {"dim": 18},
    "rope": {"head_dim": 16},
    "alibi": {"heads": 4},
    "binary": {},
    "index": {},
    "fraction": {},
}
PINS = {"sinusoidal": {"base": 500.0}, "rope": {"rope_theta": 500.0}, "alibi": {"symmetric": True}}
"""What is different in a pin, for cases whose scheme is followed by a minus."""
SHOWN = Exploration(encoding=encodings.create("sinusoidal", dim=8), start=100, count=20)


def explored(scheme, place, **fields):
    start, count = PLACES[place]
    name = scheme.removesuffix("-")
    fields = {"reference": start, "position": start, **fields}
    if name != scheme:
        pin = Pin(encodings.create(name, **{**SCHEMES[name], **PINS[name]}), "another")
        fields |= {"pins": (pin,), "show": "difference"}
    e = encodings.create(name, **SCHEMES[name])
    return resolve(Exploration(encoding=e, start=start, count=count, **fields), DirectStore())


def code_of(view, state, style=STYLE, size=SIZE, only=""):
    state = resolve(state, DirectStore())
    return figure_code((view,), state, style, size, only, threading.Event())


def run(*scripts):
    """Run scripts, and return for each the size, the words and the axes of its figure."""
    return [drawn(script) for script in scripts]


def drawn(script):
    mpl.use("Agg")
    with mpl.rc_context(), patch.object(plt, "show"), patch.object(Figure, "savefig"):
        plt.style.use("default")
        exec(compile(script, "script", "exec"), {"__name__": "__main__"})
        figure = plt.gcf()
        figure.canvas.draw()
        found = {
            "size": figure.get_size_inches().tolist(),
            "dpi": figure.dpi,
            "title": figure.get_suptitle().replace(r"\$", "$"),
            "axes": [described(ax) for ax in figure.axes],
        }
        plt.close("all")
    return found


def described(ax):
    found = {"title": ax.get_title(), "is_bar": hasattr(ax, "_colorbar"), "is_shown": ax.axison}
    for side, axis, (low, high) in (
        ("x", ax.xaxis, sorted(ax.get_xlim())),
        ("y", ax.yaxis, sorted(ax.get_ylim())),
    ):
        found[f"{side}lim"] = list(axis.get_view_interval())
        found[f"{side}label"] = axis.get_label_text()
        found[f"{side}ticks"] = [tick for tick in axis.get_ticklocs() if low <= tick <= high]
    found["images"] = [
        {
            "values": np.ma.filled(image.get_array().astype(float), np.nan),
            "limits": list(image.get_clim()),
            "colours": image.cmap(np.linspace(0, 1, 5)),
        }
        for image in ax.images
    ]
    found["lines"] = [
        {
            "x": np.asarray(line.get_xdata(), float),
            "y": np.asarray(line.get_ydata(), float),
            "dashes": vars(line)["_dash_pattern"][1] or (),
            "look": line.get_linestyle(),
        }
        for line in ax.lines
    ]
    found["dots"] = [
        each.get_offsets()
        for each in ax.collections
        if each.get_offsets().size and each.get_array() is not None
    ]
    return found


def axes_of(found):
    return [ax for ax in found["axes"] if not ax["is_bar"] and ax["is_shown"]]


EVERY_SCHEME = (*SCHEMES, *(f"{name}-" for name in PINS))
CASES = [
    (view, scheme, place)
    for view, scheme, place in pairwise(pictures.names(), EVERY_SCHEME, [*PLACES])
    if not pictures.find(view).lack(explored(scheme, place))
]
"""Any two of view, scheme and place meet."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("view", pictures.names())
def test_axes_and_numbers_are_those_of_the_figure(view):
    shown, scripts = [], []
    for _, scheme, place in (case for case in CASES if case[0] == view):
        state, picture = explored(scheme, place), pictures.find(view)
        figure = picture.figure(state, picture.compute(state, PIXELS, threading.Event()))
        curves = [curve for panel in figure.panels for curve in panel.curves]
        has_cells = any(panel.cells or panel.trail for panel in figure.panels)
        if not (figure.clocks or has_cells or any(curve.visible for curve in curves)):
            with pytest.raises(FigureCodeError):
                figure_script([figure], STYLE, SIZE)
            continue
        shown.append((f"{scheme}, {place}", figure))
        scripts.append(figure_script([figure], STYLE, SIZE))
    assert shown
    for (case, figure), found in zip(shown, run(*scripts), strict=True):
        try:
            assert found["size"] == pytest.approx([174 / 25.4, 120 / 25.4], abs=1e-3)
            if figure.clocks:
                assert_clocks(figure.clocks, found)
            else:
                for panel, ax in zip(figure.panels, axes_of(found), strict=True):
                    assert_panel(panel, ax)
        except AssertionError as error:
            error.add_note(case)
            raise


def assert_panel(panel, ax):
    for axis, side in ((panel.x, "x"), (panel.y, "y")):
        ends, title = ax[f"{side}lim"], ax[f"{side}label"]
        if axis.down:
            ends = ends[::-1]
        if axis.powers:
            wanted = [10.0**axis.low, 10.0**axis.high]
        elif axis.origin is None:
            wanted = [axis.low, axis.high]
        else:  # counted from the number in the title
            wanted = [
                axis.low + axis.origin - first_of(title),
                axis.high + axis.origin - first_of(title),
            ]
            ends = [end * factor_of(title) for end in ends]
        assert ends == pytest.approx(wanted, rel=1e-12)
        if axis.origin is not None and not axis.names:
            counted = [number * factor_of(title) + first_of(title) for number in ax[f"{side}ticks"]]
            assert counted == pytest.approx([round(number) for number in counted], abs=1e-3)
    assert len(ax["images"]) == (panel.cells is not None)
    if panel.cells:
        (image,), (low, high) = ax["images"], panel.cells.limits
        np.testing.assert_allclose(image["values"], panel.cells.values, atol=2e-6 * (high - low))
        assert image["limits"] == [low, high]
    curves = [line for line in ax["lines"] if len(line["x"]) > 2 and line["look"] != "None"]
    for curve in (curve for curve in panel.curves if curve.visible and len(curve.x) > 1):
        _, wanted = curve.outline
        wanted = 10.0**wanted if panel.y.powers else wanted
        near = 2e-6 * (panel.y.value(panel.y.high) - panel.y.value(panel.y.low))
        same = [line for line in curves if len(line["y"]) == len(wanted)]
        assert any(
            np.allclose(line["y"], wanted, rtol=2e-5, atol=near, equal_nan=True) for line in same
        )
    if panel.trail:
        points = ax["dots"][-1]
        wanted = np.column_stack([panel.trail.x, panel.trail.y])
        np.testing.assert_allclose(points, wanted, atol=2e-6 * panel.x.length)


def first_of(title):
    before, plus, _ = title.partition(" +")
    return int(before.rpartition(": ")[2].replace(",", "").replace("−", "-")) if plus else 0


def factor_of(title):
    _, times, power = title.partition("× $10^{")
    return 10 ** int(power.partition("}")[0]) if times else 1


def assert_clocks(face, found):
    scale = face.grid.radius * face.grid.ratio
    clocks = [ax for ax in found["axes"] if ax["dots"] and not ax["is_bar"]]
    assert len(clocks) == face.grid.shown
    for number, ax in enumerate(clocks):
        points, *_ = ax["dots"]
        wanted = np.stack([face.x[:, number], -face.y[:, number]], axis=1) / scale
        np.testing.assert_allclose(points, wanted, atol=3e-4)
        assert str(face.grid.numbers[number]) in ax["title"]


def test_a_script_has_formulas_where_they_are_exact_and_no_folder(tmp_path):
    script = code_of("heatmap", explored("sinusoidal", "near"))
    assert "table = " in script
    assert len(script.splitlines()) <= 60
    far = code_of("heatmap", explored("sinusoidal", "quadrillion"))
    assert "frequencies" not in far  # plain angles are off there
    put(tmp_path / "t.npy", numbers(20, 6))
    e = encodings.create("learned", file=str(tmp_path / "t.npy"))
    assert str(tmp_path) not in code_of("heatmap", Exploration(e, count=20))
    script = code_of("waves", explored("sinusoidal", "near"))
    (ax,) = axes_of(*run(script))
    curves = [line for line in ax["lines"] if len(line["y"]) > 50]
    waves = np.outer(curves[0]["x"], 10000.0 ** (-np.arange(9) / 9))
    wanted = np.concatenate([np.sin(waves), np.cos(waves)], axis=1).T
    assert len(curves) > 1
    assert all(np.abs(wanted - line["y"]).max(axis=1).min() < 1e-9 for line in curves)


def test_curves_of_pins_follow_from_tables_of_their_own_if_they_have_a_formula(tmp_path):
    file = put(tmp_path / "t.npy", numbers(20, 8))
    waves = [encodings.create("sinusoidal", dim=8, base=base) for base in (1e4, 500.0)]
    pins = (Pin(waves[1], "slow"), Pin(encodings.create("learned", file=file), "stored"))
    state = Exploration(waves[0], count=20, metric="euclidean", pins=pins)
    script = code_of("distances", state, only="curve")
    assert ("pin_1 = table" in script, "pin_2" in script) == (True, False)
    (ax,) = axes_of(*run(script))
    curves = [line["y"] for line in ax["lines"] if len(line["y"]) == 20]
    for table_of_one in (*(e.table(range(20)) for e in waves), numbers(20, 8)):
        truth = np.linalg.norm(table_of_one - table_of_one[0], axis=1)
        assert any(np.allclose(curve, truth, atol=1e-5) for curve in curves)


@pytest.mark.sampled(0)
def test_what_would_be_too_long_is_drawn_coarser_or_refused(monkeypatch):
    script = code_of("distances", explored("sinusoidal", "near").with_(count=10**9))
    assert len(script) < MOST_CHARACTERS
    monkeypatch.setattr("pe_explorer.figures.script.MOST_CHARACTERS", 100)
    with pytest.raises(FigureCodeError, match="characters of code, more than 100; show fewer"):
        code_of("heatmap", SHOWN)


def test_the_heading_names_views_encoding_and_positions_and_only_one_view_has_formulas():
    one = code_of("heatmap", SHOWN)
    alibi = code_of("heatmap", Exploration(encodings.create("alibi"), start=-1999, count=1001))
    state = resolve(SHOWN, DirectStore())
    views = ("heatmap", "distances")
    two = figure_code(views, state, STYLE, SIZE, "", threading.Event())
    for script, facts in (
        (one, ("Heatmap of sinusoidal", "positions 100 to 119")),
        (alibi, ("Heatmap of alibi", "offsets -1,999 to -999")),
        (two, ("Heatmap, Distances of sinusoidal", "positions 100 to 119")),
    ):
        assert [fact for fact in facts if fact not in script[:200]] == []
    assert ("table = " in one, "table = " in two) == (True, False)
    drawn = [image["values"] for ax in axes_of(run(two)[0]) for image in ax["images"]]
    alone = [
        image["values"]
        for found in run(*(code_of(view, SHOWN) for view in views))
        for ax in axes_of(found)
        for image in ax["images"]
    ]
    assert [each.shape[0] == 20 for each in drawn] == [each.shape[0] == 20 for each in alone]


def test_colours_are_those_of_the_map():
    names = tuple(VALUE_MAPS)
    states = [pictures.with_options(SHOWN, "heatmap", values=name) for name in names]
    for name, found in zip(names, run(*(code_of("heatmap", each) for each in states)), strict=True):
        (image,) = axes_of(found)[0]["images"]
        wanted = table(name, 255)[[0, 127, 254]] / 255
        np.testing.assert_allclose(np.array(image["colours"])[[0, 2, 4], :3], wanted, atol=0.03)


def test_pins_have_their_dashes():
    bases = dict(zip(PIN_COLOURS, (30.0, 100.0, 300.0, 1000.0), strict=False))
    pins = [Pin(encodings.create("sinusoidal", base=bases[each]), each, each) for each in bases]
    for view in ("distances", "frequencies", "properties", "waves"):
        (found,) = run(code_of(view, Exploration(pins=pins)))
        lines = [line for ax in found["axes"] for line in ax["lines"]]
        patterns = {tuple(line["dashes"]) for line in lines}
        for colour in bases:
            wanted = 0.75 * np.array(DASHES[colour])
            same = [each for each in patterns if len(each) == len(wanted)]
            assert any(np.allclose(each, wanted, atol=0.05) for each in same)


def test_the_style_is_in_the_script():
    how = {"labels": False, "colour_bar": False, "limits": (-0.5, 0.25), "upward": True}
    style = Style(title="costs $5", dpi=120.0, ground="dark", ticks=3, **how)
    state = explored("sinusoidal", "near")
    plain, found = run(code_of("heatmap", state), code_of("heatmap", state, style))
    assert len(plain["axes"]) == 2  # with the colour bar
    (ax,) = found["axes"]
    assert (ax["xlabel"], ax["ylabel"], found["dpi"]) == ("", "", 120)
    assert found["title"] == "costs $5"
    assert ax["images"][0]["limits"] == [-0.5, 0.25]
    assert ax["ylim"] == [-0.5, 49.5]
    assert 1 <= len(ax["xticks"]) <= 4


def test_formulas_that_the_author_types_are_passed_on():
    texts = (("position", r"$t$"), ("value", r"$\omega_i t$"))
    script = code_of("heatmap", SHOWN, Style(title=r"$\theta = 10^4$", texts=texts))
    (found,) = run(script)
    assert found["title"] == r"$\theta = 10^4$"
    assert axes_of(found)[0]["ylabel"] == "$t$"
    (plain,) = run(code_of("heatmap", SHOWN, Style(title="from $5 to $6")))
    assert plain["title"] == "from $5 to $6"
    assert r"$\\omega_i t$" in script


@pytest.mark.sampled(0)
def test_a_plate_has_all_views_and_needs_only_numpy_and_matplotlib():
    panes = Panes(views=("heatmap", "clocks", "distances"))
    state = resolve(SHOWN.with_(panes=panes), DirectStore())
    script = figure_code(panes.views, state, STYLE, SIZE, "", threading.Event())
    imported = {node.module for node in ast.walk(ast.parse(script)) if hasattr(node, "module")}
    assert {name.partition(".")[0] for name in imported} <= {"matplotlib"}
    assert "pe_explorer" not in script
    (found,) = run(script)
    assert sum(bool(ax["images"]) for ax in found["axes"]) >= 2
    assert sum(bool(ax["dots"]) and not ax["is_bar"] for ax in found["axes"]) == 4


@pytest.mark.parametrize("size", ["84x60mm", "3.3x2.4in", FigureSize(480, 360)])
def test_the_function_has_the_size_and_numbers_of_the_view(size):
    figure = matplotlib_figure("heatmap", SHOWN, size=size, dpi=120.0)
    inches = {"84x60mm": (84 / 25.4, 60 / 25.4), "3.3x2.4in": (3.3, 2.4)}.get(size, (5.0, 3.75))
    assert figure.get_size_inches().tolist() == pytest.approx(inches)
    ax, bar = figure.axes
    angles = np.arange(100, 120)[:, None] * 10000.0 ** (-np.arange(4) / 4)
    wanted = np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(20, 8)
    np.testing.assert_allclose(ax.images[0].get_array(), wanted, rtol=0, atol=1e-14)
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


def test_what_cannot_be_drawn_is_said_in_a_sentence(monkeypatch):
    index = Exploration(encoding=encodings.create("index"))
    for wrong, error, facts in (
        ({"view": "heatmpa"}, ParameterError, "view: 'heatmpa'.*'heatmap'"),
        ({"theme": "drak"}, ParameterError, "theme: 'drak'.*light, dark"),
        ({"size": "3"}, ParameterError, "size: '3'"),
        ({"font_size": 99.0}, ParameterError, "font_size: 99"),
        ({"letters": 8}, TypeError, "letters"),
        ({"view": "clocks", "exploration": index}, EncodingError, "not made of waves"),
    ):
        with pytest.raises(error, match=facts):
            matplotlib_figure(**{"view": "heatmap", "exploration": SHOWN, **wrong})
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r'pip install "pe-explorer\[matplotlib\]"'):
        matplotlib_figure("heatmap", SHOWN)

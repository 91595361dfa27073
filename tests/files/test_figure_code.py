"""The script of a figure, run by matplotlib, draws what the figure says."""

import threading

import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.app.output.figure_script import writing
from pe_explorer.colours.maps import MATPLOTLIB_MAPS, VALUE_MAPS, table
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from pe_explorer.figures.code import MOST_CHARACTERS, FigureCodeError
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.files.figure_code import code_of_figure
from pe_explorer.model.steps import at_once
from pe_explorer.pictures.pixels import Size
from tests.support.cases import for_each
from tests.support.figures import measure
from tests.support.matplotlib_run import run_scripts
from tests.support.pairwise import pairwise
from tests.support.printed import value_of
from tests.support.tables_in_files import numbers, put

SIZE, STYLE = FigureSize(174, 120, "mm"), Style(dpi=72.0)
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


def explored(scheme, place, **fields):
    """Return what a case shows."""
    start, count = PLACES[place]
    name = scheme.removesuffix("-")
    fields = {"reference": start, "position": start, **fields}
    if name != scheme:
        pin = Pin(encodings.create(name, **{**SCHEMES[name], **PINS[name]}), "another")
        fields |= {"pins": (pin,), "show": "difference"}
    e = encodings.create(name, **SCHEMES[name])
    return resolve(Exploration(encoding=e, start=start, count=count, **fields), DirectStore())


PIXELS = Size(60, 64)


def figure_of(view, state, size=PIXELS):
    picture = pictures.find(view)
    return picture.figure(state, picture.compute(state, size, threading.Event()))


EVERY_SCHEME = (*SCHEMES, *(f"{name}-" for name in PINS))
CASES = [
    (view, scheme, place)
    for view, scheme, place in pairwise(pictures.names(), EVERY_SCHEME, [*PLACES])
    if not pictures.find(view).lack(explored(scheme, place))
]
"""Any two of view, scheme and place meet."""


def written(view, state, figure=None, style=STYLE, size=SIZE):
    """Return the script of a figure, or else of the one that a view has of a state."""
    figure = figure or figure_of(view, state)
    return code_of_figure(view, state, figure, style, size, measure)


def is_empty(figure):
    """Return whether a figure shows no number, but a sentence in their place."""
    curves = [curve for panel in figure.panels for curve in panel.curves]
    has_cells = any(panel.cells or panel.trail for panel in figure.panels)
    return not (figure.clocks or has_cells or any(np.isfinite(curve.y).any() for curve in curves))


def script_of(case):
    """Return the script of a case."""
    view, *where = case
    return written(view, explored(*where))


def texts_of(found):
    """Return the words of a figure that belong to no axis."""
    return [word["text"] for word in found["words"]]


def first_number(title):
    """Return what the numbers beside an axis are multiplied by, and counted from."""
    before, plus, rest = title.partition(" +")
    start = before.rpartition(": ")[2] if plus else ""
    rest = rest if plus else before
    _, _, power = rest.partition("10$^{")
    factor = 10 ** int(power.partition("}")[0]) if power else 1
    return factor, int(value_of(start)) if start else 0


def limits(axis, title):
    """Return the ends of an axis as the numbers of the script, computed anew."""
    factor, start = first_number(title)
    ends = (axis.low, axis.high)
    if axis.powers:
        return [10.0**end for end in ends]
    if axis.origin is None:
        return [float(end) for end in ends]
    return [float((2 * (axis.origin - start) + round(2 * end)) / (2 * factor)) for end in ends]


@for_each("view", pictures.names())
def test_axes_numbers_and_colours_are_those_of_the_figure(view):
    """One process of matplotlib draws all cases of a view."""
    cases = [case for case in CASES if case[0] == view]
    assert cases
    figures = {case: figure_of(view, explored(*case[1:])) for case in cases}
    for case in (case for case in cases if is_empty(figures[case])):
        assert figures[case].note
        with pytest.raises(FigureCodeError):
            script_of(case)
    shown = [case for case in cases if not is_empty(figures[case])]
    for case, found in zip(shown, run_scripts(map(script_of, shown)), strict=True):
        try:
            assert_drawn(figures[case], found)
        except AssertionError as error:
            error.add_note("-".join(case))
            raise


def assert_drawn(figure, found):
    assert found["size"] == pytest.approx([174 / 25.4, 120 / 25.4], abs=1e-3)
    if figure.clocks:
        assert_clocks(figure.clocks, found)
        return
    by_place = [ax for ax in found["axes"] if not ax["is_bar"]]
    assert len(by_place) == len(figure.panels)
    for panel, ax in zip(figure.panels, by_place, strict=True):
        assert " ".join(ax["xlabel"].split()).startswith(panel.x.title)
        assert " ".join(ax["ylabel"].split()).startswith(panel.y.title)
        assert ax["xlim"] == pytest.approx(limits(panel.x, ax["xlabel"]), rel=1e-12)
        down = limits(panel.y, ax["ylabel"])[:: -1 if panel.y.down else 1]
        assert ax["ylim"] == pytest.approx(down, rel=1e-12)
        if panel.is_empty:
            assert not [*ax["xwords"], *ax["ywords"]]
        else:
            assert_ticks(panel.x, ax["xlabel"], ax["xticks"], ax["xwords"])
            assert_ticks(panel.y, ax["ylabel"], ax["yticks"], ax["ywords"])
        assert_panel(panel, ax)


def assert_ticks(axis, title, ticks, texts):
    """Check that there are some numbers, each where it is one of what the axis counts."""
    assert len(ticks) == len(texts) > 0
    if axis.names:
        assert texts == [axis.names[round(tick)] for tick in ticks]
    elif not axis.powers and not any(text.startswith("+") for text in texts):
        numbers = [value_of(text) for text in texts]
        assert ticks == pytest.approx(numbers, rel=1e-12, abs=1e-9 * axis.length)
    if axis.origin is not None:
        factor, start = first_number(title)
        places = [tick * factor + start - axis.origin for tick in ticks]
        assert all(-1e-6 * axis.count - 1 <= place <= axis.count for place in places)
        assert factor > 1 or all(place == round(place) for place in places)


def assert_panel(panel, ax):
    assert len(ax["images"]) == bool(panel.cells)
    if panel.cells:
        (image,) = ax["images"]
        low, high = panel.cells.limits
        span = high - low
        np.testing.assert_allclose(image["values"], panel.cells.values, atol=2e-6 * span)
        assert image["limits"] == [low, high]
        left, right, bottom, top = image["extent"]
        factor, start = first_number(ax["ylabel"])
        counted = panel.y.origin is not None
        first = panel.y.origin - start - 0.5 if counted else panel.y.low
        assert top * factor == pytest.approx(first, abs=1e-6)
        assert (bottom - top) * factor == pytest.approx(panel.cells.place.height)
        factor, _ = first_number(ax["xlabel"])
        assert (right - left) * factor == pytest.approx(panel.cells.place.width)
    curves = [curve for curve in panel.curves if curve.visible]
    below = len(panel.marks) + len(panel.levels)
    for curve, line in zip(reversed(curves), ax["lines"][below:], strict=False):
        factor, start = first_number(ax["xlabel"])
        places = (np.array(line["x"]) * factor + (start - panel.x.origin)).tolist()
        assert places == pytest.approx(curve.x.tolist(), abs=1e-6 * max(1, curve.x[-1]))
        reach = panel.y.high - panel.y.low
        heights = np.log10(line["y"]) if panel.y.powers else line["y"]
        np.testing.assert_allclose(heights, curve.y, atol=2e-6 * reach)
    if panel.trail:
        assert_points(panel, ax["dots"][-1])
    assert len(ax["lines"]) == below + len(curves)


def assert_points(panel, dots):
    points, order = dots
    wanted = np.column_stack([panel.trail.x, panel.trail.y])
    np.testing.assert_allclose(points, wanted, atol=2e-6 * panel.x.length)
    _, _, count = panel.trail.counted
    np.testing.assert_allclose(order, np.array(panel.trail.numbers) / (count - 1), atol=1e-6)


def middles(ax):
    """Return the middles of clocks, whose rims are circles with a radius of 1."""
    rims = [line for line in ax["lines"] if len(line["x"]) > 2]
    ends = np.array([[np.min(rim[side]), np.max(rim[side])] for rim in rims for side in "xy"])
    np.testing.assert_allclose(np.diff(ends), 2, atol=1e-3)
    return ends.mean(axis=1).reshape(-1, 2)


def assert_clocks(face, found):
    (ax,) = (ax for ax in found["axes"] if not ax["is_bar"])
    scale = face.grid.radius * face.grid.ratio
    dots = zip(middles(ax), ax["dots"], strict=True)
    for clock, (middle, (points, order)) in enumerate(dots):
        as_counted = np.argsort(order)  # many are drawn in another order
        wanted = np.stack([face.x[:, clock], face.y[:, clock]], axis=1) / scale
        np.testing.assert_allclose((points - middle)[as_counted], wanted, atol=3e-4)
        np.testing.assert_allclose(np.sort(order), face.order, atol=1e-4)
    assert len(ax["dots"]) == face.grid.shown
    for number, text in zip(face.grid.numbers, texts_of(found), strict=True):
        assert str(number) in text


def test_formulas_stand_where_plain_angles_are_exact_enough():
    for view in ("heatmap", "distances"):
        near = script_of((view, "sinusoidal", "near"))
        assert "angles = positions[:, None] * frequencies" in near
        assert len(near) < 7000
        far = script_of((view, "sinusoidal", "quadrillion"))
        assert "frequencies" not in far  # the numbers themselves are in the script
    billion, wide = (script_of(("heatmap", "sinusoidal", place)) for place in ("billion", "wide"))
    assert "np.arange(1000000000, 1000000040, " in billion
    assert "frequencies" not in wide  # these are means


def test_far_away_the_axis_says_from_where():
    places = ("quadrillion", "wide")
    far, wide = run_scripts(script_of(("heatmap", "sinusoidal", place)) for place in places)
    assert far["axes"][0]["ylabel"] == "position: 1,000,000,000,000,000 +"
    assert far["axes"][0]["ylim"] == [29.5, -0.5]
    assert wide["axes"][0]["ylabel"] == "position × 10$^{6}$"


def test_the_style_is_in_the_script():
    state = explored("sinusoidal", "near")
    figure = figure_of("heatmap", state)
    style = Style(
        title="costs $5",
        labels=False,
        colour_bar=False,
        limits=(-0.5, 0.25),
        upward=True,
        dpi=120.0,
        ground="dark",
    )
    (plain, found) = run_scripts(
        [written("heatmap", state, figure, each) for each in (Style(), style)]
    )
    assert len(plain["axes"]) == 2  # with the colour bar
    (ax,) = found["axes"]
    assert (ax["xlabel"], ax["ylabel"], found["dpi"]) == ("", "", 120)
    assert texts_of(found) == ["costs $5"]
    assert ax["images"][0]["limits"] == [-0.5, 0.25]
    assert ax["ylim"] == [-0.5, 49.5]


def test_pins_are_curves_with_names():
    pins = (Pin(encodings.create("sinusoidal", base=500.0), "_five $hundred"),)
    state = explored("sinusoidal", "near", pins=pins)
    figure = figure_of("distances", state)
    (found,) = run_scripts([written("distances", state, figure)])
    written_words = " ".join(texts_of(found))  # a name may need two lines
    assert "b = 10,000" in written_words
    assert "_five $hundred" in written_words


def test_lines_across_waves_have_names_and_numbers():
    e = encodings.create("sinusoidal", dim=2, base=16.0, waves="cosine")
    state = resolve(Exploration(e, count=26, metric="euclidean"), DirectStore())
    lines = {"line1": 1, "line2": 2.5, "line3": 9, "heights": True}
    state = resolve(pictures.with_options(state, "waves", **lines), DirectStore())
    figure = figure_of("waves", state)
    (found,) = run_scripts([written("waves", state, figure)])
    (ax,) = found["axes"]
    texts = texts_of(found)
    assert [text.removeprefix("p = ") for text in texts[:3]] == ["9", "2.5", "1"]
    across = [line["x"] for line in ax["lines"] if line["y"] == [0, 1]]
    assert across == [[1, 1], [2.5, 2.5], [9, 9]]
    rows = np.cos(np.outer([1, 2.5, 9], [1, 0.25]))
    level = [line["y"][0] for line in ax["lines"] if np.nanmin(line["y"]) == np.nanmax(line["y"])]
    assert sorted(level) == pytest.approx(sorted(rows.ravel()))
    heights = dict.fromkeys(word["at"][1] for word in found["words"])
    by_row = [[word["text"] for word in found["words"] if word["at"][1] == y] for y in heights]
    titles = by_row.index(["p = 1", "p = 2.5", "p = 9"])
    table = [[value_of(text) for text in row[1:]] for row in by_row[titles + 1 :]]
    np.testing.assert_allclose(np.transpose(table[:2]), rows, atol=5e-5)
    apart = [np.linalg.norm(rows[i] - rows[j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    assert [number for row in table[2:] for number in row] == pytest.approx(apart, rel=5e-4)


@pytest.mark.parametrize("part", ["matrix", "tables", "residual"])
def test_shifts_are_drawn_with_and_without_a_matrix(part):
    states = [
        resolve(
            pictures.with_options(explored(scheme, "near"), "shift", k=-10, part=part),
            DirectStore(),
        )
        for scheme in ("sinusoidal", "index")
    ]
    figures = [figure_of("shift", state) for state in states]
    scripts = [
        written("shift", state, figure) for state, figure in zip(states, figures, strict=True)
    ]
    for figure, found in zip(figures, run_scripts(scripts), strict=True):
        drawn = [ax for ax in found["axes"] if not ax["is_bar"]]
        for panel, ax in zip(figure.panels, drawn, strict=True):
            assert_panel(panel, ax)
    assert "grows with the position" in " ".join(texts_of(found))


def test_colours_are_those_of_the_map():
    names = tuple(VALUE_MAPS)
    states = [
        pictures.with_options(explored("sinusoidal", "near"), "heatmap", values=name)
        for name in names
    ]
    scripts = [written("heatmap", state) for state in states]
    for name, script in zip(names, scripts, strict=True):
        assert (f"cmap={name!r}" in script) == (name in MATPLOTLIB_MAPS)
    for name, found in zip(names, run_scripts(scripts), strict=True):
        (image,) = found["axes"][0]["images"]
        wanted = table(name, 5)[[0, 2, 4]] / 255
        seen = np.array(image["colours"])[[0, 2, 4], :3]
        np.testing.assert_allclose(seen, wanted, atol=0.02, err_msg=name)


def test_two_windows_are_two_images_with_one_colour_bar():
    state = pictures.with_options(
        explored("sinusoidal", "near"), "heatmap", values="coolwarm_r", second=10**15, upward=True
    )
    figure = figure_of("heatmap", state)
    (found,) = run_scripts([written("heatmap", state, figure)])
    one, other, bar = found["axes"]
    shown = [np.array(each["images"][0]["values"]) for each in (one, other)]
    for values, panel in zip(shown, figure.panels, strict=True):
        np.testing.assert_allclose(values, panel.cells.values, atol=1e-3)
    assert one["images"][0]["limits"] == other["images"][0]["limits"] == [-1, 1]
    assert not bar["images"] or len(found["axes"]) == 3
    low, high = one["ylim"]
    assert low < high


def test_a_second_curve_is_computed_from_the_table_and_stands_below_the_first():
    state = explored("sinusoidal", "near", reference=20, metric="dot")
    state = pictures.with_options(state, "distances", part="curve", below="sse")
    script = written("distances", state, figure_of("distances", state))
    assert "y = table @ table[20]" in script
    assert "y = ((table - table[20]) ** 2).sum(axis=1)" in script
    (found,) = run_scripts([script])
    upper, lower = found["axes"]
    angles = np.arange(50)[:, None] * 1e4 ** (-np.arange(9) / 9)
    rows = np.hstack([np.sin(angles), np.cos(angles)])
    wanted = rows @ rows[20], ((rows - rows[20]) ** 2).sum(axis=1)
    for axes, distances in zip((upper, lower), wanted, strict=True):
        np.testing.assert_allclose(axes["lines"][-1]["y"], distances, atol=1e-9)
    left, bottom, width, height = upper["box"]
    assert lower["box"][0::2] == pytest.approx([left, width])
    assert lower["box"][1] + lower["box"][3] < bottom
    assert lower["box"][3] == pytest.approx(height)
    assert (upper["xlabel"], lower["xlabel"]) == ("", "position")
    assert set(upper["xwords"]) == {""}
    assert lower["xwords"] == ["0", "10", "20", "30", "40"]
    assert upper["xticks"] == lower["xticks"]
    titles = tuple(" ".join(ax["ylabel"].split()) for ax in (upper, lower))
    assert titles == (
        "dot product with position 20",
        "sum of squared errors from position 20",
    )


def test_a_histogram_is_drawn_in_steps():
    state = pictures.with_options(explored("sinusoidal", "near"), "distances", part="histogram")
    figure = figure_of("distances", state)
    (found,) = run_scripts([written("distances", state, figure)])
    (line,) = found["axes"][0]["lines"]
    x, y = np.array(line["x"]), np.array(line["y"])
    shares = figure.panels[0].curves[0].y
    assert (y[0], y[-1], len(y)) == (0, 0, 2 * len(shares) + 2)
    np.testing.assert_allclose(y[1:-1], np.repeat(shares, 2), atol=1e-4)
    np.testing.assert_allclose(x[[0, -1]], found["axes"][0]["xlim"], atol=1e-9)
    assert np.sum(np.diff(x)[1::2] * y[1:-1:2]) == pytest.approx(100 * (x[2] - x[1]), rel=1e-3)


def test_what_is_too_much_is_told_in_a_sentence():
    state = explored("sinusoidal", "wide")
    figure = figure_of("distances", state, Size(700, 700))
    with pytest.raises(FigureCodeError, match=f"more than {MOST_CHARACTERS:,}"):
        written("distances", state, figure)
    script = written("distances", state)
    assert len(script.encode()) < MOST_CHARACTERS


def test_numbers_of_a_file_are_in_the_script(tmp_path):
    """The file may not be where the script runs."""
    wanted = numbers()
    state = explored("index", "near")
    e = encodings.create("learned", file=put(tmp_path / "table.npy", wanted))
    state = resolve(state.with_(encoding=e), DirectStore())
    views = ("heatmap", "distances")
    scripts = [written(view, state) for view in views]
    assert not any("table.npy" in script for script in scripts)
    heatmap, distances = run_scripts(scripts)
    (image,) = heatmap["axes"][0]["images"]
    shown = np.array(image["values"])
    np.testing.assert_allclose(shown[:40], wanted, atol=1e-5)
    assert np.isnan(shown[40:]).all()
    assert heatmap["axes"][0]["patches"] == 1  # hatched, where there are no rows
    curve = np.array(distances["axes"][0]["lines"][-1]["y"])
    norms = np.linalg.norm(wanted, axis=1)
    np.testing.assert_allclose(curve[:40], 1 - wanted @ wanted[0] / norms / norms[0], atol=1e-5)


def test_the_cursor_is_drawn_where_it_is_asked_for():
    state = explored("sinusoidal", "billion", position=10**9 + 7, second=10**9 + 9, dimension=5)
    found = run_scripts(
        written(view, state, figure_with_cursor(view, state), Style(cursor=cursor))
        for view in pictures.names()
        for cursor in ("hide", "show")
    )
    for view, hidden, shown in zip(pictures.names(), found[::2], found[1::2], strict=True):
        assert_cursor(view, hidden, shown)


def assert_cursor(view, hidden, shown):
    added = []
    for before, after in both(hidden, shown):
        known = [(line["x"], line["y"]) for line in before["lines"]]
        added += [line for line in after["lines"] if (line["x"], line["y"]) not in known]
    rings = [ring for ax in shown["axes"] for ring in ax["rings"]]
    assert added or rings, view
    if view == "heatmap":
        assert [line["x"] for line in added] == 2 * [[5, 5], [0, 1]]
        assert [line["y"] for line in added] == 2 * [[0, 1], [7, 7]]
        assert [line["look"] for line in added] == ["-", "-", "--", "--"]
    if view == "clocks":
        ax = shown["axes"][0]
        angles = (10**9 + 7) * 10000.0 ** (-2 * np.arange(9) / 18)
        wanted = np.stack([np.sin(angles), -np.cos(angles)], axis=1)  # downwards
        np.testing.assert_allclose(rings - middles(ax), wanted, atol=1e-6)
        hands = np.array([np.diff([line["x"], line["y"]])[:, 0] for line in added])
        lengths = np.hypot(*hands.T)[:, None]
        assert (lengths < 1).all()
        np.testing.assert_allclose(hands / lengths, wanted, atol=1e-6)
        assert hidden["rectangles"] == []
        (frame,) = shown["rectangles"]  # dimension 5 is one of pair 2
        assert holds(frame, [word["at"] for word in shown["words"]]) == [
            number == 2 for number in range(9)
        ]


def holds(frame, places):
    """Return which of some places lie in a frame."""
    left, bottom, width, height = frame
    return [left < x < left + width and bottom < y < bottom + height for x, y in places]


def both(one, two):
    return zip(one["axes"], two["axes"], strict=True)


def figure_with_cursor(view, state):
    picture = pictures.find(view)
    size = Size(600, 400)
    figure = picture.figure(state, picture.compute(state, size, threading.Event()))
    return picture.with_cursor(state, figure)


def test_chosen_clocks_are_those_of_the_figure(qapp):
    state = explored("rope", "quadrillion")
    script = at_once(writing("clocks", state, Style(clocks=(6, 1, 3)), SIZE))
    (found,) = run_scripts([script])
    assert [label.split()[1] for label in texts_of(found)] == ["6", "1", "3"]


def test_few_ticks_and_what_is_left_out_without_labels(qapp):
    for ticks in (2, 3, 7):
        style = Style(ticks=ticks, labels=False)
        found = run_scripts(
            at_once(writing("heatmap", explored("sinusoidal", place), style, SIZE))
            for place in PLACES
        )
        for each in found:
            assert 1 <= len(each["axes"][0]["xticks"]) <= ticks
            assert 1 <= len(each["axes"][0]["yticks"]) <= ticks
        titles = [each["axes"][0]["ylabel"] for each in found]
        assert titles == ["", "1,000,000,000 +", "1,000,000,000,000,000 +", "× 10$^{6}$"]


@pytest.mark.parametrize("legend", ["inside", "below", "none"])
def test_the_legend_is_where_it_is_wanted(legend):
    pins = (Pin(encodings.create("sinusoidal", base=500.0), "another\nimport os  # $"),)
    state = explored("sinusoidal", "near", pins=pins)
    style = Style(legend=legend)
    script = written("distances", state, style=style)
    (found,) = run_scripts([script])
    _, bottom, _, height = found["axes"][0]["box"]
    inside = [bottom < y < bottom + height for stroke in found["strokes"] for y in stroke["y"]]
    assert len(inside) == {"inside": 4, "below": 4, "none": 0}[legend]
    assert all(inside) if legend == "inside" else not any(inside)
    assert len(found["rectangles"]) == (legend == "inside")
    assert ("another import os # $" in " ".join(texts_of(found))) == (legend != "none")


def test_why_there_is_nothing_to_see_stands_above(qapp):
    state = explored("sinusoidal", "wide")
    state = resolve(state.with_(start=10**15, count=10**12), DirectStore())
    script = at_once(writing("heatmap", state, Style(title="A title"), SIZE))
    (found,) = run_scripts([script])
    title, *sentence = texts_of(found)
    assert title == "A title"
    assert " ".join(sentence).endswith("the mean is 0 everywhere.")
    assert len(script) < 300_000  # nearly all numbers are 0

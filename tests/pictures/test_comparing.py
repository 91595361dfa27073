"""The current encoding, a pin and their difference in every picture that can show them."""

import threading

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from pe_explorer import encodings, pictures, quantities
from pe_explorer.analysis.comparison import SHOW, Subject
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration import Exploration, Pin
from pe_explorer.flags import ExportRequest
from pe_explorer.params import ParameterError
from pe_explorer.pictures.pixels import Size
from pe_explorer.quantities import Asked
from tests.support.cases import for_each

ROWS, WIDE, COLOURS = 40, Size(2000, 2000), 254
ALL = "current pinned difference"


def sinusoid(base, dim=16, start=3):
    """Return a table written anew: sines and cosines in turn."""
    positions = np.arange(start, start + ROWS)
    angles = np.outer(positions, float(base) ** (-2 * np.arange(dim // 2) / dim))
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(ROWS, dim)


def turned(base, k, dim=16):
    """Return the matrix that moves rows by k, written anew, block by block."""
    found = np.zeros((dim, dim))
    for i in range(dim // 2):
        angle = k * float(base) ** (-2 * i / dim)
        c, s = np.cos(angle), np.sin(angle)
        found[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, -s], [s, c]]
    return found


def state(name, show, e=None, pin=None, **options):
    e = e or encodings.create("sinusoidal", dim=16)
    pin = pin or encodings.create("sinusoidal", dim=16, base=500)
    found = Exploration(encoding=e, start=3, count=ROWS, pins=(Pin(pin, "other"),), show=show)
    if pictures.shows_by_option(name):
        return pictures.with_options(found, name, show=show, **options)
    return pictures.with_options(found, name, **options)


def figure(name, show, **fields):
    explored = state(name, show, **fields)
    picture = pictures.find(name)
    pictures.check(name, explored)
    return picture.figure(explored, picture.compute(explored, WIDE, threading.Event()))


def cosines(base):
    return cdist(sinusoid(base), sinusoid(base), "cosine")


TRUE = {
    ("heatmap", "cells"): sinusoid,
    ("distances", "matrix"): cosines,
    ("shift", "matrix"): lambda base: turned(base, 7),
}
OPTIONS = {"shift": {"k": 7}, "distances": {"part": "matrix"}}


@pytest.mark.parametrize(("name", "panel"), TRUE)
def test_cells_of_all_three_are_those_of_formulas_written_anew(name, panel):
    shown = figure(name, ALL, **OPTIONS.get(name, {}))
    current, pinned = TRUE[name, panel](1e4), TRUE[name, panel](500)
    wanted = {panel: current, f"{panel}-pinned": pinned, f"{panel}-difference": current - pinned}
    assert [each.name for each in shown.panels] == list(wanted)
    for each in shown.panels:
        assert np.allclose(each.cells.values, wanted[each.name], rtol=0, atol=2e-15 * ROWS)


@for_each(("name", "panel"), TRUE)
@for_each("show", SHOW.choices)
def test_side_by_side_is_what_each_shows_alone(name, panel, show):
    words, options = show.split(), OPTIONS.get(name, {})
    shown = figure(name, show, **options)
    for place, word in enumerate(words):
        found = shown.panel(panel if place == 0 else f"{panel}-{word}")
        alone = figure(name, word, **options).panel(panel)
        assert np.array_equal(found.cells.values, alone.cells.values)
        assert (found.x, found.y) == (alone.x, alone.y)


@pytest.mark.parametrize("name", ["heatmap", "distances", "shift", "tokens"])
def test_all_have_the_same_colours_and_one_bar(name):
    shown = [panel for panel in figure(name, ALL, **OPTIONS.get(name, {})).panels if panel.cells]
    limits = {panel.cells.limits for panel in shown}
    assert len(limits) == len({panel.cells.colour_map for panel in shown}) == 1
    ((low, high),) = limits
    assert low == -high
    assert [panel.has_bar for panel in shown] == [False, False, True]
    for panel in shown:
        assert low <= np.nanmin(panel.cells.values) <= np.nanmax(panel.cells.values) <= high
        wanted = np.rint((panel.cells.values - low) / (high - low) * COLOURS)
        assert np.abs(panel.cells.indices - wanted).max() <= 1  # where a half is rounded


def test_current_and_pinned_without_a_difference_keep_the_chosen_colours():
    shown = figure("distances", "current pinned", part="matrix").panels
    assert {panel.cells.colour_map for panel in shown} == {"viridis"}
    assert len({panel.cells.limits for panel in shown}) == 1


@for_each("name", ["heatmap", "distances", "shift", "tokens"])
@for_each("show", ["current", "pinned", "difference"])
def test_picture_and_export_have_the_same_numbers(name, show):
    explored = state(name, show, **OPTIONS.get(name, {}))
    what, of = pictures.find(name).exported(explored)
    assert of == show
    request = ExportRequest.of(explored, what=what, show=of)
    data = request.data(explored.encoding, explored.positions, explored.pins)
    written = np.empty(data.shape)
    data.fill(data.index, written)
    (panel,) = figure(name, show, **OPTIONS.get(name, {})).panels
    assert panel.cells.values.shape == written.shape
    assert np.allclose(panel.cells.values, written, rtol=0, atol=1e-13)


@pytest.mark.parametrize("name", ["heatmap", "distances", "shift", "tokens"])
def test_all_three_are_written_side_by_side(name):
    explored = state(name, ALL, **OPTIONS.get(name, {}))
    what, of = pictures.find(name).exported(explored)
    request = ExportRequest.of(explored, what=what, show=of)
    data = request.data(explored.encoding, explored.positions, explored.pins)
    written = np.empty(data.shape)
    data.fill(data.index, written)
    shown = figure(name, ALL, **OPTIONS.get(name, {})).panels
    cells = np.hstack([panel.cells.values for panel in shown])
    assert np.allclose(cells, written, rtol=0, atol=1e-13)
    _, *titles = data.titles()
    width = shown[0].cells.values.shape[1]
    assert len(titles) == 3 * width
    for panel, title in zip(shown, titles[::width], strict=True):
        assert title.startswith(f"{panel.heading}: ")
    half = data.index[len(data.index) // 2 :]
    part = np.empty((len(half), 3 * width))
    data.fill(half, part)
    assert np.allclose(part, written[-len(half) :], rtol=0, atol=1e-15)


def test_numbers_of_other_lengths_cannot_stand_side_by_side():
    explored = state("shift", "current pinned", pin=encodings.create("sinusoidal", dim=20))
    request = ExportRequest.of(explored, what="shift-matrix", show="current pinned")
    with pytest.raises(EncodingError, match="d = 16 has 16 and other has 20 rows, which cannot"):
        request.data(explored.encoding, explored.positions, explored.pins)


REFUSED = [
    ("heatmap", {"quantity": "error"}),
    ("distances", {"part": "histogram"}),
    ("distances", {"part": "curve"}),
    ("shift", {"part": "tables"}),
    ("shift", {"part": "residual"}),
    ("projection", {}),
]


@pytest.mark.parametrize(("name", "options"), REFUSED)
def test_what_has_no_difference_is_refused_as_its_export_is(name, options):
    explored = state(name, "difference", **options)
    picture = pictures.find(name)
    what, _ = picture.exported(explored)
    request = ExportRequest.of(explored, what=what, show="difference")
    with pytest.raises(EncodingError) as of_export:
        request.check(explored.encoding, explored.positions, explored.pins)
    lack = picture.lack(explored)
    assert lack == f"the difference of two encodings has no {what}"
    assert of_export.value.problem.startswith(lack)
    with pytest.raises(EncodingError, match="show one of the two, or both side by side"):
        pictures.check(name, explored)


@pytest.mark.parametrize("name", ["heatmap", "shift", "tokens"])
def test_columns_that_differ_in_meaning_have_no_difference(name):
    rope = encodings.create("rope", head_dim=16)
    explored = state(name, "difference", pin=rope)
    picture = pictures.find(name)
    lack = picture.lack(explored)
    assert "their columns differ in meaning, so there is no difference" in lack
    assert picture.lacks_difference(explored)
    what, _ = picture.exported(explored)
    e, pin = explored.encoding, explored.pins[0].encoding
    assert quantities.lack(what, Asked(Subject("difference", e, pin), range(9))) == lack
    assert not picture.lack(state(name, "current pinned", pin=rope))


def test_matrices_of_columns_that_differ_in_meaning_can_be_subtracted():
    rope = encodings.create("rope", head_dim=16)
    shown = figure("distances", ALL, pin=rope, part="matrix")
    current, pinned, difference = (panel.cells.values for panel in shown.panels)
    assert np.array_equal(difference, current - pinned)
    table = rope.table(range(3, 3 + ROWS))
    assert np.allclose(pinned, cdist(table, table, "cosine"), rtol=0, atol=1e-13)


@for_each("base", [1e4 + 1e-7, 1e4 + 1e-3])
@for_each(("name", "panel"), TRUE)
def test_differences_of_almost_equal_encodings_are_those_of_the_export(name, panel, base):
    e, pin = (
        encodings.create("sinusoidal", dim=16),
        encodings.create("sinusoidal", dim=16, base=base),
    )
    shown = figure(name, "difference", pin=pin, **OPTIONS.get(name, {}))
    what = {"heatmap": "table", "distances": "matrix", "shift": "shift-matrix"}[name]
    options = {"k": 7} if name == "shift" else {}
    asked = Asked(Subject("difference", e, pin), range(3, 3 + ROWS), options=options)
    data = quantities.data(what, asked)
    exported = np.empty(data.shape)
    data.fill(data.index, exported)
    np.testing.assert_array_equal(shown.panel(panel).cells.values, exported)


@pytest.mark.parametrize("name", ["distances", "shift"])
def test_a_difference_of_which_no_digit_is_left_says_so(name):
    pin = encodings.create("sinusoidal", dim=16, base=1e4 + 1e-11)
    shown = figure(name, "difference", pin=pin, **OPTIONS[name])
    assert not np.nan_to_num(shown.panel("matrix").cells.values).any()
    assert "rounding" in shown.note.sentence
    assert figure(name, "difference", **OPTIONS[name]).note is None


@pytest.mark.parametrize("name", ["shift", "tokens"])
def test_rows_of_other_widths_have_no_difference(name):
    explored = state(name, "difference", pin=encodings.create("sinusoidal", dim=20))
    assert "so there is no difference" in pictures.find(name).lack(explored)


def test_the_curve_is_drawn_once_beside_several_matrices():
    shown = figure("distances", "current pinned")
    assert [panel.name for panel in shown.panels] == ["curve", "matrix", "matrix-pinned"]
    curve = shown.panel("curve")
    for found, base in zip(curve.curves, (1e4, 500), strict=True):
        true = cdist(sinusoid(base, start=0)[:1], sinusoid(base), "cosine")[0]
        assert np.allclose(found.y, true, rtol=0, atol=1e-13)
    parts = shown.apart
    assert [len(part.panels) for part in parts] == [1, 1, 1]
    assert parts[0].label == ""


def test_a_pin_alone_has_its_matrix_beside_the_curves_of_all():
    shown = figure("distances", "pinned")
    assert [panel.name for panel in shown.panels] == ["curve", "matrix"]
    assert np.allclose(shown.panel("matrix").cells.values, cosines(500), rtol=0, atol=1e-13)
    assert len(shown.panel("curve").curves) == 2


@pytest.mark.parametrize(
    ("name", "options"), [("shift", {"part": "residual"}), ("tokens", {"part": "moved"})]
)
def test_curves_of_both_are_in_one_panel(name, options):
    if name == "tokens":
        options = {**options, "sentence": "dog bites man", "before": "man bites dog"}
    (panel,) = figure(name, "current pinned", **options).panels
    alone = [figure(name, show, **options).panels[0] for show in ("current", "pinned")]
    for curve, other in zip(panel.curves, alone, strict=True):
        assert np.array_equal(curve.y, other.curves[0].y)
    assert panel.curves[1].colour == "magenta"
    assert panel.curves[0].name != panel.curves[1].name


def test_points_of_a_pin_are_a_line_in_the_same_plane():
    (panel,) = figure("projection", "current pinned").panels
    (pin,) = figure("projection", "pinned").panels
    (curve,) = panel.curves
    assert np.array_equal([curve.x, curve.y], [pin.trail.x, pin.trail.y])
    assert panel.x.low <= min(curve.x) <= max(curve.x) <= panel.x.high
    assert panel.y.low <= min(curve.y) <= max(curve.y) <= panel.y.high
    assert panel.x.length == pytest.approx(panel.y.length, rel=1e-12)
    assert panel.legend == (curve,)


def test_far_matrices_and_their_difference_follow_from_the_offset():
    e = encodings.create("sinusoidal", dim=16)
    pin = encodings.create("sinusoidal", dim=16, base=500)
    far = state("distances", ALL, e=e, pin=pin, part="matrix").with_(start=10**9)
    picture = pictures.find("distances")
    shown = picture.figure(far, picture.compute(far, WIDE, threading.Event()))
    near = figure("distances", ALL, part="matrix")
    for panel, other in zip(shown.panels, near.panels, strict=True):
        assert np.allclose(panel.cells.values, other.cells.values, rtol=0, atol=1e-13)


def test_words_are_read_in_any_order():
    assert SHOW.parse("show", "difference, current") == "current difference"
    assert SHOW.parse("show", "pinned pinned") == "pinned"
    for wrong in ("", "all", "current other"):
        with pytest.raises(ParameterError, match="not one of current, pinned, difference, or sev"):
            SHOW.parse("show", wrong)


def test_what_lies_under_the_mouse_is_that_of_its_own_panel():
    rope = encodings.create("sinusoidal", dim=16, layout="concatenated")
    explored = state("tokens", "current pinned", pin=rope)
    picture = pictures.find("tokens")
    one, drawn, panel = picture.under(explored, None, "rows-pinned")
    assert (one.encoding, drawn, panel) == (rope, None, "rows")
    for column in range(16):  # sines first, then cosines: where the same wave stands in turn
        found = picture.pointed(explored, "rows-pinned", {"dimension": column})["dimension"]
        assert found in range(16)
    assert picture.pointed(explored, "rows", {"dimension": 5}) == {"dimension": 5}


@for_each("name", ["heatmap", "shift", "distances"])
def test_a_pin_with_the_name_of_the_current_encoding_stands_beside_it(name):
    explored = state(name, ALL).with_(name="other")
    picture = pictures.find(name)
    shown = picture.figure(explored, picture.compute(explored, WIDE, threading.Event()))
    headings = {panel.heading for panel in shown.panels if panel.cells is not None}
    assert len(headings) == 3
    assert max(len(part.panels) for part in shown.apart) <= 2

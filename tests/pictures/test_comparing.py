"""The current encoding, a pin and their difference in every picture that can show them."""

import re

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from pe_explorer import encodings, pictures, quantities
from pe_explorer.analysis.comparison import Subject
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration import Pin
from pe_explorer.flags import ExportRequest
from pe_explorer.pictures.gestures import Pointer
from pe_explorer.pictures.pixels import Size
from pe_explorer.quantities import QuantityInput
from tests.support.requirements import whole
from tests.support.samples import sample
from tests.support.sinusoids import sinusoid, sinusoidal, turned
from tests.support.states import figure_of, inspection_of_view, snapshot, state_of

ROWS = range(3, 43)
ALL = "current pinned difference"
ROPE = encodings.create("rope", head_dim=16)
VIEWS = ("heatmap", "distances", "shift", "tokens")
OPTIONS = {"shift": {"k": 7}, "distances": {"part": "matrix"}}
every_view = pytest.mark.parametrize("view", VIEWS)


def cosines(base):
    return cdist(sinusoid(ROWS, 16, base), sinusoid(ROWS, 16, base), "cosine")


TRUE = {
    ("heatmap", "cells"): lambda base: sinusoid(ROWS, 16, base),
    ("distances", "matrix"): cosines,
    ("shift", "matrix"): lambda base: turned(16, base, 7),
}
every_table = pytest.mark.parametrize(("view", "panel"), TRUE)


def fields_with_pin(view, show, pin=None, **options):
    """Return the arguments of a state in which a pin is compared."""
    pin, options = pin or sinusoidal(dim=16, base=500.0), {**OPTIONS.get(view, {}), **options}
    fields = {"encoding": sinusoidal(dim=16), "start": 3, "count": 40, "pins": (Pin(pin, "other"),)}
    if pictures.has_show_option(view):
        options["show"] = show
    return {"view": view, "options": options, **fields, "show": show}


def state(*args, **options):
    return state_of(**fields_with_pin(*args, **options))


def figure(*args, start=3, **options):
    fields = fields_with_pin(*args, **options) | {"start": start}
    pictures.check(args[0], state_of(**fields))
    return figure_of(size=Size(2000, 2000), **fields)


def exported(*args, **options):
    """Return what is written of a view, and its numbers."""
    explored = state(*args, **options)
    picture = pictures.make_picture(args[0], explored)
    request = ExportRequest.from_exploration(
        explored, what=picture.quantity_name(), show=picture.show
    )
    data = request.data(explored.encoding, explored.positions, explored.pins)
    return data, whole(data)


@every_table
def test_cells_of_all_three_are_those_of_formulas_written_anew(view, panel):
    current, pinned = TRUE[view, panel](1e4), TRUE[view, panel](500.0)
    wanted = {panel: current, f"{panel}-pinned": pinned, f"{panel}-difference": current - pinned}
    for start in (3, 10**9) if view == "distances" else (3,):  # where only the offset counts
        shown = figure(view, ALL, start=start)
        assert [each.name for each in shown.panels] == list(wanted)
        assert all((each.x, each.y) == shown.panels[0][1:3] for each in shown.panels)
        for each in shown.panels:
            exact = wanted[each.name]
            np.testing.assert_allclose(each.cells.values, exact, rtol=0, atol=1e-13)


@every_view
def test_all_have_the_same_colours_and_one_bar(view):
    shown = [panel for panel in figure(view, ALL).panels if panel.cells]
    assert len({(panel.cells.limits, panel.cells.colour_map) for panel in shown}) == 1
    low, high = shown[0].cells.limits
    assert low == -high
    assert [panel.has_bar for panel in shown] == [False, False, True]
    for panel in shown:
        wanted = np.rint((panel.cells.values - low) / (high - low) * 254)
        assert np.abs(panel.cells.indices - wanted).max() <= 1  # where a half is rounded
    shown = figure("distances", "current pinned").panels
    assert {panel.cells.colour_map for panel in shown} == {"viridis"}


@every_view
def test_picture_and_export_have_the_same_numbers(view):
    for show in ("current", "pinned", "difference", ALL):
        panels = figure(view, show).panels
        data, written = exported(view, show)
        cells = np.hstack([panel.cells.values for panel in panels])
        np.testing.assert_allclose(cells, written, rtol=0, atol=1e-13)
    _, *titles = data.titles()
    width = panels[0].cells.values.shape[1]
    assert len(titles) == 3 * width
    for panel, title in zip(panels, titles[::width], strict=True):
        assert title.startswith(f"{panel.heading}: ")
    half = data.index[len(data.index) // 2 :]
    part = np.empty((len(half), 3 * width))
    data.fill(half, part)
    np.testing.assert_allclose(part, written[-len(half) :], rtol=0, atol=1e-15)


CURSOR = {"position": 8, "dimension": 5, "second": 23}
CELLS = {"distances": (5, 20), "shift": (5, 5)}
"""Row and column of the cursor in the cells, where it is not row and column 5."""


def numbers_in(texts):
    """Return the numbers that texts end with."""
    found = [re.search(r"[+−]?\d\S*$", text) for text in texts]
    return [float(number[0].replace("−", "-")) for number in found if number]


@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
@pytest.mark.parametrize(
    "show", ["difference", "pinned", "current pinned", "pinned difference", ALL]
)
@every_view
def test_what_is_read_at_the_cursor_is_what_is_drawn_there(view, show, layout):
    pin = sinusoidal(dim=16, base=500.0, layout=layout)
    found, values = inspection_of_view(**fields_with_pin(view, show, pin), **CURSOR)
    panels = [panel for panel in figure(view, show, pin).panels if panel.cells]
    cells = [panel.cells.values[CELLS.get(view, (5, 5))] for panel in panels]
    np.testing.assert_allclose(numbers_in(found.brief)[: len(cells)], cells, rtol=1e-5)
    if "difference" in show:
        of_several = f"{found.values[0].name}, difference"
        (text,) = (values[name] for name in ("Difference", of_several) if name in values)
        (number,) = numbers_in([text.replace("-", "−")])
        np.testing.assert_allclose(number, cells[-1], rtol=0, atol=1e-13)


@pytest.mark.parametrize("view", ["heatmap", "tokens"])
def test_rows_that_are_equal_differ_by_0_at_the_cursor(view):
    """At position 0 all sines are 0 and all cosines 1, whatever the base is."""
    for dimension in (0, 1):
        fields = {**fields_with_pin(view, "difference"), "start": 0, "dimension": dimension}
        found, _ = inspection_of_view(**fields, position=0)
        assert found.brief[0].endswith(": +0")


@pytest.mark.parametrize("show", ["difference", "current pinned"])
def test_where_the_pin_has_no_row_it_is_undefined_and_the_reason_is_there(show):
    table = sample("learned")
    beyond = {"position": table.domain[-1] + 1, "second": 4, "reference": 3}
    found, values = inspection_of_view(**fields_with_pin("distances", show, table), **beyond)
    alone, own = inspection_of_view("distances", encoding=sinusoidal(dim=16), **beyond)
    assert found.brief[-1].endswith("undefined")
    assert found.missing_reason
    assert not alone.missing_reason
    assert own.items() <= values.items()


@pytest.mark.parametrize("base", [1e4 + 1e-7, 1e4 + 1e-3])
@every_table
def test_differences_of_almost_equal_encodings_are_those_of_the_export(view, panel, base):
    pin = sinusoidal(dim=16, base=base)
    cells = figure(view, "difference", pin).panel(panel).cells
    np.testing.assert_array_equal(cells.values, exported(view, "difference", pin)[1])


@pytest.mark.parametrize("view", ["distances", "shift"])
def test_a_difference_of_which_no_digit_is_left_says_so(view):
    shown = figure(view, "difference", sinusoidal(dim=16, base=1e4 + 1e-11))
    assert not np.nan_to_num(shown.panel("matrix").cells.values).any()
    assert "rounding" in shown.note.sentence
    assert figure(view, "difference").note is None


@pytest.mark.parametrize(
    ("view", "options"),
    [
        ("heatmap", {"quantity": "error"}),
        ("distances", {"part": "histogram"}),
        ("distances", {"part": "curve"}),
        ("shift", {"part": "tables"}),
        ("shift", {"part": "residual"}),
        ("projection", {}),
    ],
)
def test_what_has_no_difference_is_refused_as_its_export_is(view, options):
    explored = state(view, "difference", **options)
    picture = pictures.make_picture(view, explored)
    what = picture.quantity_name()
    request = ExportRequest.from_exploration(explored, what=what, show="difference")
    with pytest.raises(EncodingError) as of_export:
        request.check(explored.encoding, explored.positions, explored.pins)
    missing_reason = picture.explain_unavailability()
    assert what in missing_reason
    assert of_export.value.problem.startswith(missing_reason)
    with pytest.raises(EncodingError, match="one of the encodings, or both side by side"):
        pictures.check(view, explored)


@pytest.mark.parametrize("show", ["pinned", "pinned difference", ALL])
@pytest.mark.parametrize("view", [*VIEWS, "projection"])
def test_the_sentence_names_a_pin_that_is_shown_once(view, show):
    if view != "projection" or show == "pinned":
        assert figure(view, show).status.count("other") == 1
    assert "other" not in figure(view, "current").status


def test_where_nothing_is_shown_there_is_no_legend():
    (panel,) = pictures.make_picture("projection", state("projection", ALL)).frame().panels
    assert not panel.legend


@pytest.mark.parametrize("view", ["heatmap", "shift", "tokens"])
@pytest.mark.parametrize("pin", [ROPE, sinusoidal(dim=20)], ids=["rope", "wide"])
def test_columns_that_differ_have_no_difference(view, pin):
    if (view, pin.width) == ("heatmap", 20):
        return  # it shows the columns that both have
    explored = state(view, "difference", pin)
    picture = pictures.make_picture(view, explored)
    missing_reason = picture.explain_unavailability()
    assert "difference is undefined" in missing_reason
    assert picture.is_difference_undefined()
    what = picture.quantity_name()
    inputs = QuantityInput(Subject("difference", explored.encoding, pin), range(9))
    assert quantities.unavailable_reason(what, inputs) == missing_reason
    assert not pictures.make_picture(
        view, state(view, "current pinned", pin)
    ).explain_unavailability()
    if view == "shift" and pin.width == 20:
        with pytest.raises(EncodingError, match="16 and other has 20 rows"):
            exported(view, "current pinned", pin)


def test_matrices_of_columns_that_differ_in_meaning_can_be_subtracted():
    shown = figure("distances", ALL, ROPE)
    current, pinned, difference = (panel.cells.values for panel in shown.panels)
    np.testing.assert_array_equal(difference, current - pinned)
    table = ROPE.table(ROWS)
    np.testing.assert_allclose(pinned, cdist(table, table, "cosine"), rtol=0, atol=1e-13)


def test_curves_of_all_are_drawn_once_beside_the_matrices():
    beside = figure("distances", "current pinned", part="both")
    alone = figure("distances", "pinned", part="both")
    names = [[panel.name for panel in each.panels] for each in (beside, alone)]
    assert names == [["curve", "matrix", "matrix-pinned"], ["curve", "matrix"]]
    np.testing.assert_allclose(alone.panel("matrix").cells.values, cosines(500.0), atol=1e-13)
    for shown in (beside, alone):
        for curve, base in zip(shown.panel("curve").curves, (1e4, 500.0), strict=True):
            rows = sinusoid(range(43), 16, base)
            exact = cdist(rows[:1], rows[3:], "cosine")[0]
            np.testing.assert_allclose(curve.y, exact, rtol=0, atol=1e-13)
    assert [len(part.panels) for part in beside.separate_figures] == [1, 1, 1]
    assert beside.separate_figures[0].label == ""


@pytest.mark.parametrize(
    ("view", "options"),
    [
        ("shift", {"part": "residual"}),
        ("tokens", {"part": "moved", "sentence": "dog bites man", "before": "man bites dog"}),
    ],
)
def test_curves_of_both_are_in_one_panel(view, options):
    (panel,) = figure(view, "current pinned", **options).panels
    alone = [figure(view, show, **options).panels[0] for show in ("current", "pinned")]
    for curve, other in zip(panel.curves, alone, strict=True):
        np.testing.assert_array_equal(curve.y, other.curves[0].y)
    assert panel.curves[1].colour == "magenta"
    assert panel.curves[0].name != panel.curves[1].name


def test_points_of_a_pin_are_a_line_in_the_same_plane():
    (panel,) = figure("projection", "current pinned").panels
    (pin,) = figure("projection", "pinned").panels
    (curve,) = panel.curves
    np.testing.assert_array_equal([curve.x, curve.y], [pin.trail.x, pin.trail.y])
    assert panel.x.low <= min(curve.x) <= max(curve.x) <= panel.x.high
    assert panel.y.low <= min(curve.y) <= max(curve.y) <= panel.y.high
    assert panel.x.length == pytest.approx(panel.y.length, rel=1e-12)
    assert panel.legend == (curve,)


def test_what_lies_under_the_mouse_is_that_of_its_own_panel():
    pin = sinusoidal(dim=16, layout="concatenated")
    picture = pictures.make_picture("tokens", state("tokens", "current pinned", pin))
    one, drawn, panel = picture.find_picture(None, "rows-pinned")
    assert (one.encoding, drawn, panel) == (pin, None, "rows")
    drawn = snapshot(**fields_with_pin("tokens", "current pinned", pin))
    for column in range(16):  # columns are compared by their numbers, whatever the layout
        at = Pointer("rows-pinned", float(column), 0.0)
        assert picture.find_pointer_fields(drawn, at)["dimension"] == column
    assert picture.find_pointer_fields(drawn, Pointer("rows", 5.0, 0.0))["dimension"] == 5


@pytest.mark.parametrize("view", ["heatmap", "shift", "distances"])
def test_a_pin_with_the_name_of_the_current_encoding_stands_beside_it(view):
    shown = figure_of(**fields_with_pin(view, ALL), name="other")
    headings = {panel.heading for panel in shown.panels if panel.cells is not None}
    assert len(headings) == 3
    assert max(len(part.panels) for part in shown.separate_figures) <= 2

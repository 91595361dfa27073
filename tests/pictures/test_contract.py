"""What every picture promises, on the description of its figure, for any encoding and range."""

import numpy as np
import pytest

from pe_explorer import encodings, pictures, quantities
from pe_explorer.encodings import LIMIT, EncodingError
from pe_explorer.exploration import DirectStore, Pin, resolve
from pe_explorer.pictures.gestures import Pointer
from pe_explorer.pictures.picture import UnavailableError
from pe_explorer.pictures.pixels import NO_VALUE_INDEX, Size
from pe_explorer.progress import Progress
from tests.support.figures import NOT_PRINTED
from tests.support.oracles import definition, of_picture
from tests.support.pairwise import pairwise
from tests.support.samples import ROWS, sample
from tests.support.states import (
    NEVER,
    SIZE,
    figure_of,
    inspection_of_view,
    snapshot,
    state_of,
    texts_of,
)
from tests.support.tables_in_files import put

every_view = pytest.mark.parametrize("view", pictures.names())
VARIANTS = [
    *((view, {}) for view in pictures.names()),
    ("heatmap", {"quantity": "angle"}),
    ("heatmap", {"quantity": "error", "pixel": "sample"}),
    ("heatmap", {"second": 100}),
    ("distances", {"part": "histogram"}),
    ("distances", {"part": "curve", "below": "sse"}),
    ("frequencies", {"quantity": "wavelength", "axis": "linear", "lengths": [7]}),
    ("frequencies", {"quantity": "turns"}),
    ("context", {"part": "calculator", "trained": LIMIT, "target": 1}),
    ("compare", {"curve": "error"}),
    ("shift", {"k": LIMIT}),
    ("shift", {"k": -LIMIT, "part": "residual", "code": "float64"}),
    ("shift", {"k": -3, "part": "tables"}),
    ("shift", {"k": 2, "part": "residual", "code": "float32"}),
    ("tokens", {"part": "both", "join": "positions"}),
    ("tokens", {"part": "attention"}),
    ("waves", {"quantity": "angle", "line1": 2.5, "line2": 7}),
]
RANGES = [(0, 1), (-20, 40), (0, 50), (10**15, 10**15), (LIMIT, 1), (-LIMIT, LIMIT)]
PINS = (
    Pin(encodings.create("sinusoidal", base=500.0), "a base of 500", "magenta"),
    Pin(encodings.create("alibi"), "biases", "gold"),
    Pin(encodings.create("rope"), "turned", "green"),
)


def check_panel(panel):
    """Check that all of a panel is within its axes, and that colours are those of its numbers."""
    for axis in (panel.x, panel.y):
        assert np.isfinite([axis.low, axis.high]).all()
        assert axis.length > 0
    if panel.cells:
        low, high = panel.cells.limits
        values, indices = panel.cells.values, panel.cells.indices
        finite = indices != NO_VALUE_INDEX
        assert low < high
        assert not np.isfinite(values[~finite]).any()
        shares = np.clip((values[finite] - low) / (high - low), 0, 1)
        assert np.abs(indices[finite] - shares * 254).max(initial=0) <= 0.51
    for curve in panel.curves:
        assert len(curve.x) == len(curve.y)
        assert not (curve.missing_reason and curve.is_visible)
        y = curve.y[np.isfinite(curve.y)]
        assert ((panel.y.low <= y) & (y <= panel.y.high)).all()
    for place, axis in zip(panel.cursor, (panel.x, panel.y), strict=True):
        assert place is None or axis.low <= place <= axis.high


@pytest.mark.sampled(150)
@pytest.mark.parametrize(
    ("variant", "name", "place", "pinned"),
    pairwise(VARIANTS, encodings.names(), RANGES, (False, True)),
    ids=str,
)
def test_there_is_a_figure_or_a_reason(variant, name, place, pinned):
    (view, options), (start, count), e = variant, place, sample(name)
    fields = {"start": start, "count": count, "position": start, "pins": PINS * pinned}
    state = state_of(view, options, encoding=e, **fields)
    picture = pictures.make_picture(view, state)
    missing_reason = picture.explain_unavailability()
    if not options:
        assert bool(missing_reason) == (not of_picture(view).needs <= definition(e).abilities)
    if missing_reason:
        with pytest.raises(UnavailableError) as caught:
            pictures.check(view, state)
        assert caught.value.sentence.lower().startswith(missing_reason.lower())
        return
    assert picture.cost(SIZE) > 0
    progress = Progress()
    figure = picture.figure(picture.numbers(SIZE, progress))
    assert 0.0 <= (progress.share or 0.0) <= 1.0 + 1e-9
    figure = picture.with_cursor(figure)
    assert pictures.find(view).title.lower() in figure.status.lower()
    assert figure.status.endswith(".")
    seen = figure.clocks or not all(panel.is_empty for panel in figure.panels)
    assert seen or figure.note or "position is 0, at" in figure.status  # 0 has no power of ten
    assert figure.note is None or figure.note.sentence.endswith(".")
    for panel in figure.panels:
        check_panel(panel)
    printed = figure.with_minus_signs()
    words = [printed.status, printed.caption, *texts_of(printed)]
    assert not [text for text in words if NOT_PRINTED.search(text)]
    assert picture.quantity_name() in quantities.names()
    try:
        found = picture.inspect(NEVER)
    except EncodingError:  # there is no such row
        assert start not in e.domain
        return
    assert found.number or found.missing_reason
    if found.values:
        assert found.brief
        assert found.values[0].name == pictures.find(view).main_value_name


TOO_FAR = {
    "curve": [
        ([[1.7e308], [-1.7e308], [1e308]], "too large to be drawn"),
        ([[0.0], [1e308], [1.2e308]], "too large to be drawn"),
        ([[0.0], [1e307], [1.2e308]], ""),
        ([[0.0], [5e-324], [1e-300]], "too small to be drawn"),
    ],
    "histogram": [
        ([[0.0], [5e-324], [0.0], [5e-324]], "too small to be drawn"),
        ([[1.7e308], [1e308], [-1e306]], "too large to be drawn"),
        ([[0.0], [1.0], [1e300]], ""),
    ],
    "waves": [
        ([[1.7e308, -1.7e308], [-1.7e308, 1.7e308]], "too large to be drawn"),
        ([[0.0, 5e-324], [5e-324, 0.0]], "too small to be drawn"),
        ([[0.0, 1e300], [-1e300, 5.0]], ""),
    ],
    "projection": [
        ([[1.7e308, -1.7e308], [-1.7e308, 1.7e308]], "too large to be drawn"),
        ([[0.0], [5e-324]], "too small to be drawn"),
    ],
}


@pytest.mark.parametrize("shown", TOO_FAR)
def test_numbers_that_no_axis_reaches_are_a_sentence(tmp_path, shown):
    view = "distances" if shown in ("curve", "histogram") else shown
    options = {"part": shown} if view == "distances" else {}
    for number, (rows, words) in enumerate(TOO_FAR[shown]):
        e = encodings.create("learned", file=put(tmp_path / f"{number}.npy", np.array(rows)))
        figure = figure_of(view, options, encoding=e, count=len(rows), metric="euclidean")
        assert (figure.note is not None) == bool(words)
        assert words in (figure.note.sentence if figure.note else "")
        for axis in (figure.panels[0].x, figure.panels[0].y):
            assert np.isfinite([axis.low, axis.length]).all()
            assert axis.length > 1e-290


@pytest.mark.parametrize(
    ("view", "options", "words"),
    [
        ("distances", {"part": "both"}, " 5 of 6 "),
        ("distances", {"part": "curve"}, " 5 of 6 "),
        ("distances", {"part": "matrix"}, " 30 of 36 "),
        ("properties", {}, " 5 of 6 "),
        ("waves", {"dimensions": (0, 3, 7), "line1": 2.0, "line2": 3.0}, ""),
    ],
)
def test_a_correlation_that_rounding_decides_is_called_not_determined(view, options, words):
    """Rows that are nearly constant."""
    e = encodings.create("sinusoidal", dim=8, base=1 + 2**-52, scale=1e-6, waves="sine")
    fields = {"encoding": e, "metric": "correlation", "start": 1, "count": 6}
    fields |= {"position": 3, "second": 4, "reference": 2}
    figure = figure_of(view, options, **fields)
    assert words in figure.status
    cells = [row[-1] for row in figure.table.rows] if figure.table else []
    assert view == "distances" or "not determined" in cells
    _, texts = inspection_of_view(view, options, **fields)
    assert view == "properties" or [*texts.values()].count("not determined") == 2
    if options == {"part": "curve"}:
        note = figure_of(view, options, **fields | {"reference": 100}).note
        assert "rounding error" in note.sentence


AXES = {  # what is counted across and down, where a panel counts rows or columns
    ("heatmap", "cells"): ("column", "row"),
    ("distances", "curve"): ("row", None),
    ("distances", "matrix"): ("row", "row"),
    ("waves", "curves"): ("row", None),
    ("shift", "matrix"): ("column", "column"),
    ("properties", "likeness"): ("row", None),
}


@pytest.mark.parametrize("name", encodings.names())
@pytest.mark.parametrize(("view", "panel"), AXES)
def test_axes_are_titled_as_rows_and_columns_and_count_from_a_whole_number(view, panel, name):
    e, defined = sample(name), definition(sample(name))
    start = e.first_range.start
    shown = figure_of(view, encoding=e, start=start, count=9, position=start).panel(panel)
    for axis, kind in zip((shown.x, shown.y), AXES[view, panel], strict=True):
        if kind:  # a shift moves channels where an encoding turns them
            is_turned = view == "shift" and "rotary" in defined.abilities
            assert axis.title == ("channel" if is_turned else getattr(defined, kind))
            assert (axis.origin, axis.low) == (start if kind == "row" else 0, -0.5)
            assert axis.high == axis.count - 0.5


@every_view
def test_an_empty_figure_has_the_axes_of_the_full_one(view):
    state = state_of(view, count=30)
    frame, figure = pictures.make_picture(view, state).frame(), figure_of(view, count=30)
    for empty, full in zip(frame.panels, figure.panels, strict=True):
        if empty.cells:
            assert np.isnan(empty.cells.values).all()
            assert (empty.cells.indices == NO_VALUE_INDEX).all()
        if full.trail is None:
            assert (empty.x, empty.y.title) == (full.x, full.y.title)
        else:  # how much of the variance an axis holds is known with the points
            assert full.x.title.split(",")[0] == empty.x.title
            assert full.y.title.split(",")[0] == empty.y.title


@pytest.mark.parametrize(
    ("view", "panel", "options", "e"),
    [
        ("heatmap", "second", {"second": 50}, "sinusoidal"),
        ("shift", "later", {"part": "tables"}, "sinusoidal"),
        ("tokens", "rows", {"join": "sum"}, "sinusoidal"),
        ("tokens", "rows", {"join": "concatenation"}, "sinusoidal"),
    ],
)
def test_a_click_names_the_nearest_column_of_the_kind_that_is_seen(view, panel, options, e):
    """Each pixel stands for four columns of 128; sines and cosines take turns."""
    words = 128 if options.get("join") == "concatenation" else 0  # vectors stand before positions
    size = Size((words + 128) // 4, 40, second_width=32)
    drawn = snapshot(view, options, size, encoding=encodings.create(e, dim=128))
    for pixel in range(32):
        x = words + (pixel + 0.5) * 4 - 0.5
        at = Pointer(panel, x, 2.0)
        column = drawn.picture.find_pointer_fields(drawn, at)["dimension"]
        assert column % 2 == pixel % 2
        assert abs(column - (x - words)) <= 2


@pytest.mark.parametrize(
    ("view", "options", "drawn"),
    [
        ("distances", {"part": "curve"}, {"a base of 500", "turned"}),
        ("frequencies", {}, {"a base of 500", "turned"}),
        ("properties", {}, {"a base of 500", "turned"}),
        ("waves", {"dimensions": [0]}, {"a base of 500"}),
    ],
)
def test_pins_have_curves_in_their_colours_or_a_reason(view, options, drawn):
    figure = figure_of(view, options, pins=PINS)
    curves = [curve for curve in figure.panels[0].curves if curve.name]
    assert [curve.colour for curve in curves] == ["accent", *(pin.colour for pin in PINS)]
    assert [curve for curve in figure.panels[0].legend if not curve.area] == curves
    for pin, curve in zip(PINS, curves[1:], strict=True):
        assert pin.name in curve.name
        assert curve.is_visible == (pin.name in drawn) == (not curve.missing_reason)
        assert curve.is_visible or view == "properties" or pin.name in figure.status


HATCHED = [
    ("heatmap", "cells", {}),
    ("heatmap", "second", {"second": ROWS - 5}),
    ("distances", "matrix", {"part": "matrix"}),
    ("waves", "curves", {}),
    ("properties", "likeness", {}),
    ("tokens", "rows", {"join": "positions", "sentence": "a b c d e f g h"}),
    ("shift", "residual", {"part": "residual", "k": 2}),
]


@pytest.mark.parametrize(("view", "name", "options"), HATCHED)
def test_exactly_the_positions_without_a_row_are_hatched_and_named(view, name, options):
    e, count = sample("learned"), 8
    for start in (0, ROWS - 6, -3):
        panel = figure_of(
            view, options, encoding=e, start=start, count=count, position=start, reference=9
        ).panel(name)
        first, later = options.get("second", start), options.get("k", 0)
        are_there = [{p, p + later} <= {*e.domain} for p in range(first, first + count)]
        middle = panel.y.low + panel.y.length / 2
        for place, is_there in enumerate(are_there):
            x = 0 if view in ("heatmap", "tokens") else place
            y = middle if panel.curves else place
            over = [
                each.left < x < each.right and each.top < y < each.bottom
                for each in panel.hatched_areas
            ]
            assert any(over) == (not is_there)
        entries = [curve.name for curve in panel.legend if curve.area == "hatched"]
        assert entries == ["no rows"] * (not all(are_there))


TWO_SIDED = {"soft", "blue-red", "red-blue", "coolwarm", "coolwarm_r", "RdBu", "RdBu_r"}
DIFFERENCE = {"pins": PINS[:1], "show": "difference"}


@pytest.mark.parametrize(
    ("name", "fields", "values", "shown", "unsuited_values"),
    [
        ("heatmap", {"encoding": "index"}, "soft", "viridis", TWO_SIDED),
        ("heatmap", {"encoding": "index"}, "red-blue", "viridis", TWO_SIDED),
        ("heatmap", DIFFERENCE, "grey", "soft", {"viridis", "cividis", "grey"}),
        ("heatmap", {**DIFFERENCE, "show": "current"}, "grey", "", ()),
        ("distances", {}, "red-blue", "viridis", TWO_SIDED),
        ("distances", {"metric": "euclidean"}, "blue-red", "viridis", TWO_SIDED),
        ("distances", {"metric": "euclidean"}, "cividis", "", ()),
        ("distances", {"metric": "dot", "encoding": "sinusoidal"}, "blue-red", "", ()),
    ],
)
def test_colours_that_do_not_suit_the_numbers_are_replaced(
    name, fields, values, shown, unsuited_values
):
    if "encoding" in fields:
        width = {"dim": 2} if name == "distances" else {}
        fields = {**fields, "encoding": encodings.create(fields["encoding"], **width)}
    found = figure_of(name, {"values": values}, **fields)
    if not shown:
        assert found.substitute is None
        return
    assert (found.substitute.option, found.substitute.replacement) == ("values", shown)
    assert set(found.substitute.unsuited_values) == set(unsuited_values)
    assert shown in found.status
    assert found.substitute.reason in found.status
    assert {panel.cells.colour_map for panel in found.panels if panel.cells} == {shown}
    assert figure_of(name, {"values": shown}, **fields).substitute is None


@every_view
def test_what_leads_to_the_cursor_shows_it(view):
    for start, position, count in (
        (1000, 20, 50),
        (0, 10**9, 50),
        (0, -LIMIT, 50),
        (5, LIMIT, 50),
        (-LIMIT, 0, 50),
        (LIMIT, LIMIT - 100, 1),
        (-LIMIT, LIMIT, 1),
    ):
        before = state_of(view, start=start, count=count, position=position)
        outside = pictures.make_picture(view, before).find_hidden_cursor()
        after = before.with_(**outside.fields)
        fitting = LIMIT + 1 - after.start
        assert after.count == (min(count, fitting) if view == "tokens" else before.count)
        assert after.position == position
        assert view == "tokens" or position in after.positions  # a sentence can be longer
        resolved = resolve(after, DirectStore())
        assert pictures.make_picture(view, resolved).find_hidden_cursor() is None


@pytest.mark.parametrize(
    ("view", "options", "fields", "where"),
    [
        ("heatmap", {}, {"position": 20}, "20, above"),
        ("heatmap", {}, {"position": 2000}, "2,000, below"),
        ("heatmap", {"upward": True}, {"position": 2000}, "2,000, above"),
        ("heatmap", {}, {"position": LIMIT}, "2⁵³, below"),
        ("heatmap", {}, {"position": 2**40}, "1.100·10¹², below"),
        ("heatmap", {"first": 0}, {"dimension": 90}, "dimension 90, to the right"),
        ("heatmap", {"first": 40}, {"dimension": 2}, "dimension 2, to the left"),
        (
            "heatmap",
            {"first": 40},
            {"dimension": 2, "position": 2000},
            "2,000, below; dimension 2, to the left",
        ),
        ("heatmap", {"first": 40}, {"dimension": 45}, ""),
        ("shift", {"first": 20}, {"dimension": 50}, "dimension 50, to the right"),
        ("distances", {}, {"position": 20}, "20, to the left"),
        ("distances", {}, {"position": 2000}, "2,000, to the right"),
        ("distances", {"part": "matrix"}, {"position": 20}, "20, above"),
        ("clocks", {}, {"position": 20}, "20, earlier"),
    ],
)
def test_it_says_where_the_cursor_is(view, options, fields, where):
    if "first" in options:
        options = {**options, "dimensions": 20}
    before = state_of(view, options, **{"start": 1000, "position": 1003, **fields})
    outside = pictures.make_picture(view, before).find_hidden_cursor()
    assert (outside.place if outside else "") == where
    if outside:
        after = resolve(before.with_(**outside.fields), DirectStore())
        assert pictures.make_picture(view, after).find_hidden_cursor() is None
        if "first" in options:
            assert after.options[view].dimensions == 20

"""What mouse, wheel and typed text change in a view, and that they change nothing else."""

import math

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from pe_explorer import encodings, views
from pe_explorer.encodings import LIMIT
from pe_explorer.exploration import Pin
from pe_explorer.params import declared
from tests.support.gestures import (
    choose,
    click,
    click_cell,
    double_click,
    drag,
    enter_cell,
    enter_text,
    inside,
    move,
    settle,
    spot,
    type_text,
    wait_for_worker,
    wheel,
)
from tests.support.samples import ROWS, sample

S = encodings.create
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
FAR = 10**15
SINES = S("sinusoidal", dim=16)
WIDE = S("rope", head_dim=65_536)
LONG = S("sinusoidal", waves="sine")
FASTER = (Pin(S("rope", rope_theta=1e5), "faster"),)
HALF = sample("rope", head_dim=16)
MIXED = (Pin(sample("rope", head_dim=16, layout="interleaved", rope_theta=77.0), "x"),)
SCALED = {"factor": 4.0, "original_max_position_embeddings": 32_768}
YARN = S("rope", head_dim=128, rope_theta=1e6, rope_type="yarn", **SCALED)
PLAIN = (Pin(S("rope", head_dim=128, rope_theta=1e6), "plain"),)
TEN = S("sinusoidal", dim=10)
WIDER = (Pin(S("sinusoidal", dim=40), "x"),)
HEADS = (Pin(S("alibi", heads=4), "x"),)
PARTIAL = sample("rope", head_dim=8, partial_rotary_factor=0.5)
TWO = S("sinusoidal", dim=2, base=16.0, waves="cosine")
EVENLY = {"encoding": S("sinusoidal", dim=1024), "start": 1, "count": 249, "metric": "euclidean"}
EVENLY |= {"reference": 1, "position": 1}
NARROW = (Pin(TEN, "x"),)


def near(value, off=1):
    return pytest.approx(value, abs=off)


def clicked(panel, x, y):
    """Click on a place of a panel; what a click sets is previewed before."""

    def act(view):
        for _ in range(2):
            move(view, spot(view, panel, x, y))
        settle(view.model)
        preview = view.model.preview
        click(view, spot(view, panel, x, y))
        settle(view.model)
        state = view.model.state
        for name in ("position", "dimension", "second") if preview else ():
            if name in view.picture.fields | {"position", "dimension"}:
                assert getattr(preview, name) == getattr(state, name), name

    return act


def doubled(panel, x, y):
    return lambda view: double_click(view, spot(view, panel, x, y))


def wheeled(panel, across, down, notches, key=Qt.KeyboardModifier.NoModifier):
    return lambda view: wheel(view, inside(view, panel, across, down), notches, key)


def dragged(panel, start, end):
    return lambda view: drag(view, inside(view, panel, *start), inside(view, panel, *end))


def chosen(title, act=click_cell):
    """Choose the cell of a table in the row of a title."""
    return lambda view: act(view, title)


def values(view):
    """Return all that can be set of an exploration and, after a point, of the view, by name."""
    state = view.model.state
    found = {name: getattr(state, name) for name in ("encoding", "pins", *declared(type(state)))}
    own = {f".{name}": getattr(view.options, name) for name in declared(type(view.options))}
    return found | own


def changed(view, before):
    return {name: value for name, value in values(view).items() if value != before[name]}


CASES = [
    (
        ("heatmap", {}, {"start": FAR, "position": FAR + 2, "dimension": 3}),
        (clicked("cells", 31, 21), {"position": FAR + 21, "dimension": 31}),
    ),
    (
        ("heatmap", {}, {"start": 1000, "count": 100}),
        (wheeled("cells", 0.5, 0.004, 1), {"count": 80}),
        (wheeled("cells", 0.5, 0.996, -1), {"count": 100, "start": near(980)}),
        (wheeled("cells", 0.5, 0.5, 3, CTRL), {".dimensions": near(66), ".first": 31}),
        (wheeled("cells", 0.5, 0.5, 60, SHIFT), {".dimensions": 1, ".first": near(64)}),
        (wheeled("cells", 0.5, 0.5, -90, SHIFT), {".dimensions": 0, ".first": 0}),
    ),
    (
        ("heatmap", {}, {"count": 20}),
        (wheeled("cells", 0.5, 0.5, 20), {"count": 1, "start": near(10)}),
        (wheeled("cells", 0.5, 0.5, -320), {"count": LIMIT, "start": 0}),
    ),
    (
        ("heatmap", {"dimensions": 32, "first": 50}, {"start": 1000}),
        (dragged("cells", (0.5, 0.5), (0.75, 0.3)), {"start": near(1010), ".first": near(42)}),
    ),
    (
        ("heatmap", {}, {"encoding": WIDE, "count": 2}),
        (clicked("cells", WIDE.width - 1, 1), {"position": 1, "dimension": near(WIDE.width, 1000)}),
    ),
    (
        ("heatmap", {"first": WIDE.width - 10, "dimensions": 10}, {"encoding": WIDE, "count": 2}),
        (clicked("cells", 9, 1), {"position": 1, "dimension": WIDE.width - 1}),
    ),
    (
        ("heatmap", {"upward": True}, {"encoding": S("index", dim=4), "count": 20, "position": 9}),
        (clicked("cells", 2, 15), {"position": 15, "dimension": 2}),
        (wheeled("cells", 0.5, 0.999, 3), {"count": 10}),  # below is position 0, which stays
        (dragged("cells", (0.5, 0.3), (0.5, 0.7)), {"start": 4}),
    ),
    (
        ("heatmap", {"quantity": "angle", "pairs": True}, {"encoding": SINES, "dimension": 15}),
        (clicked("cells", 7, 4), {"position": 4}),  # a column of both dimensions of its pair
        (clicked("cells", 5, 3), {"position": 3, "dimension": 10}),
        (wheeled("cells", 0.99, 0.5, 3, CTRL), {".first": 4, ".dimensions": 4}),
        (wheeled("cells", 0.5, 0.5, -9, CTRL), {".first": 0, ".dimensions": 0}),
    ),
    (
        ("heatmap", {"second": 50}, {"count": 50}),
        (clicked("second", 3, 10), {"position": 60, "dimension": 3}),
        (dragged("second", (0.5, 0.7), (0.5, 0.5)), {".second": 60}),
        (dragged("cells", (0.5, 0.7), (0.5, 0.5)), {"start": 10}),
        (wheeled("second", 0.5, 0.001, 1), {"count": 40}),
        (wheeled("cells", 0.5, 0.999, 3), {"start": 30, "count": 20, ".second": 80}),
    ),
    *(
        (
            ("heatmap", {}, {"encoding": S("sinusoidal", dim=64), "pins": NARROW, "show": show}),
            (clicked("cells", 9, 21), {"position": 21, "dimension": 9}),
            (wheeled("cells", 0.5, 0.5, 3, CTRL), {".dimensions": near(5), ".first": near(2.5)}),
        )
        for show in ("pinned", "difference")
    ),
    *(  # the cosine of pair 2 is column 2 in half-split rows and column 4 in interleaved ones
        (
            ("heatmap", {}, {"encoding": HALF, "pins": MIXED, "show": show, "dimension": 1}),
            (clicked("cells", column, 21), {"position": 21, "dimension": 2}),
        )
        for show, column in (("pinned", 4), ("difference", 2))
    ),
    (  # the last that the current encoding has
        ("heatmap", {}, {"encoding": TEN, "pins": WIDER, "show": "pinned", "dimension": 5}),
        (clicked("cells", 30, 20), {"position": 20, "dimension": 9}),
    ),
    (  # heads are none of its dimensions
        ("heatmap", {}, {"pins": HEADS, "show": "pinned", "dimension": 5}),
        (clicked("cells", 2, 20), {"position": 20}),
    ),
    (
        ("distances", {}, {"start": FAR, "position": FAR + 3, "second": FAR + 8}),
        (clicked("matrix", 31, 21), {"position": FAR + 21, "second": FAR + 31}),
        (clicked("curve", 7, 0.3), {"position": FAR + 7}),
        (doubled("curve", 33, 0.5), {"position": FAR + 33, "reference": FAR + 33}),
        (
            doubled("matrix", 12, 20),
            {"position": FAR + 20, "second": FAR + 12, "reference": FAR + 12},
        ),
    ),
    *(
        (
            ("distances", {}, {"start": 1000, "count": 100}),
            (wheeled(panel, 0.004, 0.5, 1), {"count": 80}),
            (wheeled(panel, 0.004, 0.5, -1), {"count": 100}),
            (dragged(panel, (0.5, 0.5), (0.7, down)), {"start": near(980)}),
        )
        for panel, down in (("curve", 0.5), ("matrix", 0.7))
    ),
    (
        ("distances", {"part": "curve", "below": "sse"}, {"count": 40}),
        (clicked("second-curve", 12, 5.0), {"position": 12}),
        (doubled("second-curve", 33, 5.0), {"position": 33, "reference": 33}),
        (wheeled("second-curve", 0.5, 0.5, 2), {"count": near(26), "start": near(7)}),
    ),
    (("frequencies", {}, {}), (wheeled("curve", 0.5, 0.5, -2), {"count": round(50 * 0.8**-2)})),
    (
        ("frequencies", {"quantity": "wavelength"}, {"encoding": S("sinusoidal")}),
        (  # a pixel is so much
            doubled("curve", 30, 3),
            {".lengths": ((near(1000, 30), ""),), "dimension": 60},
        ),
    ),
    (
        ("frequencies", {}, {"encoding": S("sinusoidal", layout="concatenated"), "dimension": 69}),
        (clicked("curve", 20, -1), {"dimension": 20}),
        (clicked("curve", 20, -1), {}),
    ),
    (  # the lesson of the period: 92 has 4,711.7 positions, 93 has 5,063.3
        ("frequencies", {"quantity": "wavelength"}, {"encoding": LONG, "count": 5000}),
        (clicked("curve", 93, math.log10(math.tau * 1e4 ** (93 / 128))), {"dimension": 93}),
    ),
    (  # the pin has that pair alone
        ("frequencies", {}, {"encoding": TEN, "pins": WIDER, "dimension": 4}),
        (clicked("curve", 15, -1), {}),
    ),
    (
        ("frequencies", {}, {"encoding": S("binary"), "dimension": 3}),
        (doubled("curve", 0.5, 0.5), {}),
    ),
    (
        ("projection", {}, {"encoding": S("index"), "position": 7}),
        (lambda view: click(view, inside(view, "points", 0.5, 0.1)), {}),
        (wheeled("points", 0.5, 0.5, -2), {"count": round(50 * 0.8**-2)}),
    ),
    (
        ("projection", {}, {"count": 1, "position": 7}),
        (lambda view: click(view, inside(view, "points", 0.5, 0.02)), {}),
    ),
    (
        ("shift", {}, {"encoding": S("sinusoidal")}),
        (clicked("matrix", 7.4, 0.0), {"dimension": 7}),
        (wheeled("matrix", 0.005, 0.005, 3), {".dimensions": near(65)}),
        (dragged("matrix", (0.6, 0.6), (0.35, 0.35)), {".first": near(16)}),
        (wheeled("matrix", 0.5, 0.5, -9), {".first": 0, ".dimensions": 0}),
    ),
    (
        ("shift", {}, {"encoding": PARTIAL, "dimension": 2}),
        (lambda view: click(view, inside(view, "matrix", 0.99, 0.99)), {}),
    ),
    (
        ("shift", {"part": "tables", "k": 3}, {"encoding": SINES, "start": 100, "count": 100}),
        (clicked("later", 4.0, 12.3), {"position": 112, "dimension": 4}),
        (wheeled("moved", 0.5, 0.002, 3), {"count": 51}),
        (dragged("moved", (0.8, 0.8), (0.3, 0.3)), {"start": near(125)}),
        (wheeled("later", 0.5, 0.5, 1, CTRL), {".dimensions": 13, ".first": 2}),
    ),
    (
        ("shift", {"part": "residual"}, {"count": 100}),
        (wheeled("residual", 0.002, 0.5, 3), {"count": 51}),
        (dragged("residual", (0.8, 0.8), (0.3, 0.3)), {"start": near(25)}),
    ),
    (
        ("tokens", {}, {"encoding": SINES, "start": 100}),
        (clicked("rows", 3, 5), {"position": 105, "dimension": 3}),
        (wheeled("rows", 0.9, 0.9, 1), {"count": 6, ".top": 2}),
        (wheeled("rows", 0.9, 0.9, 1, CTRL), {".first": 3, ".dimensions": 13}),
        (dragged("rows", (0.5, 0.3), (0.5, 0.9)), {".top": 0}),
    ),
    (
        ("tokens", {"part": "both"}, {"encoding": SINES, "start": 100}),
        (clicked("after", 3, 2), {"position": 102}),
    ),
    (
        ("waves", {"dimensions": (0, 1)}, {"encoding": TWO, "count": 26}),
        (clicked("curves", 12, np.cos(3)), {"position": 12, "dimension": 1}),
        (clicked("curves", 13, np.cos(13)), {"position": 13, "dimension": 0}),
        (doubled("curves", 1, np.cos(1)), {"position": 1, ".line1": 1}),
        (doubled("curves", 9, np.cos(9)), {"position": 9, ".line2": 9}),
        (doubled("curves", 2, np.cos(2)), {"position": 2, ".line3": 2}),
        (doubled("curves", 23, np.cos(23)), {"position": 23, ".line2": 23}),
        (wheeled("curves", 0.5, 0.5, 2), {"count": near(17), "start": near(5)}),
        (dragged("curves", (0.8, 0.1), (0.3, 0.1)), {"start": near(13, 2)}),
    ),
    (
        ("compare", {}, {"encoding": S("rope"), "pins": FASTER}),
        (clicked("curve", 33, 0.0), {"dimension": 33}),
    ),
    (("context", {}, {"encoding": S("rope")}), (clicked("turns", 33, 0.5), {"dimension": 33})),
    *(
        (
            ("compare", {}, {"encoding": YARN, "pins": PLAIN, "start": 100}),
            (chosen("Pairs that differ", act), {"dimension": 24}),
            (chosen("Largest ratio", act), {"dimension": 40}),
            (chosen("Attention factors", act), {}),
            (chosen("Order of channels", act), {}),
            (chosen("q · k, random", act), {}),
            (
                chosen("Off by 0.1 rad", act),
                {"position": 292, "dimension": 28, "count": near(288, 96), ".curve": "error"},
            ),
        )
        for act in (click_cell, enter_cell)
    ),
    (
        ("properties", {}, EVENLY),
        (chosen("Distance grows"), {"position": 70}),
        (chosen("Unique positions"), {"position": 1, "second": 2}),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0][0])
def test_a_gesture_changes_what_it_means_and_nothing_else(show, case):
    (name, options, fields), *steps = case
    view = show(name, options=options, **fields)
    wait_for_worker(view.model)
    for step, (act, wanted) in enumerate(steps):
        before = values(view)
        act(view)
        wait_for_worker(view.model)
        assert changed(view, before) == wanted, step


def test_the_cursor_shows_what_can_be_dragged(show):
    shapes = Qt.CursorShape
    word = ("tokens", {}, (-1.5, 3.0), shapes.OpenHandCursor)
    line = ("waves", {"line1": 5}, (5.0, 0.0), shapes.SizeHorCursor)
    for name, options, place, shape in (word, line):
        view = show(name, options=options, count=20)
        for where, wanted in (((2.0, 0.5), shapes.ArrowCursor), (place, shape)):
            at = spot(view, view.snapshot.figure.panels[0].name, *where)
            move(view, at)
            assert view.childAt(at).cursor().shape() == wanted


@pytest.mark.parametrize(
    ("name", "line", "text", "wanted"),
    [
        ("distances", "reference", "1e15", {"reference": FAR}),
        ("distances", "reference", "2^53", {"reference": LIMIT}),
        ("distances", "reference", "-7", {"reference": -7}),
        ("shift", "k", "44", {".k": 44}),
        ("shift", "k", "-2^53", {".k": -LIMIT}),
        ("waves", "line2", "6.283", {".line2": 6.283}),
        ("waves", "dimensions", "1 0", {".dimensions": (1, 0)}),
        ("context", "target", "2^53", {".target": LIMIT}),
        ("context", "trained", "8Ki", {".trained": 8192}),
    ],
)
def test_what_is_typed_is_set(show, qtbot, name, line, text, wanted):
    view = show(name)
    before = values(view)
    enter_text(qtbot, field_of(view, line), text)
    wait_for_worker(view.model)
    assert changed(view, before) == wanted


def field_of(view, line):
    return view.header.lines[line] if line in view.header.lines else getattr(view, line)


@pytest.mark.parametrize(
    ("name", "line", "text", "facts"),
    [
        ("distances", "reference", "", ["Reference"]),
        ("distances", "reference", "9007199254740993", ["Reference", "2^53"]),
        ("shift", "k", "2^54", ["2^53"]),
        ("waves", "line1", "near 3", ["near 3"]),
        ("waves", "dimensions", "0, 1", ["spaces"]),
        ("context", "trained", "0", ["1"]),
    ],
)
def test_what_is_typed_wrongly_is_refused_and_goes_when_the_field_is_left(
    show, qtbot, name, line, text, facts
):
    view, said = show(name), []
    view.model.refused.connect(said.append)
    before, field = values(view), field_of(view, line)
    shown = field.text()
    enter_text(qtbot, field, text)
    settle(view.model)
    assert field.is_invalid
    assert len(said) == 1
    assert [fact for fact in facts if fact not in said[0]] == []
    view.setFocus()
    settle(view.model)
    assert (field.text(), field.is_invalid, changed(view, before)) == (shown, False, {})


def test_the_reference_is_called_and_limited_as_the_rows_are(show, qtbot):
    view, said = show("distances", encoding=sample("learned")), []
    view.model.refused.connect(said.append)
    line = view.header.lines["reference"]
    assert "position" in line.toolTip()
    assert f"{ROWS - 1}" in line.toolTip()
    enter_text(qtbot, line, str(ROWS))
    assert len(said) == 1
    view.model.set_encoding("alibi")
    settle(view.model)
    assert "offset" in line.toolTip()
    enter_text(qtbot, line, str(10**6))
    assert view.model.state.reference == 10**6


@pytest.mark.parametrize(
    ("name", "line", "fields", "steps"),
    [
        ("distances", "reference", {"count": 200}, [("Up", 1), ("PageUp", 21), ("PageDown", 1)]),
        ("distances", "reference", {}, [("Down", -1)]),
        ("shift", "k", {}, [("Up", 2), ("PageDown", -8)]),
        ("waves", "line1", {"position": 5}, [("Up", 5), ("Up", 6)]),  # in an empty field the cursor
        ("context", "trained", {}, [("PageDown", 1)]),  # and not below
        ("context", "target", {}, [("Up", 17_408)]),  # of 4 times the 4096 positions shown
        ("distances", "reference", {"count": 9}, [("PageUp", 1)]),  # a tenth would be none
    ],
)
def test_arrow_keys_step_what_is_typed_and_are_not_the_views(show, name, line, fields, steps):
    view = show(name, **({"count": 4096} if name == "context" else fields))
    position, field = view.model.state.position, field_of(view, line)
    for key, wanted in steps:
        QTest.keyClick(field, getattr(Qt.Key, f"Key_{key}"))
        settle(view.model)
        assert field.value == wanted
    assert view.model.state.position == position


def test_what_is_being_typed_stays_while_something_changes_outside(show, qtbot):
    view = show("distances")
    model, field = view.model, view.header.lines["reference"]
    type_text(qtbot, field, "12")
    model.set(reference=7)
    settle(model)
    assert field.text() == "12"
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == "7"
    type_text(qtbot, field, "12")
    view.detach()
    QTest.keyClick(field, Qt.Key.Key_Return)
    QTest.keyClick(field, Qt.Key.Key_Up)
    view.setFocus()
    assert model.state.reference == 7
    view.attach(model)


@pytest.mark.parametrize("name", views.names())
def test_every_choice_of_a_header_is_made_with_keys(show, name):
    view = show(name, 1600)
    labels = [one for one in view.findChildren(QLabel) if one.buddy() and one.isVisible()]
    assert all(label.x() < label.buddy().x() for label in labels)
    for option, combo in view.header.combos.items():
        choices = [combo.itemData(row) for row in range(combo.count())]
        if (option not in view.header.options and option != "metric") or not combo.isEnabled():
            continue
        for key, wanted in (("Home", choices[0]), *(("Down", choice) for choice in choices[1:])):
            if wanted == "umap":  # which is not installed
                continue
            QTest.keyClick(combo, getattr(Qt.Key, f"Key_{key}"))
            wait_for_worker(view.model)
            chosen = view.model.state if option == "metric" else view.options
            assert getattr(chosen, option) == combo.currentData() == wanted


def test_the_header_of_a_shift_chooses_its_part(show):
    view = show("shift")
    for part in ("tables", "residual"):
        choose(view.header.combos["part"], part)
        settle(view.model)
        assert view.options.part == view.snapshot.picture.state.options["shift"].part == part


def test_choices_that_do_not_fit_are_hidden_and_what_is_hidden_takes_no_room(show):
    header = show("properties", 1600).header
    widgets = header.combos["metric"], header.lines["reference"], header.combos["part"]
    full = header.fit(1600)
    settle()
    ends = [each.mapTo(header, each.rect().topRight()).x() + 1 for each in widgets]
    assert ends == sorted(ends)
    for room, taken in ((full, ends[2]), (full - 1, ends[1]), (ends[0], ends[0]), (0, 0)):
        assert header.fit(room) == taken
        assert [each.isVisible() for each in widgets] == [end <= taken for end in ends]
    header.show_choice("metric", "cosine", is_offered=False)
    assert full - ends[0] <= header.fit(1600) < full - widgets[0].width()

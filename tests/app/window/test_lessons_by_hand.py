"""Every step of every lesson, done by typing, choosing and clicking."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pe_explorer.gallery.lessons import lessons
from pe_explorer.pictures.spots import Where, spot
from tests.support.gestures import click_cell, enter_text, settle, wait_for_worker
from tests.support.lessons import doing
from tests.support.windows import choose_item

POSITIONS = ("start", "count")
SENTENCES = {"sentence": str, "words": lambda count: " ".join("abcdefghijkl"[: int(count)])}


def type_in_panel(window, qtbot, name, value):
    """Set a parameter of the encoding, or the positions, in the form at the left."""
    window.sides.open("encoding")
    panel = window.panel
    form = panel.form if name in panel.form.names else panel.positions_form
    panel.go_to(name)
    editor = form.editor(name)
    if hasattr(editor, "combo"):
        choose_item(editor.combo, value)
    else:
        enter_text(qtbot, editor.field, f"{value!r}")


def type_in_options(window, qtbot, view, name, value):
    """Set an option of a view in the form behind its three dots."""
    window.workspace.pane(view).more.click()
    settle(window.model)
    editor = window.options_popup.options_form.editor(name)
    if hasattr(editor, "combo"):
        choose_item(editor.combo, value)
    else:
        enter_text(qtbot, editor.field, f"{value!r}")
    window.options_popup.hide()


def click_at(window, **place):
    """Click a place in the first picture that shows it, or go there by the position's field."""
    state = window.model.state
    for name in state.panes.views:
        view = window.view(name)
        if name == "clocks" or view.drawn is None:
            continue
        found = spot(view.drawn.figure, state, Where(name, **place))
        point = found and view.place_of(found.panel, found.x, found.y)
        child = view.childAt(point.toPoint()) if point else None
        if child is not None:
            there = child.mapFrom(view, point.toPoint())
            QTest.mouseClick(child, Qt.MouseButton.LeftButton, pos=there)
            settle(window.model)
            return


def do_by_hand(window, qtbot, step):
    wanted = doing(step)
    names = {one.name for one in step.check.groups[0]}
    for name in names:
        kind, _, rest = name.partition(".")
        if kind == "measure" and rest in SENTENCES:
            (asked,) = [one.value for one in step.check.groups[0] if one.name == name]
            enter_text(qtbot, window.view("tokens").sentence, SENTENCES[rest](asked))
        elif name == "measure.turning":
            type_in_panel(window, qtbot, "count", wanted.count)
        elif name == "measure.slower":
            type_in_panel(window, qtbot, "base", wanted.encoding.base)
        elif kind == "encoding":
            type_in_panel(window, qtbot, rest, wanted.encoding.parameters[rest])
        elif name in POSITIONS:
            type_in_panel(window, qtbot, name, getattr(wanted, name))
        elif kind == "options":
            view, option = rest.split(".")
            type_in_options(window, qtbot, view, option, getattr(wanted.options[view], option))
        settle(window.model)
    wait_for_worker(window.model)
    settle(window.model)
    click_where_it_is(window, qtbot, names, wanted)


def click_where_it_is(window, qtbot, names, wanted):
    """Click the place that a step asks for, or type its position."""
    if "reference" in names and "properties" in window.model.state.panes.views:
        click_cell(window.view("properties"), "Distance grows")
    elif "dimension" in names and "position" in names:
        click_at(window, position=wanted.position, dimension=wanted.dimension)
    elif "dimension" in names:
        click_at(window, position=window.model.state.start, dimension=wanted.dimension)
    elif "position" in names:
        click_at(window, position=wanted.position)
    if "position" in names and not window.lesson_walk.done:
        enter_text(qtbot, window.transport.position, f"{wanted.position}")
        settle(window.model)


@pytest.mark.parametrize("name", lessons())
def test_a_lesson_is_walked_by_hand(window, qtbot, name):
    window.resize(1280, 800)
    window.lesson_walk.begin(name)
    settle(window.model)
    left = []
    for number, step in enumerate(lessons()[name].steps):
        wait_for_worker(window.model)
        settle(window.model)
        if step.guess:
            window.lesson_walk.take_guess("")
        do_by_hand(window, qtbot, step)
        if not window.lesson_walk.done:
            left.append((number + 1, step.do))
        window.lesson_walk.skip()
        settle(window.model)
    assert not left

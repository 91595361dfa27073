"""Panes and undo: edits do not affect panes, applied explorations do."""

import pytest

from pe_explorer.exploration import Exploration, make_panes
from pe_explorer.model.history import History

FIRST = make_panes(("heatmap", "clocks", "distances"))
SECOND = make_panes(("distances", "clocks"), active="clocks")
THIRD = make_panes(("clocks",))


@pytest.fixture
def history(model):
    model.replace(Exploration(panes=FIRST))
    model.emit_changes()
    return History(model)


def shown_range_and_panes(model):
    model.emit_changes()
    return model.state.count, model.state.panes


def test_undo_of_edits_does_not_change_panes(history, model):
    model.set(panes=SECOND)
    assert (shown_range_and_panes(model), history.stack.count()) == ((50, SECOND), 0)
    model.set(count=77)
    model.emit_changes()
    model.set(panes=THIRD)
    history.undo()
    assert shown_range_and_panes(model) == (50, THIRD)
    model.set(panes=FIRST)
    history.redo()
    assert shown_range_and_panes(model) == (77, FIRST)
    model.set(metric="dot", panes=SECOND)  # together
    model.emit_changes()
    history.undo()
    assert (shown_range_and_panes(model), model.state.metric) == ((77, SECOND), "cosine")


def test_undo_of_apply_restores_panes(history, model):
    model.set(position=3)
    model.emit_changes()
    old = model.state.intention
    model.apply(Exploration(count=9, position=5, panes=SECOND), "preset")
    new = model.state.intention
    assert new.panes == SECOND
    model.set(panes=THIRD, position=7)
    model.emit_changes()
    history.undo()
    assert model.state.intention == old
    history.redo()
    assert model.state.intention == new


def test_apply_without_panes_keeps_them(history, model):
    model.apply(model.state.with_(panes=THIRD), "preset")
    assert (shown_range_and_panes(model), history.stack.count()) == ((50, THIRD), 0)
    model.apply(Exploration(count=9), "preset")
    assert shown_range_and_panes(model) == (9, THIRD)
    history.undo()
    assert shown_range_and_panes(model) == (50, THIRD)

"""Panes and undo: an edit leaves them alone, a whole exploration replaces and restores them."""

import pytest

from pe_explorer.exploration import Exploration, panes_of
from pe_explorer.gallery.exhibits import find
from pe_explorer.model import Model
from pe_explorer.model.history import History

FIRST = panes_of(("heatmap", "clocks", "distances"))
SECOND = panes_of(("distances", "clocks"), active="clocks")
THIRD = panes_of(("clocks",))


@pytest.fixture
def model(qtbot):
    found = Model(Exploration(panes=FIRST))
    yield found
    found.close()


def test_other_panes_are_no_step(model):
    history = History(model)
    model.set(panes=SECOND)
    model.announce()
    assert history.stack.count() == 0


def test_taking_back_an_edit_leaves_them_alone(model):
    history = History(model)
    model.set(count=77)
    model.announce()
    model.set(panes=SECOND)
    history.undo()
    model.announce()
    assert (model.state.count, model.state.panes) == (50, SECOND)
    model.set(panes=THIRD)
    history.redo()
    assert (model.state.count, model.state.panes) == (77, THIRD)


def test_an_edit_together_with_other_panes_takes_back_only_the_edit(model):
    history = History(model)
    model.set(count=77, panes=SECOND)
    model.announce()
    history.undo()
    assert (model.state.count, model.state.panes) == (50, SECOND)


def test_a_whole_exploration_replaces_them_and_taking_it_back_restores_the_old_value(model):
    history = History(model)
    model.set(position=3)
    model.announce()
    old = model.state.intention
    model.apply(Exploration(count=9, position=5, panes=SECOND), "preset")
    new = model.state.intention
    assert new.panes == SECOND
    model.set(panes=THIRD, position=7)
    model.announce()
    history.undo()
    assert model.state.intention == old
    history.redo()
    assert model.state.intention == new


def test_a_whole_exploration_without_panes_leaves_them_as_they_are(model):
    history = History(model)
    model.set(panes=SECOND)
    model.announce()
    model.apply(Exploration(count=9), "preset")
    assert model.state.panes == SECOND
    history.undo()
    assert (model.state.count, model.state.panes) == (50, SECOND)


def test_a_whole_exploration_that_differs_in_panes_alone_is_no_change_of_the_document(model):
    history = History(model)
    model.apply(model.state.with_(panes=THIRD), "preset")
    assert model.state.panes == THIRD
    assert history.stack.count() == 0


def test_an_exhibit_is_recognised_whatever_panes_and_cursor_are():
    exhibit = find("start")
    assert exhibit.exploration.panes == FIRST
    for panes in (None, FIRST, SECOND, THIRD):
        assert exhibit.matches(Exploration(position=4, dimension=3, panes=panes))
    assert not exhibit.matches(Exploration(count=8, panes=FIRST))

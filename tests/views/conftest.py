"""What tests of views share."""

import pytest

from pe_explorer import pictures, views
from pe_explorer.model import Exploration, Model
from tests.support.gestures import settle
from tests.support.oracles import suited_to


@pytest.fixture
def show(qtbot):
    """Return a function that shows a view of an exploration, attached to a model of its own."""
    made = []

    def show(name, width=900, height=600, options=None, target=None, **fields):
        state = Exploration(**{"encoding": suited_to(name), **fields})
        model = Model(pictures.with_options(state, name, **(options or {})))
        view = views.find(name)()
        qtbot.addWidget(view)
        view.target = target or view.target
        view.resize(width, height)
        view.header.setParent(view)  # above the view, where its pane would show it
        view.header.setGeometry(0, -60, width, 40)
        view.attach(model)
        made.append((view, model))
        with qtbot.waitExposed(view):
            view.show()
        view.activateWindow()
        settle()
        return view

    yield show
    for view, model in made:
        view.detach()
        model.close()
    made.clear()  # pytest keeps the function that it gave the test, and with it the views
    view = model = None


@pytest.fixture
def computed(monkeypatch):
    """Return a function that notes of what a view's picture is computed from now on: of which
    state, and for which size. Its numbers may come from another function.
    """

    def computed(view, instead=None):
        calls, own = [], instead or view.picture.numbers

        def compute(picture, size, cancelled):
            calls.append((picture.state, size))
            return own(picture, size, cancelled)

        monkeypatch.setattr(view.picture, "numbers", compute)
        return calls

    return computed


@pytest.fixture
def costs(monkeypatch):
    """Return a function that lets the picture of a view cost something else."""

    def costs(view, cost):
        monkeypatch.setattr(view.picture, "cost", lambda picture, size: cost)

    return costs

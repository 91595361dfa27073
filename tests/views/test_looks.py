"""Views look as on record: see `tests.support.looks`."""

import pytest

from pe_explorer import views
from pe_explorer.exploration import Exploration
from pe_explorer.model import Model
from tests.support.gestures import settle
from tests.support.looks import assert_recorded


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", views.names())
def test_a_view_and_its_header(qtbot, name):
    view, model = views.find(name)(), Model(Exploration())
    qtbot.addWidget(view)
    assert_recorded(__file__, f"{name} at first", view)
    view.header.setParent(view)
    view.resize(900, 600)
    view.attach(model)
    view.show()
    settle()
    assert_recorded(__file__, name, view)
    view.detach()
    model.close()

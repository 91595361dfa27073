"""The read-out in words; what it shows in the window is tested there."""

import pytest

from pe_explorer import encodings
from pe_explorer.model import Model
from pe_explorer.panels.readout import Readout
from pe_explorer.widgets.theme import colours, palette_of
from tests.support.readout import describe


def state(**fields):
    model = Model()
    assert model.set(**fields)
    found = model.state
    model.close()
    return found


@pytest.mark.parametrize("symmetric", [True, False])
def test_zero_has_no_minus(qapp, symmetric):
    e = encodings.create("alibi", symmetric=symmetric)
    assert describe(state(encoding=e, position=0)).endswith("value +0")


def test_the_colour_follows_the_theme(qtbot):
    readout = Readout()
    qtbot.addWidget(readout)
    for theme in ("light", "dark"):
        palette = palette_of(theme)
        readout.setPalette(palette)
        shown = readout.label.palette().windowText().color().name()
        assert shown == colours(palette).text

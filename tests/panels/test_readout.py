"""The read-out in words; what it shows in the window is tested there."""

import pytest

from pe_explorer.panels.readout import Readout
from pe_explorer.widgets.theme import colours, palette_of


@pytest.mark.parametrize("symmetric", [True, False])
def test_zero_has_no_minus(model, symmetric):
    model.set_encoding("alibi", symmetric=symmetric)
    readout = Readout()
    readout.attach(model)
    assert readout.label.text().endswith("value +0")
    readout.detach()


def test_the_colour_follows_the_theme(qtbot):
    readout = Readout()
    qtbot.addWidget(readout)
    for theme in ("light", "dark"):
        palette = palette_of(theme)
        readout.setPalette(palette)
        shown = readout.label.palette().windowText().color().name()
        assert shown == colours(palette).text

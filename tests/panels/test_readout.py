"""The read-out in words; what it shows in the window is tested there."""

import pytest

from pe_explorer.panels.cursor import Readout
from pe_explorer.widgets.theme import colours, make_palette


def test_under_the_mouse_it_is_of_another_colour_and_says_so(model):
    readout = Readout()
    readout.attach(model)
    names, shades = [], colours(readout.palette())
    for fields, shade in (({}, shades.text), ({"position": 1000, "dimension": 3}, shades.accent)):
        model.point_at(**fields)
        readout.synchronise()
        assert readout.label.palette().windowText().color().name() == shade
        names.append(readout.label.accessibleName())
    assert names[0] != names[1]
    assert readout.label.text().startswith("p 1,000   dim 3   value ")
    width = readout.label.width()
    model.set(position=-(2**53), dimension=127)
    model.set_encoding(dim=65_536)
    model.point_at(position=-(2**53), dimension=65_535)
    readout.synchronise()
    wanted = readout.fontMetrics().horizontalAdvance(readout.label.text()) + 2
    assert readout.label.width() == wanted > width
    readout.show_view("heatmap")
    readout.detach()


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
        palette = make_palette(theme)
        readout.setPalette(palette)
        shown = readout.label.palette().windowText().color().name()
        assert shown == colours(palette).text

"""Views with several plots: which are shown, and how, where two have no room beside each other."""

import pytest

from tests.support.gestures import inside

TWO_PLOTS = [
    ("tokens", {"part": "both"}),
    ("tokens", {"part": "similarity"}),
    ("shift", {"part": "tables"}),
    ("heatmap", {"second": 60}),
]


def shown(view):
    """Return the names of the panels that can be seen."""
    return [panel.name for panel in view.drawn.figure.panels if view.place_of(panel.name, 0, 0)]


@pytest.mark.parametrize("width", [300, 900])
@pytest.mark.parametrize(("name", "options"), TWO_PLOTS)
def test_two_plots_are_beside_each_other_only_where_there_is_room(name, options, width, show):
    view = show(name, width=width, height=600, options=options)
    areas = [[inside(view, name, at, at) for at in (0, 1)] for name in shown(view)]
    (_, first), (second, _) = areas
    assert (second.x() > first.x()) == (width == 900)
    assert (second.y() > first.y()) == (width == 300)
    for low, high in areas:
        assert min(high.x() - low.x(), abs(high.y() - low.y())) > 100

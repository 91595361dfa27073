"""Views with two plots in a pane that is too narrow for both beside each other."""

import pytest

TWO_PLOTS = [
    ("tokens", {"part": "both"}),
    ("tokens", {"part": "similarity"}),
    ("shift", {"part": "tables"}),
    ("heatmap", {"second": 60}),
]


def places(view):
    """Return where the plots are that are shown, and the least side of their areas."""
    shown = [plot for plot in view.plots.values() if view.stage.canvas_of(plot).isVisible()]
    sides = [side for plot in shown for side in (plot.box.width(), plot.box.height())]
    return [view.stage.canvas_of(plot).geometry() for plot in shown], min(sides)


@pytest.mark.parametrize("width", [300, 900])
@pytest.mark.parametrize(("name", "options"), TWO_PLOTS)
def test_two_plots_are_beside_each_other_only_where_there_is_room(name, options, width, show):
    view = show(name, width=width, height=600, options=options)
    (first, second), least = places(view)
    assert (second.left() > first.right()) == (width == 900)
    assert (second.top() > first.bottom()) == (width == 300)
    assert least > 100

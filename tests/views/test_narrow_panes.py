"""Views with several plots: which are shown, and how, where two have no room beside each other."""

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


@pytest.mark.parametrize(
    ("name", "part", "shown"),
    [
        ("shift", "matrix", ["matrix"]),
        ("shift", "tables", ["moved", "later"]),
        ("shift", "residual", ["residual"]),
        ("tokens", "rows", ["rows"]),
        ("tokens", "both", ["rows", "after"]),
        ("tokens", "similarity", ["before", "after"]),
        ("tokens", "attention", ["before", "after"]),
        ("tokens", "moved", ["moved"]),
    ],
)
def test_each_part_has_its_plots(name, part, shown, show):
    before = {"before": "Only she told him."} if name == "tokens" else {}
    view = show(name, options={"part": part, **before})
    visible = [n for n, p in view.plots.items() if view.stage.canvas_of(p).isVisible()]
    assert visible == shown
    assert view.header.combos["part"].currentData() == part

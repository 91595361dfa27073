"""Every view with every encoding: drawn, or a sentence that says why not, from one place."""

import threading

import numpy as np
import pytest

from pe_explorer import encodings, pictures, views
from pe_explorer.encodings import Encoding, EncodingError, Unknown
from pe_explorer.encodings.abilities import needs
from pe_explorer.exploration import Exploration, Pin
from pe_explorer.flags import check_drawn
from pe_explorer.pictures import cost as _cost
from tests.support.computing import compute_with
from tests.support.gestures import click, move, settle, spot, wait_for_worker
from tests.support.notes import note, note_label, offer
from tests.support.oracles import definition, needs_of, suited_to
from tests.support.pairwise import pairwise
from tests.support.pictures import draw
from tests.support.readout import describe
from tests.support.samples import ROWS, sample

every_view = pytest.mark.parametrize("name", views.names())
every_encoding = pytest.mark.parametrize("encoding", encodings.names())
ANGLE = {"quantity": "angle"}
THERE_IS_NONE = Unknown("xpos", {}, "xpos is not known")


def first_look(e, **fields):
    first = e.first_range
    place = {"start": first.start, "count": len(first), "position": first[-1]}
    return {"encoding": e, **place, **fields}


def sentence(view):
    return (view.stage if hasattr(view, "stage") else view.canvas).sentence


def drawn(view):
    """Say whether a view shows cells, points or curves in any of its plots, clocks or evidence."""
    if not hasattr(view, "plots"):
        return view.canvas.face is not None
    if hasattr(view, "table") and view.table.isVisible():
        return view.table.rowCount() > 0
    return any(map(shows, view.plots.values()))


def shows(plot):
    if hasattr(plot, "item"):
        return plot.item.trail is not None and plot.item.trail.visible
    return (plot.image if hasattr(plot, "image") else plot.curve_set.lines[0]).isVisible()


def applies(name, e):
    """Say whether a view shows an encoding: some need pairs or waves, all others rows."""
    return needs_of(name) <= definition(e).abilities


# -- drawn, or the sentence ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "encoding", "theme"), pairwise(views.names(), encodings.names(), ["light", "dark"])
)
def test_it_is_drawn_or_says_why_not(show, qapp, name, encoding, theme):
    qapp.set_theme(theme)
    e = sample(encoding)
    view = show(name, **first_look(e))
    assert drawn(view) == applies(name, e)
    assert view.blank == (not applies(name, e))
    if view.blank:
        assert sentence(view).startswith(e.title()) or f" {e.called()} " in sentence(view)
        assert not sentence(view).startswith("Encoding: ")
        assert sentence(view) in view.status
        others = [pictures.find(other).title for other in views.names() if applies(other, e)]
        assert others
        assert all(title in sentence(view) for title in others)
    view.model.set(**first_look(suited_to(name)))
    settle(view.model)
    assert drawn(view)
    assert "nothing is shown" not in view.status


@every_view
@every_encoding
def test_a_picture_is_made_or_refused_in_the_words_of_the_view(show, name, encoding):
    e = sample(encoding)
    state = Exploration(**first_look(e))
    if applies(name, e):
        pictures.check(name, state)
        return
    with pytest.raises(EncodingError) as refused:
        draw(name, state, 400, 300, 1.0, "light")
    assert refused.value.sentence == sentence(show(name, **first_look(e)))
    check_drawn("window", state)  # where the view says it in its place


def test_what_clocks_lack_is_told_of_the_value_not_of_its_class(show):
    for parameters in ({"waves": "sine"}, {"waves": "cosine"}, {"dim": 1}):
        e = encodings.create("sinusoidal", **parameters)
        view = show("clocks", encoding=e)
        assert view.blank
        assert needs.pairs(e)[1:] in sentence(view)


@pytest.mark.parametrize("show_", ["current", "pinned", "difference"])
def test_angles_are_needed_of_what_is_looked_at(show, show_):
    pins = (Pin(sample("binary"), "b"),)
    view = show("heatmap", options=ANGLE, encoding=sample("sinusoidal"), pins=pins, show=show_)
    assert view.blank == (show_ != "current")
    if view.blank:
        assert "Binary" in sentence(view)
        assert "values" in sentence(view)
    assert view.header.combos["quantity"].currentData() == "angle"
    assert view.header.combos["quantity"].isVisible()


def test_of_rows_that_mean_something_else_there_is_no_difference(show):
    view = show(
        "heatmap", encoding=sample("rope"), pins=(Pin(sample("alibi"), "a"),), show="difference"
    )
    assert view.blank
    assert "offsets" in sentence(view)
    view.model.set(show="pinned")
    settle(view.model)
    assert drawn(view)
    assert view.plot.left.labelText == "offset"
    assert view.plot.bottom.labelText == "head"


# -- what rows and columns are called --------------------------------------------------------------


def titles(view):
    if view.picture.name == "heatmap":
        return view.plot.left.labelText, view.plot.bottom.labelText
    return tuple(
        axis.labelText
        for axis in (view.curve_plot.bottom, view.matrix_plot.left, view.matrix_plot.bottom)
    )


@pytest.mark.parametrize("name", ["heatmap", "distances"])
@every_encoding
def test_axes_are_called_as_rows_and_columns_are(show, name, encoding):
    e = sample(encoding)
    view = show(name, **first_look(e))
    wanted = (e.rows.name, e.columns.name) if name == "heatmap" else (e.rows.name,) * 3
    assert titles(view) == wanted
    assert e.rows.name in view.status
    view.model.set(encoding=THERE_IS_NONE)
    settle(view.model)
    assert view.blank
    rows, columns = Encoding.rows.name, Encoding.columns.name
    assert titles(view) == ((rows, columns) if name == "heatmap" else (rows,) * 3)


def test_without_a_picture_axes_are_those_of_the_encoding(show):
    view = show("heatmap", options=ANGLE, **first_look(sample("alibi")))
    assert view.blank
    assert titles(view) == ("offset", "head")


def test_the_typed_reference_is_called_and_limited_as_the_table_is(show):
    view = show("distances", encoding=sample("learned"))
    view.choices.reference.enter(ROWS - 1)
    view.model.set_encoding("alibi")
    settle(view.model)
    assert "offset" in view.choices.reference.toolTip()
    view.choices.reference.enter(10**6)
    settle(view.model)
    assert view.model.state.reference == 10**6
    view.model.set(encoding=sample("learned"))
    settle(view.model)
    assert "position" in view.choices.reference.toolTip()
    assert f"0 to {ROWS - 1}" in view.choices.reference.toolTip()


# -- pins ------------------------------------------------------------------------------------------


def test_curves_are_drawn_where_rows_mean_the_same(show):
    pins = (
        Pin(sample("alibi"), "slopes"),
        Pin(sample("learned"), "table"),
        Pin(sample("rope"), "turns"),
    )
    view = show("distances", encoding=sample("sinusoidal"), pins=pins)
    assert [line.isVisible() for line in view.curve_plot.curve_set.lines[1:]] == [False, True, True]
    assert view.curve_plot.curve_set.legend.names == (
        "sinusoidal",
        "slopes: its rows are offsets",
        "table",
        "turns",
    )
    assert "Not drawn: slopes (" in view.status
    assert "offsets" in view.status
    view.model.set(start=2 * ROWS)
    settle(view.model)
    assert view.curve_plot.curve_set.legend.names[2] == "table: no rows here"
    view.model.set(start=2 * ROWS, reference=2 * ROWS)
    settle(view.model)
    assert view.curve_plot.curve_set.legend.names[2] == f"table: no row for {2 * ROWS:,}"
    assert [line.isVisible() for line in view.curve_plot.curve_set.lines[1:]] == [
        False,
        False,
        True,
    ]
    assert f"{ROWS - 1:,}" in view.status


# -- the cursor, where columns have other places ---------------------------------------------------


@pytest.mark.parametrize("show_", ["pinned", "difference"])
def test_columns_are_paired_by_meaning(show, show_):
    """The cosine of pair 1 is column 1 in half-split rows and column 2 in interleaved ones."""
    half = sample("rope", head_dim=16)
    other = sample("rope", head_dim=16, layout="interleaved", rope_theta=77.0)
    view = show("heatmap", encoding=half, pins=(Pin(other, "x"),), show=show_, dimension=1)
    place = 2 if show_ == "pinned" else 1
    assert view.plot.upright.value() == place
    own, its = half.table([7])[0], other.table([7])[0]
    wanted = its[2] if show_ == "pinned" else own[1] - its[2]
    read = f"{wanted:+.6g}".replace("-", "−")
    assert read in describe(view.model.state.with_(position=7))
    move(view, spot(view, view.plot, 3, 20))
    move(view, spot(view, view.plot, 4 if show_ == "pinned" else 2, 21))
    settle(view.model)
    assert view.model.preview.dimension == 2
    assert half.column_title(2) == other.column_title(4) == "cos 2"


def test_a_column_that_the_current_one_has_not_keeps_the_cursor(show):
    pins = (Pin(sample("alibi", heads=4), "x"),)
    view = show("heatmap", encoding=sample("sinusoidal"), pins=pins, show="pinned", dimension=5)
    assert not view.plot.upright.isVisible()
    assert "only 4 heads" in describe(view.model.state)
    click(view, spot(view, view.plot, 2, 20))
    settle(view.model)
    assert (view.model.state.position, view.model.state.dimension) == (20, 5)


# -- rows that a table has not ---------------------------------------------------------------------


@pytest.mark.parametrize("name", ["heatmap", "distances"])
@pytest.mark.parametrize(
    "fields",
    [
        {"start": 2 * ROWS},
        {"start": -(10**15), "count": 50},
        {"start": ROWS // 2, "count": 10**9},
    ],
)
def test_the_sentence_leads_to_the_rows_that_there_are(show, name, fields):
    e = sample("learned")
    view = show(name, encoding=e, **{"reference": 10**6, "position": 10**6, **fields})
    wait_for_worker(view.model)
    assert offer(view).isVisible()
    assert f"0 to {ROWS - 1:,}" in sentence(view)
    offer(view).click()
    settle(view.model)
    wait_for_worker(view.model)
    state = view.model.state
    assert state.positions == e.domain
    assert state.position in e.domain
    assert state.reference in e.domain
    assert drawn(view)
    assert sentence(view) == "" or note(view).isHidden()


@every_view
def test_an_answer_that_comes_when_its_encoding_has_gone_is_dropped(show, name, monkeypatch):
    view, going = show(name), threading.Event()
    monkeypatch.setattr(_cost, "_INLINE_COST", 0)
    own = view.picture.compute
    compute_with(
        view, lambda state, size, cancelled: going.wait(60) and own(state, size, cancelled)
    )
    view.model.set(count=77)
    view.model.announce()
    view.model.set(encoding=THERE_IS_NONE)  # and before that is announced, the answer comes
    going.set()
    view.model.worker.finish()
    view.model.announce()
    settle(view.model)
    assert view.blank
    assert "xpos" in sentence(view)


# -- colours ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("start", "colours"), [(-49, "viridis"), (0, "viridis"), (-25, "")])
def test_values_without_bound_have_a_middle_where_they_lie_on_both_sides_of_0(show, start, colours):
    view = show("heatmap", **first_look(sample("alibi"), start=start))
    assert view.status.partition(" Colours: ")[2].startswith(colours)
    assert bool(colours) == ("Colours" in view.status)
    table = view.model.state.encoding.table(range(start, start + 50))
    low, high = view.plot.bar._scale[1]
    if colours:
        assert (low, high) == (table.min(), table.max())
    else:
        assert low == -high
        assert np.abs(table).max() <= high <= 2 * np.abs(table).max()


@pytest.mark.parametrize("name", ["heatmap", "distances"])
def test_numbers_stand_beside_colours_that_were_hidden_while_the_theme_changed(show, qapp, name):
    view = show(name, **first_look(sample("sinusoidal")))
    plot = view.plot if name == "heatmap" else view.matrix_plot
    width = plot.bar.axis.size().width()
    view.model.set(encoding=THERE_IS_NONE)
    settle(view.model)
    assert not plot.bar.isVisible()
    qapp.set_theme("dark")
    settle(view.model)
    view.model.set(encoding=sample("sinusoidal"))
    settle(view.model)
    assert plot.bar.isVisible()
    assert plot.bar.axis.size().width() == width > 0


def test_a_figure_has_no_buttons(show):
    view = show("heatmap", **first_look(sample("learned"), start=10**6))
    button = offer(view)
    assert (button.text(), button.isVisible()) == ("Show its rows", True)
    view.hide_controls()
    view.model.set(start=2 * 10**6)
    settle(view.model)
    assert sentence(view)
    assert not button.isVisible()


@pytest.mark.parametrize("width", [420, 700, 1100])
def test_a_sentence_is_shown_whole(show, width):
    view = show("distances", **first_look(sample("learned"), start=10**6))
    view.resize(width, 400)
    settle(view.model)
    label = note_label(view)
    assert label.height() >= label.heightForWidth(label.width()) > 0
    assert note(view).geometry().contains(label.geometry().translated(note(view).pos()))


@pytest.mark.parametrize(("width", "height"), [(260, 190), (336, 265), (430, 265), (200, 640)])
def test_an_offer_is_whole_in_a_narrow_pane(show, width, height):
    view = show("distances", **first_look(sample("binary")))
    view.resize(width, height)
    settle(view.model)
    button = offer(view)
    assert button.isVisible()
    assert button.width() >= button.sizeHint().width()
    assert note(view).geometry().contains(button.geometry().translated(note(view).pos()))
    assert note(view).x() >= 0
    assert note(view).geometry().right() < view.width()


def test_without_a_direction_another_metric_is_offered(show):
    view = show("distances", **first_look(sample("alibi")))
    assert "has only zeros" in sentence(view)
    offer(view).click()
    settle(view.model)
    assert view.model.state.metric == "euclidean"
    assert not sentence(view) or note(view).isHidden()

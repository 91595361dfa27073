"""Where the parts of a view stand: beside or below each other, alone where there is little room."""

import itertools

import pytest
from PySide6.QtCore import QPoint, Qt

from pe_explorer import encodings, views
from pe_explorer.exploration import Pin
from pe_explorer.figures.page import PageText
from pe_explorer.figures.size import UNIT_POINTS
from pe_explorer.model.history import History
from tests.support.figures import areas_of
from tests.support.gestures import choose, drag, inside, move, settle, wait_for_worker
from tests.support.notes import note, note_label, offer
from tests.support.samples import sample

S = encodings.create
E = S("sinusoidal", dim=8)
PINS = (Pin(S("sinusoidal", dim=8, base=500.0), "slow"),)
FAR = 10**15
NO_PANELS = "clocks", "properties"
NEEDS_ROOM = 100  # pixels of each side of a picture that can be read


def visible_panels(view):
    """Return the names of the panels that can be seen."""
    panels = view.get_picture(view.model.state).frame().panels
    return [panel.name for panel in panels if view.locate(panel.name, 0, 0)]


def size_of(view, panel):
    """Return how many pixels a panel is wide and high."""
    ends = [inside(view, panel, at, at) for at in (0, 1)]
    return ends[1].x() - ends[0].x(), abs(ends[1].y() - ends[0].y())


def border(view, first, second, down):
    """Return the pixel between two panels at which the mouse can drag the one beside or below."""
    ends = [inside(view, *end) for end in ((first, 1, 1), (second, 0, 0))]
    shape = Qt.CursorShape.SplitVCursor if down else Qt.CursorShape.SplitHCursor
    across = inside(view, first, 0.5, 0.5)
    found = []
    for place in range(*(end.y() if down else end.x() for end in ends), 2):
        point = QPoint(across.x(), place) if down else QPoint(place, across.y())
        move(view, point)
        if view.childAt(point).cursor().shape() == shape:
            found.append(point)
    return found[len(found) // 2]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("tokens", {"part": "both"}),
        ("tokens", {"part": "similarity"}),
        ("shift", {"part": "tables"}),
        ("heatmap", {"second": 60}),
        ("distances", {}),
    ],
)
def test_two_plots_are_beside_each_other_only_where_there_is_room(show, name, options):
    view = show(name, options=options)
    for width, height in ((900, 500), (350, 700)):
        view.resize(width, height)
        settle(view.model)
        first, second = (inside(view, panel, 0, 0) for panel in visible_panels(view))
        assert (second.x() - first.x() > NEEDS_ROOM) == (width == 900)
        assert (second.y() - first.y() > NEEDS_ROOM) == (width == 350)
        widths = [size_of(view, panel)[0] for panel in visible_panels(view)]
        assert (name, width) != ("heatmap", 900) or widths[0] == pytest.approx(widths[1], abs=2)
        assert (
            min(side for panel in visible_panels(view) for side in size_of(view, panel))
            > NEEDS_ROOM
        )


@pytest.mark.parametrize(
    ("name", "options", "panel"),
    [
        ("distances", {}, "matrix"),
        ("distances", {"part": "matrix"}, "matrix"),
        ("shift", {}, "matrix"),
        ("tokens", {"part": "similarity"}, "after"),
        ("projection", {}, "points"),
    ],
)
def test_a_square_is_as_high_as_wide(show, name, options, panel):
    view = show(name, options=options)
    if "visible_part" in view.header.combos:
        choose(view.header.combos["visible_part"], "matrix")
    for size in ((360, 260), (320, 700), (900, 300), (1600, 900)):
        view.resize(*size)
        settle(view.model)
        width, height = size_of(view, panel)
        assert width == pytest.approx(height, abs=2)
        assert width > 0.2 * min(size)
    tops = {inside(view, each, 0, 0).y() for each in visible_panels(view) if panel == "after"}
    assert len(tops) <= 1  # one height for squares that stand side by side


@pytest.mark.parametrize(
    ("name", "options", "size", "way"),
    [
        ("distances", {}, (800, 400), QPoint(70, 0)),
        ("distances", {"below": "sse"}, (900, 400), QPoint(80, 0)),
        ("distances", {}, (350, 700), QPoint(0, 90)),
        ("heatmap", {"second": 60}, (900, 500), QPoint(-90, 0)),
        ("heatmap", {"second": 60}, (400, 700), QPoint(0, -80)),
    ],
)
def test_a_dragged_border_stays_at_other_sizes_and_in_files(show, name, options, size, way):
    view = show(name, *size, options=options, count=40)
    history, (first, *_, second), down = History(view.model), visible_panels(view), way.x() == 0
    before, place = view.grab().toImage(), border(view, first, second, down)
    drag(view, place, place + way, steps=6, between=lambda: settle(view.model))
    settle(view.model)
    there, wanted = border(view, first, second, down), place + way
    at, to = (there.y(), wanted.y()) if down else (there.x(), wanted.x())
    assert at == pytest.approx(to, abs=12)  # the border is so wide
    share = view.options.share
    assert 0.1 < share < 0.9
    view.resize(2 * view.size())
    settle(view.model)
    larger = border(view, first, second, down)
    whole = size[1] if down else size[0]
    assert (larger.y() if down else larger.x()) == pytest.approx(2 * at, abs=0.03 * whole)
    fields = {"encoding": view.model.state.encoding, "count": 40, "size": "{}x{}mm".format(*size)}
    own = [{name: kept} for kept in (view.options, type(view.options)(**options))]
    (*_, chosen), (*_, usual) = (areas_of(name, options=one, **fields)[0] for one in own)
    moved = chosen.top - usual.top if down else chosen.left - usual.left
    assert abs(moved) > 0.03 * whole
    assert (moved > 0) == (way.x() + way.y() > 0)
    view.resize(*size)
    history.undo()
    settle(view.model)
    assert view.options.share is None
    assert view.grab().toImage() == before


def test_a_part_by_itself_has_the_whole_place_and_says_why_it_is_empty(show):
    view = show("distances", encoding=S("index", dim=3), count=1)
    both, _ = size_of(view, "curve")
    for part in ("curve", "matrix"):
        view.set_options(part=part)
        settle(view.model)
        assert visible_panels(view) == [part]
        assert size_of(view, part)[0] > 1.3 * both or part == "matrix"
        assert "zeros" in note_label(view).text()
    view.model.set(start=5)
    settle(view.model)
    assert note(view).isHidden()
    view.set_options(part="curve", below="cosine")
    view.model.set(start=0, count=9, metric="sse")
    settle(view.model)
    top, bottom = (inside(view, "second-curve", 0.5, down).y() for down in (0, 1))
    assert top < note(view).geometry().center().y() < bottom  # over the curve that there is not


@pytest.mark.parametrize(("size", "least"), [((110, 130), 40), ((336, 265), 150)])
def test_a_small_view_shows_the_part_that_is_chosen_or_that_words_are_about(show, size, least):
    view = show("distances", *size, count=40)
    box = view.header.combos["visible_part"]
    for favoured, part in ((set(), "curve"), ({"matrix"}, "matrix"), ({"curve"}, "curve")):
        view.set_preferred_panels(favoured)
        settle(view.model)
        assert visible_panels(view) == [part]
        assert size_of(view, part)[0] > least
    choose(box, "matrix")
    for _ in range(2):  # the choice of the user stays, whatever words are about
        settle(view.model)
        assert visible_panels(view) == ["matrix"]
        view.set_preferred_panels({"curve"})
    assert view.options.part == "both"  # nothing of the document was changed
    assert view.picture(view.visible_state(view.model.state)).options.part == "matrix"
    view.resize(700, 400)
    settle(view.model)
    assert visible_panels(view) == ["curve", "matrix"]
    assert not box.isVisibleTo(view.header)


@pytest.mark.parametrize("part", ["both", "matrix"])
def test_several_matrices_are_as_many_as_have_room(show, sampled, part):
    options = {"show": "current pinned difference", "part": part, "below": "dot"}
    view = show("distances", options=options, encoding=E, pins=PINS)
    names = ["curve", "second-curve", "matrix", "matrix-pinned", "matrix-difference"]
    sizes = itertools.product([130, 240, 400, 900], [130, 180, 600])
    for size in [*sampled(list(sizes), 8), (900, 600)]:
        view.resize(*size)
        settle(view.model)
        seen = visible_panels(view)
        assert seen
        for number, panel in enumerate(seen):
            assert panel == names[names.index(seen[0]) + number]
            assert all(view.rect().contains(inside(view, panel, at, at)) for at in (0, 1)), size
    assert seen == names[0 if part == "both" else 2 :]


@pytest.mark.parametrize("name", [name for name in views.names() if name not in NO_PANELS])
def test_a_picture_is_whole_in_the_least_pane(show, name):
    view = show(name, pins=PINS)
    view.resize(200, 110)
    wait_for_worker(view.model)
    assert visible_panels(view)
    for panel in visible_panels(view):
        assert all(view.rect().contains(inside(view, panel, at, at)) for at in (0, 1))
        assert min(size_of(view, panel)) > 15


@pytest.mark.parametrize("name", ["heatmap", "distances", "shift"])
def test_pictures_stand_in_the_order_that_was_asked_for_whichever_was_made_first(show, name):
    part = {"part": "matrix"} if name == "distances" else {}
    view = show(name, 1500, 500, part, encoding=E, pins=PINS)
    before = view.grab().toImage()
    for wanted in ("current difference", "current pinned difference", "current"):
        if name == "heatmap":
            view.model.set(show=wanted)
        else:
            view.set_option("show", wanted)
        settle(view.model)
        places = [view.locate(each, 0, 0).x() for each in visible_panels(view)]
        assert len(places) == len(wanted.split())
        assert places == sorted(set(places))
    assert view.grab().toImage() == before


def test_the_numbers_read_off_leave_room_for_the_curves(show):
    """Below the curves where these are high enough, or nowhere."""
    view = show("waves", options={"dimensions": (0, 1), "line1": 1, "line2": 2})
    for size, has_space in (((900, 600), True), ((700, 150), False), ((300, 150), False)):
        view.resize(*size)
        settle(view.model)
        assert size_of(view, "curves")[1] > 50
        texts = {item.text: item for item in view.layers.outer_items if isinstance(item, PageText)}
        assert ("0.8415" in texts) == has_space  # sin 1
        if has_space:
            assert texts["0.8415"].y / UNIT_POINTS["px"] > inside(view, "curves", 1, 1).y()


@pytest.mark.parametrize("name", ["heatmap", "waves", "tokens", "properties"])
def test_a_picture_is_computed_for_the_pixels_that_it_fills(show, computed, name):
    view = show(name)
    calls = computed(view)
    for e, start in ((S("index", dim=16), 10**6), (S("index", dim=16), -FAR), (E, 0)):
        view.model.set(encoding=e, start=start)
        wait_for_worker(view.model)
        assert calls[-1][1].width == size_of(view, visible_panels(view)[0])[0]


@pytest.mark.parametrize("width", [300, 450, 900])
def test_the_longest_caption_is_seen_whole(show, width):
    view = show("shift", width, encoding=S("sinusoidal", dim=64, waves="sine"), count=200)
    wait_for_worker(view.model)
    assert "200" in view.caption.text()
    height = view.caption.height()
    assert view.caption.heightForWidth(view.caption.width()) <= height + 1
    view.resize(2 * width, view.height())
    settle(view.model)
    assert view.caption.height() < height


@pytest.mark.parametrize(
    ("name", "part", "encoding"),
    [("context", "types", "rope"), ("context", "calculator", "rope"), ("compare", None, "rope")],
)
def test_a_table_has_room_for_its_rows_where_its_plot_has_enough(show, name, part, encoding):
    view = show(name, options={"part": part} if part else {}, encoding=S(encoding), pins=PINS)
    table = view.table
    rows = sum(table.rowHeight(row) for row in range(table.rowCount()))
    spare = table.height() - table.horizontalHeader().height() - rows
    assert 0 <= spare < table.row_height
    view.resize(260, 200)
    settle(view.model)
    assert (table.isHidden(), len(visible_panels(view))) == (True, 1)
    view.resize(900, 600)
    view.model.set(encoding=S("alibi"))
    settle(view.model)
    assert (table.isHidden(), note(view).isVisible()) == (True, True)  # it has no angles
    view.model.set(encoding=S(encoding))
    settle(view.model)
    assert not table.isHidden()


def test_rows_fit_their_words_once_a_scroll_bar_has_gone(show):
    """Columns get wider then, and sentences shorter."""
    table = show("properties", 300, 700, encoding=S("sinusoidal"), count=1).table
    for row in range(table.rowCount()):
        assert table.rowHeight(row) == max(table.row_height, table.sizeHintForRow(row))


@pytest.mark.parametrize(
    ("name", "fields", "wanted"),
    [
        ("heatmap", {"start": 10**6, "count": 10**12}, {"start": 10**6, "count": (10**3, 10**9)}),
        (
            "waves",
            {"encoding": S("sinusoidal", dim=2, base=16.0), "start": FAR, "count": 10**9},
            {"start": FAR, "count": (1, 200)},
        ),
        ("waves", {"encoding": sample("learned"), "start": 10**6}, {"start": 0}),
        ("shift", {"encoding": sample("learned"), "start": 10**6}, {"start": 0}),
        ("distances", {"encoding": S("alibi")}, {"metric": "euclidean"}),
    ],
)
def test_where_there_is_nothing_to_see_a_button_leads_to_something(show, name, fields, wanted):
    view = show(name, **fields)
    wait_for_worker(view.model)
    assert note(view).isVisible()
    offer(view).click()
    wait_for_worker(view.model)
    assert note(view).isHidden()
    for field, value in wanted.items():
        low, high = value if isinstance(value, tuple) else (value, value)
        assert low <= getattr(view.model.state, field) <= high

"""What every view promises, whatever it shows."""

import gc
import threading
import time
import weakref
from concurrent.futures import CancelledError
from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import SIGNAL, QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPicture, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit

from pe_explorer import encodings, pictures, views
from pe_explorer.analysis import distance
from pe_explorer.encodings import LIMIT, Unknown
from pe_explorer.exploration import Pin
from pe_explorer.model import Exploration, Model
from pe_explorer.params import declared
from pe_explorer.pictures import cost as _cost
from pe_explorer.pictures.pixels import Size
from pe_explorer.widgets.theme import colours
from tests.support.cases import for_each
from tests.support.changes import other_encoding, other_fields, other_options
from tests.support.computing import compute_as_usual, compute_with
from tests.support.gestures import (
    LEFT,
    NONE,
    PLAIN,
    drag,
    inside,
    move,
    settle,
    wait_for_worker,
    wheel,
)
from tests.support.images import distinct, pixels
from tests.support.oracles import suited_to
from tests.support.pairwise import pairwise
from tests.support.samples import sample
from tests.support.uncaught import forget

every_view = pytest.mark.parametrize("name", views.names())
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ROWS = [(0, 1), (0, 50), (10**15, 10**15), (LIMIT, 1), (-LIMIT, LIMIT)]
"""Starts and counts of rows: few, many, and at both limits."""
SIGNALS = ("changed(PyObject,PyObject)", "refused(QString)")


class Counted:
    """Counts how often a view computes, in place of its own function."""

    def __init__(self, view):
        self.calls, self._own = [], view.picture.compute
        compute_with(view, self)

    def __call__(self, state, size, cancelled):
        self.calls.append((state, size))
        return self._own(state, size, cancelled)

    def __len__(self):
        return len(self.calls)


class Kept:
    """A picture that can be looked for."""


def receivers(model):
    found = [model.receivers(SIGNAL(signal)) for signal in SIGNALS]
    found += [
        model.worker.receivers(SIGNAL(signal))
        for signal in ("done(QString,PyObject)", "failed(QString,PyObject)")
    ]
    return found + [
        model.playhead.receivers(SIGNAL(signal))
        for signal in ("moved(double)", "playing_changed(bool)", "settings_changed()")
    ]


def test_the_three_of_the_window_are_here():
    assert {"heatmap", "clocks", "distances"} <= set(views.names())
    ranks = [pictures.find(name).rank for name in views.names()]
    assert ranks == sorted(set(ranks))


@every_view
def test_it_says_what_it_is(name, show):
    view = show(name)
    assert view.objectName() == name
    assert view.accessibleName() == view.picture.title
    assert view.picture.help.endswith(".")
    assert view.status.endswith(".")
    controls = [
        c
        for kind in (QAbstractButton, QComboBox, QLineEdit)
        for c in view.findChildren(kind)
        if c.isVisibleTo(view)
    ]
    assert [c for c in controls if not (c.toolTip() and c.accessibleName())] == []


@every_view
def test_attach_and_detach_leave_no_connection(name, show):
    view, model = show(name), Model()
    before = receivers(model)
    own = view.model
    for _ in range(3):
        view.attach(model)
        settle()
    during = receivers(model)
    assert sum(during) > sum(before)
    view.detach()
    assert receivers(model) == before
    model.set(count=7)
    settle(model)
    view.attach(own)
    model.close()


@every_view
def test_attached_twice_it_computes_once(name, show):
    view = show(name)
    view.attach(view.model)
    counted = Counted(view)
    view.model.set(count=33)
    settle(view.model)
    assert len(counted) == 1


@every_view
def test_hidden_it_computes_nothing_and_once_when_shown(name, show):
    view = show(name)
    counted = Counted(view)
    view.hide()
    for count in (10, 20, 30):
        view.model.set(count=count)
        settle(view.model)
    assert len(counted) == 0
    view.show()
    settle(view.model)
    assert [state.count for state, _ in counted.calls] == [30]
    view.hide()
    view.show()
    settle(view.model)
    assert len(counted) == 1


@every_view
def test_numbers_that_need_other_room_are_one_picture(name, show):
    view = show(name)
    counted = Counted(view)
    for start, count in ((10**9, 60), (123_456, 60), (0, 50)):
        view.model.set(start=start, count=count)
        settle(view.model)
        assert [state.start for state, _ in counted.calls] == [start]
        counted.calls.clear()


@every_view
def test_many_changes_are_one_picture(name, show):
    view = show(name)
    counted = Counted(view)
    for count in range(2, 102):
        view.model.set(count=count)
    settle(view.model)
    assert [state.count for state, _ in counted.calls] == [101]


@every_view
def test_only_fields_that_it_names_make_a_new_picture(name, show):
    e = suited_to(name)
    pins = [Pin(other_encoding(e), "one"), Pin(other_encoding(other_encoding(e)), "two")]
    own = {"show": "current pinned"} if pictures.shows_by_option(name) else {}
    view = show(name, options=own, encoding=e, pins=pins, show="difference")
    counted, drawn_anew = Counted(view), set()
    first = view.model.state
    others = other_fields(first)
    for field, value in others.items():
        before = len(counted)
        view.model.set(**{field: value})
        settle(view.model)
        if len(counted) > before:
            drawn_anew.add(field)
        view.model.set(**{key: getattr(first, key) for key in others})
        settle(view.model)
    assert drawn_anew == pictures.find(name).fields - {"name"}  # another name changes no number


@every_view
def test_only_its_own_options_make_a_new_picture(name, show):
    view = show(name)
    counted, drawn_anew = Counted(view), set()
    for other in views.names():
        for option, value in other_options(pictures.find(other).options(view.model.state)).items():
            before = len(counted)
            view.model.set_options(other, **{option: value})
            settle(view.model)
            if len(counted) > before:
                drawn_anew.add((other, option))
    own = {(name, option) for option in declared(pictures.find(name).Options)}
    assert drawn_anew <= own  # what only colours it needs no new one


@every_view
@pytest.mark.parametrize(
    "changes", [{"start": 10**6, "count": 10**5}, {"start": -(10**15), "count": 7}]
)
def test_labels_that_take_room_make_a_picture_for_what_is_left(name, changes, show):
    view = show(name)
    counted = Counted(view)
    view.model.set(**changes)
    settle(view.model)
    wait_for_worker(view.model)
    assert counted.calls[-1][1] == view.size_in_pixels()
    assert len(counted) <= 2
    before = view.status
    view.redraw()
    view.refresh()
    assert view.status == before


@every_view
def test_a_picture_that_never_fits_is_drawn_twice(name, show):
    view = show(name)
    counted, own, pixels = Counted(view), view.size_in_pixels, iter(range(100))
    view.size_in_pixels = lambda: replace(own(), width=300 + next(pixels))
    view.model.set(count=77)
    settle(view.model)
    assert len(counted) == 2


@every_view
@pytest.mark.parametrize(
    ("text", "told"),
    [("no such wave", "no such wave"), ("No such wave.", "no such wave"), ("", "ValueError")],
)
def test_what_fails_at_once_is_told_over_the_picture(name, text, told, show, qtbot):
    view, said = show(name), []
    own = view.show_message

    def compute(state, size, cancelled):
        raise ValueError(text)

    compute_with(view, compute)
    view.show_message = lambda message: (said.append(message), own(message))
    view.model.set(count=77)
    with qtbot.capture_exceptions() as caught:
        settle(view.model)
    assert [str(error) for _, error, _ in caught] == [text]
    forget(caught)
    assert said == [f"This cannot be drawn: {told}."]
    assert (view.canvas if name == "clocks" else view.stage).sentence == said[0]
    del view.show_message


@every_view
def test_what_the_worker_made_has_no_cursor_where_none_is_marked(name, show, monkeypatch):
    view, marked = show(name), []
    view.target = view.target._replace(marks_cursor=False)
    monkeypatch.setattr(_cost, "_INLINE_COST", 0)
    view.show_cursor = marked.append
    view.show_numbers = lambda state, picture: None  # what it marks itself is its own
    view.model.set(count=77)
    wait_for_worker(view.model)
    assert marked == []
    view.target = view.target._replace(marks_cursor=True)
    view.model.set(count=78)
    wait_for_worker(view.model)
    assert marked[-1] is view.model.state


@every_view
def test_a_picture_on_its_way_is_not_asked_for_again(name, show, monkeypatch):
    view, going = show(name), threading.Event()
    monkeypatch.setattr(_cost, "_INLINE_COST", 0)
    own = view.picture.compute
    compute_with(
        view, lambda state, size, cancelled: going.wait(60) and own(state, size, cancelled)
    )
    counted, shown = Counted(view), []
    view.show_numbers = lambda state, picture, own=view.show_numbers: (
        shown.append(state) or own(state, picture)
    )
    view.model.set(count=77)
    settle(view.model)
    view.redraw()
    settle(view.model)
    going.set()
    wait_for_worker(view.model)
    assert len(counted) == 1
    assert shown == [view.model.state]
    view.model.set(count=78)
    wait_for_worker(view.model)
    assert shown[-1].count == 78


@every_view
def test_detached_it_lets_the_mouse_go_on(name, show):
    """A window that is closed in a drag is left by the mouse, which asks nothing of what is
    gone.
    """
    view = show(name)
    own, canvas = view.model, view.canvas if name == "clocks" else view.stage.canvas
    target = canvas if name == "clocks" else canvas.viewport()
    places = [QPointF(target.width() * x, target.height() / 2) for x in (0.25, 0.4)]

    def send(kind, place, button, buttons):
        event = QMouseEvent(
            kind, place, QPointF(target.mapToGlobal(place.toPoint())), button, buttons, PLAIN
        )
        QApplication.sendEvent(target, event)
        QApplication.processEvents()

    send(QEvent.Type.MouseMove, places[0], NONE, NONE)
    settle(own)
    view.detach()
    for kind, place, button, buttons in (
        (QEvent.Type.MouseButtonPress, places[0], LEFT, LEFT),
        (QEvent.Type.MouseMove, places[1], NONE, LEFT),
        (QEvent.Type.MouseButtonRelease, places[1], LEFT, NONE),
        (QEvent.Type.MouseButtonPress, places[1], LEFT, LEFT),
        (QEvent.Type.MouseButtonRelease, places[1], LEFT, NONE),
        (QEvent.Type.MouseButtonDblClick, places[1], LEFT, LEFT),
        (QEvent.Type.MouseMove, places[0], NONE, NONE),
    ):
        time.sleep(0.012)  # pyqtgraph asks for it between two moves that count
        send(kind, place, button, buttons)
    turned = QWheelEvent(
        places[0],
        places[0],
        QPoint(),
        QPoint(0, 120),
        NONE,
        PLAIN,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(target, turned)
    QApplication.sendEvent(target, QEvent(QEvent.Type.Leave))
    QApplication.processEvents()
    view.attach(own)


@every_view
def test_detached_it_keeps_no_picture(name, show):
    view, made = show(name), []
    own = view.model

    def compute(state, size, cancelled):
        picture = Kept()
        made.append(weakref.ref(picture))
        return picture

    view.show_numbers = lambda state, picture: None
    compute_with(view, compute)
    own.set(count=77)
    settle(own)
    assert made[-1]() is not None
    view.detach()
    assert [picture() for picture in made if picture()] == []
    del view.show_numbers
    compute_as_usual(view)
    view.attach(own)


@every_view
def test_another_size_is_another_picture(name, show):
    view = show(name)
    counted = Counted(view)
    view.resize(700, 450)
    settle(view.model)
    assert 1 <= len(counted) <= 2
    assert counted.calls[-1][1] == view.size_in_pixels()


@pytest.mark.parametrize("name", views.names())
def test_it_follows_the_theme(name, show, qapp):
    qapp.setCursorFlashTime(0)  # a caret that blinks is another picture
    view = show(name)
    seen = []
    for theme in ("light", "dark", "light"):
        qapp.set_theme(theme)
        settle(view.model)
        image = view.grab().toImage()
        base = QColor(colours(view.palette()).base).rgb()
        ground = sum(
            image.pixel(x, y) == base
            for x in range(0, image.width(), 7)
            for y in range(0, image.height(), 7)
        )
        assert ground > 50, theme
        seen.append(image)
    assert seen[0] != seen[1]
    assert seen[0] == seen[2]


@every_view
def test_keys_move_the_cursor(name, show):
    view = show(name, count=200)
    for key, position, dimension in (
        (Qt.Key.Key_Down, 101, 10),
        (Qt.Key.Key_Up, 99, 10),
        (Qt.Key.Key_Left, 100, 9),
        (Qt.Key.Key_Right, 100, 11),
        (Qt.Key.Key_PageDown, 120, 10),
        (Qt.Key.Key_PageUp, 80, 10),
        (Qt.Key.Key_Home, 0, 10),
        (Qt.Key.Key_End, 199, 10),
    ):
        view.model.set(position=100, dimension=10)
        settle(view.model)
        view.setFocus()
        QTest.keyClick(view, key)
        settle(view.model)
        assert (view.model.state.position, view.model.state.dimension) == (position, dimension), key


@every_view
def test_a_key_stops_the_play_head(name, show):
    view = show(name)
    view.model.playhead.play()
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert not view.model.playhead.playing


@pytest.mark.parametrize(
    ("name", "encoding", "dim", "rows"),
    pairwise(views.names(), encodings.names(), [1, 2, 3, 64], ROWS),
)
def test_never_blank(name, encoding, dim, rows, show):
    start, count = rows
    view = show(name, encoding=sample(encoding, dim=dim), start=start, count=count, position=start)
    wait_for_worker(view.model)
    inside = pixels(view.grab().toImage())[60:-60, 60:-60]
    assert len(distinct(inside)) > 1
    assert view.status.endswith(".")


@every_view
@for_each("metric", distance.METRICS)
def test_costs_are_told_and_pictures_come_from_plain_values(name, metric):
    state, size = Exploration(suited_to(name), metric=metric), Size(900, 600)
    cls = pictures.find(name)
    assert cls.cost(state, size) > 0
    answers = []
    thread = threading.Thread(
        target=lambda: answers.append(cls.compute(state, size, threading.Event()))
    )
    thread.start()
    thread.join()
    assert len(answers) == 1


@every_view
def test_a_deleted_view_is_forgotten(name, qtbot):
    model = Model()
    view = views.find(name)()
    view.attach(model)
    view.show()
    settle(model)
    gone = weakref.ref(view)
    view.detach()
    view.close()
    view.deleteLater()
    del view
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert gone() is None
    model.set(count=9)
    settle(model)
    model.close()


@every_view
def test_a_picture_without_controls(name, show):
    view = show(name)
    view.hide_controls()
    settle(view.model)
    assert [
        c
        for kind in (QAbstractButton, QComboBox, QLineEdit)
        for c in view.findChildren(kind)
        if c.isVisible()
    ] == []


def test_views_share_the_cursor(show):
    model = Model(Exploration())
    shown = [show(name) for name in views.names()]
    own = [view.model for view in shown]
    for view in shown:
        view.attach(model)
    model.set(position=12, dimension=6)
    settle(model)
    heatmap, distances = (shown[views.names().index(name)] for name in ("heatmap", "distances"))
    clocks = shown[views.names().index("clocks")]
    assert (heatmap.plot.upright.value(), heatmap.plot.across.value()) == (6, 12)
    assert distances.curve_plot.upright.value() == 12
    assert clocks.canvas.marked == 3
    for view, old in zip(shown, own, strict=True):
        view.attach(old)
    model.close()


@pytest.mark.parametrize("name", ["heatmap", "distances"])
@pytest.mark.parametrize("count", [25, 100])
def test_a_zoom_is_painted_once(show, name, count):
    view, paints = show(name), []

    class Counting(QObject):
        def eventFilter(self, watched, event):  # noqa: N802
            paints.extend([event] * (event.type() == QEvent.Type.Paint))
            return False

    counting = Counting()
    view.stage.canvas.viewport().installEventFilter(counting)
    view.model.set(count=count)
    settle(view.model)
    view.stage.canvas.viewport().removeEventFilter(counting)
    assert len(paints) == 1


@pytest.mark.parametrize("name", [name for name in views.names() if name != "clocks"])
def test_the_mouse_goes_on_where_the_encoding_has_just_gone(show, name):
    """Between a change and the turn in which views hear of it, too."""
    gone = Unknown("x-helix", {}, "'x-helix' is not known")
    view = show(name)
    known = view.model.state.encoding
    for plot in view.plots.values():
        if not view.stage.canvas_of(plot).isVisible():
            continue
        for act in (
            partial(wheel, notches=1),
            partial(wheel, notches=-1, modifiers=CTRL),
            partial(wheel, notches=1, modifiers=SHIFT),
            move,
            lambda view, point: drag(view, point, point + QPoint(40, 30)),
        ):
            view.model.set(encoding=known)
            settle(view.model)
            point = inside(view, plot, 0.5, 0.5)
            view.model.set(encoding=gone)
            assert view.blank
            act(view, point)
    settle(view.model)


def test_an_empty_plot_has_no_numbers_until_there_is_a_picture(show):
    view = show("frequencies", encoding=encodings.create("index"))
    plot = next(iter(view.plots.values()))
    assert not any(texts_of(axis) for axis in (plot.left, plot.bottom))
    view.model.set(encoding=encodings.create("sinusoidal"))
    settle(view.model)
    assert all(texts_of(axis) for axis in (plot.left, plot.bottom))


def texts_of(axis):
    painted = QPicture()
    painter = QPainter(painted)
    specs = axis.generateDrawSpecs(painter)
    painter.end()
    return [text for _, _, text in specs[2]]


PIN = Pin(encodings.create("binary"), "binary")
WIDE = {"encoding": encodings.create("sinusoidal", dim=65_536), "count": 1000}
CANCELLED = {
    "wide rows": ("heatmap", (100, 900), WIDE),
    "wide differences": ("heatmap", (100, 900), {**WIDE, "pins": (PIN,), "show": "difference"}),
    "all pairs": ("distances", (100, 100), {"count": 100, "metric": "manhattan"}),
    "between curves": ("distances", (100, 100), {"pins": (PIN,)}),
    "rows": ("projection", (1, 1), {"count": 777}),
}


@for_each(("name", "size", "fields"), CANCELLED.values(), ids=CANCELLED)
def test_cancelling_is_seen(name, size, fields):
    cancelled = threading.Event()
    cancelled.set()
    with pytest.raises(CancelledError):
        pictures.find(name).compute(Exploration(**fields), Size(*size), cancelled)

"""What every view promises, whatever it shows."""

import gc
import threading
import time
import weakref
from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import SIGNAL, QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QGraphicsView, QLineEdit
from shiboken6 import isValid

from pe_explorer import encodings, pictures, views
from pe_explorer.encodings import LIMIT, EncodingError, Unknown
from pe_explorer.exploration import Pin
from pe_explorer.flags import check_image
from pe_explorer.model import Exploration, Model
from pe_explorer.params import declared
from pe_explorer.pictures.pixels import Size
from pe_explorer.views.view import RenderTarget
from pe_explorer.widgets.theme import colours
from tests.support.changes import other_encoding, other_fields, other_options
from tests.support.gestures import (
    LEFT,
    PLAIN,
    drag,
    inside,
    move,
    settle,
    turn_wheel,
    wait_for_worker,
    wheel,
)
from tests.support.images import distinct, pixels
from tests.support.notes import note, note_label
from tests.support.oracles import definition, needs_of, suited_to
from tests.support.pairwise import pairwise
from tests.support.pictures import draw
from tests.support.samples import sample
from tests.support.uncaught import forget

every_view = pytest.mark.parametrize("name", views.names())
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ROWS = [(0, 1), (0, 50), (10**15, 10**15), (LIMIT, 1), (-LIMIT, LIMIT)]
"""Starts and counts of rows: few, many, and at both limits."""
SIGNALS = {
    "": ("changed(PyObject,PyObject)", "refused(QString)"),
    "worker": ("done(QString,PyObject)", "failed(QString,PyObject)"),
    "playhead": ("moved(double)", "playing_changed(bool)", "settings_changed()"),
}
GONE = Unknown("x-helix", {}, "'x-helix' is not known")


class Numbers:
    """Numbers of a picture that can be looked for."""


def receivers(model):
    return [
        (getattr(model, part) if part else model).receivers(SIGNAL(signal))
        for part, signals in SIGNALS.items()
        for signal in signals
    ]


def controls(view):
    """Return what a view has to choose with."""
    return [
        control
        for kind in (QAbstractButton, QComboBox, QLineEdit)
        for control in view.findChildren(kind)
        if control.isVisible()
    ]


def applies(name, e):
    """Say whether a view shows an encoding: some need pairs or waves, all others rows."""
    return needs_of(name) <= definition(e).abilities


def first_look(e):
    first = e.first_range
    return {"encoding": e, "start": first.start, "count": len(first), "position": first[-1]}


@every_view
def test_it_says_what_it_is(name, show):
    view = show(name)
    assert view.objectName() == name
    assert view.accessibleName() == view.picture.title
    assert view.picture.help.endswith(".")
    assert view.status.endswith(".")
    assert [c for c in controls(view) if not (c.toolTip() and c.accessibleName())] == []


# -- drawn, or the sentence ------------------------------------------------------------------------


@pytest.mark.sampled(40)
@pytest.mark.parametrize(
    ("name", "encoding", "theme"), pairwise(views.names(), encodings.names(), ["light", "dark"])
)
def test_it_is_drawn_or_says_why_not(show, qapp, name, encoding, theme):
    qapp.set_theme(theme)
    e = sample(encoding)
    view = show(name, **first_look(e))
    assert view.is_blank == (not applies(name, e))
    if view.is_blank:
        assert note(view).isVisible()
        sentence = note_label(view).text()
        assert sentence.startswith(e.title()) or f" {e.format_name()} " in sentence
        assert sentence in view.status
        others = [pictures.find(other).title for other in views.names() if applies(other, e)]
        assert others
        assert all(title in sentence for title in others)
        with pytest.raises(EncodingError) as refused:
            draw(name, Exploration(**first_look(e)), 400, 300, 1.0, "light")
        assert refused.value.sentence == sentence
        check_image("window", Exploration(**first_look(e)))  # where the view says it in its place
    view.model.set(**first_look(suited_to(name)))
    settle(view.model)
    assert note(view).isHidden()


@pytest.mark.sampled(60)
@pytest.mark.parametrize(
    ("name", "encoding", "dim", "rows"),
    pairwise(views.names(), encodings.names(), [1, 2, 3, 64], ROWS),
)
def test_never_blank(name, encoding, dim, rows, show):
    start, count = rows
    view = show(name, encoding=sample(encoding, dim=dim), start=start, count=count, position=start)
    wait_for_worker(view.model)
    seen = pixels(view.grab().toImage())[60:-60, 60:-60]
    assert len(distinct(seen)) > 1
    assert view.status.endswith(".")


@every_view
def test_an_immediate_failure_is_shown_over_the_picture(name, show, computed, qtbot):
    view = show(name)
    for count, text in enumerate(("no such wave", "No such wave.", ""), 77):

        def fail(state, size, cancelled, text=text):
            raise ValueError(text)

        computed(view, fail)
        view.model.set(count=count)
        with qtbot.capture_exceptions() as caught:
            settle(view.model)
        assert [str(error) for _, error, _ in caught] == [text]
        forget(caught)
        assert (text.strip(".").lower() or "valueerror") in note_label(view).text().lower()
        assert note(view).isVisible()


@every_view
def test_an_answer_is_asked_for_once_and_dropped_when_its_encoding_has_gone(
    show, name, computed, costs
):
    view, going, shown = show(name), threading.Event(), []
    own = view.picture.numbers
    costs(view, 2e6)
    calls = computed(view, lambda *given: going.wait(10) and own(*given))
    view.figure_changed.connect(lambda state, figure: shown.append(state))
    view.model.set(count=77)
    settle(view.model)
    view.redraw()
    settle(view.model)
    going.set()
    wait_for_worker(view.model)
    assert len(calls) == 1
    assert shown == [view.model.state]
    going.clear()
    view.model.set(count=78)
    view.model.emit_changes()
    view.model.set(encoding=GONE)  # and before that is announced, the answer comes
    going.set()
    view.model.worker.finish()
    view.model.emit_changes()
    settle(view.model)
    assert view.is_blank
    assert "x-helix" in note_label(view).text()


@every_view
def test_an_export_is_given_what_to_compute_until_all_is_shown(name, show):
    view = show(name, target=RenderTarget(1.0, is_for_export=True))
    assert view.snapshot is None
    for _ in range(3):  # labels may change the room
        if job := view.find_next_job():
            view.finish(job, job(threading.Event()))
    assert view.find_next_job() is None
    assert view.snapshot.picture.state is view.model.state


# -- one picture for any number of changes ---------------------------------------------------------


@every_view
def test_any_number_of_changes_is_one_picture_where_it_can_be_seen(name, show, computed):
    view = show(name)
    model, calls = view.model, computed(view)
    for count in range(2, 102):
        model.set(count=count)
    settle(model)
    assert [state.count for state, _ in calls] == [101]
    for start, count in ((10**9, 60), (123_456, 60), (0, 50)):  # numbers that need other room
        calls.clear()
        model.set(start=start, count=count)
        settle(model)
        # The ends of its axis, and so the room beside it, depend on the numbers.
        most = 2 if name == "properties" else 1
        assert [state.start for state, _ in calls] in [
            [start] * times for times in range(1, most + 1)
        ]
    view.hide()
    calls.clear()
    for count in (10, 20, 30):
        model.set(count=count)
        settle(model)
    assert calls == []
    for _ in range(2):
        view.show()
        settle(model)
        view.hide()
        assert [state.count for state, _ in calls] == [30]


@every_view
def test_attach_and_detach_leave_no_connection(name, show, computed):
    view, model = show(name), Model()
    before, own = receivers(model), view.model
    for _ in range(3):
        view.attach(model)
        settle()
    assert sum(receivers(model)) > sum(before)
    calls = computed(view)
    model.set(count=33)
    settle(model)
    view.detach()
    assert receivers(model) == before
    model.set(count=7)
    settle(model)
    assert [state.count for state, _ in calls] == [33]
    view.attach(own)
    model.close()


@every_view
def test_only_fields_that_it_names_make_a_new_picture(name, show, computed):
    e = suited_to(name)
    pins = [Pin(other_encoding(e), "one"), Pin(other_encoding(other_encoding(e)), "two")]
    own = {"show": "current pinned"} if pictures.has_show_option(name) else {}
    view = show(name, options=own, encoding=e, pins=pins, show="difference")
    calls, drawn_anew = computed(view), set()
    first = view.model.state
    others = other_fields(first)
    for field, value in others.items():
        before = len(calls)
        view.model.set(**{field: value})
        settle(view.model)
        if len(calls) > before:
            drawn_anew.add(field)
        view.model.set(**{key: getattr(first, key) for key in others})
        settle(view.model)
    assert drawn_anew == pictures.find(name).fields - {"name"}  # another name changes no number


@every_view
def test_only_its_own_options_make_a_new_picture(name, show, computed):
    view = show(name)
    calls, drawn_anew = computed(view), set()
    for other in views.names():
        for option, value in other_options(pictures.find(other)(view.model.state).options).items():
            before = len(calls)
            view.model.set_options(other, **{option: value})
            settle(view.model)
            if len(calls) > before:
                drawn_anew.add((other, option))
    own = {(name, option) for option in declared(pictures.find(name).Options)}
    assert drawn_anew <= own  # what only colours it needs no new one


@every_view
def test_a_picture_is_made_for_the_room_that_its_labels_leave(name, show, computed):
    view = show(name)
    calls = computed(view)
    for change, matters in (
        (lambda: view.model.set(start=10**6, count=10**5), True),
        (lambda: view.model.set(start=-(10**15), count=7), True),
        (lambda: view.resize(700, 450), view.compute_size_in_pixels() != Size(1, 1)),
    ):
        calls.clear()
        change()
        settle(view.model)
        wait_for_worker(view.model)
        final = [size for _, size in calls if size.ranges != 1]  # the others are coarse
        assert len(final) in ((1, 2) if matters else (0,))
        assert all(size == view.compute_size_in_pixels() for _, size in calls[-1:])
        before = view.status
        view.redraw()
        view.refresh()
        assert view.status == before
    own, more = view.compute_size_in_pixels, iter(range(100))
    view.compute_size_in_pixels = lambda: replace(own(), width=300 + next(more))
    calls.clear()
    view.model.set(count=77)
    settle(view.model)
    assert len(calls) <= 3  # though it never fits


@pytest.mark.parametrize("name", ["heatmap", "distances"])
@pytest.mark.parametrize("count", [25, 100])
def test_a_zoom_is_painted_once(show, name, count):
    view, paints = show(name), []

    class Counting(QObject):
        def eventFilter(self, watched, event):  # noqa: N802
            paints.extend([event] * (event.type() == QEvent.Type.Paint))
            return False

    counting, screen = Counting(), view.findChild(QGraphicsView).viewport()
    screen.installEventFilter(counting)
    view.model.set(count=count)
    settle(view.model)
    screen.removeEventFilter(counting)
    assert len(paints) == 1


# -- the mouse and the keys, also where there is nothing -------------------------------------------


@every_view
def test_detached_it_lets_the_mouse_go_on(name, show):
    """A window that is closed in a drag is left by the mouse, which asks nothing of what is
    gone.
    """
    view = show(name)
    own, state, target = view.model, view.model.state, view.childAt(view.rect().center())
    places = [QPoint(round(target.width() * x), target.height() // 2) for x in (0.25, 0.4)]
    QTest.mouseMove(target, places[0])
    settle(own)
    view.detach()
    QTest.mousePress(target, LEFT, PLAIN, places[0])
    for place in places:
        time.sleep(0.012)  # pyqtgraph asks for it between two moves that count
        QTest.mouseMove(target, place)
    QTest.mouseRelease(target, LEFT, PLAIN, places[1])
    QTest.mouseClick(target, LEFT, PLAIN, places[1])
    QTest.mouseDClick(target, LEFT, PLAIN, places[1])
    turn_wheel(target, 120)
    QApplication.sendEvent(target, QEvent(QEvent.Type.Leave))
    QApplication.processEvents()
    assert own.state == state


@every_view
def test_the_mouse_goes_on_where_the_encoding_has_just_gone(show, name):
    """Between a change and the turn in which views hear of it, too."""
    view = show(name)
    known = view.model.state.encoding
    for panel in view.snapshot.figure.panels:
        for act in (
            partial(wheel, notches=1),
            partial(wheel, notches=-1, modifiers=CTRL),
            partial(wheel, notches=1, modifiers=SHIFT),
            move,
            lambda view, point: drag(view, point, point + QPoint(40, 30)),
        ):
            view.model.set(encoding=known)
            settle(view.model)
            point = inside(view, panel.name, 0.5, 0.5)
            view.model.set(encoding=GONE)
            assert view.is_blank
            act(view, point)
    assert name != "heatmap" or view.model.preview is None
    settle(view.model)


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
        view.model.playhead.play()
        view.setFocus()
        QTest.keyClick(view, key)
        settle(view.model)
        assert (view.model.state.position, view.model.state.dimension) == (position, dimension), key
        moves = "Left" not in key.name and "Right" not in key.name
        assert view.model.playhead.is_playing != moves
        view.model.playhead.pause()


# -- life ------------------------------------------------------------------------------------------


@every_view
def test_detached_it_keeps_no_picture(name, show, computed):
    view, made = show(name), []
    own = view.model

    def compute(picture, size, cancelled):
        numbers = Numbers()
        made.append(weakref.ref(numbers))
        return numbers

    view.show_numbers = lambda picture, numbers: None
    computed(view, compute)
    own.set(count=77)
    settle(own)
    assert made[-1]() is not None
    view.detach()
    assert [numbers() for numbers in made if numbers()] == []


@every_view
def test_a_deleted_view_is_forgotten(name, qtbot):
    model = Model()
    view = views.find(name)()
    view.attach(model)
    view.show()
    settle(model)
    gone, headers = weakref.ref(view), [view.header]
    view.detach()
    view.close()
    view.deleteLater()
    del view
    for _ in range(2):  # its header goes after it
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not isValid(headers.pop())
    gc.collect()
    assert gone() is None
    model.set(count=9)
    settle(model)
    model.close()


def test_choices_in_a_pane_go_with_their_view(qtbot):
    pane, view = QGraphicsView(), views.find("heatmap")()
    qtbot.addWidget(pane)
    view.header.setParent(pane.viewport())
    view.deleteLater()
    qtbot.waitUntil(lambda: not pane.viewport().children())


@every_view
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
        plots = [plot for plot in view.findChildren(QGraphicsView) if plot.isVisible()]
        assert all(plot.grab().toImage().pixel(1, 1) == base for plot in plots)
        seen.append(image)
    assert seen[0] != seen[1]
    assert seen[0] == seen[2]

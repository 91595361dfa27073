"""Pointing shows, a click sets: the mouse over a picture, in the whole window."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_explorer import encodings
from pe_explorer.app.window.keys_dialog import KeysDialog
from tests.support.gestures import (
    LEFT,
    NONE,
    PLAIN,
    click,
    inside,
    move,
    settle,
)
from tests.support.measures import hyphened
from tests.support.notes import note
from tests.support.readout import describe
from tests.support.windows import open_inspector


@pytest.fixture
def window(window):
    """The main window with the numbers at the cursor beside its views."""
    window.resize(1500, 900)
    open_inspector(window)
    return window


def send(widget, kind, point, button=NONE, buttons=NONE):
    QApplication.sendEvent(
        widget,
        QMouseEvent(
            kind, QPointF(point), QPointF(widget.mapToGlobal(point)), button, buttons, PLAIN
        ),
    )


def leave(widget):
    QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))


def hovers(window):
    """Yield (view, function that puts the mouse over its picture, and takes it away) for each
    picture.
    """
    for name, attribute in (
        ("heatmap", "plot"),
        ("distances", "curve_plot"),
        ("distances", "matrix_plot"),
    ):
        yield window.view(name), plotted(window.view(name), attribute)
    yield window.view("clocks"), clock(window.view("clocks"))


def plotted(view, attribute):
    def hover(over):
        plot = getattr(view, attribute)
        if over:
            move(view, inside(view, plot, 0.6, 0.4))
            move(view, inside(view, plot, 0.61, 0.41))
        else:
            leave(view.stage.canvas_of(plot).viewport())

    return hover


def dot(view, pair=3, place=20):
    """Return the pixel of the point of a position on a clock."""
    face = view.canvas.face
    x, y = face.grid.centres[pair]
    return QPoint(
        round(x + face.x[place, pair] / face.grid.ratio),
        round(y + face.y[place, pair] / face.grid.ratio),
    )


def clock(view):
    def hover(over):
        if over:
            send(view.canvas, QEvent.Type.MouseMove, dot(view))
        else:
            leave(view.canvas)

    return hover


def fields(window):
    """Return what stands in the fields and the play-head's bar."""
    inspector, transport = window.right_panel.parts().inspector, window.transport
    texts = [field.text() for field in (*inspector.fields.values(), transport.position)]
    return [*texts, transport.slider.value()]


def told(window):
    """Return what is said of the place that is looked at."""
    inspector = window.right_panel.parts().inspector
    values = {name: label.text() for name, label in inspector.values.items()}
    return (
        window.readout.label.text(),
        inspector.formula.typed,
        values,
        inspector.place.text(),
    )


def test_pointing_is_told_everywhere_and_sets_nothing(window):
    model = window.model
    model.set(position=7, dimension=4, reference=2)
    settle(model)
    state, before, typed = model.state, told(window), fields(window)
    steps, modified = window.history.stack.count(), window.document.modified
    for view, hover in hovers(window):
        hover(True)
        settle(model)
        preview = model.preview
        assert preview.position not in (0, 7), view.picture.name
        assert window.readout.label.text() == describe(preview)
        inspector = window.right_panel.parts().inspector
        assert hyphened(inspector.values["Value"].text()) == repr(
            preview.encoding.value(preview.position, preview.dimension)
        )
        assert hyphened(inspector.formula.typed) == "\n".join(
            preview.encoding.explain(preview.position, preview.dimension)
        )
        numbers = f"p = {preview.position}, j = {preview.dimension}"
        assert numbers in inspector.place.text()
        assert model.state is state
        assert fields(window) == typed
        hover(False)
        settle(model)
        assert model.preview is None
        assert told(window) == before
    assert window.history.stack.count() == steps
    assert window.document.modified == modified


def test_pointing_computes_no_picture_and_no_layer(window, monkeypatch):
    with monkeypatch.context() as patch:  # it keeps what it patches only so long
        for view in window.workspace.built.values():
            patch.setattr(view.picture, "compute", pytest.fail)
            patch.setattr(view, "show_numbers", pytest.fail)
        patch.setattr(window.view("clocks").canvas.layer, "compose", pytest.fail)
        patch.setattr(window.panel, "_display", pytest.fail)
        for _, hover in hovers(window):
            for over in (True, False):
                hover(over)
                settle(window.model)
                assert (window.model.preview is not None) == over
                for view in window.workspace.built.values():
                    view.grab()


def test_a_click_sets_the_cursor_where_the_mouse_is(window):
    model = window.model
    for view, hover in hovers(window):
        model.set(position=0, dimension=0)
        hover(True)
        wanted = model.preview
        if view.picture.name == "clocks":
            QTest.mouseClick(view.canvas, LEFT, PLAIN, dot(view))
        else:
            plot = view.plot if view.picture.name == "heatmap" else view._pointed.parentItem()
            click(view, inside(view, plot, 0.61, 0.41))
        settle(model)
        assert (model.state.position, model.state.dimension) == (
            wanted.position,
            wanted.dimension,
        ), view.picture.name
        assert model.preview is None
        hover(False)


def test_a_drag_over_the_clocks_is_no_click(window):
    window.workspace.activate("clocks")
    settle(window.model)
    view, before = window.view("clocks"), window.model.state
    start = dot(view)
    clock(view)(True)
    wanted = window.model.preview
    QTest.mousePress(view.canvas, LEFT, PLAIN, start)
    QTest.mouseRelease(view.canvas, LEFT, PLAIN, start + QPoint(60, 5))
    settle(window.model)
    assert window.model.state == before
    QTest.mousePress(view.canvas, LEFT, PLAIN, start)
    assert window.model.state == before  # a press alone sets nothing
    QTest.mouseRelease(view.canvas, LEFT, PLAIN, start + QPoint(1, 1))
    assert (window.model.state.position, window.model.state.dimension) == (wanted.position, 6)


def test_keys_move_the_cursor_and_the_eye_with_it(window):
    model, heatmap = window.model, window.view("heatmap")
    hover = plotted(heatmap, "plot")
    hover(True)
    settle(model)
    assert model.preview is not None
    QTest.keyClick(heatmap, Qt.Key.Key_Down)
    settle(model)
    assert model.state.position == 1  # from the cursor, not from the mouse
    assert model.preview is None
    assert window.readout.label.text() == describe(model.state)
    assert window.right_panel.parts().inspector.place.text() == "At the cursor"
    hover(True)
    settle(model)
    assert model.preview is not None  # the mouse moved


def test_while_it_plays_the_eye_follows_the_cursor(window):
    model, hover = window.model, plotted(window.view("heatmap"), "plot")
    hover(True)
    settle(model)
    assert model.preview is not None
    model.playhead.set_speed(0.01)
    model.playhead.play()
    settle(model)
    assert model.preview is None
    hover(True)
    assert model.preview is None
    model.playhead.pause()
    hover(True)
    assert model.preview is not None


def test_a_view_that_is_hidden_is_pointed_at_no_more(window):
    hover = clock(window.view("clocks"))
    hover(True)
    settle(window.model)
    window.workspace.arrange("one")
    settle(window.model)
    assert window.model.preview is None


def test_what_lies_over_a_picture_is_not_the_picture(window, qtbot):
    model, heatmap = window.model, window.view("heatmap")
    model.set(start=10**6, count=10**12)  # nothing is to be seen: a sentence lies over the plot
    settle(model)
    over, canvas = note(heatmap), heatmap.stage.canvas
    assert over.isVisible()

    def point(widget, place):  # as the window system does: Qt tells who is entered and left
        QTest.mouseMove(window.windowHandle(), widget.mapTo(window, place))
        settle(model)

    point(canvas, inside(heatmap, heatmap.plot, 0.05, 0.1))
    qtbot.wait(20)  # pyqtgraph counts one move in ten milliseconds
    point(canvas, inside(heatmap, heatmap.plot, 0.06, 0.12))
    assert model.preview is not None
    point(over, over.rect().center())
    assert model.preview is None


def test_many_moves_are_told_once_and_what_is_equal_not_at_all(model):
    heard = []
    model.previewed.connect(lambda: heard.append(model.preview))
    for position in range(1, 40):
        model.point_at(position=position)
    settle()
    model.point_at(position=39)
    settle()
    model.point_at()
    model.point_at(position=39)
    settle()
    assert [preview.position for preview in heard] == [39]
    model.set(count=60)  # what is under the mouse is something else by now
    settle()
    assert heard[1:] == [None]


def test_a_preview_keeps_to_what_there_is(model):
    model.set(encoding=encodings.create("sinusoidal", dim=8))
    model.point_at(position=3, dimension=500)
    assert model.preview.dimension == 7


def test_keys_and_mouse_are_listed_by_view(window):
    sections, title = {}, ""
    dialog = KeysDialog(window)
    for row in range(dialog.table.rowCount()):
        keys, effect = (dialog.table.item(row, column) for column in range(2))
        if effect is None:
            title = keys.text()
        else:
            sections.setdefault(title, {})[keys.text()] = effect.text()
    assert {"Point", "Click"} <= sections["All views"].keys()
    assert "F1" in sections["Menus"]
    for view in window.workspace.built.values():
        assert sections[view.picture.title] == dict(view.picture.gestures)
    dialog.deleteLater()

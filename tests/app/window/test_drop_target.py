"""The window lights up while a file is dragged over it, and says what a drop would do."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from tests.support.windows import wait_until_idle

COPY, MOVE = Qt.DropAction.CopyAction, Qt.DropAction.MoveAction
BUTTON, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def files(*paths):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def drag(window, data, actions=COPY):
    """Drag something over the window; return whether it may be dropped there."""
    event = QDragEnterEvent(QPoint(50, 50), actions, data, BUTTON, NO_KEY)
    event.ignore()
    QApplication.sendEvent(window, event)
    return event.isAccepted()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_file_over_the_window_lights_it_up(qapp, window, theme):
    qapp.set_theme(theme)
    before = window.centralWidget().grab().toImage()
    assert drag(window, files("/talks/my session.json"))
    target = window.drop_target
    assert target.isVisible()
    assert target.sentence == target.accessibleName() == "Drop to open my session.json"
    assert target.size() == window.centralWidget().size()
    assert window.centralWidget().grab().toImage() != before
    window.drop_target.eventFilter(window, QDragLeaveEvent())
    assert not target.isVisible()
    assert window.centralWidget().grab().toImage() == before


def test_a_file_over_any_view_or_panel_lights_it_up(window):
    places = [*window.workspace.built.values(), window.transport, window.rail]
    deepest = [view.childAt(view.rect().center()) or view for view in places]
    data = files("/a.json")
    for widget in [*places, *deepest]:
        event = QDragEnterEvent(QPoint(5, 5), COPY, data, BUTTON, NO_KEY)
        QApplication.sendEvent(widget, event)
        assert window.drop_target.isVisible(), widget
        window.drop_target.eventFilter(window, QDragLeaveEvent())


@pytest.mark.parametrize(
    ("data", "actions"),
    [
        (files(), COPY),
        (files("/a.json", "/b.json"), COPY),
        (files("/a.json"), MOVE),
        (QMimeData(), COPY),
    ],
    ids=["nothing", "two", "only moved", "no file"],
)
def test_what_cannot_be_opened_does_not(window, data, actions):
    assert not drag(window, data, actions)
    assert not window.drop_target.isVisible()


def test_a_drop_opens_the_file_and_the_light_goes_out(window, tmp_path):
    path = tmp_path / "s.json"
    session.write(path, Exploration(count=7))
    data = files(path)
    assert drag(window, data)
    event = QDropEvent(QPoint(50, 50).toPointF(), COPY, data, BUTTON, NO_KEY)
    window.drop_target.eventFilter(window, event)
    wait_until_idle(window)
    assert not window.drop_target.isVisible()
    assert window.model.state.count == 7


def test_a_long_name_is_cut_and_not_the_window(window):
    width = window.minimumSizeHint().width()
    assert drag(window, files(f"/{'long ' * 40}.json"))
    window.drop_target.grab()
    assert window.minimumSizeHint().width() == width

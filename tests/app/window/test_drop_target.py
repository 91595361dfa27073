"""The window lights up while a file is dragged over it, and says what a drop would do."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent
from PySide6.QtWidgets import QApplication

from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from tests.support.windows import drop_file

COPY, MOVE = Qt.DropAction.CopyAction, Qt.DropAction.MoveAction


def drag(widget, *paths, actions=COPY):
    """Drag files over a widget; return whether they may be dropped there."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path) for path in paths])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    event = QDragEnterEvent(QPoint(5, 5), actions, data, buttons, keys)
    event.ignore()
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_file_over_the_window_lights_it_up_until_it_leaves_or_is_dropped(
    qapp, window, theme, tmp_path
):
    qapp.set_theme(theme)
    target, before = window.drop_target, window.centralWidget().grab().toImage()
    places = [*window.workspace.built.values(), window.transport, window.rail]
    deepest = [view.childAt(view.rect().center()) or view for view in places]
    for widget in (*places, *deepest, window):
        assert drag(widget, "/talks/my session.json")
        assert target.isVisible(), widget
        assert "my session.json" in target.sentence == target.accessibleName()
        assert target.size() == window.centralWidget().size()
        assert window.centralWidget().grab().toImage() != before
        target.eventFilter(window, QDragLeaveEvent())
        assert not target.isVisible()
    assert window.centralWidget().grab().toImage() == before
    session.write(tmp_path / "s.json", Exploration(count=7))
    assert drag(window, str(tmp_path / "s.json"))
    drop_file(window, tmp_path / "s.json")
    assert not target.isVisible()
    assert window.model.state.count == 7


def test_what_cannot_be_opened_does_not_and_a_long_name_is_cut(window):
    assert not drag(window)
    assert not drag(window, "/a.json", "/b.json")
    assert not drag(window, "/a.json", actions=MOVE)
    assert not window.drop_target.isVisible()
    width = window.minimumSizeHint().width()
    assert drag(window, f"/{'long ' * 40}.json")
    window.drop_target.grab()
    assert window.minimumSizeHint().width() == width

"""Copying a picture or figure code: what takes long says so, and the window never stands still."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from pe_explorer import encodings, pictures, views
from pe_explorer.app.output import figure_files
from pe_explorer.app.output.output import format_picture_command
from pe_explorer.figures.style import Style
from pe_explorer.files import session
from pe_explorer.flags import WIDTH
from tests.app.windows import go_to, trigger
from tests.support.gestures import settle, wait_for_worker
from tests.support.pictures import draw

pytestmark = pytest.mark.usefixtures("clipboard")


def copy(window, name, key="copy_picture"):
    go_to(window, name)
    window.actions_by_key[key].trigger()
    return window.output


def copied(window, qtbot, name, key="copy_picture"):
    copying = copy(window, name, key)
    qtbot.waitUntil(lambda: not copying.is_busy)


def plain(image):
    return image.convertToFormat(QImage.Format.Format_RGB32)


def off_screen(window):
    """Return the views that are there to be drawn."""
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return [
        widget for widget in QApplication.topLevelWidgets() if isinstance(widget, views.PageView)
    ]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", views.names())
def test_a_copied_picture_is_light_without_a_cursor_and_has_its_session(
    window, qapp, name, clipboard, qtbot, tmp_path
):
    """Of a picture that is about the cursor's position, the dimension alone is without effect."""
    window.resize(900, 600)
    window.model.set(count=77)
    view, found = go_to(window, name), []
    of_all = {"position": 20} if "position" in pictures.find(name).fields else {}
    for theme, cursor in (("light", {"position": 3}), ("dark", {"position": 20, "dimension": 2})):
        qapp.set_theme(theme)
        window.model.set(**{**cursor, **of_all})
        copied(window, qtbot, name)
        found.append(plain(clipboard.image()))
    assert found[0].pixelColor(1, 1).lightness() > 200
    assert found[0] == found[1]
    assert found[0].size() == 2 * view.size()
    assert view.picture.title in window.statusBar().currentMessage()
    # As a program that pastes it writes it.
    assert clipboard.image().save(str(tmp_path / "pasted.png"))
    seen = window.workspace.active.visible_state(
        window.model.state
    )  # clocks in the columns of the window
    assert session.read(tmp_path / "pasted.png").state == seen.intention.with_(panes=None)


def test_copying_code_names_the_encoding_it_belongs_to(window, clipboard):
    trigger(window, "pin")
    window.model.set_encoding("binary", dim=5)
    window.model.set(start=3, count=9)
    for show, name, said in (("current", "binary", "Code"), ("pinned", "sinusoidal", "pinned")):
        window.model.set(show=show)
        trigger(window, "copy_code")
        names = {}
        exec(clipboard.text(), names)
        table = names["table"]
        expected = encodings.create(name, dim=table.shape[1]).table(range(3, 12))
        np.testing.assert_allclose(table, expected, atol=1e-12)
        assert said in window.statusBar().currentMessage()


@pytest.fixture
def go_on(window, stop_in_worker):
    """Let every picture that is asked for from now on stop in the worker until this is set."""
    settle(window.model)
    return stop_in_worker(*views.names())[1]


@pytest.mark.parametrize("key", ["copy_picture", "copy_figure_code"])
def test_what_takes_long_can_be_cancelled_awaited_or_replaced(window, go_on, clipboard, qtbot, key):
    copying = copy(window, "heatmap", key)
    qtbot.waitUntil(copying.copy_progress.isVisible)
    qtbot.mouseClick(copying.copy_progress.cancel_button, Qt.MouseButton.LeftButton)
    assert not copying.is_busy
    assert not copying.copy_progress.isVisible()
    window.model.worker.finish()  # returns: the computing has ended
    settle(window.model)
    assert off_screen(window) == []
    height = window.statusBar().height()
    copy(window, "heatmap", key)
    copy(window, "distances", key)  # which takes its place
    qtbot.waitUntil(copying.copy_progress.isVisible)
    assert "Distances" in copying.copy_progress.sentence.text()
    qtbot.waitUntil(lambda: copying.copy_progress.bar.value() > 0)
    assert window.statusBar().height() == height
    assert not [view for view in off_screen(window) if view.isVisible()]
    assert clipboard.text() == "as it was"
    go_on.set()
    qtbot.waitUntil(lambda: not copying.is_busy)
    assert not copying.copy_progress.isVisible()
    if key == "copy_picture":
        assert "Distances" in window.statusBar().currentMessage()
        view = window.view("distances")
        state = view.visible_state(window.model.state)
        drawn = draw("distances", state, view.width(), view.height(), 2.0, "light")
        assert plain(clipboard.image()) == plain(drawn)
    else:
        assert clipboard.text().startswith("# Distances")
    assert off_screen(window) == []


def test_nothing_is_copied_without_figure_or_memory(window, qtbot, monkeypatch, clipboard):
    def too_large(*_):
        raise MemoryError

    window.model.set_encoding("index")
    for key in ("copy_picture", "copy_figure_code"):
        copied(window, qtbot, "clocks", key)
        assert "Index has no sines or cosines" in window.statusBar().currentMessage()
    monkeypatch.setattr(figure_files, "image", too_large)
    copied(window, qtbot, "heatmap")
    assert "memory" in window.statusBar().currentMessage()
    assert clipboard.text() == "as it was"
    qtbot.wait(400)
    assert not window.output.copy_progress.isVisible(), (
        "it comes after 300 ms, but not once all is done"
    )


@pytest.mark.parametrize("other", ["copy_command", "copy_code", "copy_value", None])
def test_what_is_copied_later_takes_its_place(window, go_on, clipboard, qtbot, other):
    copying = copy(window, "heatmap")
    assert copying.is_busy
    if other is None:
        clipboard.setText("words of a field")
    else:
        window.actions_by_key[other].trigger()
        qtbot.waitUntil(lambda: clipboard.text() != "as it was")
    later = clipboard.text()
    assert later
    assert not copying.is_busy
    go_on.set()
    wait_for_worker(window.model)
    assert clipboard.text() == later
    assert not copying.copy_progress.isVisible()
    message = window.statusBar().currentMessage()
    assert message.startswith("Nothing was copied" if other is None else "")
    assert "Heatmap" not in message


def test_closing_the_window_cancels_it(window, go_on, clipboard):
    copying = copy(window, "distances")
    window.leave()  # returns: the computing has ended
    assert not copying.is_busy
    assert off_screen(window) == []
    assert clipboard.text() == "as it was"


def test_the_command_of_a_copied_picture_names_its_size_or_the_smallest_that_can_be_drawn(window):
    for size in window.view("distances").size(), QSize(5, 400):
        line = format_picture_command("distances", window.model.state, size, Style())
        width = max(size.width(), WIDTH.low)
        assert f"--size {width}x{size.height()} --scale 2 -o distances.png" in line

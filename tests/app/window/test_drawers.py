"""The drawers of a low or narrow window and a window that is closed."""

from PySide6.QtCore import QRect

from pe_explorer.app.window.sides import Drawer
from tests.support.gestures import settle


def test_nothing_can_be_done_in_a_window_that_is_closed(window):
    window.leave()
    assert not any(action.isEnabled() for action in window.actions_by_key.values())
    assert not window.rail.isEnabled()


def test_its_drawers_lie_over_the_edges_of_the_panes_and_name_their_pages(window):
    window.resize(800, 560)
    settle(window.model)
    for name, show, width in (
        ("encoding", None, 268),
        ("explain", window.right_panel.show_pins, 256),
        ("explain", window.right_panel.show_explanation, 256),
    ):
        window.sides.open(name)
        if show:
            show()
        settle(window.model)
        (drawer,) = [each for each in window.findChildren(Drawer) if each.isVisible()]
        area, place = window.centralWidget().geometry(), drawer.geometry()
        expected = QRect(area.left(), area.top(), width, area.height())
        if name == "explain":
            expected.moveRight(area.right())
        assert place == expected
        title = {"encoding": "Encoding"}.get(name) or show.__name__.removeprefix("show_")
        assert drawer.bar.title.text()[:4].lower() == title[:4].lower()
        drawer.bar.fold_button.setFocus()
        drawer.bar.fold_button.click()
        assert not window.sides.is_open(name)
        assert window.focusWidget() is window.find_active_view()

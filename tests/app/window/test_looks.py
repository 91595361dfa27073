"""The window and its dialogs look as on record: see `tests.support.looks`."""

from pathlib import Path

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QDialog

from pe_explorer.app.document.backups import Backup, RecoveryDialog
from pe_explorer.app.window.drawer import Drawer
from tests.app.windows import close_dialogs, visible_dialogs
from tests.support.gestures import settle
from tests.support.looks import assert_recorded

DIALOGS = ("export_figure", "export_picture", "export_data", "print_figure")
OTHERS = ("find", "show_keys", "show_history", "show_about")
SIZES = {"find": (620, 420), "show_keys": (680, 500), "show_history": (320, 420)}


def test_a_window_as_it_opens_and_once_it_is_closed(window):
    assert_recorded(__file__, "window", window)
    window.leave()
    assert not any(action.isEnabled() for action in window.actions_by_key.values())
    assert not window.rail.isEnabled()


def test_its_panels_cards_gallery_and_lessons(window, qtbot):
    window.sides.open("explain")
    window.start_cards.open()
    settle(window.model)
    assert_recorded(__file__, "panels", window.right_panel)
    assert_recorded(__file__, "cards", window.start_cards)
    window.centre.show_gallery()
    qtbot.waitUntil(lambda: bool(window.centre.page.cards))
    settle(window.model)
    assert_recorded(__file__, "gallery", window.centre.page)
    window.lesson_walk.begin("000")
    settle(window.model)
    assert_recorded(__file__, "strip", window.centre.strip)


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
        assert_recorded(__file__, f"drawer {name}", drawer.bar)
        drawer.bar.fold.click()
        assert not window.sides.is_open(name)


def test_its_dialogs(window):
    backups = [Backup(Path("/unsaved/a.json"), 1e9, problem="no")]
    for name in (*DIALOGS, *OTHERS):
        window.actions_by_key[name].trigger()
        settle(window.model)
        (dialog,) = visible_dialogs(window, QDialog)
        assert_recorded(__file__, name, dialog)
        assert dialog.size().toTuple() == SIZES.get(name, dialog.size().toTuple())
        close_dialogs(window)
    recovery = RecoveryDialog(window, backups)
    assert_recorded(__file__, "recovery", recovery)
    recovery.deleteLater()

"""The window and its dialogs look as on record: see `tests.support.looks`."""

from pathlib import Path

from PySide6.QtWidgets import QDialog

from pe_explorer.app.document.backups import Backup
from pe_explorer.app.document.recovery import RecoveryDialog
from tests.app.windows import close_dialogs, visible_dialogs
from tests.support.gestures import settle
from tests.support.looks import assert_recorded

DIALOGS = ("export_figure", "export_picture", "export_data", "print_figure")
OTHERS = ("find", "show_keys", "show_history", "show_about")


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
    assert_recorded(__file__, "gallery", window.centre.page)
    window.lesson_walk.begin("000")
    settle(window.model)
    assert_recorded(__file__, "strip", window.centre.strip)


def test_its_dialogs(window):
    backups = [Backup(Path("/unsaved/a.json"), 1e9, problem="no")]
    for name in (*DIALOGS, *OTHERS):
        window.actions_by_key[name].trigger()
        settle(window.model)
        (dialog,) = visible_dialogs(window, QDialog)
        assert_recorded(__file__, name, dialog)
        close_dialogs(window)
    recovery = RecoveryDialog(window, backups)
    assert_recorded(__file__, "recovery", recovery)
    recovery.deleteLater()

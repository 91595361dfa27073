"""The lifetime of the window: settings, log, backups of unsaved work, and a clean exit."""

import gc
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from pe_explorer.app.application import Application, log_qt_messages
from pe_explorer.app.document.backups import Autosave
from pe_explorer.app.settings.settings import SettingsFile, find_settings_path, find_state_folder
from pe_explorer.app.trouble.trouble import ErrorHandler
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.exploration.opened_model import OpenedModel
from pe_explorer.files.opening import FileContent
from pe_explorer.widgets.dialogs import show_message


def run_window(
    theme: str | None = None,
    path: str | None = None,
    content: FileContent | None = None,
    digest: str | None = None,
    compared_models: Mapping[str, OpenedModel] = MappingProxyType({}),
) -> int:
    """Open the window, and return the exit code after it is closed.

    `theme` overrides the theme of the settings. `path`, `content` and `digest` describe a file to
    show. `compared_models` maps the paths of configurations to the models to compare with.
    """
    log_qt_messages()
    app = Application(theme or "system")
    app.set_desktop_identity()
    backup_folder = find_state_folder()
    trouble = ErrorHandler(app, backup_folder.parent)
    settings = SettingsFile(find_settings_path(), app)
    if theme is None and settings.settings.theme != app.theme:
        app.set_theme(settings.settings.theme)
    window = MainWindow(settings=settings)
    window.places.restore()
    window.start_cards.open_at_first_start()
    window.show()
    app.handle_signals(window.leave)
    for close in (window.model.worker.close, window.files.worker.close, window.document.close):
        app.display_lost.connect(close)  # keeps the backup and leaves no partial file
    if settings.notes:
        show_message(window, "Settings", "\n".join(settings.notes))
    autosave = Autosave(backup_folder, window)
    autosave.failed.connect(window.warn)
    window.document.autosave = trouble.autosave = autosave
    window.files.offer_backups(backup_folder)
    if path and content is not None:
        window.files.show_first_file(Path(path), content, digest)
    for compared_path, opened in compared_models.items():
        window.files.show_comparison(Path(compared_path), opened)
    gc.freeze()  # the window's objects are permanent; scanning them takes 40 milliseconds
    code = app.exec()
    settings.refresh()  # writes changes that could not be written before
    trouble.close()
    return code


def run_self_test(report: Callable[[str], None]) -> list[str]:
    """Test the program in a window without settings; report progress, and return the problems."""
    from pe_explorer.app.self_test import SelfTest

    log_qt_messages()
    app = Application("light")
    app.set_desktop_identity()
    window = MainWindow()
    test = SelfTest(window, report)
    window.show()
    test.begin()
    app.exec()
    return test.problems

"""Settings files, written and read without `QSettings`, and windows that remember them."""

import configparser
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtWidgets import QApplication

from pe_explorer.app.settings.settings import SettingsFile
from pe_explorer.app.window.main_window import MainWindow
from tests.support.gestures import settle


def ini(*lines, schema=1):
    return "\n".join(["[General]", f"schema={schema}", *lines, ""])


def write_file(path, content):
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def sections_of(path):
    parser = configparser.RawConfigParser(delimiters="=", comment_prefixes=";")
    parser.optionxform = str
    parser.read_string(path.read_text(encoding="utf-8"))
    return {name: dict(parser[name]) for name in parser.sections()}


def recent(path):
    """Return the recent files in a settings file, the newest first."""
    return [name for _, name in sorted(sections_of(path).get("recent", {}).items(), reverse=True)]


def change_settings(store, **fields):
    store.change(**fields)
    store.refresh()


def remember_file(store, name):
    store.add_recent_file(name)
    store.refresh()


def settings_in(path):
    """Return the settings in a file, which must all fit."""
    file = SettingsFile(path)
    assert file.notes == ()
    return file.settings


def folder(*names):
    """Return an absolute path as the system spells it."""
    return str(Path("/", *names).absolute())


@contextmanager
def running_window(path):
    """Show a window that remembers what is in a file; in the end, have that written."""
    window = MainWindow(settings=SettingsFile(path, QApplication.instance()))
    window.places.restore()
    window.show()
    settle(window.model)
    yield window
    settle(window.model)
    window.leave()
    window.settings.refresh()
    window.settings.deleteLater()
    window.deleteLater()
    settle()

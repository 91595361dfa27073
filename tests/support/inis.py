"""Settings files, written and read without `QSettings`."""

import configparser
from pathlib import Path

from pe_explorer.app.settings.settings_file import SettingsFile


def ini(*lines, schema=1):
    return "\n".join(["[General]", f"schema={schema}", *lines, ""])


def put(path, content):
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def got(path):
    parser = configparser.RawConfigParser(delimiters="=", comment_prefixes=";")
    parser.optionxform = str
    parser.read_string(path.read_text(encoding="utf-8"))
    return {name: dict(parser[name]) for name in parser.sections()}


def recent(path):
    """Return the recent files in a settings file, the newest first."""
    return [name for _, name in sorted(got(path).get("recent", {}).items(), reverse=True)]


def changed(store, **fields):
    store.change(**fields)
    store.close()


def used(store, name):
    store.note_file(name)
    store.close()


def settings_in(path):
    """Return the settings in a file, which must all fit."""
    file = SettingsFile(path)
    assert file.notes == ()
    return file.settings


def folder(*names):
    """Return an absolute path as the system spells it."""
    return str(Path("/", *names).absolute())

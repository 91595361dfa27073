"""What the command palette finds: entries made from the tables of views, actions and the like."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple, Protocol

from PySide6.QtGui import QAction, QKeySequence

from pe_explorer import encodings, pictures
from pe_explorer.app.document.file_actions import FileActions
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.app.window.actions import MENUS, Action
from pe_explorer.app.window.centre import Centre
from pe_explorer.app.window.exhibit_walk import ExhibitWalk
from pe_explorer.app.window.lesson_walk import LessonWalk
from pe_explorer.app.window.sides import Sides
from pe_explorer.app.window.view_menu import Themes
from pe_explorer.encodings import Unknown
from pe_explorer.exploration import Exploration
from pe_explorer.gallery.exhibits import exhibits
from pe_explorer.gallery.lessons import lessons
from pe_explorer.model import Model
from pe_explorer.panels.encoding import EncodingPanel
from pe_explorer.params import Parameter, declared, sections

_WORD = re.compile(r"[^\W_]+")
_POSITIONS = sections(Exploration)["positions"]


class Entry(NamedTuple):
    """One thing that can be found by its name, and done.

    Attributes
    ----------
    name : str
    kind : str
        What it is, such as ``View``.
    do : function
    help : str
        A sentence for a tooltip.
    keys : str
        Its shortcut, as it is spelled here.
    lack : str
        Why it cannot be done now; empty where it can.
    """

    name: str
    kind: str
    do: Callable[[], object]
    help: str = ""
    keys: str = ""
    lack: str = ""


class Findable(Protocol):
    """A window in which things can be found."""

    actions_by_key: dict[str, QAction]
    centre: Centre
    exhibit_walk: ExhibitWalk
    files: FileActions
    lesson_walk: LessonWalk
    model: Model
    panel: EncodingPanel
    settings: SettingsFile
    sides: Sides
    themes: Themes


def entries_in(window: Findable) -> list[Entry]:
    """Return what can be found in a window now."""
    return [
        *_of_views(window.centre),
        *_of_exhibits(window.exhibit_walk),
        *_of_lessons(window.lesson_walk),
        *_of_encodings(window.model),
        *_of_parameters(window),
        *_of_actions(window.actions_by_key),
        *_of_themes(window.themes),
        *_of_recent_files(window.settings, window.files),
    ]


def found(entries: Iterable[Entry], text: str) -> list[Entry]:
    """Return the entries whose names have all words of a text, in any order.

    First come those that begin with the whole text, then those of which words begin with the
    words of the text, then those that have them inside.
    """
    wanted = _words(text)
    ranked: list[list[Entry]] = [[], [], []]
    for entry in entries:
        words = _words(entry.name)
        if entry.name.casefold().startswith(text.strip().casefold()):
            ranked[0].append(entry)
        elif all(any(word.startswith(part) for word in words) for part in wanted):
            ranked[1].append(entry)
        elif all(any(part in word for word in words) for part in wanted):
            ranked[2].append(entry)
    return list(chain.from_iterable(ranked))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


# -- the tables --------------------------------------------------------------------------------


def _of_views(centre: Centre) -> Iterator[Entry]:
    """Yield an entry for each view, which shows it in the active pane."""
    for name in pictures.names():
        picture = pictures.find(name)
        yield Entry(picture.title, "View", partial(centre.show_view, name), picture.help)


def _of_actions(actions: Mapping[str, QAction]) -> Iterator[Entry]:
    """Yield an entry for each action of the menus, which says in which menu it is."""
    for title, menu in MENUS.items():
        kind = f"{title.replace('&', '')} menu"
        for action in menu:
            yield _of_action(action, actions[action.key], kind)


def _of_action(action: Action, there: QAction, kind: str) -> Entry:
    name = re.sub("&(.)", r"\1", there.text()).removesuffix("…")
    keys = there.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    lack = "" if there.isEnabled() else action.lack
    return Entry(name, kind, there.trigger, action.help, keys, lack)


def _of_encodings(model: Model) -> Iterator[Entry]:
    """Yield an entry for each encoding that can be chosen."""
    for name in encodings.names():
        scheme = encodings.find(name)
        choose = partial(model.set_encoding, name)
        yield Entry(scheme.title(), "Encoding", choose, f"{scheme.summary()}.")


def _of_themes(themes: Themes) -> Iterator[Entry]:
    """Yield an entry for each theme."""
    for action in themes.actions():
        yield Entry(action.text(), "Theme", action.trigger, action.statusTip())


def _of_parameters(window: Findable) -> Iterator[Entry]:
    """Yield an entry for each field of the encoding and of its positions, which leads there."""
    encoding = window.model.state.intention.encoding
    fields: dict[str, Parameter] = {}
    lacks: dict[str, str] = {}
    if not isinstance(encoding, Unknown):
        fields |= declared(type(encoding))
        lacks = encoding.without_effect
    explored = declared(Exploration)
    fields |= {name: explored[name] for name in _POSITIONS}
    for name, parameter in fields.items():
        called = f"{parameter.label} {parameter.symbol}".rstrip()
        go_there = partial(_go_to, window, name)
        yield Entry(called, "Parameter", go_there, parameter.help, lack=lacks.get(name, ""))


def _go_to(window: Findable, parameter: str) -> None:
    """Move the keyboard to the editor of a parameter."""
    window.sides.open("encoding")
    window.panel.go_to(parameter)


def _of_exhibits(walk: ExhibitWalk) -> Iterator[Entry]:
    """Yield an entry for each exhibit, which opens it."""
    for exhibit in exhibits().values():
        yield Entry(exhibit.title, "Exhibit", partial(walk.open, exhibit.id), exhibit.note)


def _of_lessons(walk: LessonWalk) -> Iterator[Entry]:
    """Yield an entry for each lesson, which begins it or goes on with it."""
    for lesson in lessons().values():
        yield Entry(lesson.title, "Lesson", partial(walk.begin, lesson.id), lesson.about)


def _of_recent_files(settings: SettingsFile, files: FileActions) -> Iterator[Entry]:
    """Yield an entry for each file that was opened or saved last."""
    settings.refresh()  # another window may have added some
    for path in map(Path, settings.settings.recent):
        folder = path.parent.name
        name = f"{path.name} in {folder}" if folder else path.name
        show = partial(files.open_file, str(path))
        yield Entry(name, "Recent file", show, str(path))

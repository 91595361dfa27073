"""What the command palette finds: entries made from the tables of views, actions and the like."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from PySide6.QtGui import QAction, QKeySequence

from pe_explorer import encodings, pictures
from pe_explorer.app.document.file_actions import FileActions
from pe_explorer.app.settings.settings import SettingsFile
from pe_explorer.app.window.actions import MENUS
from pe_explorer.app.window.bars import Menus
from pe_explorer.app.window.centre import Centre
from pe_explorer.app.window.search import (
    Search,
    SearchWords,
    exhibit_words,
    lesson_words,
    search_words,
)
from pe_explorer.app.window.walks import ExhibitWalk, LessonWalk
from pe_explorer.encodings import Unknown
from pe_explorer.exploration import Exploration
from pe_explorer.gallery.exhibits import exhibits
from pe_explorer.gallery.guide import explain
from pe_explorer.gallery.lessons import lessons
from pe_explorer.gallery.models import NOTE, models
from pe_explorer.gallery.tries import Try
from pe_explorer.model import Model
from pe_explorer.panels.encoding import EncodingPanel
from pe_explorer.params import (
    Choice,
    Flag,
    Parameter,
    capitalised,
    declared,
    sections,
    used,
)

_POSITIONS = sections(Exploration)["positions"]

_CHOSEN_IN = {"metric": "distances", "show": "heatmap"}
"""Choices that several views share, and the view where each matters most."""
_NO_PIN = "no encoding is pinned"


class Entry(NamedTuple):
    """One thing that can be found by its name, and done."""

    name: str
    kind: str
    """What it is, such as ``View``."""
    do: Callable[[], object]
    help: str = ""
    """A sentence for a tooltip."""
    keys: str = ""
    """Its shortcut, as it is spelled here."""
    lack: str = ""
    """Why it cannot be done now; empty where it can."""
    words: SearchWords | None = None
    """The words by which it is found; None for those of its name, kind and help."""


class Findable(Protocol):
    """A window in which things can be found."""

    actions_by_key: dict[str, QAction]
    centre: Centre
    exhibit_walk: ExhibitWalk
    files: FileActions
    lesson_walk: LessonWalk
    menus: Menus
    model: Model
    panel: EncodingPanel
    settings: SettingsFile


def entries_in(window: Findable) -> list[Entry]:
    """Return what can be found in a window now."""
    return [
        *_shown(window),
        *_of_parameters(window),
        *_of_options(window),
        *_of_common_choices(window),
        *_of_tries(window),
        *_of_menus(window),
    ]


def found(entries: Iterable[Entry], text: str) -> list[Entry]:
    """Return the entries that fit a text, the best first."""
    search = Search(text)
    ranked: dict[int, list[Entry]] = {}
    for entry in entries:
        rank = search.rank(entry.words or search_words(entry.name, (), (entry.kind, entry.help)))
        if rank is not None:
            ranked.setdefault(rank, []).append(entry)
    return list(chain.from_iterable(ranked[rank] for rank in sorted(ranked)))


def _shown(window: Findable) -> Iterator[Entry]:
    """Yield an entry for each view, exhibit, lesson, model and encoding, which shows it."""
    for name in pictures.names():
        picture, do = pictures.find(name), partial(window.centre.show_view, name)
        yield Entry(picture.title, "View", do, picture.help)
    for exhibit in exhibits().values():
        do, words = partial(window.exhibit_walk.open, exhibit.id), exhibit_words(exhibit)
        yield Entry(exhibit.title, "Exhibit", do, exhibit.note, words=words)
    for lesson in lessons().values():
        do, words = partial(window.lesson_walk.begin, lesson.id), lesson_words(lesson.id)
        yield Entry(lesson.title, "Lesson", do, lesson.about, words=words)
    for published in models().values():
        do = partial(window.model.apply, published.exploration, published.step)
        words = search_words(published.title, (published.name,), ("model", NOTE))
        yield Entry(published.title, "Model", do, NOTE, words=words)
    for name in encodings.names():
        scheme, do = encodings.find(name), partial(window.model.choose_encoding, name)
        yield Entry(scheme.title(), "Encoding", do, f"{scheme.summary()}.")


def _of_menus(window: Findable) -> Iterator[Entry]:
    """Yield an entry for each action, which says in which menu it is, theme and recent file."""
    for title, menu in MENUS.items():
        kind = f"{title.replace('&', '')} menu"
        for action in menu:
            there = window.actions_by_key[action.key]
            name = re.sub("&(.)", r"\1", there.text()).removesuffix("…")
            keys = there.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            lack = "" if there.isEnabled() else action.lack
            yield Entry(name, kind, there.trigger, action.help, keys, lack)
    for theme in window.menus.themes.actions():
        yield Entry(theme.text(), "Theme", theme.trigger, theme.statusTip())
    window.settings.refresh()  # another window may have added some files
    for path in map(Path, window.settings.settings.recent):
        name = f"{path.name} in {path.parent.name}" if path.parent.name else path.name
        yield Entry(name, "Recent file", partial(window.files.open_file, str(path)), str(path))


def _of_parameters(window: Findable) -> Iterator[Entry]:
    """Yield an entry for each field of the encoding and of its positions, which leads there."""
    encoding = window.model.state.intention.encoding
    fields: dict[str, Parameter] = {}
    lacks: dict[str, str] = {}
    if not isinstance(encoding, Unknown):
        fields |= used(encoding)
        lacks = encoding.without_effect
    explored = declared(Exploration)
    fields |= {name: explored[name] for name in _POSITIONS}
    for name, parameter in fields.items():
        called = f"{parameter.label} {parameter.symbol}".rstrip()
        go_there = partial(window.panel.go_to, name)
        yield Entry(called, "Parameter", go_there, parameter.help, lack=lacks.get(name, ""))


def _of_options(window: Findable) -> Iterator[Entry]:
    """Yield an entry for each value of each option of a view, which shows it so."""
    for name in pictures.names():
        picture = pictures.find(name)
        for option, parameter in declared(picture.Options).items():
            if option == "show":  # the heatmap's is found, and others stand in their headers
                continue
            for value, called, help_text in _values_of(parameter):
                set_it = partial(_show_so, window, name, option, value)
                title = f"{picture.title}: {parameter.label} {called}"
                lack = picture(window.model.state).lack_of(option, value)
                yield Entry(title, "Option", set_it, help_text, lack=lack)


def _values_of(parameter: Parameter) -> Iterator[tuple[Any, str, str]]:
    """Yield the values of a choice or a switch, what they are called, and what they mean."""
    if isinstance(parameter, Choice):
        for value, meaning in parameter.choices.items():
            called = parameter.texts.get(value, value)
            yield value, called, f"{parameter.help} {capitalised(meaning)}."
    elif isinstance(parameter, Flag):
        for switched in (True, False):
            yield switched, "on" if switched else "off", parameter.help


def _show_so(window: Findable, view: str, option: str, value: object) -> None:
    """Show a view in the active pane with an option of its own."""
    window.centre.show_view(view)
    window.model.set_options(view, **{option: value})


def _of_common_choices(window: Findable) -> Iterator[Entry]:
    """Yield an entry for each value of the choices that several views share."""
    for field, view in _CHOSEN_IN.items():
        parameter = declared(Exploration)[field]
        lacks_pin = field == "show" and not window.model.state.pins
        for value, called, help_text in _values_of(parameter):
            choose = partial(_choose, window, field, value, view)
            name = f"{parameter.label} {called}"
            yield Entry(name, "Option", choose, help_text, lack=_NO_PIN if lacks_pin else "")


def _choose(window: Findable, field: str, value: object, view: str) -> None:
    """Set a choice that several views share, and show one of them if none of them is shown."""
    panes = window.model.state.panes
    shown = panes.views if panes else ()
    if not any(field in pictures.find(name).explored for name in shown):
        window.centre.show_view(view)
    window.model.set(**{field: value})


def _of_tries(window: Findable) -> Iterator[Entry]:
    """Yield an entry for each try of the open exhibit and of the views that are shown."""
    state, walk = window.model.state, window.exhibit_walk
    exhibit, texts, offered = walk.exhibit, walk.texts, []
    if exhibit and texts:
        for tried, outcome in zip(exhibit.tries, texts.outcomes, strict=True):
            offered.append((exhibit.title, tried._replace(outcome=outcome)))
    for view in state.panes.views if state.panes else ():
        title = pictures.find(view).title
        offered += [(title, tried) for tried in explain(view, state).tries]
    for title, tried in offered:
        do = partial(_try, window.model, tried)
        yield Entry(f"Try in {title}: {tried.label}", "Try", do, tried.outcome, lack=tried.lack)


def _try(model: Model, tried: Try) -> None:
    model.announce()  # so that changes before it are a separate step
    model.try_change(tried.applied)

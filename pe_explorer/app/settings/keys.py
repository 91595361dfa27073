"""The keys of the settings file, and the text at each of them.

Every folder and every recent file has a key of its own, so that two windows can add theirs at the
same time. The key of a recent file is the time of its use, in nanoseconds.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from pe_explorer import pictures
from pe_explorer.app.settings.layout import (
    Layout,
    PaneLayout,
    Place,
    panes_as_text,
    panes_from_text,
    place_from_text,
    sizes_as_text,
    sizes_from_text,
)
from pe_explorer.app.settings.lesson_progress import LessonProgress, progress_from_text
from pe_explorer.app.settings.settings import FOLDER_KINDS, MOST_RECENT, Settings
from pe_explorer.exploration import Panes
from pe_explorer.exploration.panes import ARRANGEMENTS
from pe_explorer.params import ParameterError, declared, quoted
from pe_explorer.widgets.splits import Sizes

if TYPE_CHECKING:
    from pe_explorer.app.settings.figure_choices import FigureChoices


THEME, START_HERE = "theme", "start_here"
_WINDOW, _PANEL, _BAR = "window", "panels/", "bars/"  # and the name of one
_PANES, _MAXIMISED = "panes", "maximised"
_FOLDER, _RECENT = "folders/", "recent/"  # and a kind, or a time
_SIZES, _OWN_WINDOW = "sizes/", "own_windows/"  # and an arrangement, or a view
_FIGURE = "figure/"  # and what is chosen
_LESSON = "lessons/"  # and the name of one

Values = Mapping[str, Any]
"""What a file holds, by key: text, unless somebody edited it."""

_MOST_ERRORS = 5  # in one sentence
_LONGEST_NAME = 1 << 15  # characters; no system allows more
_UNSAFE = re.compile("[%\0-\x1f\ud800-\udfff]")  # what an INI file does not keep, and the mark


def parse(values: Values) -> tuple[Settings, dict[str, ParameterError]]:
    """Return the settings that can be used, and the errors of all others by their keys."""
    found: dict[str, Any] = {}
    errors: dict[str, ParameterError] = {}
    for key, value in values.items():
        group, slash, _ = key.partition("/")
        if check := _CHECKS.get(group + slash):
            try:
                found[key] = check(key, value)
            except ParameterError as error:
                errors[key] = error
    layout = None
    if _WINDOW in found:
        panels, bars = _by_name(found, _PANEL), _by_name(found, _BAR)
        layout = Layout(found[_WINDOW], panels, bars)
    names = [found[key] for key in recent_keys(found)]
    recent = tuple(dict.fromkeys(names))  # each once
    chosen = {name: found.get(name, getattr(Settings, name)) for name in (THEME, START_HERE)}
    settings = Settings(
        **chosen,
        recent=recent[:MOST_RECENT],
        folders=_by_name(found, _FOLDER),
        layout=layout,
        figure={name: text for name, text in _by_name(found, _FIGURE).items() if text is not None},
        lessons=_by_name(found, _LESSON),
        pane_layout=PaneLayout(
            panes=found.get(_PANES),
            maximised=found.get(_MAXIMISED, False),
            sizes={name: sizes for name, sizes in _by_name(found, _SIZES).items() if sizes},
            own_windows=_by_name(found, _OWN_WINDOW),
        ),
    )
    return settings, errors


def _by_name(found: Values, group: str) -> dict[str, Any]:
    """Return what was found in a group, by the names in the keys."""
    keys = [key for key in found if key.startswith(group)]
    return {key.removeprefix(group): found[key] for key in keys}


def usable(values: Values) -> tuple[Values, str]:
    """Return the values that can be used, and a sentence on the others."""
    errors = parse(values)[1]
    if not errors:
        return values, ""
    problems = [str(error) for error in errors.values()]
    shown = "; ".join(problems[:_MOST_ERRORS])
    message = f"Some settings could not be used: {shown}."
    others = {key: value for key, value in values.items() if key not in errors}
    return others, message


def edited(values: Values, edits: Values) -> Values:
    """Return values with changes; None removes one."""
    merged = {**values, **edits}
    return {key: value for key, value in merged.items() if value is not None}


def recent_keys(values: Values) -> list[str]:
    """Return the keys of recent files, the newest first."""
    found = [key for key in values if key.startswith(_RECENT)]
    return sorted(found, reverse=True)


def recent_edits(values: Values, path: Path | str) -> Values:
    """Return the changes that make a file the newest, and leave no more than `MOST_RECENT`."""
    name = _name_as_text(path)
    known = recent_keys(values)
    others = [key for key in known if values[key] != name]
    kept = others[: MOST_RECENT - 1]
    removed = {key: None for key in known if key not in kept}
    newest = int(known[0].removeprefix(_RECENT)) if known else 0
    now = max(time.time_ns(), newest + 1)  # a clock may be set back
    return {**removed, f"{_RECENT}{now:019}": name}


def forget_edits(values: Values, path: Path | str) -> Values:
    """Return the changes that remove a file from the recent ones."""
    name = _name_as_text(path)
    return {key: None for key in recent_keys(values) if values[key] == name}


def folder_edits(kind: str, folder: Path | str) -> Values:
    """Return the changes that remember the last folder of one of `FOLDER_KINDS`."""
    if kind not in FOLDER_KINDS:
        known = ", ".join(FOLDER_KINDS)
        raise ParameterError("folders", f"{quoted(kind)} is not one of {known}")
    return {_FOLDER + kind: _name_as_text(folder)}


def figure_edits(choices: FigureChoices) -> Values:
    """Return the changes that remember what was chosen for a figure."""
    texts = choices.as_texts()
    return {_FIGURE + name: _escaped(text) for name, text in texts.items()}


def lesson_edits(lesson: str, progress: LessonProgress) -> Values:
    """Return the change that remembers how far somebody has come in a lesson."""
    return {_LESSON + lesson: progress.as_text()}


def layout_edits(layout: Layout) -> Values:
    """Return the changes that remember where the window, its panels and its bars are."""
    edits = {_WINDOW: layout.window.as_text()}
    edits |= {_PANEL + name: place.as_text() for name, place in layout.panels.items()}
    return edits | {_BAR + name: place.as_text() for name, place in layout.bars.items()}


def pane_layout_edits(values: Values, layout: PaneLayout) -> Values:
    """Return the changes that remember where the views are, and nothing of before.

    What is remembered of views and arrangements that are not known here stays.
    """
    edits: dict[str, Any] = {_MAXIMISED: "yes" if layout.maximised else "no"}
    if layout.panes is not None:
        edits[_PANES] = panes_as_text(layout.panes)
    own_windows = [_OWN_WINDOW + name for name in pictures.names()]
    sizes = [_SIZES + name for name in ARRANGEMENTS]
    edits |= {key: None for key in (*own_windows, *sizes) if key in values}
    for name, place in layout.own_windows.items():
        edits[_OWN_WINDOW + name] = place.as_text()
    for name, each in layout.sizes.items():
        edits[_SIZES + name] = sizes_as_text(each)
    return edits


def _name_as_text(path: Path | str) -> Any:
    return _escaped(str(Path(path).absolute()))


def _escaped(name: Any) -> Any:
    """Return a text with what an INI file does not keep written as in a web address."""
    if not isinstance(name, str):
        return name
    return _UNSAFE.sub(_quoted_as_in_address, name)


def _quoted_as_in_address(found: re.Match[str]) -> str:
    return quote(found[0], safe="", errors="surrogatepass")


# -- the check of each key -------------------------------------------------------------------------


def _panes(_: str, value: Any) -> Panes:
    return panes_from_text(str(value))


def _maximised(key: str, value: Any) -> bool:
    if value not in ("yes", "no"):
        raise ParameterError(key, f"{quoted(value)} is neither yes nor no")
    return bool(value == "yes")


def _sizes(key: str, value: Any) -> Sizes | None:
    """Return the sizes of one arrangement; None for that of a later version."""
    arrangement = key.removeprefix(_SIZES)
    return sizes_from_text(arrangement, str(value)) if arrangement in ARRANGEMENTS else None


def _place(key: str, value: Any) -> Place:
    return place_from_text(key, str(value))


def _figure(key: str, value: Any) -> str | None:
    """Return the text of a choice; None for one of a later version."""
    from pe_explorer.app.settings.figure_choices import readers  # the window opens sooner

    name, text = key.removeprefix(_FIGURE), unquote(str(value), errors="replace")
    read = readers().get(name)
    if read is None:
        return None
    read(name, text)
    return text


def _lesson(key: str, value: Any) -> LessonProgress:
    return progress_from_text(key.removeprefix(_LESSON), str(value))


def _recent(key: str, value: Any) -> str:
    if not re.fullmatch("[0-9]{19}", key.removeprefix(_RECENT)):
        raise ParameterError(key, "the key is not the time of its use, in nanoseconds")
    return _name(key, value)


def _name(key: str, value: Any) -> str:
    """Return the name of which the value is the `_escaped` text."""
    if isinstance(value, str) and 0 < len(value) <= _LONGEST_NAME:
        try:
            name = unquote(value, errors="surrogatepass")
        except UnicodeDecodeError:
            name = "\0"
        if "\0" not in name:
            return name
    raise ParameterError(key, f"{quoted(value)} is not the name of a file or folder")


_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    THEME: declared(Settings)[THEME].check,
    START_HERE: declared(Settings)[START_HERE].check,
    **dict.fromkeys((_WINDOW, _PANEL, _BAR, _OWN_WINDOW), _place),
    _PANES: _panes,
    _MAXIMISED: _maximised,
    _SIZES: _sizes,
    _FIGURE: _figure,
    _LESSON: _lesson,
    _FOLDER: _name,
    _RECENT: _recent,
}

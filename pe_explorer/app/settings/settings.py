"""What the program remembers from one start to the next, and how each key of the file spells it.

Every folder and every recent file has a key of its own, so that two windows can add theirs at the
same time. A text that somebody has damaged is named in a sentence; all others are used.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from PySide6.QtCore import QStandardPaths

from pe_explorer import pictures
from pe_explorer.colours.themes import THEMES
from pe_explorer.exploration import Panes
from pe_explorer.params import ParameterError, one_line, quoted
from pe_explorer.widgets.splits import PARTS, Sizes

MOST_RECENT = 10
_LONGEST_KEY = 60  # characters of a key in a message
SKIPPED = "-"
"""What is kept in the place of a guess that somebody skipped."""

_NONE: Mapping[Any, Any] = MappingProxyType({})

Values = Mapping[str, Any]
"""What a file holds, by key: text, unless somebody edited it."""


class Place(NamedTuple):
    """Where something stands: left and top, mostly width and height, in pixels; and in words."""

    pixels: tuple[int, ...]
    words: tuple[str, ...] = ()


class LessonProgress(NamedTuple):
    """How far somebody has come in a lesson, whose steps are counted from 0."""

    at: int = 0
    """The step at which the lesson was left."""
    done: frozenset[int] = frozenset()
    guesses: Mapping[int, str] = _NONE
    """What was guessed at steps: a number, the place of a choice, or `SKIPPED`."""


class Settings(NamedTuple):
    """What is remembered; each field is a key of the file, each mapping a group of keys."""

    theme: str = "system"
    recent: tuple[str, ...] = ()
    """Files opened or saved last, the newest first; the key of each is the time of its use."""
    folders: Mapping[str, str] = _NONE
    """The folder used last for each kind of file: ``session``, ``picture`` and ``data``."""
    window: Place | None = None
    """With its state; None before a window was closed for the first time."""
    panels: Mapping[str, Place] = _NONE
    """With the side, whether it is open, and whether it is a tab of the one before or floats."""
    bars: Mapping[str, Place] = _NONE
    panes: Panes | None = None
    maximised: bool = False
    """Whether the active pane fills the place of all."""
    sizes: Mapping[str, Sizes] = _NONE
    """Where the splitters are, for each arrangement that was used."""
    own_windows: Mapping[str, Place] = _NONE
    """The windows of views that are in no pane."""
    start_here: str = "show"
    """Whether to show the cards for a newcomer at the first start."""
    figure: Mapping[str, str] = _NONE
    """What was chosen for the last figure; see `FigureChoices`."""
    lessons: Mapping[str, LessonProgress] = _NONE

    def folder(self, kind: str) -> str:
        """Return the last folder of a kind of file, or the user's home."""
        return self.folders.get(kind, str(Path.home()))


def parse(values: Values) -> tuple[Settings, dict[str, ParameterError]]:
    """Return the settings that can be used, and the errors of all others by their keys."""
    found: dict[str, Any] = {key[:-1]: {} for key in _KEYS if key.endswith("/")}
    errors: dict[str, ParameterError] = {}
    for key, value in values.items():
        group, slash, name = key.partition("/")
        if (kind := _KEYS.get(group + slash)) is None:
            continue
        try:
            if not isinstance(value, str) or not re.fullmatch(kind.form, value, re.DOTALL):
                raise ValueError
            read = kind.read(name, value)
        except ValueError as error:
            problem = getattr(error, "problem", f"{quoted(value)} is not {kind.meaning}")
            called = key if len(key) <= _LONGEST_KEY else f"{key[:_LONGEST_KEY]}…"
            errors[key] = ParameterError(one_line(called), problem)
            continue
        if not slash:
            found[group] = read
        elif read is not None:  # else only a later version knows it
            found[group][name] = read
    newest_first = dict(sorted(found["recent"].items(), reverse=True)).values()
    found["recent"] = tuple(dict.fromkeys(newest_first))[:MOST_RECENT]  # each once
    return Settings(**found), errors


def as_texts(**fields: Any) -> dict[str, str | None]:
    """Return the texts by key that change fields of `Settings`; of a group, None removes one."""
    texts: dict[str, str | None] = {}
    for field, value in fields.items():
        if kind := _KEYS.get(field):
            texts[field] = kind.spell(value)
        else:
            spell = _KEYS[f"{field}/"].spell
            for name, each in value.items():
                texts[f"{field}/{name}"] = None if each is None else spell(each)
    return texts


# -- how each value is spelled ---------------------------------------------------------------------


def _place(_: str, text: str) -> Place:
    return Place(_numbers(text), tuple(re.findall("[a-z]+", text)))


def _spell_place(place: Place) -> str:
    return " ".join((*place.words, _pixels(place.pixels)))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall("-?[0-9]+", text)))


def _pixels(numbers: Iterable[int]) -> str:
    """Return numbers with blanks between them, none more than can be read again."""
    return " ".join(str(max(-_LARGEST, min(number, _LARGEST))) for number in numbers)


def _panes(_: str, text: str) -> Panes:
    arrangement, active, *views = text.split()
    return Panes(pictures.parse_names(" ".join(views)), arrangement, active)


def _spell_panes(panes: Panes) -> str:
    return " ".join((panes.arrangement, panes.active, *panes.views))


def _sizes(arrangement: str, text: str) -> Sizes | None:
    if arrangement not in PARTS:
        return None
    form = " / ".join(" ".join([_NUMBER] * count) for count in PARTS[arrangement] if count)
    if not re.fullmatch(form, text):
        raise ValueError
    outer, _, inner = text.partition("/")
    return _numbers(outer), _numbers(inner)


def _spell_sizes(sizes: Sizes) -> str:
    return " / ".join(_pixels(part) for part in sizes if part)


def _figure(name: str, text: str) -> str | None:
    from pe_explorer.app.settings.figure_choices import readers  # the window opens sooner

    choice = unquote(text, errors="replace")
    if read := readers().get(name):
        read(name, choice)
    return choice if read else None


def _progress(_: str, text: str) -> LessonProgress:
    steps, _, guessed = text.partition(" guessed")
    at, *done = _numbers(steps)
    guesses = (word.split(":") for word in guessed.split())
    return LessonProgress(at, frozenset(done), {int(step): guess for step, guess in guesses})


def _spell_progress(progress: LessonProgress) -> str:
    done = map(str, sorted(progress.done))
    guesses = [f"{step}:{guess}" for step, guess in sorted(progress.guesses.items())]
    return " ".join(["at", str(progress.at), "done", *done, "guessed", *guesses])


def _name(_: str, text: str) -> str:
    name = unquote(text, errors="surrogatepass")
    if "\0" in name:
        raise ValueError
    return name


def _recent(time: str, text: str) -> str:
    if not re.fullmatch("[0-9]{19}", time):
        raise ParameterError("recent", "the key is not the time of its use, in nanoseconds")
    return _name(time, text)


def _spell_name(path: Path | str) -> str:
    return _escaped(str(Path(path).absolute()))


def _escaped(text: str) -> str:
    """Return a text with what an INI file does not keep written as in a web address."""
    return _UNSAFE.sub(lambda found: quote(found[0], safe="", errors="surrogatepass"), text)


_LARGEST = 1 << 15  # pixels of all screens side by side
_NUMBER = "(?:[12]?[0-9]{1,4}|3[0-2][0-9]{3})"
_CORNER = f"-?{_NUMBER} -?{_NUMBER}"
_BOX = f"{_CORNER} (?!0){_NUMBER} (?!0){_NUMBER}"
_IN_PIXELS = "left, top, width and height in pixels"
_PANEL = f"(left|right) (open|folded) (docked|tabbed|floating) {_BOX}"
_BAR = f"(top|left|right|bottom) (shown|hidden) {_CORNER}"
_STEPS = r"at [0-9]{1,3} done( [0-9]{1,3})* guessed( [0-9]{1,3}:[-+.0-9e]{1,24})*"
_NAME = ".{1,32768}"  # no system allows longer ones
_UNSAFE = re.compile("[%\0-\x1f\ud800-\udfff]")  # what an INI file does not keep, and the mark


class _Kind(NamedTuple):
    """How the values of a key, or of a group of keys, are spelled.

    `read` makes a value of the name in the group and a text that has the `form`. It may raise
    `ValueError`, and return None for what only a later version knows.
    """

    form: str
    meaning: str
    read: Callable[[str, str], Any] = lambda _, text: text
    spell: Callable[[Any], str] = str


def _place_kind(form: str, meaning: str) -> _Kind:
    return _Kind(form, meaning, _place, _spell_place)


_KEYS = {
    "theme": _Kind("|".join(THEMES), f"one of {', '.join(THEMES)}"),
    "start_here": _Kind("show|hide", "one of show, hide"),
    "window": _place_kind(f"(normal|maximised|full) {_BOX}", f"a state, {_IN_PIXELS}"),
    "panels/": _place_kind(_PANEL, f"the place of a panel in words, {_IN_PIXELS}"),
    "bars/": _place_kind(_BAR, "the place of a bar in words, left and top in pixels"),
    "own_windows/": _place_kind(_BOX, _IN_PIXELS),
    "panes": _Kind(".*", "an arrangement, the active view and all views", _panes, _spell_panes),
    "maximised": _Kind(
        "yes|no", "yes or no", lambda _, text: text == "yes", lambda on: "yes" if on else "no"
    ),
    "sizes/": _Kind(".*", "the sizes of these panes in pixels", _sizes, _spell_sizes),
    "figure/": _Kind(".*", "a choice for figures", _figure, _escaped),
    "lessons/": _Kind(_STEPS, "the steps of a lesson", _progress, _spell_progress),
    "folders/": _Kind(_NAME, "the name of a file or folder", _name, _spell_name),
    "recent/": _Kind(_NAME, "the name of a file or folder", _recent, _spell_name),
}
"""By the field of `Settings`, with a slash where that is a group of keys."""


def settings_path() -> Path | None:
    """Return where the system wants settings to be, None if it does not know."""
    return _standard_path(QStandardPaths.StandardLocation.AppConfigLocation, "settings.ini")


def state_folder() -> Path | None:
    """Return where the system wants unsaved work to be, None if it does not know."""
    return _standard_path(QStandardPaths.StandardLocation.StateLocation, "unsaved")


def _standard_path(kind: QStandardPaths.StandardLocation, name: str) -> Path | None:
    folder = QStandardPaths.writableLocation(kind)
    return Path(folder, name) if folder else None

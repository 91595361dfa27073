"""What the program remembers from one start to the next, and how the settings file spells it.

Every folder and every recent file has a key of its own, so that two windows can add theirs at the
same time.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, get_type_hints
from urllib.parse import quote, unquote

from PySide6.QtCore import QStandardPaths

from pe_explorer import pictures
from pe_explorer.colours.themes import THEMES
from pe_explorer.exploration import Panes
from pe_explorer.params import one_line, quoted
from pe_explorer.widgets.splits import PARTS, Sizes

MOST_RECENT = 10
SKIPPED = "-"
"""Stands for a guess that somebody skipped."""

_LONGEST_KEY = 60  # characters of a key in a message
_NONE: Mapping[Any, Any] = MappingProxyType({})
_NUMBER = "[0-9]{1,5}"  # pixels
_NUMBERS = f"{_NUMBER}( {_NUMBER})*"
_CORNER = f"-?{_NUMBER} -?{_NUMBER}"
_BOX = f"{_CORNER} (?!0){_NUMBER} (?!0){_NUMBER}"
_PANEL = f"(left|right) (open|folded) (docked|tabbed|floating) {_BOX}"
_BAR = f"(top|left|right|bottom) (shown|hidden) {_CORNER}"
_LESSON = r"at [0-9]{1,3} done( [0-9]{1,3})* guessed( [0-9]{1,3}:[-+.0-9e]{1,24})*"
_UNSAFE = re.compile("[%\0-\x1f\ud800-\udfff]")  # what an INI file does not keep, and the mark


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
    """What is remembered; each field is a key of the file, each mapping a group of keys.

    The annotation of a field ends in the form of its text in the file.
    """

    theme: Annotated[str, "|".join(THEMES)] = "system"
    recent: Annotated[tuple[str, ...], ".+"] = ()
    """Files opened or saved last, the newest first; the key of each is the time of its use."""
    folders: Annotated[Mapping[str, str], ".+"] = _NONE
    """The folder used last for each kind of file: ``session``, ``picture`` and ``data``."""
    window: Annotated[Place | None, f"(normal|maximised|full) {_BOX}"] = None
    """With its state; None before a window was closed for the first time."""
    panels: Annotated[Mapping[str, Place], _PANEL] = _NONE
    """With the side, whether it is open, and whether it is a tab of the one before or floats."""
    bars: Annotated[Mapping[str, Place], _BAR] = _NONE
    panes: Annotated[Panes | None, "[a-z-]+( [a-z-]+){2,}"] = None
    maximised: Annotated[bool, "yes|no"] = False
    """Whether the active pane fills the place of all."""
    sizes: Annotated[Mapping[str, Sizes], f"{_NUMBERS}( / {_NUMBERS})?"] = _NONE
    """Where the splitters are, for each arrangement that was used."""
    own_windows: Annotated[Mapping[str, Place], _BOX] = _NONE
    """The windows of views that are in no pane."""
    start_here: Annotated[str, "show|hide"] = "show"
    """Whether to show the cards for a newcomer at the first start."""
    figure: Annotated[Mapping[str, str], ".*"] = _NONE
    """What was chosen for the last figure; see `FigureChoices`."""
    lessons: Annotated[Mapping[str, LessonProgress], _LESSON] = _NONE

    def folder(self, kind: str) -> str:
        """Return the last folder of a kind of file, or the user's home."""
        return self.folders.get(kind, str(Path.home()))


_GROUPS = {field for field, value in Settings()._asdict().items() if value in (_NONE, ())}
_FORMS = {
    field + "/" * (field in _GROUPS): hint.__metadata__[0]
    for field, hint in get_type_hints(Settings, include_extras=True).items()
}


def parse(texts: Mapping[str, Any]) -> tuple[Settings, dict[str, str]]:
    """Return the settings that can be used, and all others in words by their keys."""
    found: dict[str, Any] = {field: {} for field in _GROUPS}
    errors = {}
    for key, text in texts.items():
        field, slash, name = key.partition("/")
        form = _FORMS.get(field + slash)
        if form is None:
            continue  # a later version may know it
        try:
            if not isinstance(text, str) or not re.fullmatch(form, text, re.DOTALL):
                raise ValueError
            value = _read(field, name, text)
        except ValueError:
            errors[key] = f"{one_line(key[:_LONGEST_KEY])}: {quoted(text)}"
            continue
        if slash:
            found[field][name] = value
        else:
            found[field] = value
    newest_first = dict(sorted(found["recent"].items(), reverse=True)).values()
    found["recent"] = tuple(dict.fromkeys(newest_first))[:MOST_RECENT]  # each once
    return Settings(**found), errors


def _read(field: str, name: str, text: str) -> Any:
    """Return the value of a text that has the form of a field; raise `ValueError` for others."""
    text = unquote(text, errors="surrogatepass")
    match field:
        case "window" | "panels" | "bars" | "own_windows":
            return Place(_numbers(text), tuple(re.findall("[a-z]+", text)))
        case "panes":
            arrangement, active, *views = text.split()
            return Panes(pictures.parse_names(" ".join(views)), arrangement, active)
        case "maximised":
            return text == "yes"
        case "sizes":
            outer, _, inner = text.partition("/")
            sizes = _numbers(outer), _numbers(inner)
            counts = len(sizes[0]), len(sizes[1])
            if counts != PARTS.get(name, counts):
                raise ValueError
            return sizes
        case "lessons":
            steps, _, guessed = text.partition(" guessed")
            at, *done = _numbers(steps)
            guesses = (guess.split(":") for guess in guessed.split())
            return LessonProgress(at, frozenset(done), {int(step): each for step, each in guesses})
        case "recent":
            int(name)
        case "figure":
            from pe_explorer.app.settings.figure_choices import FigureChoices  # slow to import

            FigureChoices.from_texts({name: text})
    return text


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall("-?[0-9]+", text)))


def spell(value: Any) -> str | None:
    """Return the text of a value in a field or a group; None stays None."""
    match value:
        case None:
            return None
        case bool():
            return "yes" if value else "no"
        case Place():
            return " ".join(map(str, (*value.words, *value.pixels)))
        case Panes():
            return " ".join((value.arrangement, value.active, *value.views))
        case LessonProgress(at, done, guesses):
            guessed = (f"{step}:{guess}" for step, guess in sorted(guesses.items()))
            return " ".join(["at", str(at), "done", *map(str, sorted(done)), "guessed", *guessed])
        case tuple():  # sizes
            return " / ".join(" ".join(map(str, part)) for part in value if part)
    return _UNSAFE.sub(lambda found: quote(found[0], safe="", errors="surrogatepass"), value)


def settings_path() -> Path | None:
    """Return where the system wants settings to be, None if it does not know."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppConfigLocation)
    return Path(folder, "settings.ini") if folder else None


def state_folder() -> Path | None:
    """Return where the system wants unsaved work to be, None if it does not know."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.StateLocation)
    return Path(folder, "unsaved") if folder else None

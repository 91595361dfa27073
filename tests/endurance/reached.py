"""Which views, encodings, exhibits and lessons random events came to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from pe_explorer import encodings, pictures
from pe_explorer.gallery.exhibits import exhibits
from pe_explorer.gallery.lessons import lessons

if TYPE_CHECKING:
    from pe_explorer.app.window.main_window import MainWindow


_ALL: dict[str, Callable[[], Iterable[str]]] = {
    "views": pictures.names,
    "encodings": encodings.names,
    "exhibits": exhibits,
    "lessons": lessons,
}


class Reached:
    """Collects the names of what is on the screen."""

    def __init__(self) -> None:
        self._found: dict[str, set[str]] = {name: set() for name in _ALL}

    def look(self, window: MainWindow) -> None:
        """Take down what a window shows."""
        self._found["views"].update(window.workspace.shown)
        self._found["encodings"].add(window.model.state.encoding.name)
        if exhibit := window.exhibit_walk.exhibit:
            self._found["exhibits"].add(exhibit.id)
        if lesson := window.lesson_walk.lesson:
            self._found["lessons"].add(lesson.id)

    def lists(self) -> dict[str, list[str]]:
        """Return the names of each kind, of those that there are."""
        return {name: sorted(self._found[name] & set(every())) for name, every in _ALL.items()}


def in_words(told: Mapping[str, Iterable[str]]) -> list[str]:
    """Return texts such as `views reached 8 of 9`, for lists of `Reached`."""
    counts = [f"{name} reached {len(set(told[name]))} of" for name in _ALL if name in told]
    return [f"{count} {len(list(_ALL[count.split()[0]]()))}" for count in counts]

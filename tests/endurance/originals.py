"""Real files of each kind that the program reads, most of them written by the program itself."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pe_explorer import encodings, pictures, quantities
from pe_explorer.app.document.autosave import BackupFile, BackupSource
from pe_explorer.app.settings.figure_choices import FigureChoices
from pe_explorer.app.settings.settings import LessonProgress
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.assets import asset
from pe_explorer.exploration import Exploration, Pin, panes_of
from pe_explorer.files import export, session
from tests.configs.support import path_of
from tests.endurance.calls import called

CONFIGURATIONS = ("gemma-3-4b", "phi-4-mini", "deepseek-v3", "olmo-3-7b.new", "mpt-7b")
_WORDS = ("the", "cat", "sat", "on", "a", "mat", "Cat", "été")


class Original(NamedTuple):
    """A file in a folder that has, besides it, only what belongs to it."""

    kind: str
    path: Path


def write_originals(folder: Path) -> Sequence[Original]:
    """Write real files below a folder."""
    folder.mkdir()
    found: list[Original] = []

    def place(kind: str, name: str) -> Path:
        path = folder / str(len(found)) / name
        path.parent.mkdir()
        found.append(Original(kind, path))
        return path

    _write_tables(place("table", "table.npy"), place("words", "words.txt"))
    _write_word_table(place("word list", "words.vocab"))
    full = _exploration(found[0].path)
    session.write(place("session", "default.json"), Exploration())
    session.write(place("session", "full.json"), full, {"later": [1, {"x": 2.5}]})
    _write_data(place("session", "data.npy.session.json"), full)
    for ending in ("png", "svg", "pdf"):
        _draw(place("session", f"figure.{ending}"), found[4].path)
    _write_backup(place("backup", "exploration-0123456789abcdef.json"), full)
    _write_settings(place("settings", "settings.ini"))
    for kind, name in (
        ("exhibits", "gallery/exhibits/start.json"),
        ("exhibits", "gallery/exhibits/000-base-1e2.json"),
        ("lessons", "gallery/lessons/000.json"),
        ("guide", "guide/clocks.json"),
    ):
        real = asset(name)
        shutil.copy(real, place(kind, real.name))
    for name in CONFIGURATIONS:
        shutil.copy(path_of(name), place("configuration", f"{name}.json"))
    return found


def _exploration(table: Path) -> Exploration:
    """Return an exploration with something of everything, which is drawn quickly."""
    learned = encodings.create("learned", file=str(table))
    rope = encodings.create("rope", head_dim=16)
    return Exploration(
        encoding=encodings.create("sinusoidal", dim=16, base=500.0),
        start=-4,
        count=30,
        pins=(Pin(learned, "rows"), Pin(rope, "été 😀")),
        options={name: pictures.find(name).Options() for name in pictures.names()},
        panes=panes_of(["heatmap", "distances"]),
    )


def _write_tables(table: Path, words: Path) -> None:
    numbers = np.random.default_rng(5).normal(size=(40, 6)).astype("<f4")
    np.save(table, numbers)
    lines = [
        f"{word} {' '.join(map(str, row))}" for word, row in zip(_WORDS, numbers, strict=False)
    ]
    words.write_text("\n".join((f"{len(lines)} 6", *lines)) + "\n", encoding="utf-8")


def _write_word_table(words: Path) -> None:
    np.save(words.with_suffix(".npy"), np.ones((len(_WORDS), 6), "<f4"))
    words.write_text("\n".join(_WORDS), encoding="utf-8")


def _write_data(side: Path, state: Exploration) -> None:
    data = quantities.of("table", encodings.create("index"), range(9))
    target = Path(str(side).removesuffix(".session.json"))
    export.write(data, target, beside=session.dumps(state))


def _draw(figure: Path, saved: Path) -> None:
    """Draw a session as `render` does."""
    command = ("render", "heatmap", "--session", str(saved), "--size", "300x200")
    outcome = called([*command, "-o", str(figure)])
    assert outcome.code == 0, outcome


def _write_backup(path: Path, state: Exploration) -> None:
    backup = BackupFile(path)
    backup.lock()
    backup.write(state, BackupSource("/origin.json", (1, 2)), {})
    backup.unlock()


def _write_settings(path: Path) -> None:
    """Write what a window remembers."""
    settings = SettingsFile(path)
    window = MainWindow(settings=settings)
    window.show()
    for name in ("/a b/é.json", "/x%y.json"):
        settings.note_file(name)
    settings.change(figure=FigureChoices().as_texts())
    settings.change(lessons={"000": LessonProgress(at=1)})
    window.leave()
    window.close()
    settings.close()
    assert settings.settings.window is not None
    window.deleteLater()
    settings.deleteLater()

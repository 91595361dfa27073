"""Valid files of each kind that the program reads, most of them written by the program."""

import shutil
from pathlib import Path

import numpy as np

from pe_explorer import encodings, pictures, quantities
from pe_explorer.app.document.backups import Autosave, SavedVersion
from pe_explorer.app.output.figure_order import FigureChoices
from pe_explorer.app.settings.settings import LessonProgress, SettingsFile
from pe_explorer.assets import find_asset
from pe_explorer.exploration import Exploration, Pin, make_panes
from pe_explorer.files import export, session
from tests.configs.support import path_of
from tests.endurance.calls import outcome_of
from tests.endurance.desk import plain_window

CONFIGURATIONS = ("gemma-3-4b", "phi-4-mini", "deepseek-v3", "olmo-3-7b.new", "mpt-7b")
_WORDS = ("the", "cat", "sat", "on", "a", "mat", "Cat", "été")


def write_originals(folder):
    """Write files; return kind and path of each, whose folder contains only related files."""
    folder.mkdir()
    found = []

    def place(kind, name):
        path = folder / str(len(found)) / name
        path.parent.mkdir()
        found.append((kind, path))
        return path

    numbers = np.random.default_rng(5).normal(size=(40, 6)).astype("<f4")
    table = place("table", "table.npy")
    np.save(table, numbers)
    lines = [" ".join((word, *map(str, row))) for word, row in zip(_WORDS, numbers, strict=False)]
    text = "\n".join((f"{len(lines)} 6", *lines)) + "\n"
    place("words", "words.txt").write_text(text, encoding="utf-8")
    words = place("words", "words.vocab")
    np.save(words.with_suffix(".npy"), np.ones((len(_WORDS), 6), "<f4"))
    words.write_text("\n".join(_WORDS), encoding="utf-8")
    learned = encodings.create("learned", file=str(table))
    full = Exploration(
        encoding=encodings.create("sinusoidal", dim=16, base=500.0),
        start=-4,
        count=30,
        pins=(Pin(learned, "rows"), Pin(encodings.create("rope", head_dim=16), "été 😀")),
        options={name: pictures.find(name).Options() for name in pictures.names()},
        panes=make_panes(["heatmap", "distances"]),
    )
    session.write(place("session", "default.json"), Exploration())
    saved = place("session", "full.json")
    session.write(saved, full, {"later": [1, {"x": 2.5}]})
    side = place("session", "data.npy.session.json")
    data = quantities.of("table", encodings.create("index"), range(9))
    export.write(data, side.with_name("data.npy"), session_text=session.dumps(full))
    for ending in ("png", "svg", "pdf"):
        figure = place("session", f"figure.{ending}")
        words = ["--session", str(saved), "--size", "300x200", "-o", str(figure)]
        outcome = outcome_of(["render", "heatmap", *words])
        assert outcome.code == 0, outcome
    path = place("backup", "exploration-0123456789abcdef.json")
    autosave = Autosave(path.parent)
    autosave.schedule(full, SavedVersion(None, Path("/origin.json")))
    autosave.close(should_keep=True)
    autosave.path.rename(path)
    settings = SettingsFile(place("settings", "settings.ini"))
    with plain_window(900, 640, settings):
        settings.add_recent_file("/a b/é.json")
        settings.add_recent_file("/x%y.json")
        settings.change(figure=FigureChoices().to_texts())
        settings.change(lessons={"waves": LessonProgress(last_step=1)})
    settings.refresh()
    assert settings.settings.window is not None
    settings.deleteLater()
    for name in ("exhibits/start", "exhibits/000-base-1e2", "lessons/waves"):
        real = find_asset(f"gallery/{name}.json")
        shutil.copy(real, place(real.parent.name, real.name))
    shutil.copy(find_asset("words/frequencies.json"), place("guide", "frequencies.json"))
    for name in CONFIGURATIONS:
        shutil.copy(path_of(name), place("configuration", f"{name}.json"))
    return found

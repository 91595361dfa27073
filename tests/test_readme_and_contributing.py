"""README.md and CONTRIBUTING.md are true: pictures, walks, the table of encodings, rooms, files."""

import math
import re
import shlex
import tomllib

import numpy as np
import pytest
from PySide6.QtGui import QImage

from pe_explorer import encodings, pictures
from pe_explorer.gallery.lessons import lessons
from tests.configs.support import config_file
from tests.support.commands import checked
from tests.support.processes import ROOT, run_program

PICTURES = ROOT / "resources" / "pictures"
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
RAISED = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "max_position_embeddings": 32768,
    "rope_theta": 500000.0,
}
"""What the README calls a Llama 3 whose length somebody has raised."""


def test_it_lists_the_encodings():
    rows = re.findall(r"(?m)^\| `(\w+)` \| (.+) \|$", README)
    summaries = {name: encodings.find(name).summary() for name in encodings.names()}
    assert dict(rows) == summaries
    assert len(rows) == len(summaries)


def test_it_lists_the_views():
    (table,) = re.findall(r"(?s)\| view \|.+?\n\n", README)
    titles = [pictures.find(name).title for name in pictures.names()]
    assert sorted(re.findall(r"(?m)^\| (\w+) \| .+\? \|$", table)) == sorted(titles)


def test_its_python_runs(working_folder):
    np.save("wpe.npy", np.arange(48.0).reshape(12, 4))
    (code,) = re.findall(r"(?s)```python\n(.+?)```", README)
    names = {"q": np.ones((2, 4096, 128))}
    exec(code, names)
    assert names["t"].domain == range(-2, 10)
    assert names["bias"].shape == names["a"].bias(range(-49, 1)).shape == (12, 50)
    assert names["cos"].shape == (4096, 128)


def test_its_check_finds_why_it_garbles(tmp_path, capsys):
    path = config_file(tmp_path, RAISED)
    examples = re.findall(r"(?m)^\$ pe-explorer check config\.json(.*)\n(.+)$", README)
    assert len(examples) == 2
    for words, line in examples:
        code, lines = checked(capsys, path, *words.split())
        assert line in lines
        assert code == line.startswith("warning: ")
    scaling = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 8192}
    path = config_file(tmp_path, RAISED | {"rope_scaling": scaling})
    code, lines = checked(capsys, path, "--trained", "8192")
    assert code == 0
    assert "full_attention: pairs with unseen angles: 0 of 64" in lines


def test_what_an_encoding_can_do_follows_from_its_abilities():
    abilities = {"Waves": "phasors", "Steady": "frequencies", "Rotary": "rotate", "Bias": "bias"}
    (listed,) = re.findall(r"(?s)depends on its abilities: (.+?)\. If", README)
    words = [word for pair in abilities.items() for word in pair]
    assert re.findall(r"(\w+)\)?`", listed) == words
    for name in encodings.names():
        e = encodings.create(name)
        for ability, function in abilities.items():
            assert isinstance(e, getattr(encodings, ability)) == hasattr(e, function)


def test_the_pictures_that_it_shows_are_there_and_no_others():
    shown = re.findall(r"!\[[^\]]+\]\((.+?)\)", README)
    assert len(shown) == len(set(shown)) == 4
    there = {path.relative_to(ROOT).as_posix() for path in PICTURES.iterdir()}
    assert set(shown) == there


def test_what_it_says_of_the_first_lesson_is_true():
    first, *more_lessons = lessons().values()
    (text,) = re.findall(r"(?s)### Learner.+?(?=\n### )", README)
    assert f"*{first.title}*" in text
    words = ["no", "one", "two", "three", "four", "five", "six"]
    assert f"After {words[len(first.steps)]} steps" in text
    assert f"{words[len(more_lessons)].capitalize()} more lessons" in text
    clocks = [step for step in first.steps if "clocks" in step.exhibit.exploration.panes.views]
    wavelengths = [2 * math.pi * 10_000 ** (2 * i / 8) for i in range(4)]
    assert wavelengths[2] == pytest.approx(10 * wavelengths[1]) == 100 * wavelengths[0]
    guess = clocks[0].guess
    assert "The answer is one turn" in text
    assert "one turn" in guess.choices[int(guess.truth)].lower()
    ((position, turns),) = re.findall(r"position (\d+)\. The first hand has made (\d+) turns", text)
    (conditions,) = clocks[1].check.groups
    assert ("position", "==", int(position)) in conditions
    assert int(position) / wavelengths[0] == pytest.approx(int(turns), rel=1e-3)
    assert all(step.exhibit.exploration.encoding.width == 8 for step in clocks)


def test_its_commands_that_make_pictures_do_so(tmp_path):
    config_file(tmp_path, RAISED)
    commands = re.findall(r"(?m)^\$ pe-explorer ((?:render|export) .+)$", README)
    last_of_list = re.findall(r"(?m)^pe-explorer (render window .+)$", README)
    for command in (*commands, *last_of_list):
        run = run_program(tmp_path, *shlex.split(command))
        assert (run.returncode, run.stdout, run.stderr) == (0, "", ""), command
    for name in ("context.png", "figure.png", "window.png"):
        sizes = {QImage(str(folder / name)).size().toTuple() for folder in (tmp_path, PICTURES)}
        assert len(sizes) == 1, name
    (printed,) = re.findall(r"(?m)^\$ head -n 3 figure\.csv\n(.+\n.+\n.+)$", README)
    lines = (tmp_path / "figure.csv").read_text(encoding="utf-8").splitlines()
    assert lines[:3] == printed.splitlines()
    assert len(lines) == 251
    for width, value in zip((1024, 128), lines[2].split(",")[1:], strict=True):
        cosines = [math.cos(10_000 ** (-2 * i / width)) for i in range(width // 2)]
        assert float(value) == pytest.approx(1 - math.fsum(cosines) / len(cosines), rel=1e-12)


# -- CONTRIBUTING.md -------------------------------------------------------------------------------


def test_its_rooms_are_the_layers_of_imports_from_the_top_down():
    (picture,) = re.findall(r"(?s)From the top down:\n\n```\n(.+?)```", CONTRIBUTING)
    above, below = (re.findall(r"(?m)^(\w+)", part) for part in re.split(r"(?m)^=+ .+$", picture))
    contracts = SETTINGS["tool"]["importlinter"]["contracts"]
    (layers,) = [each["layers"] for each in contracts if each["type"] == "layers"]
    rooms = [name for layer in layers for name in layer.split(" | ")]
    qt = rooms.index("model") + 1
    assert (above, below) == (rooms[:qt], rooms[qt:])


def test_the_files_that_it_names_are_there():
    files = re.findall(r"`((?:pe_explorer|tests|\.ci)/[\w./]+)`", CONTRIBUTING)
    assert len(files) > 5
    missing = [name for name in files if "NAME" not in name and not (ROOT / name).exists()]
    assert missing == []
    for example in ("encodings/alibi", "views/clocks"):
        assert f"pe_explorer/{example.partition('/')[0]}/NAME.py" in CONTRIBUTING
        assert (ROOT / "pe_explorer" / f"{example}.py").is_file()

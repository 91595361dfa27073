"""CONTRIBUTING.md is true: its rooms and its files."""

import re
import tomllib

from tests.support.processes import ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def named(picture):
    """Return the rooms of a part of the picture, in its order."""
    return re.findall(r"(?m)^(\w+)", picture)


def test_its_rooms_are_the_layers_of_imports_from_the_top_down():
    (picture,) = re.findall(r"(?s)From the top down:\n\n```\n(.+?)```", TEXT)
    above, below = re.split(r"(?m)^=+ .+$", picture)
    contracts = SETTINGS["tool"]["importlinter"]["contracts"]
    (layers,) = [each["layers"] for each in contracts if each["type"] == "layers"]
    rooms = [name for layer in layers for name in layer.split(" | ")]
    qt = rooms.index("model") + 1
    assert named(above) == rooms[:qt]
    assert named(below) == rooms[qt:]


def test_the_files_that_it_names_are_there():
    named = re.findall(r"`((?:pe_explorer|tests|\.ci)/[\w./]+)`", TEXT)
    assert len(named) > 5
    missing = [name for name in named if "NAME" not in name and not (ROOT / name).exists()]
    assert missing == []
    for example in ("encodings/alibi", "quantities/score", "views/clocks"):
        assert f"pe_explorer/{example.partition('/')[0]}/NAME.py" in TEXT
        assert (ROOT / "pe_explorer" / f"{example}.py").is_file()

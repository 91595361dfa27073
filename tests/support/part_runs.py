"""A part of the long tests, run small and in a process of its own."""

import json
import os
import subprocess
import sys

from tests.support.processes import ROOT

_PROGRAM = """
import importlib, sys
from pathlib import Path
from tests.endurance.faults import Faults
name, seed, size, folder, *plant = sys.argv[1:]
faults = Faults(Path("faults.jsonl"))
faults.listen()
part = importlib.import_module(f"tests.endurance.{name}")
part.run(faults, int(seed), int(size), Path(folder), plant)
"""


def faults_of(folder, name, size, *plant, seed=1):
    """Return number and words of the faults that a part finds in a new home."""
    home, place = folder / "home", folder / "place"
    home.mkdir()
    place.mkdir()
    kinds = ("CONFIG", "DATA", "STATE", "CACHE")
    folders = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in kinds}
    own = {"HOME": str(home), "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    words = [name, str(seed), str(size), str(place), *plant]
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *words],
        cwd=home,
        env={**os.environ, **own, **folders},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    lines = (home / "faults.jsonl").read_text().splitlines()
    return [(fault["event"], fault["what"]) for fault in map(json.loads, lines)]

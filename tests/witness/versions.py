"""Adds to `resources/classes.json` what older versions of transformers do differently.

    python -m tests.witness.versions FOLDER

FOLDER has a folder for each version, such as `5.23`, with the package of its wheel. A type is
traced under a version only where lines about positions, in its files or in the RoPE code that all
types share, differ from those of the next version.
"""

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

from tests.witness.classes import ROOT, TABLE, write

_ABOUT = re.compile(r"rope|rotary|posit|theta|layer_types|inv_freq|alibi|_pos\b|head_dim|mscale", re.I)
_COMPARED = ("scheme", "base", "part", "layout", "bases", "scaling", "without_positions", "head_dim")
_FILES = "configuration_*.py", "modeling_*.py"


def number(version: str) -> tuple[int, ...]:
    """Return a version as numbers, which have an order."""
    return tuple(map(int, version.split(".")))


@cache
def lines(file: Path) -> tuple[str, ...]:
    """Return the lines of a file that are about positions."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    code = (line.partition("#")[0].strip() for line in text.splitlines())
    return tuple(sorted(line for line in code if _ABOUT.search(line)))


def folders(package: Path) -> dict[str, Path]:
    """Return the folder of each model type of a version."""
    auto = package / "models" / "auto"
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(auto.glob("*.py")))
    names = set(re.findall(r'\("([^"]+)", "\w+Config"\)', text))
    special = dict(re.findall(r'\("([^"]+)", "([a-z0-9_]+)"\)', text))
    found = {}
    for name in names:
        folder = package / "models" / special.get(name, name).replace("-", "_")
        if folder.is_dir():
            found[name] = folder
    return found


def changed(newer: Path, older: Path) -> list[str]:
    """Return the types whose lines about positions differ between two versions."""
    shared = "modeling_rope_utils.py"
    everything = lines(newer / shared) != lines(older / shared)
    after, before = folders(newer), folders(older)
    found = []
    for name in sorted(after.keys() & before.keys()):
        texts = [
            {path.name: lines(path) for pattern in _FILES for path in folder.glob(pattern)}
            for folder in (after[name], before[name])
        ]
        rotates = any("rotary" in line for text in texts[1].values() for line in text)
        if texts[0] != texts[1] or (everything and rotates):
            found.append(name)
    return found


def traced(package: Path, names: list[str]) -> dict[str, Any]:
    """Return what is traced of some types under a version."""
    command = [sys.executable, "-m", "tests.witness.classes", *names]
    variables = {**os.environ, "PYTHONPATH": str(package.parent)}
    done = subprocess.run(
        command, cwd=ROOT, env=variables, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    return json.loads(done.stdout or "{}")


def main(place: Path) -> None:
    """Trace version by version, the newest first, and write the table with what differs."""
    document = json.loads(TABLE.read_text(encoding="utf-8"))
    for each in document["classes"].values():
        each.pop("until", None)
    versions = sorted((path.name for path in place.iterdir()), key=number, reverse=True)
    known: dict[str, Any] = {}
    for newer, older in zip(versions, versions[1:], strict=False):
        after, before = (place / version / "transformers" for version in (newer, older))
        names = changed(after, before)
        missing = [name for name in names if name not in known]
        known |= traced(after, missing) if missing else {}
        found = traced(before, names) if names else {}
        for name, entry in found.items():
            if name not in known:
                known[name] = entry
                continue
            different = {
                key: entry.get(key)
                for key in _COMPARED
                if entry.get(key) != known[name].get(key)
            }
            target = next((n for n in (name, name.removesuffix("_text")) if n in document["classes"]), "")
            if different and target:
                document["classes"][target].setdefault("until", {})[older] = different
            known[name] = entry
        print(older, len(names), len(found), flush=True)
        write({**document, "versions": versions})


if __name__ == "__main__":
    main(Path(sys.argv[1]))

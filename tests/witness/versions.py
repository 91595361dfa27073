"""Adds to `resources/classes.json` what older versions of transformers do differently.

    python -m tests.witness.versions FOLDER

FOLDER has a folder for each version, such as `5.23`, with the package of its wheel. The default
configurations of all types are compared version by version. A type is also traced under both
versions where lines differ that choose which channels turn together, or which layers rotate.
"""

import json
import os
import re
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path

from tests.witness.classes import BY_HAND, ROOT, TABLE, write

_CHOOSES = re.compile(r"rotate_half|1::2|use_rope|no_rope|nope_l|interleav|position_embeddings if")
_TRACED = ("scheme", "layout", "without_positions")
_DECLARED = ("base", "part", "bases", "scaling", "head_dim", "pattern", "by_layer_type")


@cache
def lines(folder):
    files = set(folder.glob("modeling_*.py")) - set(folder.glob("modeling_tf*"))
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    code = {line.partition("#")[0].strip() for line in text.splitlines()}
    return tuple(sorted(line for line in code if _CHOOSES.search(line)))


def run(package, *words):
    variables = {**os.environ, "PYTHONPATH": str(package.parent)}
    command = [sys.executable, "-m", "tests.witness.classes", *words]
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True)
    return json.loads(done.stdout or "{}")


def main(place):
    document = json.loads(TABLE.read_text(encoding="utf-8"))
    classes = document["classes"]
    by_hand = json.loads(BY_HAND.read_text(encoding="utf-8"))["classes"]
    for name, each in classes.items():
        each["until"] = dict(by_hand.get(name, {}).get("until", {}))
    names = [path.name for path in place.iterdir()]
    versions = sorted(names, key=lambda name: [*map(int, name.split("."))], reverse=True)
    packages = {version: place / version / "transformers" for version in versions}
    after = run(packages[versions[0]], "--declared")
    for newer, older in pairwise(versions):
        before = run(packages[older], "--declared")
        names = sorted(before.keys() & after.keys())
        differing = {name: compared(after[name], before[name], _DECLARED) for name in names}
        folders = [name for name in names if rewritten(packages[newer], packages[older], name)]
        if folders:
            here, there = (run(packages[version], *folders) for version in (newer, older))
            for name in here.keys() & there.keys():
                differing[name] |= compared(here[name], there[name], _TRACED)
        for name, different in differing.items():
            target = next((n for n in (name, name.removesuffix("_text")) if n in classes), "")
            entry = classes.get(target, {})
            is_plain = entry.get("scheme", "rope") == "rope" and "inner" not in entry
            if different and target and is_plain and target not in by_hand:
                entry["until"][older] = different
        print(older, len(before), folders, flush=True)
        kept = {name: {k: v for k, v in each.items() if v != {}} for name, each in classes.items()}
        write({**document, "versions": versions, "classes": kept})
        after = {**after, **before}


def rewritten(newer, older, name):
    """Return whether the lines that choose channels or layers differ between two versions."""
    folder = name.removesuffix("_text").replace("-", "_")
    here, there = (package / "models" / folder for package in (newer, older))
    return here.is_dir() and there.is_dir() and lines(here) != lines(there)


def compared(after, before, keys):
    """Return what an older version says otherwise; None is a default."""
    return {key: before.get(key) for key in keys if before.get(key) != after.get(key)}


if __name__ == "__main__":
    main(Path(sys.argv[1]))

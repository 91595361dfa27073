"""Files written by earlier versions, and helpers to compare them."""

import json
from functools import cache
from pathlib import Path

from pe_explorer import pictures

FIXTURES = Path(__file__).parents[1] / "fixtures"
FOLDERS = sorted(path for path in FIXTURES.iterdir() if path.is_dir())
FIELDS = ("start", "count", "position", "dimension", "reference", "metric", "compared", "show")


@cache
def manifest(folder):
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


def files_of(kind):
    actual = [
        (folder / name, item) for folder in FOLDERS for name, item in manifest(folder).items()
    ]
    actual = [(path, entry) for path, entry in actual if path.parent.name == kind]
    assert actual, kind
    return actual


def plain(state):
    fields = {name: getattr(state, name) for name in FIELDS}
    pins = [
        {"name": pin.name, "colour": pin.colour, "encoding": spelled(pin.encoding)}
        for pin in state.pins
    ]
    views = {name: dict(vars(pictures.find(name)(state).options)) for name in pictures.names()}
    return {"encoding": spelled(state.encoding), **fields, "pins": pins, "views": views}


def spelled(e):
    return {"name": e.name, **e.parameters}


def difference(found, wanted, place=""):
    """Return differences by path as (found, wanted); additional keys are ignored."""
    if isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        found, wanted = dict(enumerate(found)), dict(enumerate(wanted))
    if isinstance(found, dict) and isinstance(wanted, dict):
        differing = {}
        for key, value in wanted.items():
            differing |= difference(found.get(key, "missing"), value, f"{place}.{key}".lstrip("."))
        return differing
    # as text: 1 is not 1.0, and 0.0 is not -0.0
    return {} if json.dumps(found) == json.dumps(wanted) else {place: (found, wanted)}

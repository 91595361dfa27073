"""The files that earlier versions wrote, and how what they open as is compared with what was asked for."""

import json
from functools import cache
from pathlib import Path

FOLDERS = sorted(path for path in Path(__file__).parent.joinpath("fixtures").iterdir() if path.is_dir())
FIELDS = ("start", "count", "position", "dimension", "reference", "metric", "compared", "show")


@cache
def manifest(folder):
    """Return what is said of each file in a folder, by its name."""
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


def files_of(kind):
    """Return the files of a kind, and what is said of each."""
    found = [(folder / name, entry) for folder in FOLDERS for name, entry in manifest(folder).items() if name.startswith(f"{kind}/")]
    assert found, kind
    return found


def plain(state):
    """Return an exploration in plain values."""
    fields = {name: getattr(state, name) for name in FIELDS}
    pins = [{"name": pin.name, "colour": pin.colour, "encoding": spelled(pin.encoding)} for pin in state.pins]
    views = {name: dict(vars(options)) for name, options in state.options.items()}
    return {"encoding": spelled(state.encoding), **fields, "pins": pins, "views": views}


def spelled(e):
    return {"name": e.name, **e.parameters}


def difference(found, wanted, place=""):
    """Return what differs, by its place: (found, wanted); nothing may be missing, but there may be more."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        pairs = {f"{place}.{key}" if place else key: (found.get(key, "missing"), value) for key, value in wanted.items()}
    elif isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        pairs = {f"{place}[{k}]": pair for k, pair in enumerate(zip(found, wanted, strict=True))}
    else:  # as text: 1 is not 1.0, and 0.0 is not -0.0
        return {} if json.dumps(found) == json.dumps(wanted) else {place: (found, wanted)}
    return {key: value for inner, pair in pairs.items() for key, value in difference(*pair, inner).items()}

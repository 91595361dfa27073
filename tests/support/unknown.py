"""Encodings that the program does not know: of a later version, and of the tests."""

import json

from pe_explorer import encodings
from pe_explorer.exploration import Exploration, Pin
from pe_explorer.files.session import dumps
from pe_explorer.params import describe_bad_choice

LATER = {"name": "x-helix", "dim": 64, "theta": 5}
NOT_KNOWN = describe_bad_choice("x-helix", encodings.names())


def document(encoding=LATER, pins=(), **fields):
    """Return the JSON of a session with an encoding and pins (name, encoding)."""
    known = encodings.create("index")
    stand_ins = [Pin(known, name, "teal") for name, _ in pins]
    made = json.loads(dumps(Exploration(known, pins=stand_ins, **fields)))
    spelled = [each | {"encoding": e} for each, (_, e) in zip(made["pins"], pins, strict=True)]
    return made | {"encoding": encoding, "pins": spelled}


def use_schemes(monkeypatch, **schemes):
    monkeypatch.setattr(encodings, "_load_schemes", lambda: schemes)


def add_scheme(monkeypatch, scheme):
    present = {name: encodings.find(name) for name in encodings.names()}
    use_schemes(monkeypatch, **present, **{scheme.name: scheme})

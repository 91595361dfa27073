"""An encoding of a later version, which this program cannot make."""

import json

from pe_explorer import encodings
from pe_explorer.exploration import Exploration, Pin
from pe_explorer.files.session import dumps

LATER = {"name": "x-helix", "dim": 64, "theta": 5}
NOT_KNOWN = f"'x-helix' is not one of {', '.join(encodings.names())}"


def document(encoding=LATER, pins=(), **fields):
    """Return a session's document with an encoding and pins (name, encoding) put in by hand."""
    known = encodings.create("index")
    stand_ins = [Pin(known, name, "teal") for name, _ in pins]
    made = json.loads(dumps(Exploration(known, pins=stand_ins, **fields)))
    spelled = [each | {"encoding": e} for each, (_, e) in zip(made["pins"], pins, strict=True)]
    return made | {"encoding": encoding, "pins": spelled}

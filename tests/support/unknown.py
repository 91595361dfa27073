"""Encodings that the program cannot make: of a later version, or of parameters that do not fit."""

import json
from dataclasses import dataclass
from typing import ClassVar

import pytest

from pe_explorer import encodings
from pe_explorer.encodings import Absolute, EncodingError
from pe_explorer.encodings.abilities.absolute import embedding_width
from pe_explorer.exploration import Exploration, Pin
from pe_explorer.files.session import dumps
from pe_explorer.params import Whole, declare
from tests.support.schemes import add_scheme

LATER = {"name": "x-helix", "dim": 64, "theta": 5}
"""An encoding of a later version."""
NOT_KNOWN = f"'x-helix' is not one of {', '.join(encodings.names())}"
"""What is said of it."""
ODD = {"name": "odd", "dim": 6, "groups": 4}


@dataclass(frozen=True)
class Odd(Absolute):
    """Ones, in groups of dimensions of equal size."""

    name: ClassVar[str] = "odd"
    rank: ClassVar[int] = 99
    dim: int = embedding_width(12)
    groups: int = declare(Whole(3, 1, 100, label="Groups", help="How many."))

    @property
    def value_range(self):
        return 1.0, 1.0

    def check_together(self):
        if self.dim % self.groups:
            problem = f"{self.groups} do not divide {self.dim} dimensions; choose a divisor"
            raise EncodingError("groups", problem)

    def _fill(self, positions, out):
        out[:] = 1.0

    def _fill_means(self, start, block, out):
        out[:] = 1.0

    def explain(self, position, dimension):
        return (f"PE({position}, {dimension}) = 1",)


@pytest.fixture
def odd(monkeypatch):
    """A scheme that refuses some combinations of legal values."""
    add_scheme(monkeypatch, Odd)
    return Odd


def document(encoding=LATER, pins=(), **fields):
    """Return a session's document with an encoding and pins (name, encoding) put in by hand."""
    known = encodings.create("index")
    stand_ins = [Pin(known, name, "teal") for name, _ in pins]
    made = json.loads(dumps(Exploration(known, pins=stand_ins, **fields)))
    spelled = [each | {"encoding": e} for each, (_, e) in zip(made["pins"], pins, strict=True)]
    return made | {"encoding": encoding, "pins": spelled}

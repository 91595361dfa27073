"""Random encodings and positions, near and far, with what is legal and seldom in both."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from pe_explorer import encodings
from pe_explorer.encodings import LIMIT, Encoding
from pe_explorer.params import Choice, Flag, Real, declared
from tests.support.samples import sample

_TABLES, _ROWS = 12, 6
_WIDTHS = (1, 2, 3, 4, 5, 8, 12)
_BASES = (1e4, 1e4, math.nextafter(1, 2), 1.0000001, 1.5, math.pi, 5e5, 1e12)
_SCALES = (1.0, 1.0, 1.0, -1.0, 1e3, 1e6, 1e-2, 1e-6, 1e-6, 1e-20, 1 / 3)


def write_tables(folder: Path, pick: Random) -> list[Path]:
    """Write tables of moderate numbers, some of whose rows are nearly equal; return the files."""
    paths = []
    for number in range(_TABLES):
        width = pick.choice(_WIDTHS)
        rows = np.array([[pick.gauss(0, 1) for _ in range(width)] for _ in range(_ROWS)])
        middle = pick.choice((0.0, 1.0, 1e6))
        table = middle + pick.choice((1.0, 1.0, 1e-6)) * rows
        path = folder / f"numbers-{number}.npy"
        np.save(path, table.astype(pick.choice(("<f8", "<f8", "<f4", ">f8"))))
        paths.append(path)
    return paths


def some_encoding(pick: Random, tables: Sequence[Path]) -> Encoding:
    """Return an encoding of any scheme with random parameters."""
    name = pick.choice([*encodings.names(), "sinusoidal", "sinusoidal"])
    if name in _PARAMETERS:
        return encodings.create(name, **_PARAMETERS[name](pick, tables))
    return replace(sample(name), **dict(_usual(encodings.find(name), pick)))


def _usual(scheme: type[Encoding], pick: Random) -> Iterator[tuple[str, Any]]:
    """Yield parameters of a scheme that is not listed below, from the range of their sliders."""
    for name, kind in declared(scheme).items():
        if isinstance(kind, Choice):
            yield name, pick.choice(list(kind.choices))
        elif isinstance(kind, Flag):
            yield name, pick.random() < 0.5
        elif isinstance(kind, Real) and kind.comfort:
            yield name, pick.uniform(*kind.comfort)


def some_positions(pick: Random, e: Encoding) -> range:
    """Return a few positions that have rows, with a step."""
    first, last = e.domain[0], e.domain[-1]
    count = pick.randint(2, 5)
    step = pick.choice((1, 1, 1, 2, 1000))
    if (count - 1) * step > last - first:
        return range(first, last + 1)
    start = pick.choice((0, -2, _far(pick), _far(pick), first, last))
    start = min(max(first, start), last - (count - 1) * step)
    return range(start, start + count * step, step)


def _far(pick: Random) -> int:
    return pick.choice((-1, 1)) * int(10 ** pick.uniform(0, math.log10(LIMIT)))


def _sinusoidal(pick: Random, tables: Sequence[Path]) -> dict[str, Any]:
    return {
        "dim": pick.choice(_WIDTHS),
        "base": pick.choice((*_BASES, 10 ** pick.uniform(0.01, 12))),
        "scale": pick.choice(_SCALES),
        "offset": pick.choice((0, 0, 1, -5, _far(pick))),
        "layout": pick.choice(("interleaved", "concatenated")),
        "spacing": pick.choice(("paper", "endpoint")),
        "order": pick.choice(("sin-cos", "cos-sin")),
        "waves": pick.choice(("both", "sine", "cosine")),
    }


def _width(pick: Random, tables: Sequence[Path]) -> dict[str, Any]:
    return {"dim": pick.choice(_WIDTHS)}


def _fraction(pick: Random, tables: Sequence[Path]) -> dict[str, Any]:
    length = pick.choice((1, 50, 3, 7777, LIMIT, abs(_far(pick))))
    return {"dim": pick.choice(_WIDTHS), "length": max(1, length)}


def _learned(pick: Random, tables: Sequence[Path]) -> dict[str, Any]:
    return {"file": str(pick.choice(tables)), "row_offset": pick.choice((0, 0, 1))}


def _rope(pick: Random, tables: Sequence[Path]) -> dict[str, Any]:
    return {
        "head_dim": pick.choice((4, 8, 12)),
        "rope_theta": pick.choice(_BASES),
        "partial_rotary_factor": pick.choice((1.0, 1.0, 0.5)),
        "layout": pick.choice(("half", "interleaved")),
    }


def _alibi(pick: Random, tables: Sequence[Path]) -> dict[str, Any]:
    return {"heads": pick.choice((1, 2, 3, 7, 8, 12)), "symmetric": pick.random() < 0.5}


_PARAMETERS = {
    "sinusoidal": _sinusoidal,
    "index": _width,
    "binary": _width,
    "fraction": _fraction,
    "learned": _learned,
    "rope": _rope,
    "alibi": _alibi,
}

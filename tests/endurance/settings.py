"""Random encodings and positions, near and far, with what is legal and seldom in both."""

import math
from dataclasses import replace

import numpy as np

from pe_explorer import encodings
from pe_explorer.encodings import LIMIT
from pe_explorer.params import Choice, Flag, Real, declared
from tests.support.samples import sample

_TABLES, _ROWS = 12, 6
_WIDTHS = (1, 2, 3, 4, 5, 8, 12)
_BASES = (1e4, 1e4, math.nextafter(1, 2), 1.0000001, 1.5, math.pi, 5e5, 1e12)
_SCALES = (1.0, 1.0, 1.0, -1.0, 1e3, 1e6, 1e-2, 1e-6, 1e-6, 1e-20, 1 / 3)
_CHOICES = {
    "sinusoidal": {"dim": _WIDTHS, "scale": _SCALES},
    "index": {"dim": _WIDTHS},
    "binary": {"dim": _WIDTHS},
    "fraction": {"dim": _WIDTHS},
    "learned": {"row_offset": (0, 0, 1)},
    "rope": {
        "head_dim": (4, 8, 12),
        "rope_theta": _BASES,
        "partial_rotary_factor": (1.0, 1.0, 0.5),
        "layout": ("half", "interleaved"),
    },
    "alibi": {"heads": (1, 2, 3, 7, 8, 12), "symmetric": (False, True)},
}
"""What the parameters of an encoding are chosen from, but for those of the functions below."""


def write_tables(folder, pick):
    paths = []
    for number in range(_TABLES):
        width = pick.choice(_WIDTHS)
        rows = np.array([[pick.gauss(0, 1) for _ in range(width)] for _ in range(_ROWS)])
        table = pick.choice((0.0, 1.0, 1e6)) + pick.choice((1.0, 1.0, 1e-6)) * rows
        paths.append(folder / f"numbers-{number}.npy")
        np.save(paths[-1], table.astype(pick.choice(("<f8", "<f8", "<f4", ">f8"))))
    return paths


def some_encoding(pick, tables):
    name = pick.choice([*encodings.names(), "sinusoidal", "sinusoidal"])
    if name not in _CHOICES:
        return replace(sample(name), **_usual(encodings.find(name), pick))
    found = {key: pick.choice(values) for key, values in _CHOICES[name].items()}
    if name == "sinusoidal":
        choices = declared(encodings.find(name)).items()
        found |= {key: pick.choice(list(k.choices)) for key, k in choices if isinstance(k, Choice)}
        found["base"] = pick.choice((*_BASES, 10 ** pick.uniform(0.01, 12)))
        found["offset"] = pick.choice((0, 0, 1, -5, _far(pick)))
    elif name == "fraction":
        found["length"] = max(1, pick.choice((1, 50, 3, 7777, LIMIT, abs(_far(pick)))))
    elif name == "learned":
        found["file"] = str(pick.choice(tables))
    return encodings.create(name, **found)


def _usual(scheme, pick):
    """Return parameters of a scheme that is not listed above, from the range of their sliders."""
    found = {}
    for name, kind in declared(scheme).items():
        if isinstance(kind, Choice | Flag):
            found[name] = pick.choice(
                list(kind.choices) if isinstance(kind, Choice) else (False, True)
            )
        elif isinstance(kind, Real) and kind.comfort:
            found[name] = pick.uniform(*kind.comfort)
    return found


def some_positions(pick, e):
    first, last = e.domain[0], e.domain[-1]
    count, step = pick.randint(2, 5), pick.choice((1, 1, 1, 2, 1000))
    if (count - 1) * step > last - first:
        return range(first, last + 1)
    start = pick.choice((0, -2, _far(pick), _far(pick), first, last))
    start = min(max(first, start), last - (count - 1) * step)
    return range(start, start + count * step, step)


def _far(pick):
    return pick.choice((-1, 1)) * int(10 ** pick.uniform(0, math.log10(LIMIT)))

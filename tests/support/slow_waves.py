"""Encodings with waves so slow, and positions so few, that angles stay small; made at random."""

import math
import random

import numpy as np

from pe_explorer import encodings
from tests.support.oracles import definition

MOST = 4e-16  # promised of sines, relative to themselves or to the angles of their block
BLOCK = 64  # rows
ROPE_TYPES = {
    "default": (),
    "linear": ("factor",),
    "dynamic": ("factor", "sequence_length"),
    "ntk": ("factor",),
    "yarn": ("factor", "original_max_position_embeddings"),
    "longrope": ("short_factor",),
    "llama3": ("factor", "original_max_position_embeddings"),
    "proportional": ("factor",),
}


def some_waves(seed):
    """Return an encoding, and the source of random numbers that it is made from."""
    pick = random.Random(f"slow {seed}")
    base = pick.choice([1e12, 1e4, 10 ** pick.uniform(0.1, 12)])
    width = 2 * pick.randint(2, 12)
    if pick.random() < 0.4:
        return pick, encodings.create(
            "sinusoidal",
            dim=width,
            base=base,
            scale=pick.choice([1.0, -1.0, 1e-6, 1e6, 10 ** pick.uniform(-30, 3)]),
            offset=pick.choice([0, 0, 1, -7, 2**40]),
            layout=pick.choice(["interleaved", "concatenated"]),
            order=pick.choice(["sin-cos", "cos-sin"]),
            waves=pick.choice(["both", "both", "sine"]),
        )
    kind = pick.choice(list(ROPE_TYPES))
    values = {
        "factor": pick.choice([1.0, 1e12, 1e-6, 10 ** pick.uniform(-6, 12)]),
        "sequence_length": pick.randint(8192, 2**53),
        "original_max_position_embeddings": int(2 ** pick.uniform(1, 53)),
        "short_factor": [10 ** pick.uniform(-6, 12) for _ in range(width // 2)],
    }
    given = {name: values[name] for name in ROPE_TYPES[kind]}
    layout = pick.choice(["half", "interleaved"])
    return pick, encodings.create(
        "rope",
        head_dim=width,
        rope_theta=base,
        rope_type=kind,
        layout=layout,
        attention=1.0 if kind in ("yarn", "longrope") else None,
        **given,
    ) if kind in ("yarn", "longrope") else encodings.create(
        "rope", head_dim=width, rope_theta=base, rope_type=kind, layout=layout, **given
    )


def some_rows(pick, origin=0):
    """Return positions around the zero of angles, or near it, or anywhere."""
    count = pick.choice([1, 2, 50, 64, 65, 200, 1000, 5000])
    step = pick.choice([1, 1, 2, -1, -3, 1000])
    start = pick.choice([0, 1, -(count // 2) * step, -count * step, pick.randint(-(10**9), 10**9)])
    return range(start - origin, start - origin + count * step, step)


def largest_angles(e, positions):
    """Return the largest |angle| of each block of rows, for each column, shape (n, width)."""
    defined = definition(e)
    found = np.empty((len(positions), defined.width))
    for first in range(0, len(positions), BLOCK):
        ends = positions[first], positions[min(first + BLOCK, len(positions)) - 1]
        for j in range(defined.width):
            angles = [abs(defined.angle(p, j) or 0) for p in ends]
            found[first : first + BLOCK, j] = math.nan if not angles else float(max(angles))
    return found

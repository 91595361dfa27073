"""Random encodings with waves so slow that their angles remain small."""

import random

from pe_explorer import encodings
from pe_explorer.encodings import EncodingError
from pe_explorer.encodings.rope_types import TYPES
from tests.support.definitions import mp

PROMISED = 4e-16  # relative error of a small sine; absolute error of other numbers
BLOCK = 64  # rows of a block, whose largest angle determines the error
LIMIT = 2**53


def some_waves(pick):
    """Return a sinusoidal or rotary encoding, often with a base or factor near its limit."""
    base = pick.choice([1e12, 1e4, 10 ** pick.uniform(0.1, 12)])
    width = 2 * pick.randint(2, 12)
    if pick.random() < 0.4:
        return encodings.create(
            "sinusoidal",
            dim=width,
            base=base,
            scale=pick.choice([1.0, -1.0, 1e-6, 1e6, 10 ** pick.uniform(-30, 3)]),
            offset=pick.choice([0, 0, 1, -7, 2**40]),
            layout=pick.choice(["interleaved", "concatenated"]),
            order=pick.choice(["sin-cos", "cos-sin"]),
            waves=pick.choice(["both", "both", "sine"]),
        )
    kind = pick.choice([*TYPES])
    more = {"attention": 1.0} if kind in ("yarn", "longrope") else {}
    if kind == "longrope":
        more["short_factor"] = [10 ** pick.uniform(-6, 12) for _ in range(width // 2)]
    return encodings.create(
        "rope",
        head_dim=width,
        rope_theta=base,
        rope_type=kind,
        layout=pick.choice(["half", "interleaved"]),
        factor=pick.choice([1.0, 1e12, 1e-6, 10 ** pick.uniform(-6, 12)]),
        sequence_length=pick.randint(8192, LIMIT),
        original_max_position_embeddings=int(2 ** pick.uniform(1, 53)),
        **more,
    )


def almost_equal(pick, e):
    """Return an encoding that differs very little in one or two parameters."""
    names = ("base", "scale") if e.name == "sinusoidal" else ("rope_theta", "factor")
    shares = [1e-3, 1e-8, 1e-11, -1e-14, 3e-16]
    chosen = pick.sample(names, pick.randint(1, 2))
    changed = {name: getattr(e, name) * (1 - pick.choice(shares)) for name in chosen}
    if e.name == "sinusoidal" and pick.random() < 0.3:
        changed["offset"] = e.offset + pick.choice([1, -5])
    try:
        return encodings.create(e.name, **{**e.parameters, **changed})
    except EncodingError:  # remains below a limit
        return almost_equal(pick, e)


def some_rows(pick, origin=0):
    """Return positions around the row where all angles are 0, next to this row, or anywhere."""
    count = pick.choice([1, 2, 50, 64, 65, 200, 1000, 5000])
    step = pick.choice([1, 1, 2, -1, -3, 1000])
    start = pick.choice([0, 1, -(count // 2) * step, -count * step, pick.randint(-(10**9), 10**9)])
    return range(start - origin, start - origin + count * step, step)


def block_of(rows, row):
    """Return the first and the last row of the block that contains a row."""
    first = row // BLOCK * BLOCK
    return rows[first], rows[min(first + BLOCK, len(rows)) - 1]


def error(found, exact):
    return float(abs(mp.mpf(float(found)) - exact))


def relative_error(found, exact):
    return error(found, exact) / float(abs(exact) or 1)


def seeded(*words):
    return random.Random(" ".join(map(str, words)))

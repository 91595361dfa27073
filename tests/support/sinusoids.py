"""Sinusoidal encodings, and formulas of their tables as in tutorials."""

import math

import numpy as np
from hypothesis import strategies as st

from pe_explorer import encodings
from pe_explorer.params import declared

CHOICES = {
    name: tuple(declared(encodings.find("sinusoidal"))[name].choices)
    for name in ("layout", "spacing", "order", "waves")
}


def sinusoidal(**parameters):
    return encodings.create("sinusoidal", **parameters)


def rope(head_dim=128, rope_theta=1e6, **parameters):
    return encodings.create("rope", head_dim=head_dim, rope_theta=rope_theta, **parameters)


def encodings_of_width(low, high):
    """Return a hypothesis strategy for sinusoidal encodings of all widths."""
    return st.builds(
        sinusoidal,
        dim=st.integers(low, high),
        base=st.floats(1.0, 1e12, exclude_min=True),
        scale=st.floats(-1e6, 1e6),
        offset=st.integers(-(2**53), 2**53),
        **{name: st.sampled_from(choices) for name, choices in CHOICES.items()},
    )


def sinusoid(positions, dim, base=1e4):
    """Return the table of the paper: alternating sines and cosines, frequency base^(-2i/dim)."""
    angles = np.outer(positions, base ** (-2 * np.arange(dim // 2) / dim))
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(positions), dim)


def turned(dim, base, k):
    """Return the matrix that shifts the rows of a sinusoidal table by k positions."""
    matrix = np.zeros((dim, dim))
    for i in range(0, dim, 2):
        c, s = math.cos(k / base ** (i / dim)), math.sin(k / base ** (i / dim))
        matrix[i : i + 2, i : i + 2] = [[c, -s], [s, c]]
    return matrix

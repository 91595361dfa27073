"""Toy word vectors, combined with positions by the definition of an encoding."""

import hashlib
import math

import numpy as np

from tests.support.definitions import mp


def toy_vector(word, width):
    """Return the built-in vector of a word, with one bit of a hash in each column.

    Capitals and a full stop at the end do not change the vector.
    """
    digest = hashlib.shake_128(word.strip(".").lower().encode("utf-8")).digest(-(-width // 8))
    bits = [digest[j // 8] >> (j % 8) & 1 for j in range(width)]
    return [(2 * bit - 1) / math.sqrt(2) for bit in bits]


def joined_rows(defined, words, start, step=1):
    """Return the row of each word: RoPE rotates the vectors, and a bias does not change them."""
    positions = range(start, start + step * len(words), step)
    if "bias" in defined.abilities:
        return np.array([toy_vector(word, 64) for word in words])
    if "rotary" not in defined.abilities:
        return defined.rows(positions) + [toy_vector(word, defined.width) for word in words]
    rows = [toy_vector(word, defined.e.head_dim) for word in words]
    for p, row in zip(positions, rows, strict=True):
        for pair in range(defined.pairs):
            a, b = (c for c in range(defined.rotated) if defined.wave(c)[0] == pair)
            turn = defined.amplitude * mp.expj(p * defined.frequency(pair))
            there = turn * mp.mpc(row[a], row[b])
            row[a], row[b] = float(there.real), float(there.imag)
    return np.array(rows)

"""The formulas of the documents, written anew with NumPy and mpmath."""

import mpmath
import numpy as np

TURN = 2 * np.pi


def rates(dim, base=1e4, *, endpoint=False):
    """Return the frequency of each pair of an even width, rounded from 50 digits."""
    with mpmath.workdps(50):
        exact = exact_rates(dim, base, endpoint=endpoint)
        return np.array([float(rate) for rate in exact])


def exact_rates(dim, base=1e4, *, endpoint=False):
    """Return these frequencies in the digits that mpmath works with now."""
    pairs = dim // 2
    steps = mpmath.mpf(pairs - 1) if endpoint else mpmath.mpf(dim) / 2
    return [mpmath.mpf(base) ** (-pair / steps) for pair in range(pairs)]


def rows(positions, frequencies, *, concatenated=False):
    """Return sines and cosines, shape (positions, 2 · pairs)."""
    angles = np.asarray(positions, dtype=float)[:, None] * frequencies
    if concatenated:
        return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    table = np.empty((len(angles), 2 * len(frequencies)))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


def exact_rows(positions, dim, base=1e4):
    """Return the same of 50 digits, sine beside cosine."""
    with mpmath.workdps(50):
        frequencies = exact_rates(dim, base)
        waves = [mpmath.cos_sin(p * rate) for p in positions for rate in frequencies]
        cells = [float(part) for cosine, sine in waves for part in (sine, cosine)]
    return np.array(cells).reshape(-1, dim)


def alike(frequencies, apart):
    """Return the cosine similarity of two rows so many positions apart."""
    return float(np.cos(np.asarray(apart) * frequencies).mean())


def far(frequencies, apart):
    """Return their Euclidean distance."""
    return float(np.sqrt(2 * len(frequencies) * (1 - alike(frequencies, apart))))


def moving(frequencies, by, *, concatenated=False):
    """Return the matrix that rows are multiplied by to move them."""
    pairs = len(frequencies)
    sines = np.arange(pairs) if concatenated else 2 * np.arange(pairs)
    cosines = sines + (pairs if concatenated else 1)
    matrix = np.zeros((2 * pairs, 2 * pairs))
    matrix[sines, sines] = matrix[cosines, cosines] = np.cos(by * frequencies)
    matrix[cosines, sines] = np.sin(by * frequencies)
    matrix[sines, cosines] = -np.sin(by * frequencies)
    return matrix

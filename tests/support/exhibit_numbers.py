"""Numbers of exhibits: those that their main pane exports, and formulas for them, written anew."""

import hashlib
import tempfile
from pathlib import Path

import numpy as np

from pe_explorer import pictures
from pe_explorer.commandline.main import main
from pe_explorer.exploration import DirectStore, resolve
from pe_explorer.flags import ExportRequest
from pe_explorer.gallery.exhibits import find
from pe_explorer.gallery.tries import with_settings

# -- what is exported ------------------------------------------------------------------------------


def exported(name, settings=None):
    """Return the numbers of an exhibit's main pane, after some settings if any are given."""
    return _with_settings(name, settings) if settings else _as_written(name)


def _as_written(name):
    """Return what the command writes to a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "numbers.npy"
        code = main(["export", "--exhibit", name, "--carry", "omit", "-o", str(path)])
        assert code == 0
        return np.load(path)


def _with_settings(name, settings):
    exhibit = find(name)
    state = resolve(with_settings(exhibit.exploration, settings), DirectStore())
    what, show = pictures.find(exhibit.main).exported(state)
    data = ExportRequest.of(state, what=what, show=show).data(
        state.encoding,
        range(state.start, state.start + state.count),
        state.pins,
    )
    out = np.empty(data.shape)
    data.fill(data.index, out)
    return out


def tried(name, label):
    """Return the numbers of the main pane after one of the exhibit's buttons."""
    (settings,) = (each.settings for each in find(name).tries if each.label == label)
    return exported(name, settings)


# -- the formulas of the documents, written anew ---------------------------------------------------


def frequencies(dim, base=1e4):
    """Return the frequencies of the paper, radians per position, shape (dim / 2,)."""
    return np.array([float(base) ** (-2 * pair / dim) for pair in range(dim // 2)])


def wavelengths(dim, base=1e4):
    """Return the positions that each pair needs for a turn."""
    return 2 * np.pi / frequencies(dim, base)


def table(positions, dim, base=1e4):
    """Return the rows of the paper: in each pair a sine, then its cosine."""
    angles = np.multiply.outer(np.asarray(positions, float), frequencies(dim, base))
    rows = np.empty((len(angles), dim))
    rows[:, 0::2] = np.sin(angles)
    rows[:, 1::2] = np.cos(angles)
    return rows


def similarity(separation, dim, base=1e4):
    """Return the cosine of the angle between two rows that are some positions apart."""
    return float(np.cos(separation * frequencies(dim, base)).mean())


def still_columns(rows, least=0.1):
    """Return how many columns have values that differ by less than `least`."""
    return int((np.ptp(rows, axis=0) < least).sum())


def toy_words(sentence, dim):
    """Return the vectors of the built-in words, shape (words, dim)."""
    return np.array([_toy_word(word, dim) for word in sentence.lower().split()])


def _toy_word(word, dim):
    digest = hashlib.shake_128(word.strip(".").encode()).digest((dim + 7) // 8)
    bits = np.unpackbits(np.frombuffer(digest, np.uint8), bitorder="little")[:dim]
    return (2.0 * bits - 1) / np.sqrt(2)

"""Numbers exported by exhibits, and rewritten formulas for them."""

import tempfile
from functools import cache

import mpmath
import numpy as np

from pe_explorer import pictures
from pe_explorer.commandline.main import main
from pe_explorer.exploration import DirectStore, resolve
from pe_explorer.flags import ExportRequest
from pe_explorer.gallery.exhibits import find
from pe_explorer.gallery.tries import with_settings
from tests.support.requirements import whole
from tests.support.toy_words import toy_vector

TURN = 2 * np.pi

# -- what is exported ------------------------------------------------------------------------------


def exported(name, settings=None):
    """Return the numbers of an exhibit's main pane, with optional settings."""
    exhibit = find(name)
    if not settings:
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/numbers.npy"
            assert main(["export", "--exhibit", name, "--carry", "omit", "-o", path]) == 0
            return np.load(path)
    state = resolve(with_settings(exhibit.exploration, settings), DirectStore())
    picture = pictures.make_picture(exhibit.main_view, state)
    what, show = picture.quantity_name(), picture.show
    request = ExportRequest.from_exploration(state, what=what, show=show)
    return whole(request.data(state.encoding, state.positions, state.pins))


def numbers_after_try(name, index):
    """Return the numbers of the main pane after a try."""
    return exported(name, find(name).tries[index].settings)


def close(found, expected, atol=1e-12, rtol=0.0):
    np.testing.assert_allclose(found, expected, rtol=rtol, atol=0 if rtol else atol)


# -- the formulas of the documents, written anew ---------------------------------------------------


@cache
def rates(dim, base=1e4, *, endpoint=False):
    """Return the frequencies for an even width, rounded from 50 digits."""
    with mpmath.workdps(50):
        exact = exact_rates(dim, base, endpoint=endpoint)
        actual = np.array([float(rate) for rate in exact])
    actual.flags.writeable = False  # shared by all tests
    return actual


def wavelengths(dim, base=1e4):
    """Return the wavelength of each pair."""
    return TURN / rates(dim, base)


def exact_rates(dim, base=1e4, *, endpoint=False):
    """Return the frequencies in the current precision of mpmath."""
    pairs = dim // 2
    steps = mpmath.mpf(pairs - 1) if endpoint else mpmath.mpf(dim) / 2
    return [mpmath.mpf(base) ** (-pair / steps) for pair in range(pairs)]


def rows(positions, frequencies, *, concatenated=False):
    """Return sines and cosines, shape (positions, 2 · pairs)."""
    angles = np.asarray(positions, dtype=float)[:, None] * frequencies
    if concatenated:
        return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    return rows_of(angles)


def rows_of(angles):
    """Return sines and cosines of angles, interleaved."""
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1)


def table(positions, dim, base=1e4):
    """Return the rows of the paper, interleaved."""
    return rows(positions, rates(dim, base))


def exact_rows(positions, dim, base=1e4):
    """Return the rows of the paper to 50 digits, interleaved."""
    with mpmath.workdps(50):
        frequencies = exact_rates(dim, base)
        waves = [mpmath.cos_sin(p * rate) for p in positions for rate in frequencies]
        cells = [float(part) for cosine, sine in waves for part in (sine, cosine)]
    return np.array(cells).reshape(-1, dim)


def single_rates(dim):
    """Return the frequencies of the usual code, correctly rounded to float32 at each step."""
    step = np.float32(-np.log(10000.0) / dim)
    exponents = np.arange(0, dim, 2, dtype=np.float32) * step
    return np.exp(exponents.astype(float)).astype(np.float32)


def single_rows(positions, dim):
    """Return the rows of the usual float32 code."""
    angles = np.asarray(positions, np.float32)[:, None] * single_rates(dim)
    return rows_of(angles.astype(float)).astype(np.float32).astype(float)


def single_errors(start, dim=512, count=50):
    """Return the errors of the usual float32 code."""
    positions = range(start, start + count)
    return single_rows(positions, dim) - exact_rows(positions, dim)


def alike(frequencies, apart):
    """Return the cosine similarity of rows at an offset."""
    return float(np.cos(np.asarray(apart) * frequencies).mean())


def far(frequencies, apart):
    """Return the Euclidean distance of rows at an offset."""
    return float(np.sqrt(2 * len(frequencies) * (1 - alike(frequencies, apart))))


def similarity(separation, dim, base=1e4):
    """Return the cosine of the angle between rows of the paper at an offset."""
    return alike(rates(dim, base), separation)


def moving(frequencies, by, *, concatenated=False):
    """Return the matrix that moves rows."""
    pairs = len(frequencies)
    sines = np.arange(pairs) if concatenated else 2 * np.arange(pairs)
    cosines = sines + (pairs if concatenated else 1)
    matrix = np.zeros((2 * pairs, 2 * pairs))
    matrix[sines, sines] = matrix[cosines, cosines] = np.cos(by * frequencies)
    matrix[cosines, sines] = np.sin(by * frequencies)
    matrix[sines, cosines] = -np.sin(by * frequencies)
    return matrix


def still_columns(cells, least=0.1):
    """Return the number of columns whose values differ by less than `least`."""
    return int((np.ptp(cells, axis=0) < least).sum())


def toy_words(sentence, dim):
    """Return the built-in word vectors, shape (words, dim)."""
    return np.array([toy_vector(word, dim) for word in sentence.split()])

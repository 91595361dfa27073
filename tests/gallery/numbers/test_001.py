"""The numbers of the exhibits of document 001, from rewritten formulas."""

import numpy as np
import pytest

from tests.gallery.numbers.formulas import (
    close,
    exported,
    numbers_after_try,
    rates,
    single_errors,
    single_rates,
    single_rows,
    table,
    toy_words,
    wavelengths,
)
from tests.gallery.numbers.words import check_exhibit

FORWARD, BACKWARD = "dog bites man", "man bites dog"


def sines(positions, dim, base=1e4):
    """Return the rows of the simplified function: a sine with another frequency per dimension."""
    rates = np.array([base ** (-column / dim) for column in range(dim)])
    return np.sin(np.multiply.outer(np.asarray(positions, float), rates))


def periods(dim, base=1e4):
    """Return the wavelengths of the simplified function."""
    return np.array([2 * np.pi * base ** (column / dim) for column in range(dim)])


def attention(rows, bias=0.0):
    """Return the attention weights of rows as queries and keys of one head."""
    weights = np.exp(rows @ rows.T / np.sqrt(rows.shape[1]) + bias)
    return weights / weights.sum(axis=1, keepdims=True)


def turned(words):
    """Return words whose channels i and i + 8 are rotated by their position."""
    angles = np.multiply.outer(np.arange(len(words)), rates(16))
    turns = (words[:, :8] + 1j * words[:, 8:]) * np.exp(1j * angles)
    return np.hstack([turns.real, turns.imag])


def test_order():
    forward, backward, bites = (
        toy_words(sentence, 16) for sentence in (FORWARD, BACKWARD, "bites dog man")
    )
    places = table(range(3), 16)
    here, back, first = (attention(rows + places) for rows in (forward, backward, bites))
    alone = attention(forward)
    moves = np.linalg.norm(forward + places - (backward + places)[::-1], axis=1)
    assert moves[0] == pytest.approx(moves[2])
    wide = toy_words(FORWARD, 64)
    near = attention(wide, -np.abs(np.subtract.outer(range(3), range(3))) / 2)
    weights = {alone[0, 1], here[0, 1], back[2, 1], first[1, 0], attention(turned(forward))[0, 1]}
    weights |= {attention(wide)[0, 1], near[0, 1]}
    check_exhibit("001-order", weights, given="64 1e-15")
    close(exported("001-order"), here, 1e-15)
    before = {"options.tokens.join": "words"}
    close(exported("001-order", before), alone, 1e-15)
    before["options.tokens.sentence"] = BACKWARD
    close(exported("001-order", before), alone[::-1, ::-1], 1e-15)
    for index, weights in enumerate((back, first, attention(turned(forward)), near)):
        close(numbers_after_try("001-order", index), weights, 1e-14)
    outcomes = alone @ forward, attention(backward) @ backward
    close(outcomes[0], outcomes[1][::-1], 1e-15)


def test_module():
    waves = wavelengths(512)
    assert waves[185] <= 5000 < waves[186]
    values = [5000 * 512 * 4 / 1e6, (waves <= 5000).sum()]
    check_exhibit("001-module", values, given="5,000 512 4 256 5,001 10,000 −2 7")
    rows = exported("001-module")
    assert rows.shape == (5000, 512)
    close(rows, table(range(5000), 512))
    assert len(numbers_after_try("001-module", 0)) == 5001
    lone = numbers_after_try("001-module", 2)
    expected = np.sin(np.arange(5000) * 1e4 ** (-6 / 7))
    close(lone[:, 6], expected)


def test_float32():
    last = single_errors(4950)
    all_rows = single_rows(range(5000), 512) - table(range(5000), 512)
    first, million, far = map(largest_error, (0, 10**6, 2**24))
    assert np.unravel_index(np.abs(all_rows).argmax(), all_rows.shape) == (4974, 8)
    assert np.abs(last[:, 300:]).max() < 0.00001
    relative = np.abs(single_rates(512) / rates(512) - 1).max()
    different = len(np.unique(single_rows(range(2**24, 2**24 + 50), 512), axis=0))
    values = [np.abs(all_rows).max(), first, million, 2**24, different, relative]
    below = {"6e-8": np.abs(last[:, :2]).max()}
    check_exhibit("001-float32", values, below, given="5,000 4 0 1 50")
    close(exported("001-float32"), last, 2e-7)
    for index, largest in enumerate((first, million, far)):
        actual = np.abs(numbers_after_try("001-float32", index)).max()
        assert actual == pytest.approx(largest, rel=1e-3)


def test_sine_table():
    rows = sines(range(100), 128)
    lengths = np.linalg.norm(rows, axis=1)
    assert not rows[0].any()
    close(rates(256), [1e4 ** (-column / 128) for column in range(128)], rtol=1e-14)
    values = [lengths[50], np.sqrt(64)]
    values += [np.sqrt(128)]
    check_exhibit("001-sine-table", values, given="1 50 128 256 0")
    close(exported("001-sine-table"), rows)
    both = numbers_after_try("001-sine-table", 0)
    close(both, table(range(100), 128))
    close(np.linalg.norm(both, axis=1), 8)
    wide = numbers_after_try("001-sine-table", 1)
    close(wide[:, 0::2], rows)
    close(np.linalg.norm(wide, axis=1), np.sqrt(128))


def test_wavelength():
    lengths = periods(128)
    fitting = (lengths <= 5000).sum()
    first_longer = int(np.argmax(lengths > 5000))
    longest = {base: periods(128, base)[-1] for base in (838, 839)}
    assert fitting == first_longer
    assert longest[838] < 5000 < longest[839]
    values = [lengths[127]]
    values += [fitting, lengths[first_longer], *longest.values()]
    values += [wavelengths(128)[63]]
    check_exhibit("001-wavelength", values, given="93 838 839 1 10,000")
    close(exported("001-wavelength"), lengths, rtol=1e-14)
    close(numbers_after_try("001-wavelength", 0), periods(128, 838), rtol=1e-14)
    close(numbers_after_try("001-wavelength", 2), wavelengths(128), rtol=1e-14)


def largest_error(start):
    return np.abs(single_errors(start)).max()

"""Word vectors: a built-in toy table, in which every word has numbers of its own.

A toy vector says nothing of what a word means. It is what a token's row needs here: the same for
the same word, other numbers for another, and as long as the row of a sinusoidal position.
"""

import math
import unicodedata
from collections.abc import Sequence

import numpy as np

from pe_explorer.arrays import Floats

TOY_ENTRY = 1 / math.sqrt(2)  # the size of every entry: of width d, a vector's length is √(d/2)


def words_of(sentence: str) -> tuple[str, ...]:
    """Return the words of a sentence: what stands between white space."""
    return tuple(sentence.split())


def key_of(word: str) -> str:
    """Return a word as its vector is looked up: without capitals and marks around it.

    A word of nothing but marks stays as it is.
    """
    lower = word.lower()
    letters = set(lower)  # each once: words may be very long
    marks = "".join(each for each in letters if unicodedata.category(each).startswith("P"))
    return lower.strip(marks) or lower


def toy_vectors(words: Sequence[str], width: int) -> Floats:
    """Return the toy vector of each word, shape (words, width).

    Entry j is (2·bit − 1)/√2, where bit j of the SHAKE-128 of the word's key in UTF-8 is bit
    j mod 8, the lowest first, of byte j div 8.
    """
    import hashlib  # with OpenSSL, which takes long to load: the program starts without it

    size = -(-width // 8)
    keys = [key_of(word).encode() for word in words]
    digests = {key: hashlib.shake_128(key).digest(size) for key in keys}
    data = np.frombuffer(b"".join(digests[key] for key in keys), dtype=np.uint8)
    bits = np.unpackbits(data.reshape(len(keys), size), axis=1, bitorder="little")
    signs = 2.0 * bits[:, :width].astype(np.float64) - 1.0
    return signs * TOY_ENTRY

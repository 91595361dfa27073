"""Word vectors: a built-in toy table, in which every word has random values.

A toy vector does not represent the meaning of a word. Equal words have equal vectors,
and different words have different vectors. The length of a vector equals that of a row
of the same width in the sinusoidal encoding.
"""

import math
import unicodedata
from collections.abc import Sequence

import numpy as np

from pe_explorer.arrays import Floats

TOY_ENTRY = 1 / math.sqrt(2)  # makes the length of a vector of width d equal to √(d/2)


def split_words(sentence: str) -> tuple[str, ...]:
    """Return the words of a sentence, split at white space."""
    return tuple(sentence.split())


def normalise_word(word: str) -> str:
    """Return the key of a word: the word in lower case, without surrounding punctuation.

    A word that consists only of punctuation keeps its punctuation.
    """
    lower_case_word = word.lower()
    letters = set(lower_case_word)  # a set, because words can be very long
    punctuation = (letter for letter in letters if unicodedata.category(letter).startswith("P"))
    return lower_case_word.strip("".join(punctuation)) or lower_case_word


def make_toy_vectors(words: Sequence[str], width: int) -> Floats:
    """Return the toy vector of each word, shape (words, width).

    Entry j is (2·bit − 1)/√2, where bit is bit j of the SHAKE-128 hash of the word's key in UTF-8:
    bit j mod 8, lowest first, of byte j div 8.
    """
    import hashlib  # imported here, because loading OpenSSL would slow down the start

    digest_size = -(-width // 8)
    keys = [normalise_word(word).encode() for word in words]
    digests = {key: hashlib.shake_128(key).digest(digest_size) for key in keys}
    data = np.frombuffer(b"".join(digests[key] for key in keys), dtype=np.uint8)
    bits = np.unpackbits(
        data.reshape(len(keys), digest_size), axis=1, count=width, bitorder="little"
    )
    return (2.0 * bits.astype(np.float64) - 1.0) * TOY_ENTRY

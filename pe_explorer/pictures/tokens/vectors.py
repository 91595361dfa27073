"""The vectors of a sentence's words, from the built-in table or from a file."""

import threading
from collections.abc import Sequence

import numpy as np

from pe_explorer.analysis.tokens import compute_toy_width
from pe_explorer.analysis.word_vectors import make_toy_vectors, normalise_word
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, TableFileError
from pe_explorer.params import FileName
from pe_explorer.pictures.tokens.options import TokenOptions
from pe_explorer.tables import Stamp, Table, TableError, WordFile, find_words

_FileKey = tuple[str, Stamp]

_MAX_CACHED_VALUES = 1 << 23  # maximum number of cached values of word vectors: 64 MB
_cache: dict[_FileKey, dict[str, Floats | None]] = {}
"""The vectors of the last file read, by file and word; None marks a missing word."""
_lock = threading.Lock()


def cache_vectors(options: TokenOptions, progress: threading.Event) -> None:
    """Look up the words of the current and previous sentence in the file of vectors, if any.

    Raises
    ------
    StoredError
        If the file is invalid; the message contains the number of the line.
    """
    source = options.vectors
    if source is None:
        return
    cached_vectors = _find_cached_vectors(source)
    keys = frozenset(map(normalise_word, options.tokens + options.previous_tokens))
    unknown_keys = keys - cached_vectors.keys()
    if not unknown_keys:
        return
    try:
        vectors = find_words(source, unknown_keys, progress)
    except TableError as error:
        problem = f"{FileName.get_last_part(error.path)}: {error.problem}"
        raise TableFileError("file", problem) from None
    with _lock:
        cached_vectors.update((key, vectors.get(key)) for key in unknown_keys)


def _find_cached_vectors(source: Table | WordFile) -> dict[str, Floats | None]:
    with _lock:
        vectors = _cache.get((source.path, source.stamp))
        if vectors is None or len(vectors) * source.columns > _MAX_CACHED_VALUES:
            _cache.clear()
            vectors = _cache[source.path, source.stamp] = {}
        return vectors


def look_up_vectors(words: Sequence[str], options: TokenOptions, e: Encoding) -> Floats:
    """Return the vector of each word; the vector of a word missing from the file is nan."""
    source = options.vectors
    if source is None:
        return make_toy_vectors(words, compute_toy_width(e))
    cached_vectors = _find_cached_vectors(source)
    vectors = np.full((len(words), source.columns), np.nan)
    for row, word in enumerate(words):
        vector = cached_vectors.get(normalise_word(word))
        if vector is not None:
            vectors[row] = vector
    return vectors


def find_missing_words(options: TokenOptions) -> tuple[str, ...]:
    """Return the words of the sentence that are missing from the file, without duplicates."""
    source = options.vectors
    if source is None or options.join == "positions":
        return ()
    cached_vectors = _find_cached_vectors(source)
    missing_words: dict[str, str] = {}
    for word in options.tokens:
        if cached_vectors.get(normalise_word(word)) is None:
            missing_words.setdefault(normalise_word(word), word)
    return tuple(missing_words.values())

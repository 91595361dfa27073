"""Facts of tokens: the word at the cursor, its formula, and the largest change."""

from itertools import starmap
from types import SimpleNamespace
from typing import Any

import numpy as np

from pe_explorer import pictures
from pe_explorer.analysis.word_vectors import key_of
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, Rotary
from pe_explorer.params import FileName, one_line, printed
from pe_explorer.pictures.inspection import Value, format_signed
from pe_explorer.pictures.tokens.numbers import moves_of, shorten_word
from pe_explorer.pictures.tokens.sentence import Sentence
from pe_explorer.words import FACTS, Facts, fact, require

_MOST_WORDS = 1 << 10  # maximum words compared for a fact


def at_cursor(of: Sentence, position: int, dimension: int) -> SimpleNamespace:
    """Return facts of a value of a word, and its `formula` line by line.

    Raises
    ------
    EncodingError
        If the position has no row, or the file is missing.
    """
    e, how, column, word = of.e, of.how, of.column_of(dimension), position - of.start
    here = range(word, word + 1)
    (vector,), (row,) = of.vectors(here), of.rows(here, of.options.join)
    entry = float(vector[column]) if column < len(vector) else np.nan
    number, formula = entry, _entry_formula(of, word, column, entry)
    facts = SimpleNamespace(word=of.options.tokens[word])
    if how != "words":
        e.require_rows(position, position)
        number, explained = float(row[column]), e.explain(position, dimension)
        facts.readings = tuple(starmap(Value, e.reading(position, dimension)[1:]))
        if how == "turned":
            formula += (*_turned_formula(e, position, column, vector), *explained)
            formula += (f"turned = {format_signed(number)}",)
        elif how == "sum":
            added = e.value(position, dimension)
            sign = "−" if entry < 0 else "+"
            total = f"sum = {format_signed(added)} {sign} {printed.fine(abs(entry))}"
            formula = (*explained, *formula, total, f"= {format_signed(number)}")
            facts.position_number = repr(added)
        else:
            formula = explained
        if how in ("turned", "sum"):
            facts.entry = repr(entry)
    facts.formula, facts.cell_number = formula, number
    facts.value, facts.rounded = repr(number), format_signed(number)
    facts.called = shorten_word(facts.word)
    (place,), (moved,) = moves_of(of, here)
    facts.place, facts.place_before = word, int(place) if place >= 0 else None
    facts.moved, facts.is_new = float(moved), facts.called if of.options.before else None
    return facts


def _turned_formula(e: Encoding, p: int, column: int, vector: Floats) -> tuple[str, str]:
    assert isinstance(e, Rotary)
    pair, sign = e.channels.pair_of[column], "+" if e.channels.member_of[column] else "−"
    first, second = np.flatnonzero(e.channels.pair_of == pair).tolist()
    partner_column = second if column == first else first
    cosine, sine = (format_signed(e.value(p, c)) for c in (column, e.rotary + column))
    own, partner = (format_signed(float(vector[c])) for c in (column, partner_column))
    return (
        f"x_{column}·cos(p·ω_{pair}) {sign} x_{partner_column}·sin(p·ω_{pair})",
        f"= ({own})·({cosine}) {sign} ({partner})·({sine})",
    )


def _entry_formula(of: Sentence, place: int, column: int, entry: float) -> tuple[str, ...]:
    word = of.options.tokens[place]
    if of.options.vectors:
        file = one_line(FileName.last_part(of.options.file))
        where = (
            "is not there" if np.isnan(entry) else f"number {column + 1}: {format_signed(entry)}"
        )
        return (f"“{shorten_word(word)}” of {file}: {where}",)
    bit = int(entry > 0)
    bits = f"bit {column} of SHAKE-128(“{shorten_word(key_of(word))}”) is {bit}"
    return f"“{shorten_word(word)}”: {bits}", f"(2·{bit} − 1)/√2 = {format_signed(entry)}"


FACTS["words"] = lambda of: pictures.find("tokens")(of.state).options.length


@fact
def farthest_move(of: Facts) -> float:
    """Return the largest move of a row."""
    picture: Any = pictures.find("tokens")(of.state)
    sentence: Sentence = picture.sentence
    options, how = sentence.options, sentence.how
    require(options.before and how != "words" and options.length <= _MOST_WORDS)
    require(how != "turned" or options.words == "toy")
    of.require_few(options.length * of.e.width)
    places, moves = moves_of(sentence, range(options.length))
    require((places >= 0).any())
    return float(moves[places >= 0].max())

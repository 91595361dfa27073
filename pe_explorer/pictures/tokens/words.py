"""Facts about tokens: the word at the cursor, its formula, and the largest change."""

from itertools import starmap
from types import SimpleNamespace
from typing import Any

import numpy as np

from pe_explorer import pictures
from pe_explorer.analysis.word_vectors import normalise_word
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, Rotary
from pe_explorer.params import FileName, printed, to_one_line
from pe_explorer.pictures.inspection import Value, format_signed_number
from pe_explorer.pictures.tokens.numbers import compute_moves, shorten_word
from pe_explorer.pictures.tokens.sentence import Sentence
from pe_explorer.words import FACTS, Facts, register_fact, require

_MAX_WORDS = 1 << 10  # maximum number of words for computing the largest move


def make_value_facts(sentence: Sentence, position: int, dimension: int) -> SimpleNamespace:
    """Return facts about one value in a word's row, including its `formula` line by line.

    Raises
    ------
    EncodingError
        If the position has no row, or a required file is missing.
    """
    e, kind, column = sentence.e, sentence.join_kind, sentence.find_dimension_column(dimension)
    word = position - sentence.start
    words = range(word, word + 1)
    (vector,), (row,) = sentence.vectors(words), sentence.rows(words, sentence.options.join)
    entry = float(vector[column]) if column < len(vector) else np.nan
    number, formula = entry, _format_entry(sentence, word, column, entry)
    facts = SimpleNamespace(word=sentence.options.tokens[word])
    if kind != "words":
        e.require_rows(position, position)
        number, position_formula = float(row[column]), e.explain(position, dimension)
        facts.readings = tuple(starmap(Value, e.reading(position, dimension)[1:]))
        if kind == "turned":
            formula += (*_format_rotation(e, position, column, vector), *position_formula)
            formula += (f"turned = {format_signed_number(number)}",)
        elif kind == "sum":
            value, sign = e.value(position, dimension), "−" if entry < 0 else "+"
            total = f"sum = {format_signed_number(value)} {sign} {printed.fine(abs(entry))}"
            formula = (*position_formula, *formula, total, f"= {format_signed_number(number)}")
            facts.position_number = repr(value)
        else:
            formula = position_formula
        if kind in ("turned", "sum"):
            facts.entry = repr(entry)
    facts.formula, facts.cell_number = formula, number
    facts.value, facts.rounded = repr(number), format_signed_number(number)
    facts.called = shorten_word(facts.word)
    (place_before,), (move,) = compute_moves(sentence, words)
    facts.place, facts.place_before = word, int(place_before) if place_before >= 0 else None
    facts.moved, facts.is_new = float(move), facts.called if sentence.options.before else None
    return facts


def _format_rotation(e: Encoding, p: int, column: int, vector: Floats) -> tuple[str, str]:
    assert isinstance(e, Rotary)
    pair, sign = e.channels.pair_indices[column], "+" if e.channels.member_indices[column] else "−"
    first, second = np.flatnonzero(e.channels.pair_indices == pair).tolist()
    partner_column = second if column == first else first
    cosine, sine = (format_signed_number(e.value(p, c)) for c in (column, e.rotary + column))
    own, partner = (format_signed_number(float(vector[c])) for c in (column, partner_column))
    return (
        f"x_{column}·cos(p·ω_{pair}) {sign} x_{partner_column}·sin(p·ω_{pair})",
        f"= ({own})·({cosine}) {sign} ({partner})·({sine})",
    )


def _format_entry(sentence: Sentence, index: int, column: int, entry: float) -> tuple[str, ...]:
    word = sentence.options.tokens[index]
    if sentence.options.vectors:
        file = to_one_line(FileName.get_last_part(sentence.options.file))
        text = f"value {column + 1} is {format_signed_number(entry)}"
        text = "missing" if np.isnan(entry) else text
        return (f"“{shorten_word(word)}” in {file}: {text}",)
    bit = int(entry > 0)
    origin = f"bit {column} of SHAKE-128(“{shorten_word(normalise_word(word))}”) is {bit}"
    return f"“{shorten_word(word)}”: {origin}", f"(2·{bit} − 1)/√2 = {format_signed_number(entry)}"


FACTS["words"] = lambda facts: pictures.find("tokens")(facts.state).options.length


@register_fact
def farthest_move(facts: Facts) -> float:
    """Return the largest distance that a row has moved since the previous sentence."""
    picture: Any = pictures.find("tokens")(facts.state)
    sentence: Sentence = picture.sentence
    options, kind = sentence.options, sentence.join_kind
    require(options.before and kind != "words" and options.length <= _MAX_WORDS)
    require(kind != "turned" or options.words == "toy")
    facts.require_few_numbers(options.length * facts.e.width)
    places, moves = compute_moves(sentence, range(options.length))
    require((places >= 0).any())
    return float(moves[places >= 0].max())

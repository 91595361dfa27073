"""Facts about longer contexts, and the tables of scaling types and of answers."""

import math
from collections.abc import Iterator
from typing import Any

from pe_explorer import pictures
from pe_explorer.analysis import context
from pe_explorer.analysis.context import ContextReport, LengthPair
from pe_explorer.encodings import EncodingError
from pe_explorer.params import capitalise
from pe_explorer.pictures.context.numbers import ContextNumbers
from pe_explorer.pictures.picture import AnyPicture
from pe_explorer.pictures.table import Cell, Detail, TextTable, make_table
from pe_explorer.words import FACTS, Facts, register_fact, require, require_fact
from pe_explorer.words.texts import Wording

_NO_VALUE = "–"
TYPE_COLUMN_TITLES = ("changed", "new", "slowest turn", "fast slowed by", "attention")
CALCULATOR_TITLES = ("answer", "formula", "")

# -- facts -----------------------------------------------------------------------------------------

# Turns of the cursor's wave at the training length and at the target length.
FACTS["cursor_turns"] = lambda facts: context.turns(facts.waves, *facts["lengths"])[
    facts["cursor_wave"]
].tolist()


@register_fact
def lengths(facts: Facts) -> LengthPair:
    """Return the training length and the target length; the encoding must have angles."""
    require(facts.waves)
    picture: Any = pictures.find("context")(facts.state)
    return picture.lengths


@register_fact
def report(facts: Facts) -> ContextReport:
    """Return the pairs grouped by the angles that they reach at the target length."""
    if isinstance(facts.numbers, ContextNumbers):
        return facts.numbers.scaling.report
    lengths = facts["lengths"]
    return context.report(context.adapt_to_length(facts.waves, *lengths), *lengths)


@register_fact
def growth(facts: Facts) -> float:
    """Return the factor by which the angle range of the cursor's pair grows after training.

    The factor is 1 if the pair completes a turn within the training length, or does not turn
    farther.
    """
    trained, target = facts["cursor_turns"]
    if trained >= 1 or target <= trained:
        return 1.0
    return target / trained if trained else math.inf


@register_fact
def base_needed(facts: Facts) -> int:
    """Return the smallest base that avoids unseen angles without scaling, rounded up."""
    base = require_fact(context.base_for(facts.waves, *facts["lengths"]))
    require(math.isfinite(base) and base != context.find_base(facts.waves))
    return math.ceil(base)


# -- tables ----------------------------------------------------------------------------------------


def table(wording: Wording, picture: AnyPicture, numbers: ContextNumbers) -> TextTable:
    """Return the table of scaling types or, for the calculator, the table of answers."""
    if picture.options.part == "types":
        return make_table(TYPE_COLUMN_TITLES, _make_type_rows(wording, numbers))
    rows = []
    for name, text, formula, why, fields in numbers.answers:
        link = Detail(why, fields, click_effect=wording.text("take_answer") if fields else "")
        cells = (text, Detail(why)), (formula, Detail(why)), ("Use it" if fields else "", link)
        rows.append((name, cells))
    return make_table(CALCULATOR_TITLES, rows)


def _make_type_rows(wording: Wording, numbers: ContextNumbers) -> Iterator[tuple[str, list[Cell]]]:
    for name, scaling in (("current", numbers.scaling), *numbers.types):
        if isinstance(scaling, EncodingError):
            detail = Detail(f"{capitalise(scaling.problem)}.")
            yield name, [(_NO_VALUE, detail)] * len(TYPE_COLUMN_TITLES)
            continue
        fields, effect = {}, ""
        if scaling is not numbers.scaling:
            fields, effect = {"encoding": scaling.encoding}, wording.text("take_type")
        entries = wording.with_item(scaling).entries("types")
        yield name, [(e.text, Detail(e.help, fields, click_effect=effect)) for e in entries]

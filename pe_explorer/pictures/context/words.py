"""The facts of the context, and its tables of types and answers."""

import math
from collections.abc import Iterator
from typing import Any

from pe_explorer import pictures
from pe_explorer.analysis import context
from pe_explorer.analysis.context import Lengths, Report
from pe_explorer.encodings import EncodingError
from pe_explorer.params import capitalised
from pe_explorer.pictures.context.numbers import ContextNumbers
from pe_explorer.pictures.picture import AnyPicture
from pe_explorer.pictures.table import Cell, Detail, TextTable, table_of_cells
from pe_explorer.words import FACTS, Facts, fact, require, require_fact
from pe_explorer.words.texts import Wording

_NONE = "–"
TYPE_COLUMNS = ("changed", "new", "slowest turn", "fast slowed by", "attention")
CALCULATOR_COLUMNS = ("answer", "formula", "")

# -- facts -----------------------------------------------------------------------------------------

FACTS["cursor_turns"] = lambda of: (  # in training and at the target
    context.turns(of.waves, *of["lengths"])[of["cursor_wave"]].tolist()
)


@fact
def lengths(of: Facts) -> Lengths:
    """Return the training and the target length if the encoding has angles."""
    require(of.waves)
    picture: Any = pictures.find("context")(of.state)
    both: Lengths = picture.lengths
    return both


@fact
def report(of: Facts) -> Report:
    """Return the angles of the pairs at the target."""
    if isinstance(of.numbers, ContextNumbers):
        return of.numbers.scaling.report
    return context.report(context.in_use(of.waves, *of["lengths"]), *of["lengths"])


@fact
def growth(of: Facts) -> float:
    """Return the ratio of the angles of the cursor's wave to those in training."""
    before, now = of["cursor_turns"]
    if before >= 1 or now <= before:
        return 1.0
    return now / before if before else math.inf


@fact
def base_needed(of: Facts) -> int:
    """Return the smallest base without unseen angles if no scaling is used, rounded up."""
    base = require_fact(context.base_for(of.waves, *of["lengths"]))
    require(math.isfinite(base) and base != context.base_of(of.waves))
    return math.ceil(base)


# -- tables ----------------------------------------------------------------------------------------


def table(wording: Wording, picture: AnyPicture, numbers: ContextNumbers) -> TextTable:
    """Return the table of types or the table of answers."""
    if picture.options.part == "types":
        return table_of_cells(TYPE_COLUMNS, _types(wording, numbers))
    rows = []
    for name, text, formula, why, fields in numbers.answers:
        apply = Detail(why, fields, does=wording.text("take_answer") if fields else "")
        texts = text, formula, "Use it" if fields else ""
        rows.append((name, list(zip(texts, (Detail(why), Detail(why), apply), strict=True))))
    return table_of_cells(CALCULATOR_COLUMNS, rows)


def _types(wording: Wording, numbers: ContextNumbers) -> Iterator[tuple[str, list[Cell]]]:
    for name, scaling in (("current", numbers.scaling), *numbers.types):
        if isinstance(scaling, EncodingError):
            why = Detail(f"{capitalised(scaling.problem)}.")
            yield name, [(_NONE, why) for _ in TYPE_COLUMNS]
            continue
        row, fields, does = wording.of(scaling), {}, ""
        if scaling is not numbers.scaling:
            fields, does = {"encoding": scaling.encoding}, wording.text("take_type")
        yield (
            name,
            [(text, Detail(why, fields, does=does)) for _, text, why, *_ in row.entries("types")],
        )

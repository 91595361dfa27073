"""The facts of the context, and its tables: what each type does, and what the target needs."""

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
from pe_explorer.words import FACTS, Facts, fact, given, require
from pe_explorer.words.texts import Wording

_NONE = "–"
TYPE_COLUMNS = ("changed", "new", "slowest turn", "fast slowed by", "attention")
CALCULATOR_COLUMNS = ("answer", "formula", "")

# -- facts -----------------------------------------------------------------------------------------

FACTS["cursor_turns"] = lambda of: (  # of its wave, in training and at the target
    context.turns(of.waves, *of["lengths"])[of["cursor_wave"]].tolist()
)


@fact
def lengths(of: Facts) -> Lengths:
    """Return the length of training and the target, if the encoding has angles."""
    require(of.waves)
    picture: Any = pictures.find("context")(of.state)
    found: Lengths = picture.lengths
    return found


@fact
def report(of: Facts) -> Report:
    """Return what the pairs meet at the target."""
    if isinstance(of.numbers, ContextNumbers):
        return of.numbers.scaling.report
    return context.report(context.in_use(of.waves, *of["lengths"]), *of["lengths"])


@fact
def growth(of: Facts) -> float:
    """Return by which factor the angles of the cursor's wave grow beyond those of training."""
    before, now = of["cursor_turns"]
    if before >= 1 or now <= before:
        return 1.0
    return now / before if before else math.inf


@fact
def base_needed(of: Facts) -> int:
    """Return the least base at which no pair is new without any type, rounded up, if some are."""
    found = given(context.base_for(of.waves, *of["lengths"]))
    require(math.isfinite(found) and found != context.base_of(of.waves))
    return math.ceil(found)


# -- tables ----------------------------------------------------------------------------------------


def table(wording: Wording, picture: AnyPicture, numbers: ContextNumbers) -> TextTable:
    """Return what each type does, or what the target needs."""
    if picture.options.part == "types":
        return table_of_cells(TYPE_COLUMNS, _types(wording, numbers))
    rows = []
    for name, text, formula, why, fields in numbers.answers:
        take = Detail(why, fields, does=wording.text("take_answer") if fields else "")
        texts = text, formula, "Take it" if fields else ""
        rows.append((name, list(zip(texts, (Detail(why), Detail(why), take), strict=True))))
    return table_of_cells(CALCULATOR_COLUMNS, rows)


def _types(wording: Wording, numbers: ContextNumbers) -> Iterator[tuple[str, list[Cell]]]:
    for name, found in (("current", numbers.scaling), *numbers.types):
        if isinstance(found, EncodingError):
            why = Detail(f"{capitalised(found.problem)}.")
            yield name, [(_NONE, why) for _ in TYPE_COLUMNS]
            continue
        row, fields, does = wording.of(found), {}, ""
        if found is not numbers.scaling:
            fields, does = {"encoding": found.encoding}, wording.text("take_type")
        yield (
            name,
            [(text, Detail(why, fields, does=does)) for _, text, why, _ in row.entries("types")],
        )

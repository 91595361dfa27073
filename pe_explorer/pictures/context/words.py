"""The tables of the context: what each type does, and what the target needs."""

import math
from collections.abc import Iterator

from pe_explorer.analysis import context
from pe_explorer.analysis.comparison import Show, Subject
from pe_explorer.analysis.context import Lengths
from pe_explorer.analysis.specification_words import number
from pe_explorer.encodings import LIMIT, EncodingError, Steady, require_known
from pe_explorer.encodings.rope import Rope
from pe_explorer.exploration import Exploration
from pe_explorer.params import capitalised, printed
from pe_explorer.pictures.context.numbers import CalculatorAnswer, ContextNumbers
from pe_explorer.pictures.picture import AnyPicture
from pe_explorer.pictures.table import Cell, Detail, TextTable, table_of_cells
from pe_explorer.words import Facts
from pe_explorer.words.texts import Telling

_NONE = "–"
_TAKE = "Take it"
TYPE_COLUMNS = ("changed", "new", "slowest turn", "fast slowed by", "attention")
CALCULATOR_COLUMNS = ("answer", "formula", "")


def table(told: Telling, picture: AnyPicture, numbers: ContextNumbers) -> TextTable:
    """Return what each type does, or what the target needs."""
    if picture.options.part == "types":
        return table_of_cells(TYPE_COLUMNS, _types(told, picture.state, numbers))
    return table_of_cells(CALCULATOR_COLUMNS, _calculator(picture.state, numbers))


def _types(
    told: Telling, state: Exploration, numbers: ContextNumbers
) -> Iterator[tuple[str, list[Cell]]]:
    """Yield the current encoding and each type, with what they do at the target."""
    for name, found in (("current", numbers.current), *numbers.types):
        if isinstance(found, EncodingError):
            why = Detail(f"{capitalised(found.problem)}.", in_full=False)
            yield name, [(_NONE, why) for _ in TYPE_COLUMNS]
            continue
        row = told.of(Facts(state, Subject(Show.CURRENT, found.encoding), item=found))
        is_current = found is numbers.current
        fields = {} if is_current else {"encoding": found.encoding}
        does = "" if is_current else row.text("take_type")
        cells = [(text, Detail(why, fields, does=does)) for _, text, why, _ in row.entries("types")]
        yield name, cells


# -- the calculator --------------------------------------------------------------------------------


def _calculator(state: Exploration, numbers: ContextNumbers) -> Iterator[tuple[str, list[Cell]]]:
    """Yield the least base, the least factor of each type, and the longest target."""
    e, lengths = require_known(state.encoding), numbers.lengths
    assert isinstance(e, Steady)
    yield "base alone", _base(e, numbers)
    for name, answer in numbers.factors:
        yield f"factor of {name}", _factor(e, name, lengths, answer)
    yield "longest target", _longest(numbers)


def _base(e: Steady, numbers: ContextNumbers) -> list[Cell]:
    trained, target = numbers.lengths
    value = numbers.base.value
    if value is None:
        why = f"Not even pair 0 turned in {trained:,} positions, and no base slows it."
        if context.base_of(e) is None:
            why = "The encoding has no base."
        return _row("none", "", Detail(why))
    first = context.first_unturned(e, trained)
    if first is None or target <= trained:
        return _row(_rounded_up(value), "the present one", Detail("No pair is new at it."))
    base = printed.exact(context.base_of(e) or 1.0)
    formula = f"{base} · {_share(target, trained)}^{_exponent(e, first)}"
    total = len(numbers.before)
    sentence = (
        f"The least base at which no pair is new without any type. It changes {total - 1:,} of "
        f"{total:,} pairs, all but the first. Once it is taken, it counts as that of training, too."
    )
    return _row(_rounded_up(value), formula, _taking(numbers.base, sentence))


def _exponent(e: Steady, first: int) -> str:
    """Return by what power of the stretch the base grows: 1 divided by the pair's own exponent."""
    if isinstance(e, Rope):
        return f"({e.rotary // 2}/{first})"
    fixed, base = e.turns.fixed, context.base_of(e) or 1.0
    falls = math.log(abs(fixed[0] / fixed[first])) / math.log(base)
    return printed.fine(1 / falls)


def _factor(e: Steady, name: str, lengths: Lengths, answer: CalculatorAnswer) -> list[Cell]:
    if answer.value is None:
        why = f"No factor of {name} is enough for the target, or the type cannot be had here."
        return _row("none", "", Detail(why))
    formula = _formula(e, name, lengths, answer.value)
    sentence = f"The least factor of {name} at which no pair is new at {lengths.target:,}."
    return _row(_factor_text(answer.value), formula, _taking(answer, sentence))


def _formula(e: Steady, name: str, lengths: Lengths, value: float) -> str:
    trained, target = lengths
    first = context.first_unturned(e, trained)
    if target <= trained or first is None:
        return "no pair is new without it"
    share = _share(target, trained)
    assert isinstance(e, Rope)
    power = f"{share}^({e.rotary - 2}/{2 * first})"
    if name == "ntk":
        return power
    if name == "dynamic":
        return f"({power} − 1) · {trained:,} / {target - trained:,}"
    if value == target / trained:
        return f"{target:,} / {trained:,}"
    return f"(1 − k) / ({trained:,}/{target:,} − k), k the share of ω that stays"


def _longest(numbers: ContextNumbers) -> list[Cell]:
    trained, value = numbers.lengths.trained, numbers.longest
    if math.isinf(value):
        return _row("any", "", Detail("Every pair that moves turned in training, or slows enough."))
    text = f"{int(value):,}" if value <= LIMIT else number(value)
    sentence = (
        "The longest target at which the present settings meet no new angle: ω/ω′ is by how much a "
        "pair that never turned is slowed."
    )
    fields = {"options": {"target": int(value)}} if 1 <= value <= LIMIT else {}
    formula = f"{trained:,} · least ω/ω′"
    detail = Detail(sentence, fields, does="Click to make it the target.")
    return _row(text, formula, detail)


def _row(answer: str, formula: str, detail: Detail) -> list[Cell]:
    """Return the cells of an answer; the last of them takes it."""
    plain = Detail(detail.sentence)
    return [(answer, plain), (formula, plain), (_TAKE if detail.fields else "", detail)]


def _taking(answer: CalculatorAnswer, sentence: str) -> Detail:
    """Return what a click does: the encoding with the answer, where it can have it."""
    if answer.encoding is None:
        return Detail(f"{sentence} It is beyond the limits, so it cannot be taken.")
    does = "Click to take it as the encoding."
    return Detail(sentence, {"encoding": answer.encoding}, does=does)


def _share(target: int, trained: int) -> str:
    """Return target / trained as text: a whole number, or a fraction."""
    if target % trained == 0:
        return f"{target // trained:,}"
    return f"({target:,}/{trained:,})"


def _rounded_up(value: float) -> str:
    """Return a base as it is shown: rounded up, or no pair would be within at it."""
    if math.isinf(value):
        return "beyond 10³⁰⁸"
    return f"{math.ceil(value):,}" if value < 1e15 else number(value)


def _factor_text(value: float) -> str:
    """Return a factor in five digits, rounded up."""
    if value >= 1e6 or value == int(value):
        return number(value) if value >= 1e6 else f"{int(value):,}"
    digits = 4 - math.floor(math.log10(value))
    scale = 10.0**digits
    return f"{math.ceil(value * scale) / scale:,.{max(0, digits)}f}"

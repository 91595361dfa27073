"""The context in words: the table of types, the calculator, and one sentence."""

import math
from collections.abc import Iterator

from pe_explorer.analysis import context
from pe_explorer.analysis.context import Lengths
from pe_explorer.analysis.scaling import FAST_TURNS, Scaling
from pe_explorer.analysis.specification_words import number
from pe_explorer.encodings import LIMIT, EncodingError, Steady, require_known
from pe_explorer.encodings.rope import Rope
from pe_explorer.exploration import Exploration
from pe_explorer.params import capitalised, printed
from pe_explorer.pictures.context.numbers import CalculatorAnswer, ContextNumbers, ContextOptions
from pe_explorer.pictures.table import Cell, Detail, TextTable, table_of_cells

_NONE = "–"
_TAKE = "Take it"
TYPE_COLUMNS = ("changed", "new", "slowest turn", "fast slowed by", "attention")
CALCULATOR_COLUMNS = ("answer", "formula", "")


def table(state: Exploration, options: ContextOptions, numbers: ContextNumbers) -> TextTable:
    """Return what each type does, or what the target needs."""
    is_types = options.part == "types"
    titles: tuple[str, ...] = TYPE_COLUMNS if is_types else CALCULATOR_COLUMNS
    return table_of_cells(titles, _types(numbers) if is_types else _calculator(state, numbers))


def sentence(numbers: ContextNumbers) -> str:
    """Return how many pairs turned, stay within what was seen, and meet new angles."""
    report, (trained, target) = numbers.current.report, numbers.lengths
    positions = "1 position" if trained == 1 else f"{trained:,} positions"
    turned = f"{len(report.turned):,} of {len(numbers.before):,} pairs turned in {positions}"
    within = f"{len(report.within):,} others are within (shaded)"
    new = f"{len(report.new):,} new (hatched)"
    if report.worst is not None:
        pair, ratio = report.worst
        new = f"{new}, by up to {_times(ratio)} (pair {pair:,})"
    return f"{turned}. At {target:,}, {within}, {new}.{_faster(numbers.current.encoding)}"


def _faster(e: Steady) -> str:
    """Return a warning of pairs that the scaling speeds up, as a factor below 1 does, or ``""``."""
    faster = context.sped_up(e)
    if not faster:
        return ""
    most = number(max(faster.values()))
    count = f"{len(faster):,} of {len(e.turns.fixed):,} pairs"
    remedy = "Use a factor above 1, because longer texts need slower pairs."
    return f" The scaling speeds up {count}, by up to a factor of {most}. {remedy}"


def _times(ratio: float) -> str:
    return "any factor" if math.isinf(ratio) else f"a factor of {number(ratio)}"


# -- the types -------------------------------------------------------------------------------------


def _types(numbers: ContextNumbers) -> Iterator[tuple[str, list[Cell]]]:
    """Yield the current encoding and each type, with what they do at the target."""
    yield "current", _cells(numbers.current, numbers, None)
    for name, found in numbers.types:
        if isinstance(found, EncodingError):
            why = Detail(f"{capitalised(found.problem)}.", in_full=False)
            yield name, [(_NONE, why) for _ in TYPE_COLUMNS]
        else:
            yield name, _cells(found, numbers, name)


def _cells(found: Scaling, numbers: ContextNumbers, name: str | None) -> list[Cell]:
    total, report = len(numbers.before), found.report
    does = f"Click to make {name} the type of the encoding." if name else ""
    fields = {"encoding": found.encoding} if name else {}

    def cell(text: str, sentence: str) -> Cell:
        return text, Detail(sentence, fields, does=does)

    new = f"{len(report.new):,}"
    meets = "No pair meets an angle that training never had."
    if report.worst is not None:
        pair, ratio = report.worst
        new = f"{new}, by {number(ratio)}"
        meets = f"Pair {pair:,} is the worst: its angles grow by {_times(ratio)}."
    slowed = _NONE if found.slowed is None else number(found.slowed)
    often = f"{FAST_TURNS} turns or more in training"
    neighbours = (
        f"By so much a pair of {often} is slowed at most; at 1 neighbours stay as far apart."
    )
    if found.slowed is None:
        neighbours = f"No pair makes {often}."
    factor = found.attention
    squared = printed.factor(factor**2)
    return [
        cell(f"{found.changed:,} of {total:,}", "So many pairs have other frequencies."),
        cell(new, meets),
        cell(number(found.slowest), "So many positions a turn of the slowest pair takes."),
        cell(slowed, neighbours),
        cell(printed.factor(factor), f"Scores are multiplied by its square, {squared}."),
    ]


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

"""A comparison in words: the evidence of the table, and one sentence."""

from collections.abc import Iterator
from typing import Any

from pe_explorer.analysis import specification_words as said
from pe_explorer.analysis.specification import Comparison, permutation_code
from pe_explorer.encodings import Unknown, require_known
from pe_explorer.exploration import Exploration, current_name, distinguishing_name, zoomed
from pe_explorer.exploration.fields import called
from pe_explorer.exploration.opened_model import OpenedModel
from pe_explorer.params import only_used, printed
from pe_explorer.pictures.compare.numbers import CompareNumbers, CompareOptions, other_of
from pe_explorer.pictures.table import Detail, TextTable, table_of_cells
from pe_explorer.pictures.waves_across import column_of_wave

_NONE = "–"
_SHOWN_FACTOR = 2  # positions shown, relative to the first offset beyond the tolerance

Row = tuple[str, str, Detail]


def name_of(state: Exploration) -> str:
    """Return what the other encoding is called."""
    if state.pin is not None:
        return distinguishing_name(state.pin, state.encoding)
    e, other = state.encoding, other_of(state)
    if isinstance(e, Unknown) or isinstance(other, Unknown) or only_used(e) == only_used(other):
        return "itself"
    return "itself, unscaled"


def table(state: Exploration, options: CompareOptions, numbers: CompareNumbers) -> TextTable:
    """Return the evidence, a row for each thing that can differ."""
    title = f"{current_name(state)} against {name_of(state)}"
    rows = _rows(state, options, numbers)
    return table_of_cells((title,), ((name, [(text, detail)]) for name, text, detail in rows))


def sentence(state: Exploration, options: CompareOptions, found: Comparison) -> str:
    """Return in one or two sentences how far the two are apart."""
    name = name_of(state)
    if found.is_identity:
        return f"{name} is the same, pair by pair and channel by channel."
    count, total = len(found.differing), len(found.ratios)
    if not count:
        same = f"All {total:,} pairs turn as fast as those of {name}"
        if found.permutation is not None:
            return f"{same}, but the channels are in another order."
        return f"{same}, but no order of channels makes the two equal."
    beyond = said.beyond(found, options.tolerance)
    largest = said.largest(found, current_name(state), name)
    limit = f"{printed.exact(options.tolerance)} rad"
    differ = f"{count:,} of {total:,} pairs differ from {name}, from pair {found.first_pair:,} on"
    return f"{differ}; largest ratio {largest}. Off by more than {limit} {beyond}."


def verdict(state: Exploration) -> str:
    """Return whether the file of the pin means the same as the open one, empty for no such file."""
    opened, pin = state.opened, state.pin
    if pin is None or not isinstance(opened, OpenedModel) or not called(opened, state.encoding):
        return ""
    files = [each for each in opened.compared if pin.encoding in each.layers.values()]
    return f"{opened.verdict(files[0])} " if files else ""


def _rows(state: Exploration, options: CompareOptions, numbers: CompareNumbers) -> Iterator[Row]:
    found, name = numbers.found, name_of(state)
    yield _differing(state, found)
    yield _largest(state, found, name)
    yield _beyond(state, options, found)
    yield _error(state, found)
    yield _attention(found)
    yield _order(found, name)
    yield _product(numbers)
    yield _deepseek(numbers)


def _differing(state: Exploration, found: Comparison) -> Row:
    text = said.differing(found)
    sentence = "Frequencies count as different from one part in 10^12 on."
    return "Pairs that differ", text, Detail(sentence, _with_cursor_on(state, found.first_pair))


def _largest(state: Exploration, found: Comparison, name: str) -> Row:
    pair, ratio = found.largest
    text = said.largest(found, current_name(state), name)
    sentence = (
        f"The frequency of pair {pair:,}, divided by that of {name}, is {printed.exact(ratio)}."
    )
    there = _with_cursor_on(state, pair) if len(found.differing) else {}
    return "Largest ratio", text, Detail(sentence, there)


def _beyond(state: Exploration, options: CompareOptions, found: Comparison) -> Row:
    limit = f"{printed.exact(options.tolerance)} rad"
    title, text = f"Off by {limit}", said.beyond(found, options.tolerance)
    there = found.first_beyond(options.tolerance)
    if there is None:
        return title, text, Detail("No pair is ever off: every frequency is the same.")
    offset, pair = there
    sentence = f"At offset {offset:,} pair {pair:,} is the first that is off by more than {limit}."
    fields = _with_cursor_on(state, pair)
    if state.start + offset <= require_known(state.encoding).domain[-1]:
        wanted = max(state.count, _SHOWN_FACTOR * offset)
        count = zoomed(state, wanted / state.count, 0.0) if wanted > state.count else {}
        fields = {**fields, **count, "position": state.start + offset}
        fields["options"] = {"curve": "error"}
    return title, text, Detail(sentence, fields)


def _error(state: Exploration, found: Comparison) -> Row:
    title, last = "Largest phase error", state.count - 1
    if found.worst is None:
        return title, "0 rad", Detail("Every pair has the same angle at every offset.")
    size = said.number(found.error(found.worst, last))
    text = f"{size} rad at offset {last:,}, pair {found.worst:,}"
    sentence = f"Among the {state.count:,} positions shown; whole turns are counted."
    fields = {**_with_cursor_on(state, found.worst), "position": state.start + last}
    fields["options"] = {"curve": "error"}
    return title, text, Detail(sentence, fields)


def _attention(found: Comparison) -> Row:
    sentence = "Scores are multiplied by the square of the factor, where there is one."
    return "Attention factors", said.attention(found), Detail(sentence)


def _order(found: Comparison, name: str) -> Row:
    title, text = "Order of channels", said.order(found)
    if found.permutation is None:
        why = f"No order of channels makes the two equal, or {name} does something else."
        return title, text, Detail(why)
    if found.is_identity:
        return title, text, Detail("Each channel does what the same channel of the other does.")
    sentence = f"Channels in this order, given to {name}, do what those of the current one do."
    return title, text, Detail(sentence, copied=permutation_code(found.permutation))


def _product(numbers: CompareNumbers) -> Row:
    title, proof = "q · k, random", numbers.proof
    if proof is None:
        return title, _NONE, Detail("There is no order of channels to prove.")
    first, second, permuted = (
        printed.fine(each) for each in (proof.first, proof.second, proof.permuted)
    )
    words = f"{first} and {second}; with the channels in that order {permuted}"
    sentence = "The product of a random query at position 7 and a random key at position 3: seed 0."
    return title, f"{first}, {second}; then {permuted}", Detail(sentence, words=words)


def _deepseek(numbers: CompareNumbers) -> Row:
    title, proof = "q · k, as DeepSeek", numbers.proof
    if proof is None or proof.deinterleaved is None:
        return title, _NONE, Detail("Nothing is rotated that could be taken apart.")
    text = printed.fine(proof.deinterleaved)
    words = f"{text}: only what comes out is in another order"
    sentence = (
        "Channels go in side by side and come out with the first of all pairs before the second "
        "ones: neither layout has these numbers, but the product is the same."
    )
    return title, text, Detail(sentence, words=words)


def _with_cursor_on(state: Exploration, pair: int | None) -> dict[str, Any]:
    """Return the fields that put the cursor on a pair, none for no pair."""
    return {} if pair is None else column_of_wave(state.encoding, pair)

"""Facts of a comparison, and its table of evidence."""

from typing import Any

from pe_explorer.analysis import specification_words as texts
from pe_explorer.analysis.specification import Comparison, compare, format_permutation_code
from pe_explorer.encodings import require_known
from pe_explorer.exploration import make_current_name, make_distinguishing_name, zoom_range
from pe_explorer.exploration.fields import find_layer_name
from pe_explorer.exploration.opened_model import OpenedModel
from pe_explorer.params import drop_unused_fields
from pe_explorer.pictures.compare.numbers import CompareNumbers, find_pinned_encoding
from pe_explorer.pictures.picture import AnyPicture
from pe_explorer.pictures.table import Detail, TextTable, make_table
from pe_explorer.pictures.waves_across import make_wave_fields
from pe_explorer.words import FACTS, Facts, register_fact, require_fact
from pe_explorer.words.texts import Wording

_ZOOM_FACTOR = 2  # ratio of the length of the range to the first offset beyond the tolerance

# -- facts -----------------------------------------------------------------------------------------

FACTS |= {
    "differing_pairs": lambda facts: texts.describe_differing_pairs(facts["comparison"]),
    "largest_ratio": lambda facts: texts.describe_largest_ratio(
        facts["comparison"], make_current_name(facts.state), facts["against"]
    ),
    "first_beyond": lambda facts: texts.describe_first_offset(
        facts["comparison"], facts.options.tolerance
    ),
    "largest_error": lambda facts: facts["comparison"].error(
        facts["comparison.worst"], facts.state.count - 1
    ),
    "last_offset": lambda facts: facts.state.count - 1,
    "attention_factors": lambda facts: texts.attention(facts["comparison"]),
    "channel_order": lambda facts: texts.order(facts["comparison"]),
    # Facts about the cursor's pair.
    "cursor_offset": lambda facts: (
        abs(facts.state.position - facts.state.start) if _require_cursor_pair(facts) >= 0 else None
    ),
    "frequency_ratio": lambda facts: float(facts["comparison"].ratios[_require_cursor_pair(facts)]),
    "phase_error": lambda facts: facts["comparison"].error(
        _require_cursor_pair(facts), facts["cursor_offset"]
    ),
}


def _require_cursor_pair(facts: Facts) -> int:
    return require_fact(facts.cast_numbers(CompareNumbers).pair)


@register_fact
def comparison(facts: Facts) -> Comparison:
    """Return the comparison of the current and the pinned encoding."""
    if isinstance(facts.numbers, CompareNumbers):
        return facts.numbers.comparison
    return compare(facts.waves, require_known(find_pinned_encoding(facts.state)))


@register_fact
def against(facts: Facts) -> str:
    """Return the name of the encoding with which the current encoding is compared."""
    if facts.state.pin is not None:
        return make_distinguishing_name(facts.state, facts.state.pin)
    return "itself" if facts["compares_nothing"] else f"unscaled {facts.e.format_name()}"


@register_fact
def compares_nothing(facts: Facts) -> bool:
    """Return whether the encoding has no scaling and there is no pin to compare it with."""
    pinned_encoding = facts.cast_numbers(CompareNumbers).pinned_encoding
    return facts.state.pin is None and drop_unused_fields(facts.e) == drop_unused_fields(
        pinned_encoding
    )


@register_fact
def verdict(facts: Facts) -> str | None:
    """Return a sentence on whether the files of the encoding and the pin are equivalent.

    Return None if the encoding or the pin is not from an opened file.
    """
    e, opened, pin = facts.state.encoding, facts.state.opened, facts.state.pin
    if not (pin and isinstance(opened, OpenedModel) and find_layer_name(opened, e)):
        return None
    files = [file for file in opened.compared if pin.encoding in file.layers.values()]
    return opened.verdict(files[0]) if files else None


# -- the table -------------------------------------------------------------------------------------


def table(wording: Wording, picture: AnyPicture, numbers: CompareNumbers) -> TextTable:
    """Return a table of the evidence, with one row per property."""
    state, comparison = picture.state, numbers.comparison
    e, curve = require_known(state.encoding), {"options": {"curve": "error"}}
    offset, pair = comparison.first_beyond(picture.options.tolerance) or (0, None)
    first_beyond: dict[str, Any] = {**make_wave_fields(e, pair)}
    largest_error_fields: dict[str, Any] = {**make_wave_fields(e, comparison.worst)}
    if pair is not None and state.start + offset <= e.domain[-1]:
        first_beyond |= {"position": state.start + offset, **curve}
        if (count := _ZOOM_FACTOR * offset) > state.count:
            first_beyond |= zoom_range(state, count / state.count, 0.0)
    if comparison.worst is not None:
        largest_error_fields |= {"position": state.start + state.count - 1, **curve}
    order = None if comparison.is_identity else comparison.permutation
    largest_pair = comparison.largest[0] if comparison.differs else None
    places: tuple[dict[str, Any], ...] = (
        {"fields": make_wave_fields(e, comparison.first_pair)},
        {"fields": make_wave_fields(e, largest_pair)},
        {"fields": first_beyond},
        {"fields": largest_error_fields},
        {},
        {} if order is None else {"code": format_permutation_code(order)},
        {},
        {},
    )
    title = f"{make_current_name(state)} against {wording.get('against')}"
    rows = [
        (entry.name, [(entry.text, Detail(entry.help, words=entry.in_words, **place))])
        for entry, place in zip(wording.entries("evidence"), places, strict=True)
    ]
    return make_table((title,), rows)

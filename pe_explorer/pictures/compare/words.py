"""Facts of a comparison, and its table of evidence."""

from typing import Any

from pe_explorer.analysis import specification_words as texts
from pe_explorer.analysis.specification import Comparison, compare, permutation_code
from pe_explorer.encodings import require_known
from pe_explorer.exploration import Exploration, current_name, distinguishing_name, zoomed
from pe_explorer.exploration.fields import name_in_model
from pe_explorer.exploration.opened_model import OpenedModel
from pe_explorer.params import only_used
from pe_explorer.pictures.compare.numbers import CompareNumbers, CompareOptions, pinned_encoding_of
from pe_explorer.pictures.picture import AnyPicture
from pe_explorer.pictures.table import Detail, TextTable, table_of_cells
from pe_explorer.pictures.waves_across import column_of_wave
from pe_explorer.words import FACTS, Facts, fact, require_fact
from pe_explorer.words.texts import Wording

_SHOWN_FACTOR = 2  # positions shown, relative to the first offset beyond the tolerance

# -- facts -----------------------------------------------------------------------------------------

FACTS |= {
    "differing_pairs": lambda of: texts.differing(of["comparison"]),
    "largest_ratio": lambda of: texts.largest(
        of["comparison"], current_name(of.state), of["against"]
    ),
    "first_beyond": lambda of: texts.beyond(of["comparison"], of.options.tolerance),
    "largest_error": lambda of: of["comparison"].error(of["comparison.worst"], of.state.count - 1),
    "last_offset": lambda of: of.state.count - 1,
    "attention_factors": lambda of: texts.attention(of["comparison"]),
    "channel_order": lambda of: texts.order(of["comparison"]),
    # Facts of the cursor's pair.
    "cursor_offset": lambda of: abs(of.state.position - of.state.start) if _pair(of) >= 0 else None,
    "frequency_ratio": lambda of: float(of["comparison"].ratios[_pair(of)]),
    "phase_error": lambda of: of["comparison"].error(_pair(of), of["cursor_offset"]),
}


def _pair(of: Facts) -> int:
    return require_fact(of.numbers_as(CompareNumbers).pair)


@fact
def comparison(of: Facts) -> Comparison:
    """Return the comparison of the encodings."""
    if isinstance(of.numbers, CompareNumbers):
        return of.numbers.comparison
    return compare(of.waves, require_known(pinned_encoding_of(of.state)))


@fact
def against(of: Facts) -> str:
    """Return the name of the other encoding."""
    if of.state.pin is not None:
        return distinguishing_name(of.state, of.state.pin)
    return "itself" if of["compares_nothing"] else f"unscaled {of.e.display_name()}"


@fact
def compares_nothing(of: Facts) -> bool:
    """Return whether there is neither a pin nor a scaling to compare with."""
    pinned_encoding = of.numbers_as(CompareNumbers).pinned_encoding
    return of.state.pin is None and only_used(of.e) == only_used(pinned_encoding)


@fact
def verdict(of: Facts) -> str | None:
    """Return whether the file of the pin and the open file are equivalent, if both are files."""
    opened, pin = of.state.opened, of.state.pin
    if (
        not isinstance(opened, OpenedModel)
        or not name_in_model(opened, of.state.encoding)
        or not pin
    ):
        return None
    files = [file for file in opened.compared if pin.encoding in file.layers.values()]
    return opened.verdict(files[0]) if files else None


# -- the table -------------------------------------------------------------------------------------


def table(wording: Wording, picture: AnyPicture, numbers: CompareNumbers) -> TextTable:
    """Return the evidence with one row per property."""
    title = f"{current_name(picture.state)} against {wording.get('against')}"
    places = _places(picture.state, picture.options, numbers.comparison)
    rows = []
    for entry, place in zip(wording.entries("evidence"), places, strict=True):
        detail = Detail(entry.help, words=entry.in_words, **place)
        rows.append((entry.name, [(entry.text, detail)]))
    return table_of_cells((title,), rows)


def _places(
    state: Exploration, options: CompareOptions, comparison: Comparison
) -> tuple[dict[str, Any], ...]:
    e, curve = require_known(state.encoding), {"options": {"curve": "error"}}
    offset, pair = comparison.first_beyond(options.tolerance) or (0, None)
    first_off: dict[str, Any] = {**column_of_wave(e, pair)}
    worst: dict[str, Any] = {**column_of_wave(e, comparison.worst)}
    if pair is not None and state.start + offset <= e.domain[-1]:
        first_off |= {"position": state.start + offset, **curve}
        if (count := _SHOWN_FACTOR * offset) > state.count:
            first_off |= zoomed(state, count / state.count, 0.0)
    if comparison.worst is not None:
        worst |= {"position": state.start + state.count - 1, **curve}
    order = None if comparison.is_identity else comparison.permutation
    return (
        {"fields": column_of_wave(e, comparison.first_pair)},
        {"fields": column_of_wave(e, comparison.largest[0] if comparison.differs else None)},
        {"fields": first_off},
        {"fields": worst},
        {},
        {} if order is None else {"copied": permutation_code(order)},
        {},
        {},
    )

"""Facts of a comparison, and the places of its evidence."""

from collections.abc import Callable, Iterator
from typing import Any

from pe_explorer import pictures
from pe_explorer.analysis import specification_words as said
from pe_explorer.analysis.specification import Comparison, compare, permutation_code
from pe_explorer.encodings import Encoding, Unknown, require_known
from pe_explorer.exploration import Exploration, current_name, distinguishing_name, zoomed
from pe_explorer.exploration.fields import called
from pe_explorer.exploration.opened_model import OpenedModel
from pe_explorer.params import only_used, printed
from pe_explorer.pictures.compare.numbers import CompareNumbers, CompareOptions, other_of
from pe_explorer.pictures.picture import AnyPicture
from pe_explorer.pictures.table import Detail, TextTable, table_of_cells
from pe_explorer.pictures.waves_across import column_of_wave
from pe_explorer.words import FACTS, Fact, Facts, fact, given, once, require
from pe_explorer.words.texts import Telling

_SHOWN_FACTOR = 2  # positions shown, relative to the first offset beyond the tolerance

# -- facts -----------------------------------------------------------------------------------------


@once
def _comparison(of: Facts) -> Comparison:
    if isinstance(of.numbers, CompareNumbers):
        return of.numbers.found
    other = other_of(of.state)
    require(isinstance(other, Encoding))
    return compare(of.waves, require_known(other))


def _tolerance(of: Facts) -> float:
    tolerance: float = pictures.find("compare")(of.state).options.tolerance
    return tolerance


def _beyond(of: Facts) -> tuple[int, int]:
    """Return the offset from which on a pair is off by more than the tolerance, and the pair."""
    return given(_comparison(of).first_beyond(_tolerance(of)))


def _proven(name: str) -> Callable[[Facts], Fact]:
    """Return a fact that is a product of the proof, if there is one."""
    return lambda of: given(getattr(of.numbers_as(CompareNumbers).proof, name, None))


def _pair(of: Facts) -> int:
    return given(of.numbers_as(CompareNumbers).pair)


FACTS |= {
    "other": lambda of: name_of(of.state),
    "tolerance": lambda of: printed.exact(_tolerance(of)),
    "differing_pairs": lambda of: len(_comparison(of).differing),
    "common_pairs": lambda of: len(_comparison(of).ratios),
    "first_differing": lambda of: given(_comparison(of).first_pair),
    "differing": lambda of: said.differing(_comparison(of)),
    "largest_ratio": lambda of: said.largest(_comparison(of), current_name(of.state), of["other"]),
    "ratio_pair": lambda of: _comparison(of).largest[0],
    "exact_ratio": lambda of: printed.exact(_comparison(of).largest[1]),
    "beyond": lambda of: said.beyond(_comparison(of), _tolerance(of)),
    "first_offset": lambda of: _beyond(of)[0],
    "first_off": lambda of: _beyond(of)[1],
    "worst_pair": lambda of: given(_comparison(of).worst),
    "last_offset": lambda of: of.state.count - 1,
    "largest_error": lambda of: said.number(
        _comparison(of).error(of["worst_pair"], of.state.count - 1)
    ),
    "attention_factors": lambda of: said.attention(_comparison(of)),
    "order": lambda of: said.order(_comparison(of)),
    "first_product": _proven("first"),
    "second_product": _proven("second"),
    "permuted_product": _proven("permuted"),
    "deinterleaved_product": _proven("deinterleaved"),
    "compared_pair": _pair,
    "frequency_ratio": lambda of: float(_comparison(of).ratios[_pair(of)]),
    "phase_error": lambda of: _comparison(of).error(_pair(of), of["cursor_offset"]),
}


@fact
def cursor_offset(of: Facts) -> int:
    """Return how far the cursor is from the first position, if it has a pair."""
    require(_pair(of) >= 0)
    return abs(of.state.position - of.state.start)


@fact
def identical(of: Facts) -> str:
    """Return what the other encoding is called, if it is the same."""
    require(_comparison(of).is_identity)
    return name_of(of.state)


@fact
def reordered(of: Facts) -> str:
    """Return the same, if only the order of its channels may be another."""
    require(_comparison(of).permutation is not None)
    return name_of(of.state)


@fact
def verdict(of: Facts) -> str:
    """Return whether the file of the pin means the same as the open one, if there is one."""
    opened, pin = of.state.opened, of.state.pin
    require(pin is not None and isinstance(opened, OpenedModel))
    assert pin is not None
    assert isinstance(opened, OpenedModel)
    require(called(opened, of.state.encoding))
    files = [each for each in opened.compared if pin.encoding in each.layers.values()]
    require(files)
    return opened.verdict(files[0])


def name_of(state: Exploration) -> str:
    """Return what the other encoding is called."""
    if state.pin is not None:
        return distinguishing_name(state.pin, state.encoding)
    e, other = state.encoding, other_of(state)
    if isinstance(e, Unknown) or isinstance(other, Unknown) or only_used(e) == only_used(other):
        return "itself"
    return "itself, unscaled"


# -- the table -------------------------------------------------------------------------------------


def table(told: Telling, picture: AnyPicture, numbers: CompareNumbers) -> TextTable:
    """Return the evidence, a row for each thing that can differ."""
    title = f"{current_name(picture.state)} against {name_of(picture.state)}"
    places = _places(picture.state, picture.options, numbers.found)
    evidence = zip(told.entries("evidence"), places, strict=False)
    rows = [
        (name, [(text, Detail(why, words=in_words, **place))])
        for (name, text, why, in_words), place in evidence
    ]
    return table_of_cells((title,), rows)


def _places(
    state: Exploration, options: CompareOptions, found: Comparison
) -> Iterator[dict[str, Any]]:
    """Yield where each row of the table leads to, and the code that it copies."""

    def on_pair(pair: int | None, **more: Any) -> dict[str, Any]:
        return {"fields": column_of_wave(state.encoding, pair) | more if pair is not None else {}}

    yield on_pair(found.first_pair)
    yield on_pair(found.largest[0] if len(found.differing) else None)
    errors: dict[str, Any] = {"options": {"curve": "error"}}
    offset, pair = found.first_beyond(options.tolerance) or (0, None)
    if state.start + offset <= require_known(state.encoding).domain[-1]:
        wanted = max(state.count, _SHOWN_FACTOR * offset)
        count = zoomed(state, wanted / state.count, 0.0) if wanted > state.count else {}
        yield on_pair(pair, **count, position=state.start + offset, **errors)
    else:
        yield on_pair(pair)
    yield on_pair(found.worst, position=state.start + state.count - 1, **errors)
    yield {}
    order = None if found.is_identity else found.permutation
    yield {} if order is None else {"copied": permutation_code(order)}
    yield {}
    yield {}

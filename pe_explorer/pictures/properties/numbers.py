"""Compute the evidence for each property, and similarities."""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from pe_explorer.analysis import distance, wishes
from pe_explorer.analysis.wishes import Evidence
from pe_explorer.colours.maps import VALUE_MAPS
from pe_explorer.encodings import Encoding, EncodingError, Unknown
from pe_explorer.exploration import Exploration
from pe_explorer.params import Choice, capitalised, declare
from pe_explorer.pictures.cost import exact_distance_factor, reading_cost, start_cost
from pe_explorer.pictures.distances.reasons import why_no_rows
from pe_explorer.pictures.named import every_encoding
from pe_explorer.pictures.picture import Options
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.properties import likeness
from pe_explorer.pictures.properties.likeness import LikenessNumbers
from pe_explorer.pictures.properties.words import MEASURING, EvidenceOrReason, Row, evidence_rows
from pe_explorer.progress import Part, report
from pe_explorer.words.texts import Wording

COARSE_HEIGHT = 1  # height of a coarse picture, which contains no evidence

_TABLES = 8  # number of tables of all measured positions that the evidence needs
_PRODUCT_COST, _PAIR_COST = 0.01, 0.2  # costs per pair of values, in values of a table
_ROWS_COST = 15  # cost per pair of rows of any width
_MOST_CACHED = 16  # cache size, so that moving the cursor is fast
_EVIDENCE_SHARE = 0.9  # fraction of the progress

_PARTS = {
    "both": "evidence for desirable properties, and similar positions",
    "wishes": "only the evidence",
    "look-alikes": "only similar positions",
}
Key = tuple[Encoding, range, int, str]


@dataclass(frozen=True)
class PropertiesOptions(Options):
    """Options for the contents of the table and the colours of the strip."""

    part: str = declare(Choice("both", _PARTS, label="Table", help="What the table shows."))
    values: str = declare(
        Choice("viridis", VALUE_MAPS, label="Colours", help="Colour map of the strip.")
    )

    @property
    def names_wishes(self) -> bool:
        return self.part != "look-alikes"

    @property
    def names_look_alikes(self) -> bool:
        return self.part != "wishes"


class Column(NamedTuple):
    """The evidence for an encoding, and its rows in the table."""

    evidence: EvidenceOrReason
    rows: tuple[Row, ...]


class PropertiesNumbers(NamedTuple):
    """Evidence and similarities of the current encoding and of each pin."""

    evidence: tuple[Column, ...]
    likeness: LikenessNumbers


def compute(
    state: Exploration,
    options: PropertiesOptions,
    size: Size,
    cancelled: threading.Event,
    wording: Wording,
) -> PropertiesNumbers:
    """Return the numbers for a size, and the rows of the table."""
    at_once = size.height <= COARSE_HEIGHT
    shown = every_encoding(state)
    evidence = []
    for number, e in enumerate(shown):
        share = _EVIDENCE_SHARE / len(shown)
        progress = Part(cancelled, number * share, share)
        if options.names_wishes:
            evidence.append(_evidence(wording, state, e, progress, only_cached=at_once))
    report(cancelled, _EVIDENCE_SHARE)
    return PropertiesNumbers(
        tuple(evidence), likeness.compute(state, size, cancelled, at_once=at_once)
    )


def cost(state: Exploration, options: PropertiesOptions, size: Size) -> float:
    """Return the approximate cost of `compute`, in values of a table."""
    at_once = size.height <= COARSE_HEIGHT
    total = likeness.cost(state, size, at_once=at_once)
    if options.names_wishes and not at_once:
        keys = (_key(state, e) for e in every_encoding(state))
        total += sum(_cost(key) for key in keys if key and key not in _cache)
    return total


def _key(state: Exploration, e: Encoding | Unknown) -> Key | None:
    if isinstance(e, Unknown) or why_no_rows(state, e):
        return None
    positions = wishes.measurable(e, state.positions, state.reference, state.metric)
    return e, positions, state.reference, state.metric


def _cost(key: Key) -> float:
    e, positions, _, metric = key
    tables = _TABLES * (len(positions) + start_cost(e)) * e.width
    pairs = wishes.pairs_to_compare(e, len(positions), metric)
    by_products = distance.base_of(metric) in ("cosine", "euclidean", "sse", "dot")
    pair_cost = _ROWS_COST + e.width * (_PRODUCT_COST if by_products else _PAIR_COST)
    exact_factor = exact_distance_factor(e, len(positions))
    return reading_cost(e) + tables + pairs * pair_cost * exact_factor


def _evidence(
    wording: Wording,
    state: Exploration,
    e: Encoding | Unknown,
    progress: Part,
    *,
    only_cached: bool,
) -> Column:
    key = _key(state, e)
    if key in _cache:
        return _cache[key]
    found: EvidenceOrReason = MEASURING
    if key is None:
        found = f"{capitalised(why_no_rows(state, e))}."
    elif not only_cached:
        try:
            found = wishes.measure(*key, partial(report, progress))
        except EncodingError as error:  # a file is missing
            found = error.sentence
    column = Column(found, tuple(evidence_rows(wording, state, e, found)))
    if key and isinstance(found, Evidence):
        with _lock:
            _cache[key] = column
            while len(_cache) > _MOST_CACHED:
                _cache.popitem(last=False)
    return column


_cache: OrderedDict[Key | None, Column] = OrderedDict()
_lock = threading.Lock()

"""Compute the evidence for each property, and the similarities of positions."""

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
from pe_explorer.params import Choice, capitalise, declare
from pe_explorer.pictures.cost import (
    compute_exact_factor,
    estimate_reading_cost,
    estimate_start_cost,
)
from pe_explorer.pictures.distances.reasons import no_rows_reason
from pe_explorer.pictures.named import list_encodings
from pe_explorer.pictures.picture import Options
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.properties import likeness
from pe_explorer.pictures.properties.likeness import SimilarityNumbers
from pe_explorer.pictures.properties.words import (
    COMPUTING_SENTENCE,
    EvidenceOrReason,
    EvidenceRow,
    make_evidence_rows,
)
from pe_explorer.progress import PartialProgress, report
from pe_explorer.words.texts import Wording

COARSE_HEIGHT = 1  # height of a coarse picture, which contains no evidence

_TABLE_COUNT = 8  # number of tables to compute for the evidence
_PRODUCT_COST, _PAIR_COST = 0.01, 0.2  # costs per pair of values, with and without matrix products
_ROWS_COST = 15  # cost per pair of rows, regardless of the width
_CACHE_SIZE = 16  # maximum number of cached columns, which make moving the cursor fast
_EVIDENCE_SHARE = 0.9  # fraction of the progress range reserved for computing the evidence

_PART_CHOICES = {
    "both": "evidence for desirable properties, and similar positions",
    "wishes": "only the evidence",
    "look-alikes": "only similar positions",
}
EvidenceKey = tuple[Encoding, range, int, str]


@dataclass(frozen=True)
class PropertiesOptions(Options):
    """Options for the contents of the table and the colours of the strip."""

    part: str = declare(Choice("both", _PART_CHOICES, label="Table", help="What the table shows."))
    values: str = declare(
        Choice("viridis", VALUE_MAPS, label="Colours", help="Colour map of the strip.")
    )

    @property
    def shows_wishes(self) -> bool:
        return self.part != "look-alikes"

    @property
    def shows_similar_positions(self) -> bool:
        return self.part != "wishes"


class EvidenceColumn(NamedTuple):
    """The evidence for an encoding, and its rows in the table."""

    evidence: EvidenceOrReason
    rows: tuple[EvidenceRow, ...]


class PropertiesNumbers(NamedTuple):
    """Evidence and similarities of the current encoding and of each pin."""

    evidence: tuple[EvidenceColumn, ...]
    likeness: SimilarityNumbers


def compute(
    state: Exploration,
    options: PropertiesOptions,
    size: Size,
    cancellation: threading.Event,
    wording: Wording,
) -> PropertiesNumbers:
    """Return the evidence, and the similarities for the width of `size`.

    If `size` has the height of a coarse picture, only cached evidence is included.
    """
    is_coarse = size.height <= COARSE_HEIGHT
    encodings = list_encodings(state) if options.shows_wishes else ()
    share, evidence = _EVIDENCE_SHARE / (1 + len(state.pins)), []
    for number, e in enumerate(encodings):
        progress = PartialProgress(cancellation, number * share, share)
        evidence.append(_make_evidence_column(wording, state, e, progress, is_coarse=is_coarse))
    report(cancellation, _EVIDENCE_SHARE)
    similarities = likeness.compute(state, size, cancellation, is_coarse=is_coarse)
    return PropertiesNumbers(tuple(evidence), similarities)


def cost(state: Exploration, options: PropertiesOptions, size: Size) -> float:
    """Return the approximate cost of `compute`, in units of `pictures.cost`."""
    is_coarse = size.height <= COARSE_HEIGHT
    total = likeness.cost(state, size, is_coarse=is_coarse)
    if options.shows_wishes and not is_coarse:
        keys = (_make_evidence_key(state, e) for e in list_encodings(state))
        total += sum(_estimate_evidence_cost(key) for key in keys if key and key not in _cache)
    return total


def _make_evidence_key(state: Exploration, e: Encoding | Unknown) -> EvidenceKey | None:
    if isinstance(e, Unknown) or no_rows_reason(state, e):
        return None
    positions = wishes.find_measurable_positions(e, state.positions, state.reference, state.metric)
    return e, positions, state.reference, state.metric


def _estimate_evidence_cost(key: EvidenceKey) -> float:
    e, positions, _, metric = key
    tables = _TABLE_COUNT * (len(positions) + estimate_start_cost(e)) * e.width
    pairs = wishes.count_compared_pairs(e, len(positions), metric)
    is_product_metric = distance.find_base_metric(metric) in ("cosine", "euclidean", "sse", "dot")
    pair_cost = _ROWS_COST + e.width * (_PRODUCT_COST if is_product_metric else _PAIR_COST)
    exact_factor = compute_exact_factor(e, len(positions))
    return estimate_reading_cost(e) + tables + pairs * pair_cost * exact_factor


def _make_evidence_column(
    wording: Wording,
    state: Exploration,
    e: Encoding | Unknown,
    progress: PartialProgress,
    *,
    is_coarse: bool,
) -> EvidenceColumn:
    key = _make_evidence_key(state, e)
    if key in _cache:
        return _cache[key]
    evidence: EvidenceOrReason = COMPUTING_SENTENCE
    if key is None:
        evidence = f"{capitalise(no_rows_reason(state, e))}."
    elif not is_coarse:
        try:
            evidence = wishes.measure(*key, partial(report, progress))
        except EncodingError as error:  # for example, a file is missing
            evidence = error.sentence
    column = EvidenceColumn(evidence, tuple(make_evidence_rows(wording, state, e, evidence)))
    if key and isinstance(evidence, Evidence):
        with _lock:
            _cache[key] = column
            while len(_cache) > _CACHE_SIZE:
                _cache.popitem(last=False)
    return column


_cache: OrderedDict[EvidenceKey | None, EvidenceColumn] = OrderedDict()
_lock = threading.Lock()

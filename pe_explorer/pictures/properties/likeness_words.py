"""The look-alikes in words: what the table names of them."""

import math
from collections.abc import Iterator

from pe_explorer.analysis.likeness import is_angle, title
from pe_explorer.encodings import require_known
from pe_explorer.exploration import Exploration
from pe_explorer.params import printed
from pe_explorer.pictures.properties.likeness import MOST_NAMED, Alikes
from pe_explorer.pictures.table import Detail

Cell = tuple[str, Detail]

_MOST_IN_A_SENTENCE = 3  # look-alikes
ROWS = MOST_NAMED + 2
"""Rows of the table that are about look-alikes."""


def titles(state: Exploration) -> Iterator[str]:
    """Yield what the rows are called."""
    yield f"Next to {state.position:,}"
    for rank in range(1, MOST_NAMED + 1):
        yield f"Look-alike {rank}"
    yield "First nearer than next"


def cells(state: Exploration, alikes: Alikes | None) -> Iterator[Cell]:
    """Yield the neighbour, the look-alikes by rank, and the first that is nearer."""
    rows = require_known(state.encoding).rows
    here = f"{rows.name} {state.position:,}"
    if alikes is None:
        lack = Detail(f"It has no row for {here} that could be compared.")
        yield "none", lack._replace(in_full=True)
        for _ in range(ROWS - 1):
            yield "–", lack
        return
    after, what = state.position + 1, title(state.metric)
    if math.isfinite(alikes.neighbour):
        size = _size(state, alikes.neighbour)
        sentence = f"The {what} of {here} and its neighbour {after:,} is {size}."
        yield _cell(state, after, alikes.neighbour, sentence)
    elif alikes.undetermined:
        yield "not determined", Detail(f"Rounding decides the {what} of {here} and {after:,}.")
    else:
        yield "none", Detail(f"No {what} to the {rows.name} after {here} can be measured.")
    nothing = Detail(
        f"Beyond its neighbours, no further {rows.name} stands out as similar to {here}."
    )
    for rank in range(MOST_NAMED):
        if rank >= len(alikes.found):
            yield "none", nothing
            continue
        position, size = alikes.found[rank].position, _size(state, alikes.found[rank].distance)
        sentence = f"Look-alike {rank + 1} of {here} is {rows.name} {position:,}: {what} {size}."
        yield _cell(state, position, alikes.found[rank].distance, sentence)
    if alikes.nearer is None:
        within = f"up to {alikes.searched[-1]:,}" if alikes.searched else "here"
        yield "none", Detail(f"Beyond it, no {rows.name} {within} is nearer than the next one.")
        return
    nearer = alikes.nearer
    size = _size(state, nearer.distance)
    sentence = f"The first {rows.name} that is nearer than the next: {nearer.position:,} ({size})."
    yield _cell(state, nearer.position, nearer.distance, sentence)


def _cell(state: Exploration, position: int, distance: float, sentence: str) -> Cell:
    """Return a position and how alike it is: shortly, in words and in full."""
    rows, what = require_known(state.encoding).rows, title(state.metric)
    number = 1 - distance if is_angle(state.metric) else distance
    size = printed.rounded(number)
    words = f"{rows.name} {position:,}, {what} {size}"
    # Beside the cursor, or the list would be about another position.
    there, is_shown = {"reference": position}, position == state.reference
    return f"{position:,} ({size})", Detail(sentence, there, words=words, shown=is_shown)


def named(alikes: Alikes | None) -> Iterator[tuple[int, str]]:
    """Yield the positions that are most alike with their ranks: ``1: 622``."""
    for rank, alike in enumerate(alikes.found if alikes else (), 1):
        yield alike.position, f"{rank}: {printed.whole(alike.position)}"


def sentence(state: Exploration, alikes: Alikes | None) -> str:
    """Return which positions are most like that of the cursor."""
    rows = require_known(state.encoding).rows
    here = f"{rows.name} {state.position:,}"
    if alikes is None or not alikes.searched:
        return ""
    count = len(alikes.searched)
    of = f" among the nearest {rows.counted(count)}" if count < state.count else ""
    if not alikes.found:
        return f"Beyond its neighbours, no {rows.name} stands out as similar to {here}{of}."
    best = ", ".join(
        f"{alike.position:,} ({_size(state, alike.distance)})"
        for alike in alikes.found[:_MOST_IN_A_SENTENCE]
    )
    return f"Most like {here} beyond its neighbours, by the {title(state.metric)}: {best}{of}."


def _size(state: Exploration, distance: float) -> str:
    """Return a likeness, or a distance, in six digits."""
    return printed.fine(1 - distance if is_angle(state.metric) else distance)

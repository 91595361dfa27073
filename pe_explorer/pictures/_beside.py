"""Combine panels of several encodings side by side: colours, curves, text and differences."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from pe_explorer.analysis.comparison import Show, subtracted
from pe_explorer.colours.maps import DIVERGING
from pe_explorer.encodings import require_known
from pe_explorer.exploration import Exploration
from pe_explorer.exploration.pins import difference_name, subject_name
from pe_explorer.pictures.figure import Cells, Curve, Figure, Note, Panel, PanelAxis
from pe_explorer.pictures.limits import limit_above, suited_colours
from pe_explorer.pictures.pixels import colour_indices

_ROUNDING_DECIDES = (
    "The two encodings are so similar that rounding error dominates every difference."
)


def beside(
    state: Exploration,
    words: Sequence[Show],
    computed: Mapping[Show, Figure],
    coloured: Collection[str],
) -> Figure:
    """Return one figure with the pictures for some words, using the figures in `computed`.

    The name of its encoding is above each coloured panel; curves share one panel.
    """
    figures = {word: computed.get(word) or _difference_figure(state, computed) for word in words}
    panels: dict[str, Panel] = {}
    for panel in chain.from_iterable(figure.panels for figure in computed.values()):
        if panel.name not in coloured:
            first = panels.get(panel.name)
            panels[panel.name] = _with_curve(state, first, panel) if first else panel
    for word, figure in figures.items():
        for panel in figure.panels:
            if panel.name in coloured:
                named = _with_name(panel, state, word, words)
                panels[named.name] = named
    substitutes = (figure.substitute for figure in figures.values() if figure.substitute)
    return figures[words[0]]._replace(
        panels=tuple(_in_same_colours(list(panels.values()))),
        status=status_of(state, figures),
        substitute=next(substitutes, None),
    )


def _with_name(panel: Panel, state: Exploration, word: Show, words: Sequence[Show]) -> Panel:
    name = panel.name if word == words[0] else f"{panel.name}-{word}"
    if len(words) == 1:
        return panel._replace(name=name)
    encoding = subject_name(state, word)
    if [subject_name(state, show) for show in words].count(encoding) > 1:
        encoding = f"{encoding} ({word})"  # a pin can have the same name as the current encoding
    return panel._replace(name=name, heading=", ".join(filter(None, (encoding, panel.heading))))


def status_of(state: Exploration, figures: Mapping[Show, Figure]) -> str:
    """Return the status of the first picture, with the names of the other encodings."""
    first, *further = figures.values()
    names = [subject_name(state, word) for word in figures]
    if not first.status:
        return ""
    sentences = [first.status]
    if Show.CURRENT not in figures and names[0] not in first.status:
        sentences.append(f"Shown: {names[0]}.")
    if further:
        sentences.append(f"Beside it: {' and '.join(names[1:])}.")
    return " ".join([*sentences, *(figure.note.sentence for figure in further if figure.note)])


def _difference_figure(state: Exploration, computed: Mapping[Show, Figure]) -> Figure:
    figure, pinned = computed[Show.CURRENT], computed[Show.PINNED]
    name, panels, substitute, note = difference_name(state), [], None, figure.note
    for panel in figure.panels:
        less = pinned.panel(panel.name)
        if less is None:
            continue
        hatched = (*panel.hatched, *less.hatched)
        if panel.cells is None or less.cells is None:
            panels.append(panel._replace(cells=None, hatched=hatched))
            continue
        substitute = suited_colours(panel.cells.colour_map, differences=True)
        cells = _subtracted(state, panel.cells, less.cells)
        lost = np.isnan(cells.values) & np.isfinite(panel.cells.values)
        if lost.any() and not np.nan_to_num(cells.values).any():
            note = note or Note(_ROUNDING_DECIDES)
        cells = cells._replace(
            colour_map=substitute.replacement if substitute else cells.colour_map,
            title=f"{cells.title}, {name}",
        )
        panels.append(panel._replace(cells=cells, hatched=hatched))
    return figure._replace(panels=tuple(panels), caption="", substitute=substitute, note=note)


def _subtracted(state: Exploration, cells: Cells, less: Cells) -> Cells:
    assert state.pin is not None
    e, pinned = require_known(state.encoding), require_known(state.pin.encoding)
    least = max(cells.least, less.least)
    values = subtracted(cells.values, less.values, e, pinned, least)
    limits = (-limit_above(values), limit_above(values))
    return cells._replace(values=values, indices=colour_indices(values, limits), limits=limits)


def _with_curve(state: Exploration, panel: Panel, pinned: Panel) -> Panel:
    assert state.pin is not None
    own = [curve._replace(name=subject_name(state, Show.CURRENT)) for curve in panel.curves]
    name, colour = subject_name(state, Show.PINNED), state.pin.colour
    of_pin = [curve._replace(name=name, colour=colour) for curve in pinned.curves]
    panel = panel._replace(y=_reaching(panel.y, pinned.y))
    if pinned.trail is not None:
        of_pin = [Curve(name, pinned.trail.x, pinned.trail.y, colour)]
        x, y = _reaching(panel.x, pinned.x), panel.y
        length = max(x.length, y.length)
        panel = panel._replace(x=x.around_middle(length), y=y.around_middle(length))
    return panel._replace(curves=(*own, *of_pin))


def _reaching(axis: PanelAxis, other: PanelAxis) -> PanelAxis:
    return replace(axis, low=min(axis.low, other.low), high=max(axis.high, other.high))


def split_name(panel: str) -> tuple[str, str]:
    """Return the name of a panel in its own picture and its word of `SHOW`, or an empty string."""
    name, _, word = panel.rpartition("-")
    return (name, word) if word in set(Show) else (panel, "")


def _in_same_colours(panels: list[Panel]) -> Iterator[Panel]:
    for panel in panels:
        name, _ = split_name(panel.name)
        peers = [peer for peer in panels if split_name(peer.name)[0] == name]
        cells = panel.cells
        if cells and len(coloured := [peer.cells for peer in peers if peer.cells]) > 1:
            cells = _in_common_colours(cells, coloured)
        has_bar = panel.has_bar and panel.name == peers[-1].name
        yield panel._replace(has_bar=has_bar, cells=cells)


def _in_common_colours(cells: Cells, peers: list[Cells]) -> Cells:
    low = min(peer.limits[0] for peer in peers)
    high = max(peer.limits[1] for peer in peers)
    colour_map = next((p.colour_map for p in peers if p.colour_map in DIVERGING), cells.colour_map)
    if colour_map in DIVERGING:
        high = max(-low, high)
        low = -high
    indices, title = colour_indices(cells.values, (low, high)), peers[0].title
    return cells._replace(limits=(low, high), indices=indices, colour_map=colour_map, title=title)

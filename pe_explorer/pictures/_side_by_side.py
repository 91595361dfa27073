"""Combine the panels of several encodings into one figure."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from pe_explorer.analysis.comparison import ShowOption, subtract_values
from pe_explorer.colours.maps import DIVERGING_MAPS
from pe_explorer.encodings import require_known
from pe_explorer.exploration import Exploration
from pe_explorer.exploration.pins import make_difference_name, make_subject_name
from pe_explorer.pictures.figure import Figure, Note, Panel
from pe_explorer.pictures.limits import find_colour_substitute, find_limit_above
from pe_explorer.pictures.lines import Curve
from pe_explorer.pictures.pixels import compute_colour_indices
from pe_explorer.pictures.places import PanelAxis

_ROUNDING_NOTE = "The two encodings are so similar that rounding error dominates every difference."


def combine_figures(
    state: Exploration,
    words: Sequence[ShowOption],
    computed_figures: Mapping[ShowOption, Figure],
    coloured_panels: Collection[str],
) -> Figure:
    """Return one figure with the panels of the encodings that `words` select.

    The panels of the difference are computed from those of the current encoding and the
    pin. If there are several words, the heading of each coloured panel is the name of its
    encoding. Other panels with the same name are combined into one panel with the curves of
    all encodings.
    """
    figures = {
        word: computed_figures.get(word) or _make_difference_figure(state, computed_figures)
        for word in words
    }
    panels: dict[str, Panel] = {}
    for panel in chain.from_iterable(figure.panels for figure in computed_figures.values()):
        if panel.name not in coloured_panels:
            first = panels.get(panel.name)
            panels[panel.name] = _add_pin_curves(state, first, panel) if first else panel
    names = [make_subject_name(state, word) for word in words]
    for word, name in zip(words, names, strict=True):
        # Add the word if the pin has the same name as the current encoding.
        heading = f"{name} ({word})" if names.count(name) > 1 else name
        for panel in figures[word].panels:
            if panel.name not in coloured_panels:
                continue
            if len(words) > 1:
                full_heading = ", ".join(filter(None, (heading, panel.heading)))
                panel = panel._replace(heading=full_heading)
            if word != words[0]:
                panel = panel._replace(name=f"{panel.name}-{word}")
            panels[panel.name] = panel
    substitutes = (figure.substitute for figure in figures.values() if figure.substitute)
    return figures[words[0]]._replace(
        panels=tuple(_share_colours(list(panels.values()))),
        status=make_status(state, figures),
        substitute=next(substitutes, None),
    )


def make_status(state: Exploration, figures: Mapping[ShowOption, Figure]) -> str:
    """Return the status of the first figure, with the names and notes of the other figures."""
    first_figure, *other_figures = figures.values()
    names = [make_subject_name(state, word) for word in figures]
    if not first_figure.status:
        return ""
    sentences = [first_figure.status]
    if ShowOption.CURRENT not in figures and names[0] not in first_figure.status:
        sentences.append(f"Shown: {names[0]}.")
    if other_figures:
        sentences.append(f"Beside it: {' and '.join(names[1:])}.")
    sentences += [figure.note.sentence for figure in other_figures if figure.note]
    return " ".join(sentences)


def _make_difference_figure(state: Exploration, figures: Mapping[ShowOption, Figure]) -> Figure:
    assert state.pin is not None
    figure, name, panels = figures[ShowOption.CURRENT], make_difference_name(state), []
    substitute, note = None, figure.note
    for panel in figure.panels:
        pin_panel = figures[ShowOption.PINNED].panel(panel.name)
        if pin_panel is None:
            continue
        cells, pin_cells = panel.cells, pin_panel.cells
        if cells and pin_cells:
            e, pin_encoding = require_known(state.encoding), require_known(state.pin.encoding)
            min_magnitude = max(cells.min_magnitude, pin_cells.min_magnitude)
            values = subtract_values(cells.values, pin_cells.values, e, pin_encoding, min_magnitude)
            is_lost = np.isnan(values) & np.isfinite(cells.values)
            if is_lost.any() and not np.nan_to_num(values).any():
                note = note or Note(_ROUNDING_NOTE)
            limits = (-find_limit_above(values), find_limit_above(values))
            substitute = find_colour_substitute(cells.colour_map, differences=True)
            cells = cells._replace(
                values=values,
                indices=compute_colour_indices(values, limits),
                limits=limits,
                colour_map=substitute.replacement if substitute else cells.colour_map,
                title=f"{cells.title}, {name}",
            )
        areas = (*panel.hatched_areas, *pin_panel.hatched_areas)
        panels.append(panel._replace(cells=cells if pin_cells else None, hatched_areas=areas))
    return figure._replace(panels=tuple(panels), caption="", substitute=substitute, note=note)


def _add_pin_curves(state: Exploration, panel: Panel, pin_panel: Panel) -> Panel:
    assert state.pin is not None
    current_name = make_subject_name(state, ShowOption.CURRENT)
    name = make_subject_name(state, ShowOption.PINNED)
    colour, trail = state.pin.colour, pin_panel.trail
    current_curves = [curve._replace(name=current_name) for curve in panel.curves]
    pin_curves = [curve._replace(name=name, colour=colour) for curve in pin_panel.curves]
    panel = panel._replace(y=_unite_axes(panel.y, pin_panel.y))
    if trail is not None:
        pin_curves = [Curve(name, trail.x, trail.y, colour)]
        x, y = _unite_axes(panel.x, pin_panel.x), panel.y
        length = max(x.length, y.length)
        panel = panel._replace(x=x.with_length(length), y=y.with_length(length))
    return panel._replace(curves=(*current_curves, *pin_curves))


def _unite_axes(axis: PanelAxis, pin_axis: PanelAxis) -> PanelAxis:
    return replace(axis, low=min(axis.low, pin_axis.low), high=max(axis.high, pin_axis.high))


def split_panel_name(panel: str) -> tuple[str, str]:
    """Split a panel name into the name within its picture and the word of `SHOW`.

    The word is empty for the panels of the first picture.
    """
    name, _, word = panel.rpartition("-")
    return (name, word) if word in set(ShowOption) else (panel, "")


def _share_colours(panels: list[Panel]) -> Iterator[Panel]:
    """Yield the panels; corresponding panels share a colour map, limits and a colour bar."""
    for panel in panels:
        name, _ = split_panel_name(panel.name)
        peers = [peer for peer in panels if split_panel_name(peer.name)[0] == name]
        peer_cells = [peer.cells for peer in peers if peer.cells]
        cells = panel.cells
        if cells and len(peer_cells) > 1:
            low = min(peer.limits[0] for peer in peer_cells)
            high = max(peer.limits[1] for peer in peer_cells)
            maps = (peer.colour_map for peer in peer_cells if peer.colour_map in DIVERGING_MAPS)
            colour_map = next(maps, cells.colour_map)
            if colour_map in DIVERGING_MAPS:
                high = max(-low, high)
                low = -high
            indices = compute_colour_indices(cells.values, (low, high))
            cells = cells._replace(limits=(low, high), indices=indices, colour_map=colour_map)
            cells = cells._replace(title=peer_cells[0].title)
        has_bar = panel.has_bar and panel.name == peers[-1].name
        yield panel._replace(has_bar=has_bar, cells=cells)

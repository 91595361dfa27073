"""Cache keys of layouts, which depend on all parts of a figure except for its data."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from pe_explorer.figures._look import Look
from pe_explorer.figures._panel import is_square
from pe_explorer.figures._ticks import make_axis_key
from pe_explorer.figures.size import POINTS_PER_INCH
from pe_explorer.pictures.figure import Figure, Panel

_LONGEST_BADGE = "mean of 100,000 positions"
_MAX_PANEL_FRACTION = 0.6  # maximum fraction of a page's width or height for a panel


def reserve_space(
    figures: Sequence[Figure], legend_indices: set[int], look: Look, width: float, height: float
) -> list[Figure]:
    """Return figures that reserve space for content whose size is known only after layout.

    The badge of a panel depends on the size of the panel, so every panel that may need a
    badge reserves space for the longest possible badge. `legend_indices` are the
    indices of the figures with legends below their panels. All other legends are omitted,
    because legends inside panels need no extra space.
    """
    result, pixels = [], _MAX_PANEL_FRACTION * look.style.dpi / POINTS_PER_INCH
    for number, figure in enumerate(figures):
        columns, rows = pixels * width / max(1, len(figure.panels)), pixels * height
        panels = []
        for panel in figure.panels:
            badge = _LONGEST_BADGE if panel.x.count > columns or panel.y.count > rows else ""
            has_legend = panel.has_legend and number in legend_indices
            panels.append(panel._replace(badge=badge, has_legend=has_legend))
        result.append(figure._replace(panels=tuple(panels)))
    return result


def make_key(figure: Figure, look: Look) -> tuple[Any, ...]:
    """Return a key that is equal for figures with the same layout."""
    clocks, table = figure.clocks, figure.table
    panels = figure.panels
    return (
        *(figure.label, figure.note and figure.note.sentence, figure.share),
        clocks and (clocks.grid, clocks.counted_items),
        table and (table.titles, table.rows, table.with_long_texts.rows, table.spare_row_count),
        tuple(_make_panel_key(panel, look) for panel in panels),
        tuple(first.x == second.x for first, second in pairwise(panels)),
    )


def _make_panel_key(panel: Panel, look: Look) -> tuple[Any, ...]:
    cells = panel.cells
    scale = cells and (cells.colour_map, *make_axis_key(cells.scale, look, cells.unit))
    names = ((c.legend_name, c.original_name, c.missing_reason) for c in panel.legend)
    return (
        *(panel.name, make_axis_key(panel.x, look), make_axis_key(panel.y, look), is_square(panel)),
        *(panel.badge, panel.has_bar, panel.is_above_next_panel, panel.heading, scale),
        *(panel.trail and panel.trail.counted_items, panel.is_empty),
        all(place.is_empty for place in panel.hatched_areas),
        (*names, *((c.area, c.colour, c.is_visible) for c in panel.legend)),
    )

"""The figure of a view as a matplotlib script: from formulas where they are exact enough."""

from pe_explorer import pictures
from pe_explorer.encodings import EncodingError, Stored
from pe_explorer.exploration import Exploration
from pe_explorer.figures.code import FigureFormula, figure_code
from pe_explorer.figures.page import Measure
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.files.snippet import angle_error, snippet
from pe_explorer.params import one_line
from pe_explorer.pictures.figure import Figure

_VISIBLE_ERROR = 1e-4  # radians: a larger error of plain angles is visible in a figure


def code_of_figure(
    view: str,
    state: Exploration,
    figure: Figure,
    style: Style,
    size: FigureSize,
    measure: Measure,
) -> str:
    """Return a script for matplotlib that draws the figure of a view as it is laid out on a page.

    Parameters
    ----------
    view : str
    state : Exploration
    figure : Figure
        What the view's picture describes of `state`.
    style : Style
    size : FigureSize
    measure : Measure
        Returns the widths of texts in the style's font.

    Raises
    ------
    FigureCodeError
        If there is nothing to draw, or too much to be written into a script.
    NoRoomError
        If there is so little room that it could not be read.
    """
    formula = _formula(view, state, figure)
    picture = pictures.find(view)
    e = picture.subject(state).encoding
    last = state.start + state.count - 1
    rows = f"{e.rows.plural} {state.start:,} to {last:,}"
    heading = f"{picture.title} of {one_line(e.name)}, {rows}"
    return figure_code([figure], style, size, measure, formula, heading)


def _formula(view: str, state: Exploration, figure: Figure) -> FigureFormula:
    """Return code of the table, and of what follows from it; none where its error is visible."""
    picture = pictures.find(view)
    panels = picture.formula(state, figure)
    if not panels:
        return FigureFormula()
    e = picture.subject(state).encoding
    if isinstance(e, Stored) or angle_error(e, state.positions) > _VISIBLE_ERROR:
        return FigureFormula()  # a file may not be where the script runs
    try:
        return FigureFormula(snippet(e, state.positions), panels)
    except EncodingError:  # not all of the positions have rows
        return FigureFormula()

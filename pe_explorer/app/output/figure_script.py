"""The script of a view's figure: computed as the figure is, then written as code."""

from __future__ import annotations

from pe_explorer.app.output import figure
from pe_explorer.app.output.figure import Order
from pe_explorer.exploration import Exploration
from pe_explorer.figures.code import FigureCodeError
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.files.figure_code import code_of_figure
from pe_explorer.model.chain import Steps

__all__ = ["writing"]

_FEW = 360.0  # pixels of the longer side, where the numbers of all would be too much text


def writing(view: str, state: Exploration, style: Style, size: FigureSize) -> Steps[str]:
    """Return the script of a figure: with the numbers of its pixels, or of fewer larger ones.

    Raises
    ------
    ParameterError
        If there is no such figure, or even those numbers are too many.
    """
    order = Order(view, state, style, size)
    try:
        script = yield from _script(order)
    except FigureCodeError:
        script = yield from _script(order._replace(scale=_FEW / max(order.pixels)))
    return script


def _script(order: Order) -> Steps[str]:
    (shown,) = yield from figure.figures_of(order)
    return code_of_figure(order.what, order.state, shown, order.style, order.size)

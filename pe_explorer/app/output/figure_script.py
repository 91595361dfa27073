"""The script of a view's figure: computed as the figure is, then written as code."""

import threading
from functools import partial

from pe_explorer.app.output import figure_order
from pe_explorer.app.output.figure_order import Order
from pe_explorer.app.output.figure_texts import measure_with
from pe_explorer.exploration import Exploration
from pe_explorer.figures.code import FigureCodeError
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.files.figure_code import code_of_figure
from pe_explorer.model.steps import Steps
from pe_explorer.pictures.figure import Figure

_SMALLER_SIDES = (1000, 700, 500, 360)
"""Pixels of the longer side, in turn, where the numbers of all would be too much text."""


def writing(view: str, state: Exploration, style: Style, size: FigureSize) -> Steps[str]:
    """Return the script of a figure: with the numbers of its pixels, or of fewer larger ones.

    Raises
    ------
    ParameterError
        If there is no such figure, or even those numbers are too many.
    """
    order = Order(view, state, style, size)
    longest = max(order.pixels)
    for pixels in filter(longest.__gt__, _SMALLER_SIDES):
        try:
            script = yield from _script(order)
        except FigureCodeError:
            order = order._replace(scale=pixels / longest)
        else:
            return script
    script = yield from _script(order)
    return script


def _script(order: Order) -> Steps[str]:
    (shown,) = yield from figure_order.figures_of(order)
    script: str = yield partial(_code, order, shown)
    return script


def _code(order: Order, shown: Figure, _cancelled: threading.Event) -> str:
    """Return a figure as code; runs in the worker, as its numbers can be many."""
    measure = measure_with(order.style.font)
    return code_of_figure(order.what, order.state, shown, order.style, order.size, measure)

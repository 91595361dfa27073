"""Figures as an author prints them: their style, their layout in points, and what draws them.

A picture describes what a figure consists of (`pictures.figure`); here it is laid out on a page of
a real size. Nothing here knows Qt: whoever lays out a page says how wide a text is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pe_explorer.exploration import Exploration
    from pe_explorer.figures.size import FigureSize


def matplotlib_figure(
    view: str,
    exploration: Exploration,
    *,
    size: str | FigureSize = "84x60mm",
    theme: str = "light",
    **style: Any,
) -> Figure:
    """Return the figure of a view as a figure of matplotlib, laid out as the exported one.

    It needs matplotlib, which the extra `matplotlib` installs, and is no figure of pyplot: write it
    with its `savefig`, or change it before. It runs the statements of the script that the window
    copies, with all digits of the numbers. Letters in pixels are as wide as in the exported figure
    where matplotlib's setting `text.hinting` is ``none`` while it is drawn.

    Parameters
    ----------
    view : str
        One of `pictures.names()`, such as ``heatmap``.
    exploration : Exploration
        What is shown: the encoding, its positions, pins and the options of views. Tables of files
        are read.
    size : str or FigureSize
        Width and height in millimetres, inches or pixels of 1/96 inch: ``84x60mm``, ``3.3x2.4in``
        or ``1600x900``.
    theme : str
        ``light`` or ``dark``, which is the style's `ground`, if that is not given.
    **style
        Any fields of `figures.style.Style`, such as `font_size` and `line_width` in points, `dpi`,
        `title` or `cursor`.

    Returns
    -------
    matplotlib.figure.Figure
        Of that size, with `dpi` dots to an inch, or 96 if the size is in pixels. A panel is one of
        its axes, in whose coordinates the numbers are those written beside them.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    EncodingError
        If the view has no picture of the encoding.
    ParameterError
        For a view, size, theme or style that is not legal, or a size that has no room.
    TypeError
        For another name of a style's field.
    """
    # Only here: few who import this folder need what this needs.
    from pe_explorer.figures.with_matplotlib import figure_of

    return figure_of(view, exploration, size, theme, style)

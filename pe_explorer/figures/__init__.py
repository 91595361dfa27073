"""Figures for printing: their style, their layout in points, and their output formats.

A picture describes the contents of a figure (see `pictures.figure`), and this package
arranges the contents on a page of a given physical size. The package does not depend on
Qt: callers pass a function that measures text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pe_explorer.exploration import Exploration
    from pe_explorer.figures.size import FigureSize


PLATE = "plate"  # the name that requests a figure of several views instead of one view
_BACKGROUNDS = {"light": "white", "dark": "dark"}  # background of each theme


def matplotlib_figure(
    view: str,
    exploration: Exploration,
    *,
    size: str | FigureSize = "84x60mm",
    theme: str = "light",
    **style: Any,
) -> Figure:
    """Return a matplotlib figure of a view.

    The figure has the data, limits, colours and names of the exported figure. This function
    runs the statements of the script that ``Copy as figure code`` and
    ``pe-explorer code --figure`` write, but with all digits of the values. It needs
    matplotlib, which the extra `matplotlib` installs. The figure is not registered with
    pyplot: save it with its method `savefig`.

    Parameters
    ----------
    view : str
        One of `pictures.names()`, such as ``heatmap``, or ``plate``. A plate shows the
        `panels` of the style or, by default, the views of all panes.
    exploration : Exploration
        The encoding, its positions, pins and the options of views. Tables are read from
        their files.
    size : str or FigureSize
        Width and height in millimetres, inches or pixels of 1/96 inch: ``84x60mm``,
        ``3.3x2.4in`` or ``1600x900``.
    theme : str
        ``light`` or ``dark``, which sets the default of the style's `ground`.
    **style
        Any fields of `figures.style.Style`, such as `font_size` and `line_width` in points,
        `dpi`, `title` or `cursor`.

    Returns
    -------
    matplotlib.figure.Figure
        A figure of this size with `dpi` dots per inch, or 96 if the size is in pixels. Each
        panel is one of its axes; the figures of a plate are subfigures.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    EncodingError
        If the view cannot show the encoding.
    ParameterError
        If the view, size, theme or style is invalid, or the figure is empty.
    TypeError
        If a keyword is not a field of `Style`.
    """
    # Imported here, because most users of the package do not need these modules.
    import threading

    from pe_explorer import pictures
    from pe_explorer.exploration import DirectStore, ResolvedState, resolve
    from pe_explorer.figures.making import ExactLimits, compute_figures
    from pe_explorer.figures.plates import make_picture_requests
    from pe_explorer.figures.script import draw_figure, estimate_width
    from pe_explorer.figures.size import parse_figure_size
    from pe_explorer.figures.style import Style
    from pe_explorer.params import ParameterError, describe_bad_choice, reason, with_remedy

    try:
        import matplotlib  # noqa: ICN001 - checks whether matplotlib is installed
    except ImportError as error:
        problem = f"matplotlib cannot be imported: {reason(error)}"
        remedy = 'install it: pip install "pe-explorer[matplotlib]"'
        raise ImportError(with_remedy(problem, remedy)) from error
    views = (*pictures.names(), PLATE)
    for name, value, choices in (("view", view, views), ("theme", theme, _BACKGROUNDS)):
        if value not in choices:
            raise ParameterError(name, describe_bad_choice(value, choices))
    whole_style = Style(**{"ground": _BACKGROUNDS[theme], **style})
    size = parse_figure_size(size) if isinstance(size, str) else size
    if not isinstance(exploration, ResolvedState):
        exploration = resolve(exploration, DirectStore())
    requests = make_picture_requests(view, exploration, whole_style)
    sized_style = whole_style.with_size(size)
    page = *size.in_points, size.density(size.dpi(whole_style.dpi))
    figures = compute_figures(
        requests, sized_style, *page, estimate_width, threading.Event(), exact_limits=ExactLimits()
    )
    return draw_figure(figures, whole_style, size)

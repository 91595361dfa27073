"""Matplotlib scripts that draw figures of views, using formulas where they are accurate enough."""

import re
import threading
from collections.abc import Sequence
from contextlib import suppress

from pe_explorer import pictures
from pe_explorer.encodings import Encoding, EncodingError, Stored, Unknown
from pe_explorer.exploration import Exploration
from pe_explorer.figures import script
from pe_explorer.figures.making import NO_EXACT_VALUES, ExactLimits, PictureRequest, compute_figures
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.files.snippet import compute_angle_error, snippet
from pe_explorer.params import to_one_line
from pe_explorer.pictures.figure import Figure

_MIN_VISIBLE_ERROR = 1e-4  # smallest error of an angle, in radians, that is visible in a figure


def figure_code(
    requests: Sequence[PictureRequest], style: Style, size: FigureSize, progress: threading.Event
) -> str:
    """Return a matplotlib script that draws the figure of one or more resolved explorations.

    `progress` receives progress reports; setting it cancels the work. Raise `ParameterError`
    if the view has no figure, the figure is empty, or its data are too large for a script.
    """
    view, state, *_ = requests[0]
    heading = _format_heading(requests)
    page = style.with_size(size), *size.in_points
    density = size.density(size.dpi(style.dpi))
    exact = ExactLimits()
    while True:
        figures = compute_figures(
            requests, *page, density, script.estimate_width, progress, exact_limits=exact
        )
        formula = ("", {}) if len(requests) > 1 else _make_formula(view, state, figures[0])
        try:
            return script.make_figure_script(figures, style, size, heading, *formula)
        except script.FigureCodeError:
            if density < 0.2 * size.density(size.dpi(style.dpi)):
                raise
        exact, density = NO_EXACT_VALUES, density / 2


def _format_heading(requests: Sequence[PictureRequest]) -> str:
    titles: dict[str, list[str]] = {}
    for view, state, *_ in requests:
        e, end = pictures.make_picture(view, state).subject.encoding, state.start + state.count - 1
        subject = f"{to_one_line(e.name)}, {e.rows.plural} {state.start:,} to {end:,}"
        titles.setdefault(subject, []).append(pictures.find(view).title)
    return "; ".join(f"{', '.join(names)} of {subject}" for subject, names in titles.items())


def _make_formula(view: str, state: Exploration, figure: Figure) -> tuple[str, script.Expressions]:
    """Return code that computes the table, and NumPy expressions for the panels.

    Both are empty if the panels have no formulas or the formulas are not accurate enough.
    """
    if any(panel.x.powers or panel.y.powers for panel in figure.panels):
        # A logarithmic axis would show the rounding errors of formulas in small values.
        return "", {}
    picture = pictures.make_picture(view, state)
    e, panels = picture.subject.encoding, picture.formula(figure)
    code = _make_table_code(e, state) if any(map(any, panels.values())) else ""
    if not code:
        return "", {}
    curves = figure.panels[0].curves
    if curves and len(curves[0].x) != state.count:  # the curve has points between positions
        start, end = (curves[0].x[[0, -1]] + state.start).tolist()
        line = f"positions = np.linspace({start!r}, {end!r}, {len(curves[0].x)})"
        code = re.sub("^positions = .*", line, code, flags=re.MULTILINE)
    for number, pin in enumerate(state.pins, 1):
        name = f"pin_{number}"
        if any(name in text for texts in panels.values() for text in texts):
            pin_code = _make_table_code(pin.encoding, state)
            if not pin_code:
                return code, {panel: texts[:number] for panel, texts in panels.items()}
            code = f"{pin_code}{name} = table\n\n{code}"
    return code, panels


def _make_table_code(e: Encoding | Unknown, state: Exploration) -> str:
    # Do not use a stored table, whose file may be missing where the script runs.
    if (
        isinstance(e, Unknown | Stored)
        or compute_angle_error(e, state.positions) > _MIN_VISIBLE_ERROR
    ):
        return ""
    with suppress(EncodingError):  # raised if some positions have no row
        return snippet(e, state.positions)
    return ""

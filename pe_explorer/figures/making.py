"""Compute figures for the space available on a page."""

import itertools
import math
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from pe_explorer import pictures
from pe_explorer.analysis.ranges import MAX_EXACT_POSITIONS
from pe_explorer.encodings import EncodingError
from pe_explorer.figures.layout import areas, compute_clock_scale, find_min_legible_size
from pe_explorer.figures.overrides import has_axes_of_values, with_overrides
from pe_explorer.figures.page import Measure
from pe_explorer.figures.plates import PictureRequest as PictureRequest
from pe_explorer.figures.size import POINTS_PER_INCH, FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.params import printed
from pe_explorer.pictures.figure import Figure, Note, Panel, Rectangle
from pe_explorer.pictures.picture import Options
from pe_explorer.pictures.pixels import FigureSpace, Size, find_nearest_pixel
from pe_explorer.progress import PartialProgress

_PIXELS_PER_COLUMN = 4  # minimum number of pixels for each column, so that columns are not averaged
_POINTS_PER_POSITION = 3  # number of points per position, for smooth curves
_MAX_SIZES = 4  # maximum number of sizes that are tried
_MAX_STRIPES_PER_INCH = 150  # finer stripes merge in print
_LOG_AXIS_FACTOR = 4  # factor for the points on a logarithmic axis, whose left end is magnified
_TOLERANCE = 1e-9  # tolerance for rounding errors, in pixels
_PASS_COUNT = 2  # number of iterations; computed values slightly change the available space


class ExactLimits(NamedTuple):
    """The maximum numbers of values that are drawn individually."""

    points: int = 20_000  # maximum number of points of a curve
    cells: int = 4096  # maximum number of cells in each direction


NO_EXACT_VALUES, EXACT_CURVES = ExactLimits(0, 0), ExactLimits(cells=0)


class _FigureBuilder:
    """A builder that recomputes its figure only if the size changes."""

    def __init__(self, request: PictureRequest, style: Style) -> None:
        self._request, self._style = request, style
        self._picture = pictures.make_picture(request.picture, request.state)
        self._size: Size | None = None
        self._unavailable_reason = ""
        self.figure = Figure()

    def begin(self, *, is_single: bool) -> None:
        """Create the figure without data.

        On a plate, a sentence with the reason replaces an unavailable picture. If the picture
        is the only one, raise `EncodingError` instead.
        """
        try:
            pictures.check(self._request.picture, self._request.state)
        except EncodingError as error:
            if is_single:
                raise
            self._unavailable_reason = printed.text(error.sentence)
            self.figure = Figure(note=Note(self._unavailable_reason), letter=self._request.letter)
        else:
            self.figure = self._finish(self._picture.frame().with_minus_signs())

    def compute(self, space: FigureSpace, cancellation: threading.Event) -> None:
        size = pictures.find(self._request.picture).find_size(space)
        if self._unavailable_reason or size == self._size:
            return
        self._size = size
        self.figure = Figure()  # frees the memory of the previous figure
        numbers = self._picture.numbers(size, cancellation)
        figure = self._picture.figure(numbers).with_minus_signs()
        self.figure = self._finish(self._picture.with_cursor(figure))

    def _finish(self, figure: Figure) -> Figure:
        part = figure.with_panel(self._request.panel)._replace(letter=self._request.letter)
        return with_overrides(with_band_names(part, self._picture.options), self._style)


def with_band_names(figure: Figure, options: Options) -> Figure:
    """Return a figure that names bands in the legend instead of in the titles of axes.

    The option `share` of the picture, if any, divides the space between two panels.
    """
    panels = []
    for panel in figure.panels:
        has_bands = any(curve.band for curve in panel.curves)
        panels.append(panel._replace(band_name=panel.badge, badge="") if has_bands else panel)
    return figure._replace(panels=tuple(panels), share=getattr(options, "share", None))


def compute_figures(
    requests: Sequence[PictureRequest],
    style: Style,
    width: float,
    height: float,
    density: float,
    measure: Measure,
    cancellation: threading.Event,
    *,
    exact_limits: ExactLimits = EXACT_CURVES,
) -> tuple[Figure, ...]:
    """Compute figures for a page in points, with `density` pixels per point, in any thread.

    Up to `exact_limits`, curves go through every position and cells are not combined, even
    if the page is small.

    Raises
    ------
    EncodingError
        If only one picture is requested and it is unavailable.
    CancelledError
        If `cancellation` is set.
    """
    builders = [_FigureBuilder(request, style) for request in requests]
    for builder in builders:
        builder.begin(is_single=len(requests) == 1)
    share = 1.0 / (_PASS_COUNT * len(builders))
    for step in range(_PASS_COUNT):
        figures = [builder.figure for builder in builders]
        areas_by_figure = areas(figures, style, width, height, measure)
        for number, (builder, places) in enumerate(zip(builders, areas_by_figure, strict=True)):
            completed_share = step / _PASS_COUNT + number * share
            panels = builder.figure.panels
            space = compute_available_space(panels, places, style, density, exact_limits)
            builder.compute(space, PartialProgress(cancellation, completed_share, share))
    return tuple(builder.figure for builder in builders)


def _compute_exact_size(panel: Panel, size: Size, exact_limits: ExactLimits) -> Size:
    """Return the size for which a panel is computed.

    Panels with few values are computed for a larger size, so that each value is drawn
    individually.
    """
    if has_axes_of_values(panel):
        if panel.x.count > exact_limits.points:
            factor = _LOG_AXIS_FACTOR if panel.x.powers else 1
            ranges = MAX_EXACT_POSITIONS if exact_limits.points else 0
            return replace(size, width=factor * size.width, ranges=ranges)
        points = min(exact_limits.points, _POINTS_PER_POSITION * panel.x.count)
        return replace(size, width=max(size.width, points))
    if panel.x.origin is None or max(panel.x.count, panel.y.count) > exact_limits.cells:
        return size
    width, height = _PIXELS_PER_COLUMN * panel.x.count, max(size.height, panel.y.count)
    return replace(size, width=max(size.width, width), height=height, stripe=1)


def find_sufficient_size(
    requests: Sequence[PictureRequest],
    style: Style,
    size: FigureSize,
    density: float,
    measure: Measure,
    cancellation: threading.Event,
) -> FigureSize | None:
    """Return the smallest legible size that is at least `size`, or None if no size is legible.

    Computed values, and therefore tick labels, differ slightly between sizes, so the
    figures are recomputed for each size that is tried.
    """
    for _ in range(_MAX_SIZES):
        sized_style, page = style.with_size(size), size.in_points
        figures = compute_figures(requests, sized_style, *page, density, measure, cancellation)
        larger_size = find_min_legible_size(figures, style, size, measure)
        if larger_size is None or larger_size == size:
            return larger_size
        size = larger_size
    return size


def compute_available_space(
    panels: Sequence[Panel],
    places: Sequence[Rectangle],
    style: Style,
    density: float,
    exact_limits: ExactLimits = EXACT_CURVES,
) -> FigureSpace:
    """Return the space for computing a figure, with `density` device pixels per point.

    There is one size for each area; all clocks share one area and have no panel.
    """
    sizes = []
    dpi = min(style.dpi, density * POINTS_PER_INCH)  # screen resolution if the size is in pixels
    stripe = math.ceil(dpi / _MAX_STRIPES_PER_INCH - _TOLERANCE)
    for panel, place in itertools.zip_longest(panels, places):
        edges = place.left, place.top, place.right, place.bottom
        left, top, right, bottom = (find_nearest_pixel(density * edge) for edge in edges)
        size = Size(max(1, right - left), max(1, bottom - top), stripe)
        sizes.append(_compute_exact_size(panel, size, exact_limits) if panel else size)
    pixel_size, label_height = compute_clock_scale(style)
    return FigureSpace(tuple(sizes), pixel_size * density, label_height, style.clocks or ())

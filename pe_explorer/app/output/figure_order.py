"""Jobs that request a figure, and the generator that lays out its page."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from pe_explorer import pictures
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration import Exploration
from pe_explorer.figures import making
from pe_explorer.figures.layout import NoRoomError, no_room_error, page_of
from pe_explorer.figures.making import ExactLimits, PictureRequest
from pe_explorer.figures.overrides import note_on_formulas, note_on_texts
from pe_explorer.figures.page import Page
from pe_explorer.figures.plates import picture_requests
from pe_explorer.figures.size import POINTS_PER_INCH, PRESETS, FigureSize, parse_figure_size
from pe_explorer.figures.style import SINGLE_FIGURE_SETTINGS, Style
from pe_explorer.files.session import FIGURE_SUFFIXES, title_of
from pe_explorer.flags import PLATE
from pe_explorer.model.steps import Steps
from pe_explorer.painting.page_painter import measure_with, note_on_characters
from pe_explorer.params import Choice, ParameterError, declared, not_one_of, quote_value
from pe_explorer.pictures.cost import takes_long
from pe_explorer.pictures.figure import Figure, Rectangle

ENDING = Choice(
    ".pdf",
    {ending: f"{ending[1:].upper()} figures" for ending in FIGURE_SUFFIXES},
    label="Format",
    help="The file format of the figure.",
)
_SHARED_SETTINGS = declared(Style).keys() - SINGLE_FIGURE_SETTINGS


class FigureChoices(NamedTuple):
    """The choices for the last figure, which are the initial choices of the dialog."""

    style: Style = Style.default()
    size: FigureSize = PRESETS["one-column"]
    ending: str = ENDING.default

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> "FigureChoices":
        """Return the choices from the output of `as_texts`, with defaults for missing values."""
        parameters, names = declared(Style), _SHARED_SETTINGS & texts.keys()
        settings = {name: parameters[name].parse(name, texts[name]) for name in names}
        size = parse_figure_size(texts.get("size", str(cls().size)))
        return cls(replace(Style.default(), **settings), size, texts.get("ending", ENDING.default))

    def as_texts(self) -> dict[str, str]:
        """Return the choices that apply to all figures, as texts by name."""
        values, parameters = vars(self.style), declared(Style)
        texts = {name: parameters[name].format(values[name]) for name in _SHARED_SETTINGS}
        return {**texts, "size": str(self.size), "ending": self.ending}


class FigureJob(NamedTuple):
    """A request for one figure."""

    view: str  # the name of a view, or `PLATE` for all panes
    state: Exploration  # a resolved exploration
    style: Style
    size: FigureSize
    scale: float = 1.0  # factor for the width and height of an image in pixels
    only: str = ""  # the name of the only panel to draw; empty for all panels
    is_vector: bool = True  # whether the output is PDF, SVG or a printer

    @property
    def exact_limits(self) -> ExactLimits:
        """The limits for points and cells drawn individually; images have no individual cells."""
        return ExactLimits() if self.is_vector else making.EXACT_CURVES

    @property
    def dpi(self) -> float:
        """The resolution of the figure as an image, in pixels per inch."""
        return self.size.dpi(self.style.dpi) * self.scale

    @property
    def pixels(self) -> tuple[int, int]:
        width, height = self.size.in_points
        dots = self.dpi / POINTS_PER_INCH
        return max(1, round(width * dots)), max(1, round(height * dots))

    @property
    def density(self) -> float:
        """The number of cells per point, which is independent of the file type."""
        return self.size.density(self.dpi)

    @property
    def requests(self) -> list[PictureRequest]:
        return picture_requests(self.view, self.state, self.style, self.only)


def part_names(view: str, state: Exploration) -> tuple[str, ...]:
    """Return the names of the parts that can be drawn separately, or () if there is one part."""
    panels = pictures.picture_of(view, state).frame().panels
    return tuple(panel.name for panel in panels) if len(panels) > 1 else ()


def check(job: FigureJob) -> None:
    """Raise `ParameterError` if the figure does not exist or cannot be drawn."""
    requests = job.requests
    if len(requests) == 1:
        pictures.check(requests[0].picture, requests[0].state)
    for request in requests:
        pictures.picture_of(request.picture, request.state).check_known()
    if job.only:
        frame = None if job.view == PLATE else pictures.picture_of(job.view, job.state).frame()
        names = [panel.name for panel in frame.panels] if frame else []
        if not names:
            problem = f"{job.view} has no part {quote_value(job.only)}"
            raise ParameterError("only", problem, "choose a view that has parts, or omit the part")
        if job.only not in names:
            raise ParameterError("only", not_one_of(job.only, names))


def lay_out_figures(job: FigureJob) -> Steps[Page]:
    """Compute a figure and lay out its page; slow steps run in a worker.

    Raises `ParameterError` if the figure cannot be drawn or does not fit.
    """
    check(job)
    if job.view != PLATE and not takes_long(_max_cost(job)):
        page = _lay_out_page(job, threading.Event())
    else:
        page = yield partial(_lay_out_page, job)
    if page is None:
        error: NoRoomError = yield partial(_size_error, job)
        raise error
    return page


def _lay_out_page(job: FigureJob, cancellation: threading.Event) -> Page | None:
    """Return the page of a job, or None if the figure does not fit; can run in any thread."""
    figures, style = figures_of(job, cancellation), job.style
    try:
        page = page_of(figures, style, job.size, measure_with(style.font))
    except NoRoomError:
        return None
    notes = note_on_texts(figures, style), note_on_formulas(style), note_on_characters(page)
    note = " ".join(filter(None, (page.note, *notes)))
    return page._replace(title=style.title or title_of(job.state), note=note)


def _size_error(job: FigureJob, cancellation: threading.Event) -> NoRoomError:
    """Return an error that names a sufficient size; can run in any thread."""
    requests, style, size, measure = job.requests, job.style, job.size, measure_with(job.style.font)
    sufficient = making.sufficient_size(requests, style, size, job.density, measure, cancellation)
    return no_room_error(len(requests), style, size, sufficient)


def figures_of(job: FigureJob, cancellation: threading.Event) -> Sequence[Figure]:
    """Return descriptions of a job's figures; can run in any thread."""
    style, measure = job.style.for_size(job.size), measure_with(job.style.font)
    width, height = job.size.in_points
    return making.compute_figures(
        job.requests,
        style,
        width,
        height,
        job.density,
        measure,
        cancellation,
        exact_limits=job.exact_limits,
    )


def _max_cost(job: FigureJob) -> float:
    page, style = Rectangle(0.0, 0.0, *job.size.in_points), job.style.for_size(job.size)
    total = 0.0
    for view, state, *_ in job.requests:
        try:
            pictures.check(view, state)
        except EncodingError:  # the figure shows the error as text
            continue
        picture = pictures.picture_of(view, state)
        panels = picture.frame().panels
        places = [page] * max(2, len(panels))
        room = making.available_space(panels, places, style, job.density, job.exact_limits)
        total += picture.cost(picture.size_in(room))
    return total

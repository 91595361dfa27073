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
from pe_explorer.figures.layout import NoRoomError, make_no_room_error, make_page
from pe_explorer.figures.making import ExactLimits, PictureRequest
from pe_explorer.figures.overrides import format_formulas_note, format_texts_note
from pe_explorer.figures.page import Page
from pe_explorer.figures.plates import make_picture_requests
from pe_explorer.figures.size import (
    PRESETS,
    UNIT_POINTS,
    FigureSize,
    parse_figure_size,
    require_pixels,
)
from pe_explorer.figures.style import SINGLE_FIGURE_SETTINGS, Style
from pe_explorer.files.session import FIGURE_SUFFIXES, make_title
from pe_explorer.flags import PLATE
from pe_explorer.model.steps import Steps
from pe_explorer.painting.page_painter import format_character_note, make_measure
from pe_explorer.params import Choice, ParameterError, declared, describe_bad_choice, quote_value
from pe_explorer.pictures.cost import is_expensive
from pe_explorer.pictures.figure import Figure, Rectangle

FORMAT = Choice(
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
    ending: str = FORMAT.default

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> "FigureChoices":
        """Return the choices from the output of `to_texts`, with defaults for missing values."""
        parameters, names = declared(Style), _SHARED_SETTINGS & texts.keys()
        settings = {name: parameters[name].parse(name, texts[name]) for name in names}
        size = parse_figure_size(texts.get("size", str(cls().size)))
        return cls(replace(Style.default(), **settings), size, texts.get("ending", FORMAT.default))

    def to_texts(self) -> dict[str, str]:
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
        dots_per_point = self.dpi / UNIT_POINTS["in"]
        return max(1, round(width * dots_per_point)), max(1, round(height * dots_per_point))

    @property
    def density(self) -> float:
        """The number of cells per point, which is independent of the file type."""
        return self.size.density(self.dpi)

    @property
    def requests(self) -> list[PictureRequest]:
        return make_picture_requests(self.view, self.state, self.style, self.only)


def list_part_names(view: str, state: Exploration) -> tuple[str, ...]:
    """Return the names of the parts that can be drawn separately; empty for a single part."""
    panels = pictures.make_picture(view, state).frame().panels
    return tuple(panel.name for panel in panels) if len(panels) > 1 else ()


def check(job: FigureJob) -> None:
    """Raise `ParameterError` if the figure does not exist or cannot be drawn."""
    requests = job.requests
    if len(requests) == 1:
        pictures.check(requests[0].picture, requests[0].state)
    for request in requests:
        pictures.make_picture(request.picture, request.state).require_known_encodings()
    if job.only:
        frame = None if job.view == PLATE else pictures.make_picture(job.view, job.state).frame()
        names = [panel.name for panel in frame.panels] if frame else []
        if not names:
            problem = f"{job.view} has no part {quote_value(job.only)}"
            raise ParameterError("only", problem, "choose a view that has parts, or omit the part")
        if job.only not in names:
            raise ParameterError("only", describe_bad_choice(job.only, names))
    if not job.is_vector:
        require_pixels(*job.pixels)


def lay_out_figures(job: FigureJob) -> Steps[Page]:
    """Compute a figure and lay out its page; slow steps run in a worker.

    Raise `ParameterError` if the figure cannot be drawn or does not fit.
    """
    check(job)
    if job.view != PLATE and not is_expensive(_estimate_max_cost(job)):
        page = _lay_out_page(job, threading.Event())
    else:
        page = yield partial(_lay_out_page, job)
    if page is None:
        error: NoRoomError = yield partial(_make_size_error, job)
        raise error
    return page


def _lay_out_page(job: FigureJob, cancellation: threading.Event) -> Page | None:
    """Return the page of a job, or None if the figure does not fit; can run in any thread."""
    figures, style = make_figures(job, cancellation), job.style
    try:
        page = make_page(figures, style, job.size, make_measure(style.font))
    except NoRoomError:
        return None
    notes = page.note, format_texts_note(figures, style), format_formulas_note(style)
    note = " ".join(filter(None, (*notes, format_character_note(page))))
    return page._replace(title=style.title or make_title(job.state), note=note)


def _make_size_error(job: FigureJob, cancellation: threading.Event) -> NoRoomError:
    """Return an error that names a sufficient size; can run in any thread."""
    requests, style, size, measure = job.requests, job.style, job.size, make_measure(job.style.font)
    usable_size = making.find_sufficient_size(
        requests, style, size, job.density, measure, cancellation
    )
    return make_no_room_error(len(requests), style, size, usable_size)


def make_figures(job: FigureJob, cancellation: threading.Event) -> Sequence[Figure]:
    """Return descriptions of a job's figures; can run in any thread."""
    style, measure = job.style.with_size(job.size), make_measure(job.style.font)
    (width, height), limits = job.size.in_points, job.exact_limits
    return making.compute_figures(
        job.requests, style, width, height, job.density, measure, cancellation, exact_limits=limits
    )


def _estimate_max_cost(job: FigureJob) -> float:
    page, style = Rectangle(0.0, 0.0, *job.size.in_points), job.style.with_size(job.size)
    total = 0.0
    for view, state, *_ in job.requests:
        try:
            pictures.check(view, state)
        except EncodingError:  # the figure shows the error as text
            continue
        picture = pictures.make_picture(view, state)
        panels = picture.frame().panels
        places = [page] * max(2, len(panels))
        space = making.compute_available_space(panels, places, style, job.density, job.exact_limits)
        total += picture.cost(picture.find_size(space))
    return total

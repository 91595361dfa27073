"""Figure jobs: a request for a figure, and the generator that lays out its page."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from pe_explorer import pictures
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration import Exploration
from pe_explorer.figures import making
from pe_explorer.figures.layout import NoRoomError, no_room, page_of
from pe_explorer.figures.making import Exact, PictureRequest
from pe_explorer.figures.overrides import note_on_formulas, note_on_texts
from pe_explorer.figures.page import Page
from pe_explorer.figures.plates import picture_requests
from pe_explorer.figures.size import POINTS_PER_INCH, PRESETS, FigureSize, parse_figure_size
from pe_explorer.figures.style import SINGLE_FIGURE_SETTINGS, Style
from pe_explorer.files.session import FIGURES, title_of
from pe_explorer.flags import PLATE
from pe_explorer.model.steps import Steps
from pe_explorer.painting.page_painter import measure_with, note_on_characters
from pe_explorer.params import Choice, ParameterError, declared, not_one_of, quoted
from pe_explorer.pictures.cost import takes_long
from pe_explorer.pictures.figure import Figure, Rectangle

ENDING = Choice(
    ".pdf",
    {ending: f"{ending[1:].upper()} figures" for ending in FIGURES},
    label="Format",
    help="The format of the file.",
)
_LASTING = declared(Style).keys() - SINGLE_FIGURE_SETTINGS


class FigureChoices(NamedTuple):
    """The choices for the last figure, which are the initial choices of the dialog."""

    style: Style = Style.default()
    size: FigureSize = PRESETS["one-column"]
    ending: str = ENDING.default

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> "FigureChoices":
        """Return the choices that `as_texts` wrote, with defaults for missing values."""
        kinds = declared(Style)
        style = {name: kinds[name].parse(name, texts[name]) for name in _LASTING & texts.keys()}
        size = parse_figure_size(texts.get("size", str(cls().size)))
        return cls(replace(Style.default(), **style), size, texts.get("ending", ENDING.default))

    def as_texts(self) -> dict[str, str]:
        """Return the choices that apply to all figures, as strings by name."""
        kinds = declared(Style)
        texts = {name: kinds[name].format(getattr(self.style, name)) for name in _LASTING}
        return {**texts, "size": str(self.size), "ending": self.ending}


class FigureJob(NamedTuple):
    """A request for one figure."""

    what: str  # the name of a view, or `PLATE` for all panes
    state: Exploration  # resolved
    style: Style
    size: FigureSize
    scale: float = 1.0  # factor for the number of pixels in an image
    only: str = ""  # the name of the only panel to draw; empty for all panels
    vector: bool = True  # whether the output is PDF, SVG or a printer

    @property
    def exact(self) -> Exact:
        """The limits of exact drawing; only vector files draw exact cells."""
        return Exact() if self.vector else making.EXACT_CURVES

    @property
    def dpi(self) -> float:
        """Pixels per inch of the figure as an image."""
        return self.size.dpi(self.style.dpi) * self.scale

    @property
    def pixels(self) -> tuple[int, int]:
        width, height = self.size.in_points
        dots = self.dpi / POINTS_PER_INCH
        return max(1, round(width * dots)), max(1, round(height * dots))

    @property
    def density(self) -> float:
        """Cells per point, independent of the file type."""
        return self.size.density(self.dpi)


def part_names(what: str, state: Exploration) -> tuple[str, ...]:
    """Return the parts of a view that can be drawn separately, or none for a view with one part."""
    if what == PLATE:
        return ()
    panels = pictures.picture_of(what, state).frame().panels
    return tuple(panel.name for panel in panels) if len(panels) > 1 else ()


def check(order: FigureJob) -> None:
    """Raise `ParameterError` if the figure does not exist or cannot be drawn."""
    requests = _requests(order)
    if len(requests) == 1:
        pictures.check(requests[0].picture, requests[0].state)
    for request in requests:
        pictures.picture_of(request.picture, request.state).check_known()
    if order.only:
        frame = () if order.what == PLATE else pictures.picture_of(order.what, order.state).frame()
        names = [panel.name for panel in frame.panels] if frame else []
        if order.only not in names:
            if names:
                raise ParameterError("only", not_one_of(order.only, names))
            problem = f"{order.what} has no part {quoted(order.only)}"
            raise ParameterError("only", problem, "leave it out")


def lay_out_figures(order: FigureJob) -> Steps[Page]:
    """Compute a figure and lay it out; slow steps run in a worker.

    Raises `ParameterError`.
    """
    check(order)
    if order.what != PLATE and not takes_long(_most_cost(order)):
        page = _page(order, threading.Event())
    else:
        page = yield partial(_page, order)
    if page is None:
        refusal: NoRoomError = yield partial(_refusal, order)
        raise refusal
    return page


def _page(order: FigureJob, cancelled: threading.Event) -> Page | None:
    """Return the page, or None if it does not fit; can run in any thread."""
    figures = figures_of(order, cancelled)
    try:
        page = page_of(figures, order.style, order.size, measure_with(order.style.font))
    except NoRoomError:
        return None
    style = order.style
    notes = note_on_texts(figures, style), note_on_formulas(style), note_on_characters(page)
    note = " ".join(filter(None, (page.note, *notes)))
    return page._replace(title=style.title or title_of(order.state), note=note)


def _refusal(order: FigureJob, cancelled: threading.Event) -> NoRoomError:
    """Return the error, with a size that is large enough; can run in any thread."""
    requests, style, size = _requests(order), order.style, order.size
    sufficient = making.sufficient_size(
        requests, style, size, order.density, measure_with(style.font), cancelled
    )
    return no_room(len(requests), style, size, sufficient)


def figures_of(order: FigureJob, cancelled: threading.Event) -> Sequence[Figure]:
    """Return the descriptions of the figures of a job; can run in any thread."""
    requests, style = _requests(order), order.style.for_size(order.size)
    measure, density, exact = measure_with(order.style.font), order.density, order.exact
    return making.compute_figures(
        requests, style, *order.size.in_points, density, measure, cancelled, exact=exact
    )


def _requests(order: FigureJob) -> list[PictureRequest]:
    return picture_requests(order.what, order.state, order.style, order.only)


def _most_cost(order: FigureJob) -> float:
    page, style = Rectangle(0.0, 0.0, *order.size.in_points), order.style.for_size(order.size)
    total = 0.0
    for view, state, *_ in _requests(order):
        try:
            pictures.check(view, state)
        except EncodingError:  # the figure shows the error as text
            continue
        picture = pictures.picture_of(view, state)
        panels = picture.frame().panels
        places = [page] * max(2, len(panels))
        room = making.room_of(panels, places, style, order.density, order.exact)
        total += picture.cost(picture.size_in(room))
    return total

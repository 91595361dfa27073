"""The numbers of the projection: positions as points, kept until others are asked for."""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from pe_explorer.analysis import projection, umap_process
from pe_explorer.analysis.comparison import SHOW
from pe_explorer.analysis.projection import share_of_neighbours
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, EncodingError, StoredError
from pe_explorer.numeric.positions import blocks_inside, len_of
from pe_explorer.params import capitalised, declare
from pe_explorer.pictures.cost import reading_cost, start_cost
from pe_explorer.pictures.picture import Options
from pe_explorer.progress import Part, report

_MOST_POINTS = 1 << 12  # more could hardly be told apart
_MOST_NUMBERS = 1 << 23  # in the rows of all points
_LEAST_ROWS = 2  # that a projection needs
_KEPT = 4  # projections kept for a hover, another theme or another pane
_PCA_COST, _PAIR_COST = 20, 3  # per number of the rows, per pair of points
_UMAP_COST = 1e9
_LARGEST_SPAN, _SMALLEST_SPAN = 1e150, 1e-150  # of points that can be drawn and compared
_OPPOSITE = "have no place, as their rows are opposite to all others; choose PCA"


@dataclass(frozen=True)
class ProjectionOptions(Options):
    """How rows become points."""

    method: str = declare(projection.METHOD)
    seed: int = declare(projection.SEED)
    show: str = declare(SHOW)

    @property
    def without_effect(self) -> Mapping[str, str]:
        """The seed, where nothing is random."""
        return {"seed": "PCA uses no random numbers"} if self.method == "pca" else {}

    @classmethod
    def lack_of(cls, option: str, value: Any) -> str:
        """Return how UMAP is added where it is not installed."""
        return umap_process.missing() if (option, value) == ("method", "umap") else ""


class Task(NamedTuple):
    """What is projected, and how: positions of an encoding; `seed` is None for PCA."""

    encoding: Encoding
    positions: range
    seed: int | None

    @property
    def is_umap(self) -> bool:
        """Whether it is UMAP that makes the points."""
        return self.seed is not None

    @property
    def stored(self) -> Floats | None:
        """The points of UMAP that are stored of just this, if there are any."""
        return projection.stored_umap(self.encoding, self.positions, self.seed)


class ProjectionNumbers(NamedTuple):
    """Positions as points in the plane.

    Attributes
    ----------
    task : Task
        The positions and the method.
    points : (n, 2) float64
        Where they are; there are none where something lacks.
    ratio : tuple of float
        The share of the variance that each component holds; empty for UMAP.
    neighbours : float
        For what share of points the nearest is the one before or after.
    neighbours_before : float
        The same for whole rows; nan for PCA.
    steps : (float, float)
        The longest and the median way from one point to the next.
    lack : str
        In a sentence, why there are no points, or an empty text.
    can_retry : bool
        Whether another try may give points.
    """

    task: Task
    points: Floats
    ratio: tuple[float, ...] = ()
    neighbours: float = 1.0
    neighbours_before: float = np.nan
    steps: tuple[float, float] = (0.0, 0.0)
    lack: str = ""
    can_retry: bool = False


_kept: OrderedDict[Task, ProjectionNumbers] = OrderedDict()
_lock = threading.Lock()


def task_of(e: Encoding, positions: range, options: ProjectionOptions) -> Task:
    """Return what is projected: evenly chosen positions, by PCA where UMAP is not installed."""
    inside = blocks_inside(positions.start, 1, len_of(positions), e.domain)
    shown = range(positions.start + inside.start, positions.start + inside.stop)
    most = max(_LEAST_ROWS, min(_MOST_POINTS, _MOST_NUMBERS // e.width))
    step = -(-(shown.stop - shown.start) // most)
    by_umap = Task(e, shown[:: max(1, step)], options.seed)
    is_umap = options.method == "umap"
    return (
        by_umap
        if is_umap and (by_umap.stored is not None or not umap_process.missing())
        else by_umap._replace(seed=None)
    )


def cost(task: Task) -> float:
    """Return about what `compute` costs, in values of a table: hardly anything for what is kept."""
    e, count = task.encoding, len(task.positions)
    if task in _kept:
        return 1.0
    if task.is_umap and task.stored is None:
        return _UMAP_COST
    numbers = count * e.width
    made = start_cost(e) * e.width + e.cost(count, 1) + reading_cost(e)
    pairs = count**2 * (2 if task.is_umap else 1)  # neighbours among the points, and the rows
    return made + _PCA_COST * numbers + _PAIR_COST * pairs


def compute(task: Task, progress: threading.Event) -> ProjectionNumbers:
    """Return the points of a task; those of the last few are kept."""
    with _lock:
        if task in _kept:
            _kept.move_to_end(task)
            return _kept[task]
    try:
        numbers = _computed(task, progress)
    except StoredError:
        raise
    except EncodingError as error:  # a process that has ended is tried again
        can_retry = isinstance(error, umap_process.ProcessError)
        return _lacking(task, _sentence(error))._replace(can_retry=can_retry)
    with _lock:
        _kept[task] = numbers
        while len(_kept) > _KEPT:
            _kept.popitem(last=False)
    return numbers


def _lacking(task: Task, sentence: str) -> ProjectionNumbers:
    return ProjectionNumbers(task, np.empty((0, 2)), lack=sentence)


def _sentence(error: EncodingError) -> str:
    """Return an error as a sentence; one of the rows begins with "Rows"."""
    if error.name == "rows":
        return f"{capitalised(error.name)} {error.problem}."
    return error.sentence


def _computed(task: Task, progress: threading.Event) -> ProjectionNumbers:
    """Return the points of a task, made anew."""
    e, count = task.encoding, len(task.positions)
    if count < _LEAST_ROWS:
        differ = f"A projection shows how {e.rows.plural} differ"
        return _lacking(task, f"{differ}, so it needs at least 2; show more.")
    report_rows = partial(report, Part(progress, 0.0, 0.1))
    make = projection.rows_of if task.is_umap else projection.relative_rows
    rows = make(e, task.positions, report_rows)
    points, ratio = _points(task, rows, Part(progress, 0.1, 0.7))
    if lost := int(np.isnan(points).any(axis=1).sum()):
        return _lacking(task, f"{e.rows.counted(lost)} {_OPPOSITE}.")
    with np.errstate(over="ignore", invalid="ignore"):  # points may be too far apart
        span = float(np.ptp(points, axis=0).max())
    if not _SMALLEST_SPAN < span < _LARGEST_SPAN:
        size = "small" if span <= _SMALLEST_SPAN else "large"
        return _lacking(task, f"The differences between the rows are too {size} to be drawn.")
    neighbours = share_of_neighbours(points / span, Part(progress, 0.8, 0.1))
    before = np.nan
    if task.is_umap:
        before = share_of_neighbours(_directions(rows), Part(progress, 0.9, 0.1))
    steps = np.hypot(*np.diff(points, axis=0).T)
    lengths = float(steps.max()), float(np.median(steps))
    return ProjectionNumbers(task, points, ratio, neighbours, before, lengths)


def _points(task: Task, rows: Floats, progress: Part) -> tuple[Floats, tuple[float, ...]]:
    """Return the points, shape (n, 2), and the share of the variance of each component."""
    if (stored := task.stored) is not None:
        return stored, ()
    found, ratio = projection.points_of(rows, task.seed, progress)
    points = np.zeros((len(rows), 2))
    points[:, : found.shape[1]] = found
    return points, ratio


def _directions(rows: Floats) -> Floats:
    """Return rows of length 1, whose distances are in the order of their cosine distances."""
    scaled = rows / np.abs(rows).max()
    lengths = np.linalg.norm(scaled, axis=1, keepdims=True)
    directions: Floats = scaled / np.where(lengths > 0, lengths, 1.0)
    return directions

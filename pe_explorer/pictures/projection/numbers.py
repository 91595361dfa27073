"""The numbers of the projection: positions as points, kept until others are asked for."""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from pe_explorer.analysis import projection, umap_process
from pe_explorer.analysis.comparison import SHOW
from pe_explorer.analysis.projection import share_of_neighbours
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, EncodingError, StoredError
from pe_explorer.numeric.positions import blocks_inside, len_of
from pe_explorer.params import declare
from pe_explorer.pictures.cost import reading_cost, start_cost
from pe_explorer.pictures.picture import Options
from pe_explorer.progress import Part, report

_MOST_POINTS = 1 << 12  # more could hardly be told apart
_MOST_NUMBERS = 1 << 23  # in the rows of all points
_LEAST_ROWS = 2  # that a projection needs
_LEAST_COUNTED = 4  # points from which on a sentence counts neighbours
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
        return self.seed is not None

    @property
    def stored(self) -> Floats | None:
        """The points of UMAP that are stored of just this, if there are any."""
        return projection.stored_umap(self.encoding, self.positions, self.seed)


class ProjectionNumbers(NamedTuple):
    """Positions as points in the plane, and the facts that its words name.

    Attributes
    ----------
    task : Task
        The positions and the method.
    points : (n, 2) float64
        Where they are; there are none where something lacks.
    first_share, second_share : float
        The share of the variance that each component holds; nan for UMAP.
    neighbours : float
        For what share of points the nearest is the one before or after; nan of few.
    neighbours_before : float
        The same for whole rows; nan for PCA.
    longest_step : float
        The longest way from one point to the next, divided by the median one.
    lack : str or None
        In a sentence, why there are no points.
    can_retry : bool
        Whether another try may give points.
    """

    task: Task
    points: Floats
    first_share: float = np.nan
    second_share: float = np.nan
    neighbours: float = np.nan
    neighbours_before: float = np.nan
    longest_step: float = np.nan
    lack: str | None = None
    can_retry: bool = False

    @property
    def axis(self) -> str:
        """What each axis is."""
        return "UMAP" if self.task.is_umap else "component"

    @property
    def stored_by(self) -> str | None:
        """What made the points, if they are stored."""
        return None if self.task.stored is None else projection.STORED_BY

    @property
    def variance_shown(self) -> float:
        """The share of the variance that both components hold."""
        return self.first_share + self.second_share

    @property
    def point_spacing(self) -> int | None:
        """How many positions there are to one point, if there are several."""
        return self.task.positions.step if self.task.positions.step > 1 else None

    def at(self, position: int) -> SimpleNamespace:
        """Return facts of the point of a position, none where it has none."""
        facts, positions = SimpleNamespace(), self.task.positions
        if len(self.points) and position in positions:
            place = positions.index(position)
            facts.across, facts.up = self.points[place].tolist()
            distances = np.hypot(*(self.points - self.points[place]).T)
            distances[place] = np.inf
            nearest = int(distances.argmin())
            facts.nearest_position = positions[nearest]
            facts.nearest_distance = distances[nearest]
        return facts


_kept: OrderedDict[Task, ProjectionNumbers] = OrderedDict()
_lock = threading.Lock()


def task_of(e: Encoding, positions: range, options: ProjectionOptions) -> Task:
    """Return what is projected: evenly chosen positions, by PCA where UMAP is not installed."""
    inside = blocks_inside(positions.start, 1, len_of(positions), e.domain)
    shown = range(positions.start + inside.start, positions.start + inside.stop)
    most = max(_LEAST_ROWS, min(_MOST_POINTS, _MOST_NUMBERS // e.width))
    step = -(-(shown.stop - shown.start) // most)
    task = Task(e, shown[:: max(1, step)], options.seed)
    if options.method == "umap" and (task.stored is not None or not umap_process.missing()):
        return task
    return task._replace(seed=None)


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
        sentence = f"Rows {error.problem}." if error.name == "rows" else error.sentence
        can_retry = isinstance(error, umap_process.ProcessError)
        return _lacking(task, sentence)._replace(can_retry=can_retry)
    with _lock:
        _kept[task] = numbers
        while len(_kept) > _KEPT:
            _kept.popitem(last=False)
    return numbers


def _lacking(task: Task, sentence: str) -> ProjectionNumbers:
    return ProjectionNumbers(task, np.empty((0, 2)), lack=sentence)


def _computed(task: Task, progress: threading.Event) -> ProjectionNumbers:
    e, count = task.encoding, len(task.positions)
    if count < _LEAST_ROWS:
        differ = f"A projection shows how {e.rows.plural} differ"
        return _lacking(task, f"{differ}, so it needs at least 2; show more.")
    report_rows = partial(report, Part(progress, 0.0, 0.1))
    make = projection.rows_of if task.is_umap else projection.relative_rows
    rows = make(e, task.positions, report_rows)
    points, shares = _points(task, rows, Part(progress, 0.1, 0.7))
    if lost := int(np.isnan(points).any(axis=1).sum()):
        return _lacking(task, f"{e.rows.counted(lost)} {_OPPOSITE}.")
    with np.errstate(over="ignore", invalid="ignore"):  # points may be too far apart
        span = float(np.ptp(points, axis=0).max())
    if not _SMALLEST_SPAN < span < _LARGEST_SPAN:
        size = "small" if span <= _SMALLEST_SPAN else "large"
        return _lacking(task, f"The differences between the rows are too {size} to be drawn.")
    neighbours = before = np.nan
    if count >= _LEAST_COUNTED:
        neighbours = share_of_neighbours(points / span, Part(progress, 0.8, 0.1))
    if task.is_umap:  # whose distances are those of directions, which are in the same order
        rows = rows / np.abs(rows).max()
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        directions = rows / np.where(lengths > 0, lengths, 1.0)
        before = share_of_neighbours(directions, Part(progress, 0.9, 0.1))
    steps = np.hypot(*np.diff(points, axis=0).T)
    middle = float(np.median(steps))
    longest = float(steps.max()) / middle if middle else np.nan
    return ProjectionNumbers(task, points, *shares, neighbours, before, longest)


def _points(task: Task, rows: Floats, progress: Part) -> tuple[Floats, tuple[float, float]]:
    """Return the points, shape (n, 2), and the shares of the variance of both components."""
    points, shares = np.zeros((len(rows), 2)), (np.nan, np.nan)
    if (stored := task.stored) is not None:
        return stored, shares
    found, ratio = projection.points_of(rows, task.seed, progress)
    points[:, : found.shape[1]] = found
    first, second = (*ratio, np.nan, np.nan)[:2]
    return points, (first, second)

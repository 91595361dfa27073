"""Compute the points of a projection, and cache them."""

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
from pe_explorer.analysis.projection import compute_neighbour_share
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, EncodingError, TableFileError
from pe_explorer.numeric.positions import count_positions, find_blocks_inside
from pe_explorer.params import declare, with_full_stop
from pe_explorer.pictures.cost import estimate_reading_cost, estimate_start_cost
from pe_explorer.pictures.picture import Options
from pe_explorer.progress import PartialProgress, report

_MAX_POINTS = 1 << 12  # maximum number of points, because more would be indistinguishable
_MAX_VALUES = 1 << 23  # maximum number of values in the rows of all points
_MIN_ROWS = 2  # minimum number of rows of a projection
_MIN_NEIGHBOUR_POINTS = 4  # minimum number of points for which `neighbours` is computed
_CACHE_SIZE = 4  # maximum number of cached projections
_PCA_COST, _PAIR_COST = 20, 3  # cost per value of the rows, and cost per pair of points
_UMAP_COST = 1e9
_MAX_SPAN, _MIN_SPAN = 1e150, 1e-150  # limits of the span of points that can be drawn


@dataclass(frozen=True)
class ProjectionOptions(Options):
    """The options of the projection, such as the method."""

    method: str = declare(projection.METHOD)
    seed: int = declare(projection.SEED)
    show: str = declare(SHOW)

    @property
    def ineffective_parameters(self) -> Mapping[str, str]:
        return {"seed": "PCA uses no random numbers"} if self.method == "pca" else {}

    @classmethod
    def unavailable_reason(cls, option: str, value: Any) -> str:
        return umap_process.unavailable_reason() if (option, value) == ("method", "umap") else ""


class Task(NamedTuple):
    """A projection to compute; `seed` is None for PCA."""

    encoding: Encoding
    positions: range
    seed: int | None

    @property
    def is_umap(self) -> bool:
        return self.seed is not None

    @property
    def stored_points(self) -> Floats | None:
        """The stored UMAP points of this task, or None if no points are stored."""
        return projection.read_stored_umap(self.encoding, self.positions, self.seed)


class ProjectionNumbers(NamedTuple):
    """The points of a projection, with facts for the texts of the view."""

    task: Task
    points: Floats  # coordinates, shape (n, 2); empty if there is a `missing_reason`
    first_share: float = np.nan  # share of the variance in the first component; nan for UMAP
    # Share of the variance in the second component; nan for UMAP, or if there is one component.
    second_share: float = np.nan
    # Fraction of points whose nearest point is the previous or next one; nan for too few points.
    neighbours: float = np.nan
    # Fraction of rows whose nearest row is the previous or next one; nan for PCA.
    neighbours_before: float = np.nan
    # Largest distance between consecutive points, divided by the median distance.
    longest_step: float = np.nan
    missing_reason: str | None = None  # sentence that explains why there are no points
    can_retry: bool = False  # whether a retry may succeed

    @property
    def axis(self) -> str:
        return "UMAP" if self.task.is_umap else "component"

    @property
    def stored_by(self) -> str | None:
        """The program that computed the stored points, or None if no points are stored."""
        return None if self.task.stored_points is None else projection.STORED_UMAP_VERSION

    @property
    def variance_shown(self) -> float:
        return self.first_share + self.second_share

    @property
    def point_spacing(self) -> int | None:
        """The number of positions per point, or None if it is 1."""
        return self.task.positions.step if self.task.positions.step > 1 else None

    def make_point_facts(self, position: int) -> SimpleNamespace:
        """Return facts about the point of a position; an empty namespace if it has no point."""
        facts, positions = SimpleNamespace(), self.task.positions
        if len(self.points) and position in positions:
            point = positions.index(position)
            facts.across, facts.up = self.points[point].tolist()
            distances = np.hypot(*(self.points - self.points[point]).T)
            distances[point] = np.inf
            nearest_index = int(distances.argmin())
            facts.nearest_position = positions[nearest_index]
            facts.nearest_distance = distances[nearest_index]
        return facts


_cache: OrderedDict[Task, ProjectionNumbers] = OrderedDict()
_lock = threading.Lock()


def make_task(e: Encoding, positions: range, options: ProjectionOptions) -> Task:
    """Return the task of projecting positions, evenly spaced ones if there are too many.

    PCA replaces UMAP if UMAP is not installed and no points are stored.
    """
    inside = find_blocks_inside(positions.start, 1, count_positions(positions), e.domain)
    rows = range(positions.start + inside.start, positions.start + inside.stop)
    limit = max(_MIN_ROWS, min(_MAX_POINTS, _MAX_VALUES // e.width))
    step = -(-(rows.stop - rows.start) // limit)
    task = Task(e, rows[:: max(1, step)], options.seed)
    if options.method == "pca":
        return task._replace(seed=None)
    can_use_umap = task.stored_points is not None or not umap_process.unavailable_reason()
    return task if can_use_umap else task._replace(seed=None)


def cost(task: Task) -> float:
    """Return the approximate cost of `compute`, in units of `pictures.cost`; 1 if cached."""
    e, count = task.encoding, len(task.positions)
    if task in _cache:
        return 1.0
    if task.is_umap and task.stored_points is None:
        return _UMAP_COST
    row_cost = estimate_start_cost(e) * e.width + e.cost(count, 1) + estimate_reading_cost(e)
    pairs = count**2 * (2 if task.is_umap else 1)  # for UMAP, the nearest rows are computed as well
    return row_cost + _PCA_COST * count * e.width + _PAIR_COST * pairs


def compute(task: Task, progress: threading.Event) -> ProjectionNumbers:
    """Return the points of a task, from the cache if possible."""
    with _lock:
        if task in _cache:
            _cache.move_to_end(task)
            return _cache[task]
    try:
        numbers = _compute_points(task, progress)
    except TableFileError:
        raise
    except EncodingError as error:  # shown as a note; a failed UMAP process can be restarted
        text = with_full_stop(f"Rows {error.problem}") if error.name == "rows" else error.sentence
        can_retry = isinstance(error, umap_process.ProcessError)
        return _make_empty_numbers(task, text)._replace(can_retry=can_retry)
    with _lock:
        _cache[task] = numbers
        while len(_cache) > _CACHE_SIZE:
            _cache.popitem(last=False)
    return numbers


def _make_empty_numbers(task: Task, sentence: str) -> ProjectionNumbers:
    return ProjectionNumbers(task, np.empty((0, 2)), missing_reason=sentence)


def _compute_points(task: Task, progress: threading.Event) -> ProjectionNumbers:
    e, count = task.encoding, len(task.positions)
    if count < _MIN_ROWS:
        plural = e.rows.plural
        sentence = f"A projection shows how {plural} differ, so it needs at least 2 {plural}"
        return _make_empty_numbers(task, f"{sentence}; show more.")
    report_rows = partial(report, PartialProgress(progress, 0.0, 0.1))
    make = projection.compute_chunked_rows if task.is_umap else projection.compute_relative_rows
    rows = make(e, task.positions, report_rows)
    points, shares = _project_rows(task, rows, PartialProgress(progress, 0.1, 0.7))
    if isolated_count := int(np.isnan(points).any(axis=1).sum()):
        reason = "cannot be placed, because their rows point away from all other rows; choose PCA"
        return _make_empty_numbers(task, f"{e.rows.format_count(isolated_count)} {reason}.")
    with np.errstate(over="ignore", invalid="ignore"):  # points may be too far apart
        span = float(np.ptp(points, axis=0).max())
    if not _MIN_SPAN < span < _MAX_SPAN:
        size = "small" if span <= _MIN_SPAN else "large"
        sentence = f"The differences between the rows are too {size} to be drawn."
        return _make_empty_numbers(task, sentence)
    neighbours = row_neighbour_share = np.nan
    if count >= _MIN_NEIGHBOUR_POINTS:
        neighbours = compute_neighbour_share(points / span, PartialProgress(progress, 0.8, 0.1))
    if task.is_umap:
        # UMAP uses cosine distances, which have the same order as those between unit vectors.
        rows = rows / np.abs(rows).max()
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        directions = rows / np.where(lengths > 0, lengths, 1.0)
        row_neighbour_share = compute_neighbour_share(
            directions, PartialProgress(progress, 0.9, 0.1)
        )
    steps = np.hypot(*np.diff(points, axis=0).T)
    median = float(np.median(steps))
    longest_step = float(steps.max()) / median if median else np.nan
    return ProjectionNumbers(task, points, *shares, neighbours, row_neighbour_share, longest_step)


def _project_rows(
    task: Task, rows: Floats, progress: PartialProgress
) -> tuple[Floats, tuple[float, float]]:
    """Return the points, shape (n, 2), and each component's share of the variance."""
    points, shares = np.zeros((len(rows), 2)), (np.nan, np.nan)
    if (stored_points := task.stored_points) is not None:
        return stored_points, shares
    components, ratio = projection.compute_points(rows, task.seed, progress)
    points[:, : components.shape[1]] = components
    first, second = (*ratio, np.nan, np.nan)[:2]
    return points, (first, second)

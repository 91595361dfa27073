"""Facts of the projection: how much of the rows it shows, and its points."""

from collections.abc import Callable
from typing import cast

import numpy as np

from pe_explorer import pictures
from pe_explorer.analysis import umap_process
from pe_explorer.analysis.projection import STORED_BY
from pe_explorer.pictures.projection.numbers import ProjectionNumbers
from pe_explorer.words import FACTS, Fact, Facts, fact, require

_LEAST_POINTS = 4  # from so many on, a sentence counts neighbours


def _of_numbers(find: Callable[[ProjectionNumbers], Fact | None]) -> Callable[[Facts], Fact]:
    """Return a fact of the numbers alone, which is missing where it is None."""

    def fact_of(of: Facts) -> Fact:
        found = find(of.numbers_as(ProjectionNumbers))
        require(found is not None)
        return cast(Fact, found)

    return fact_of


FACTS |= {
    "no_points": _of_numbers(lambda numbers: numbers.lack or None),
    "projected": _of_numbers(lambda numbers: len(numbers.points)),
    "axis": _of_numbers(lambda numbers: "UMAP" if numbers.task.is_umap else "component"),
    "umap_seed": _of_numbers(lambda numbers: numbers.task.seed),
    "stored_by": _of_numbers(lambda n: None if n.task.stored is None else STORED_BY),
    "first_share": _of_numbers(lambda numbers: next(iter(numbers.ratio), None)),
    "second_share": _of_numbers(lambda numbers: next(iter(numbers.ratio[1:]), None)),
    "variance_shown": _of_numbers(lambda numbers: sum(numbers.ratio)),
    "near": _of_numbers(lambda n: n.neighbours if len(n.points) >= _LEAST_POINTS else None),
    "near_before_umap": _of_numbers(lambda numbers: numbers.neighbours_before),
    "longest_step": _of_numbers(lambda n: n.steps[0] / n.steps[1] if n.steps[1] else None),
    "point_spacing": _of_numbers(
        lambda n: n.task.positions.step if n.task.positions.step > 1 else None
    ),
    "across": lambda of: _point(of)[0],
    "up": lambda of: _point(of)[1],
    "nearest_position": lambda of: _nearest(of)[0],
    "nearest_distance": lambda of: _nearest(of)[1],
}


@fact
def umap_missing(of: Facts) -> str:
    """Return why PCA is shown instead of UMAP, if it is."""
    wants_umap = pictures.find("projection")(of.state).options.method == "umap"
    require(wants_umap and not of.numbers_as(ProjectionNumbers).task.is_umap)
    return umap_process.missing()


@fact
def point_spacing(of: Facts) -> int:
    """Return how many positions there are to one point, if there are several."""
    step = of.numbers_as(ProjectionNumbers).task.positions.step
    require(step > 1)
    return step


@fact
def taken(of: Facts) -> int:
    """Return how many of the positions shown have a point, if not all."""
    numbers = of.numbers_as(ProjectionNumbers)
    found = len(numbers.task.positions)
    require(len(numbers.points) and found < of.state.count)
    return found


@fact
def hidden_position(of: Facts) -> int:
    """Return the position of the cursor, if it is not shown."""
    require(of.state.position not in of.state.positions)
    return of.state.position


def _place(of: Facts) -> int:
    """Return which point stands for the position of the cursor."""
    numbers = of.numbers_as(ProjectionNumbers)
    require(len(numbers.points) and of.state.position in numbers.task.positions)
    return numbers.task.positions.index(of.state.position)


def _point(of: Facts) -> list[float]:
    point: list[float] = of.numbers_as(ProjectionNumbers).points[_place(of)].tolist()
    return point


def _nearest(of: Facts) -> tuple[int, float]:
    """Return the position of the nearest other point, and how far away it is."""
    numbers, place = of.numbers_as(ProjectionNumbers), _place(of)
    distances = np.hypot(*(numbers.points - numbers.points[place]).T)
    distances[place] = np.inf
    nearest = int(distances.argmin())
    return numbers.task.positions[nearest], float(distances[nearest])

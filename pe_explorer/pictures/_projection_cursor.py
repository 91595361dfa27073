"""What the projection says of the cursor: its point, and the one nearest to it."""

from __future__ import annotations

import threading

import numpy as np

from pe_explorer.exploration import Exploration
from pe_explorer.pictures._projection_numbers import Numbers, ProjectionOptions, compute, task_of
from pe_explorer.pictures._projection_words import title, why_none
from pe_explorer.pictures.clock_texts import number
from pe_explorer.pictures.inspection import Inspection, Value

__all__ = ["MAIN", "inspect", "place_of"]

MAIN = "Across"
_UP = "Up"
_NEAREST = "Nearest point"
_AXIS = "How far along the axis: {}."
_IS_NEAREST = "The other point that is nearest in the plane, and how far away it is."


def inspect(
    state: Exploration, options: ProjectionOptions, cancelled: threading.Event
) -> Inspection:
    """Return the point of the cursor's position, and the nearest other one."""
    numbers = compute(task_of(state, options), cancelled)
    place = place_of(numbers, state.position)
    if place is None:
        return Inspection(lack=why_none(state, state.position, numbers), brief=("no point",))
    across, up = numbers.points[place].tolist()
    nearest, distance = _nearest(numbers, place)
    name = numbers.task.encoding.rows.name
    beside = f"{name} {nearest:,}, {distance:.6g} away"
    values = (
        Value(MAIN, repr(across), _AXIS.format(title(numbers, 0))),
        Value(_UP, repr(up), _AXIS.format(title(numbers, 1))),
        Value(_NEAREST, beside, _IS_NEAREST),
    )
    place_in_brief = f"({number(across)}, {number(up)})"
    return Inspection(values, brief=(place_in_brief, f"nearest {name} {nearest:,}"))


def place_of(numbers: Numbers, position: int) -> int | None:
    """Return which point stands for a position, None where there is none."""
    taken = numbers.task.positions
    if not len(numbers.points) or position not in taken:
        return None
    return taken.index(position)


def _nearest(numbers: Numbers, place: int) -> tuple[int, float]:
    """Return the position of the nearest other point, and how far away it is."""
    distances = np.hypot(*(numbers.points - numbers.points[place]).T)
    distances[place] = np.inf
    nearest = int(distances.argmin())
    return numbers.task.positions[nearest], float(distances[nearest])

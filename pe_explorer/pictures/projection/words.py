"""The projection in words: titles of its axes, and what is shown in a sentence."""

import numpy as np

from pe_explorer.analysis import umap_process
from pe_explorer.analysis.projection import STORED_BY
from pe_explorer.encodings import require_known
from pe_explorer.exploration import Exploration
from pe_explorer.params import printed
from pe_explorer.pictures.inspection import Inspection, Value
from pe_explorer.pictures.projection.numbers import ProjectionNumbers, ProjectionOptions

_ROUNDING = 1e-12  # of a sum of shares, that counts as a rounding error
_LEAST_POINTS = 4  # from so many on, the sentence counts neighbours


def percent(share: float, decimals: int = 2) -> str:
    """Return a share in percent; what is not all is never rounded to all."""
    least = 10.0**-decimals
    number = 100.0 if share > 1 - _ROUNDING else min(100 * share, 100 - least)
    text = f"{number:.{decimals}f}"
    return f"{text.rstrip('0').rstrip('.')} %"


def title(numbers: ProjectionNumbers, component: int) -> str:
    """Return what an axis is called, with the share of the variance that it shows."""
    if numbers.task.is_umap:
        return f"UMAP {component + 1}"
    name = f"component {component + 1}"
    if component >= len(numbers.ratio):
        return name
    return f"{name}, {percent(numbers.ratio[component])} of the variance"


def status(state: Exploration, options: ProjectionOptions, numbers: ProjectionNumbers) -> str:
    """Return in sentences how good the projection is, and which positions it has."""
    if numbers.lack:
        said = f"Projection: nothing is shown. {numbers.lack}"
    elif numbers.task.is_umap:
        kept = "" if numbers.task.stored is None else f"; stored points of {STORED_BY}"
        how = f"cosine, seed {numbers.task.seed}{kept}"
        said = f"Projection by UMAP ({how}): {_of_umap(numbers)}."
    else:
        said = f"Projection: {_of_pca(numbers)}."
    if len(numbers.points):
        said += _taken(state, numbers)
    if options.method == "umap" and not numbers.task.is_umap:
        return f"{umap_process.missing()}. PCA is shown instead. {said}"
    return said


def why_none(state: Exploration, position: int, numbers: ProjectionNumbers) -> str:
    """Return in a sentence why a position has no point, or an empty text."""
    if numbers.lack:
        return numbers.lack
    if position in numbers.task.positions:
        return ""
    rows = require_known(state.encoding).rows
    if position not in state.positions:
        return f"{rows.name.capitalize()} {position:,} is not shown."
    step = numbers.task.positions.step
    if step == 1:
        return f"{rows.name.capitalize()} {position:,} has no row."
    return f"{rows.name.capitalize()} {position:,} has no point: every {step:,}th has one."


def _of_pca(numbers: ProjectionNumbers) -> str:
    """Return how much of the variance can be seen, and whether neighbours stay together."""
    shares = numbers.ratio
    if len(shares) == 1:
        held = "one component holds all of the variance"
    else:
        each = " + ".join(percent(share).removesuffix(" %") for share in shares)
        held = f"two components hold {percent(sum(shares), 1)} of the variance ({each})"
    return f"{held}{_neighbours(numbers)}"


def _of_umap(numbers: ProjectionNumbers) -> str:
    """Return whether neighbours stay together, also before, and whether the line has a break."""
    longest, median = numbers.steps
    dimensions = f"all {numbers.task.encoding.width:,} dimensions"
    before = f"in {dimensions} for {percent(numbers.neighbours_before, 1)}"
    said = f"{_neighbours(numbers).removeprefix('; ')} ({before})"
    if not median:
        return said
    return f"{said}; the longest step is {longest / median:.1f} times the median"


def _neighbours(numbers: ProjectionNumbers) -> str:
    count = len(numbers.points)
    if count < _LEAST_POINTS:
        return ""
    rows = numbers.task.encoding.rows
    share = percent(numbers.neighbours, 1)
    return f"; for {share} of {rows.counted(count)} the nearest point is a neighbour"


def _taken(state: Exploration, numbers: ProjectionNumbers) -> str:
    """Return which positions have a point, where not all that are shown do."""
    e, taken = require_known(state.encoding), numbers.task.positions
    if taken.step > 1:
        chosen = f"one of every {taken.step:,}, evenly chosen"
        return f" Of {e.rows.counted(state.count)}, {len(taken):,} are taken: {chosen}."
    if len(taken) < state.count:
        return f" Of {e.rows.counted(state.count)}, {len(taken):,} have a row."
    return ""


MAIN = "Across"
_UP = "Up"
_NEAREST = "Nearest point"
_AXIS_HELP = "How far along the axis: {}."
_NEAREST_HELP = "The other point that is nearest in the plane, and how far away it is."


def inspect(state: Exploration, numbers: ProjectionNumbers) -> Inspection:
    """Return the point of the cursor's position, and the nearest other one."""
    place = place_of(numbers, state.position)
    if place is None:
        return Inspection(lack=why_none(state, state.position, numbers), brief=("no point",))
    across, up = numbers.points[place].tolist()
    nearest, distance = _nearest(numbers, place)
    name = numbers.task.encoding.rows.name
    beside = f"{name} {nearest:,}, {printed.fine(distance)} away"
    values = (
        Value(MAIN, repr(across), _AXIS_HELP.format(title(numbers, 0))),
        Value(_UP, repr(up), _AXIS_HELP.format(title(numbers, 1))),
        Value(_NEAREST, beside, _NEAREST_HELP),
    )
    place_in_brief = f"({printed.brief(across)}, {printed.brief(up)})"
    return Inspection(values, brief=(place_in_brief, f"nearest {name} {nearest:,}"))


def place_of(numbers: ProjectionNumbers, position: int) -> int | None:
    """Return which point stands for a position, None where there is none."""
    taken = numbers.task.positions
    if not len(numbers.points) or position not in taken:
        return None
    return taken.index(position)


def _nearest(numbers: ProjectionNumbers, place: int) -> tuple[int, float]:
    """Return the position of the nearest other point, and how far away it is."""
    distances = np.hypot(*(numbers.points - numbers.points[place]).T)
    distances[place] = np.inf
    nearest = int(distances.argmin())
    return numbers.task.positions[nearest], float(distances[nearest])

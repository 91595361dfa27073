"""Random settings of every encoding, quantity and metric, near and far, against many digits."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np
import numpy.typing as npt

from pe_explorer import quantities
from pe_explorer.analysis import distance, projection
from pe_explorer.analysis.comparison import Subject
from pe_explorer.encodings import Encoding, EncodingError, Line, Rotary, Waves
from pe_explorer.quantities import Asked
from tests.endurance import many_digits
from tests.endurance.faults import Faults
from tests.endurance.many_digits import mp
from tests.endurance.settings import some_encoding, some_positions, write_tables

Floats = npt.NDArray[np.float64]

_LOOKED_AT = 6  # numbers of an array
_RIGHT, _OF_ALL = 1e-12, 2e-15  # of a number, and of the largest that there can be
_WAVE = 1e-15  # what a sine may be off by
_FEW_DIGITS = 14  # numbers that have fewer are marked: their last one may be off


def run(faults: Faults, seed: int, size: int, folder: Path, plant: Sequence[str] = ()) -> None:
    """Compare so many numbers, with what is planted."""
    tables = write_tables(folder, Random(f"{seed} tables"))
    for _, pick in faults.items(f"{seed} number", size, plant, _planted):
        _compare(faults, pick, tables)


def _compare(faults: Faults, pick: Random, tables: Sequence[Path]) -> None:
    """Compare one quantity of one setting, or see that it is refused in a sentence."""
    e = some_encoding(pick, tables)
    positions = some_positions(pick, e)
    near = [p for p in (positions[0], positions[-1], positions[0] + 1) if p in e.domain]
    asked = Asked(
        Subject("current", e),
        positions,
        pick.choice(_METRICS),
        reference=pick.choice(near),
        options={
            "k": pick.choice((1, -1, 0, 2, 7, pick.randint(-(10**6), 10**6))),
            "join": "positions",
            "sentence": " ".join("abcdefgh"[: len(positions)]),
        },
        position=pick.choice(near),
    )
    name = pick.choice([name for name in _WEIGHTED if not quantities.lack(name, asked)])
    details = f"{name} of {e!r}, {positions}, {asked.metric}, {asked.options}"
    details = f"{details}, reference {asked.reference}, position {asked.position}"
    faults.say(details)
    try:
        wrong = _CHECKS[name](asked, _numbers(name, asked), pick)
    except EncodingError as refusal:
        wrong = "" if str(refusal) else "an error without words"
    except Exception as error:
        faults.add_exception(f"in numbers: {details}", error)
        return
    if wrong:
        faults.add(f"{name} of {e.name} is wrong", f"{details}\n{wrong}")


def _numbers(name: str, asked: Asked) -> Floats:
    data = quantities.data(name, asked)
    out = np.empty(data.shape)
    data.fill(data.index, out)
    return out


# -- comparing -------------------------------------------------------------------------------------


def why_wrong(found: float, exact: Any, of_all: float = 0.0) -> str:
    """Return how a number differs from the truth, or an empty text.

    It may do so by 1e-12 of itself, by `of_all`, or by one in the last of few digits.
    """
    if mp.isnan(exact) or math.isnan(found):
        return "" if mp.isnan(exact) and math.isnan(found) else f"{found!r}, {mp.nstr(exact, 17)}"
    if math.isinf(found):
        is_right = abs(exact) >= np.finfo(np.float64).max and (exact > 0) == (found > 0)
        return "" if is_right else f"{found!r}, {mp.nstr(exact, 17)}"
    error = abs(mp.mpf(found) - exact)
    if error <= _RIGHT * abs(exact) + of_all + math.ulp(0.0) or error <= _last_digit(found):
        return ""
    return f"{found!r}, {mp.nstr(exact, 17)}"


def _last_digit(number: float) -> float:
    """Return what the last digit of a number with few of them stands for, else 0."""
    _, digits, power = Decimal(repr(number)).normalize().as_tuple()
    return 10.0 ** int(power) if len(digits) < _FEW_DIGITS else 0.0


def _first(wrong: Iterator[str]) -> str:
    return next(filter(None, wrong), "")


def _places(pick: Random, numbers: Floats) -> Iterator[tuple[int, ...]]:
    for _ in range(min(_LOOKED_AT, numbers.size)):
        yield tuple(pick.randrange(side) for side in numbers.shape)


def _of_all(e: Encoding) -> float:
    """Return what a number of a row may be off by, whatever its size."""
    return _WAVE if isinstance(e, Waves) else 0.0


# -- quantities ------------------------------------------------------------------------------------


def _table(asked: Asked, found: Floats, pick: Random) -> str:
    rows = [many_digits.row(asked.encoding, p) for p in asked.positions[: len(found)]]
    return _first(
        why_wrong(float(found[i, j]), rows[i][j], _of_all(asked.encoding))
        for i, j in _places(pick, found)
    )


def _distance(asked: Asked, p: int, q: int, found: float, *, as_likeness: bool = False) -> str:
    e, metric = asked.encoding, asked.metric
    rows = [many_digits.row(e, place) for place in (p, q)]
    exact = many_digits.distance(*rows, metric)
    if p == q and not distance.is_similarity(metric) and metric not in _ANGLES:
        exact = mp.mpf(0)
    coarse = _OF_ALL if metric in _ANGLES and not distance.has_closed_form(e, metric) else 0.0
    if metric == "similarity":
        coarse = 4 * _OF_ALL
    if metric in ("dot", "normalised-dot"):
        lengths = [mp.sqrt(mp.fdot(row, row)) for row in rows]
        size = 1 if metric == "dot" else 2 / e.width
        coarse = _OF_ALL * float(lengths[0] * lengths[1] * size)
    if metric == "euclidean" and isinstance(e, Waves):
        coarse = 1e-150
    if metric == "sse" and isinstance(e, Waves):
        coarse = 1e-300
    is_turned = metric == "correlation" and isinstance(e, Waves)
    if is_turned and math.isnan(found) and not mp.isnan(exact):
        far = math.sqrt(2 * float(exact)) if p != q else 1.0
        return "" if 1000 * many_digits.turned(rows, e.amplitude) > far else "nan without need"
    if as_likeness:
        exact, coarse = 1 - exact, 4 * _OF_ALL
    return why_wrong(found, exact, coarse)


def _distances(asked: Asked, found: Floats, pick: Random) -> str:
    return _first(
        _distance(asked, asked.reference, asked.positions[i], float(found[i]))
        for (i,) in _places(pick, found)
    )


def _likeness(asked: Asked, found: Floats, pick: Random) -> str:
    is_angle = asked.metric in _ANGLES
    return _first(
        _distance(asked, asked.position, asked.positions[i], float(found[i]), as_likeness=is_angle)
        for (i,) in _places(pick, found)
    )


def _matrix(asked: Asked, found: Floats, pick: Random) -> str:
    return _first(
        _distance(asked, asked.positions[i], asked.positions[j], float(found[i, j]))
        for i, j in _places(pick, found)
    )


def _histogram(asked: Asked, found: Floats, pick: Random) -> str:
    """Every pair has a bin, and bins have as many pairs as distances lie in them."""
    e, metric = asked.encoding, asked.metric
    rows = [many_digits.row(e, p) for p in asked.positions]
    pairs = [(a, b) for place, a in enumerate(rows) for b in rows[place + 1 :]]
    exact = [many_digits.distance(*pair, metric) for pair in pairs]
    known = sorted(float(each) for each in exact if not mp.isnan(each))
    if metric == "correlation" and isinstance(e, Waves):
        return ""  # some are not determined
    share, counted = found[:, 2].sum(), found[:, 3].sum()
    if not math.isclose(share, 1, rel_tol=1e-9):
        return f"the shares add up to {share}"
    if counted != len(known):
        return f"{counted} pairs of {len(known)}"
    room = 1e-9 * max(map(abs, known)) + _OF_ALL * max(1.0, *map(abs, known))
    for low, high, _, count in found.tolist():
        surely = sum(low + room < each < high - room for each in known)
        perhaps = sum(low - room <= each <= high + room for each in known)
        if not surely <= count <= perhaps:
            return f"{count} pairs from {low} to {high}, {surely} to {perhaps} in truth"
    return ""


def _projection(asked: Asked, found: Floats, pick: Random) -> str:
    """The points have the lengths of the principal components, and lie as far apart as rows do."""
    rows = mp.matrix([many_digits.row(asked.encoding, p) for p in asked.positions])
    count = rows.rows
    for column in range(rows.cols):
        mean = mp.fsum(rows[i, column] for i in range(count)) / count
        for i in range(count):
            rows[i, column] -= mean
    products = rows * rows.T
    values = sorted(map(abs, mp.eigsy(products, eigvals_only=True)), reverse=True)
    largest = mp.sqrt(values[0])
    for component, points in enumerate(found.T):
        length = mp.sqrt(mp.fsum(mp.mpf(float(each)) ** 2 for each in points))
        exact = mp.sqrt(values[component]) if component < count else mp.mpf(0)
        if wrong := why_wrong(float(length), exact, float(_RIGHT * largest)):
            return f"component {component}: {wrong}"
    if values[1] * 10**24 < values[0]:  # on a line: the distances are those of the rows
        for i, j in ((0, 1), (0, count - 1)):
            step = mp.sqrt(products[i, i] + products[j, j] - 2 * products[i, j])
            apart = abs(mp.mpf(float(found[i, 0])) - mp.mpf(float(found[j, 0])))
            if wrong := why_wrong(float(apart), step, float(_RIGHT * largest)):
                return f"points {i} and {j}: {wrong}"
    return ""


def _shift_matrix(asked: Asked, found: Floats, pick: Random) -> str:
    """A wave keeps the cosine of its turn; the best fit has finite numbers."""
    if not np.isfinite(found).all():
        return "not finite"
    e = asked.encoding
    if not isinstance(e, Rotary):
        return ""
    angles = (many_digits.turned_by(e, i, asked.options["k"]) for i in range(e.rotary))
    cosines = map(mp.cos, angles)
    return _first(why_wrong(float(found[i, i]), exact, _WAVE) for i, exact in enumerate(cosines))


def _shifted(asked: Asked, found: Floats, pick: Random) -> str:
    """A row of waves is that of the later position."""
    e, k = asked.encoding, asked.options["k"]
    if not isinstance(e, Waves) or isinstance(e, Rotary) or not e.shift_invariant:
        return "" if np.isfinite(found).all() else "not finite"
    return _first(
        why_wrong(float(found[i, j]), many_digits.row(e, asked.positions[i] + k)[j], 4 * _WAVE)
        for i, j in _places(pick, found)
        if asked.positions[i] + k in e.domain
    )


def _shift_residual(asked: Asked, found: Floats, pick: Random) -> str:
    """It is what the moved rows differ by from the true ones, but for the rounding of both."""
    e, k = asked.encoding, asked.options["k"]
    if isinstance(e, Rotary):
        return "" if found.max() <= 4 * _WAVE else f"{found.max()}"
    moved = _numbers("shifted", asked)
    for i in range(min(2, len(found))):
        exact = many_digits.row(e, asked.positions[i] + k)
        differences = [abs(mp.mpf(float(a)) - b) for a, b in zip(moved[i], exact, strict=True)]
        rounding = 1e-14 * float(max(map(abs, exact))) + 1e-14 * float(np.abs(moved[i]).max())
        if wrong := why_wrong(float(found[i]), max(differences), rounding + _of_all(e)):
            return wrong
    return ""


def _score(asked: Asked, found: Floats, pick: Random) -> str:
    e: Any = asked.encoding
    for (i,) in _places(pick, found):
        angles = (many_digits.turned_by(e, j, asked.positions[i]) for j in range(e.rotary))
        if wrong := why_wrong(float(found[i]), mp.fsum(map(mp.cos, angles)) / e.rotary, _WAVE):
            return wrong
    return ""


def _score_bound(asked: Asked, found: Floats, pick: Random) -> str:
    return _first(
        why_wrong(float(found[i]), many_digits.score_bound(asked.encoding, asked.positions[i]))
        for (i,) in _places(pick, found)
    )


def _bias(asked: Asked, found: Floats, pick: Random) -> str:
    return _table(asked, found.T, pick)


def _float32_error(asked: Asked, found: Floats, pick: Random) -> str:
    """The error and the truth together are a number of float32."""
    rows = [many_digits.row(asked.encoding, p) for p in asked.positions]
    for i, j in _places(pick, found):
        made = float(mp.mpf(float(found[i, j])) + rows[i][j])
        if abs(made - float(np.float32(made))) > _WAVE:
            return f"{found[i, j]!r} from {mp.nstr(rows[i][j], 17)}"
    return ""


def _frequencies(asked: Asked, found: Floats, pick: Random) -> str:
    """A turn takes one wavelength."""
    lengths = _numbers("wavelengths", asked).ravel()
    speeds = found.ravel()
    some = (speeds != 0) & np.isfinite(lengths) & (lengths != 0)
    products = np.abs(speeds[some] * lengths[some]) / math.tau
    return "" if np.allclose(products, 1, rtol=1e-14) else f"{products}"


def _angles(asked: Asked, found: Floats, pick: Random) -> str:
    """Their sines or cosines are the numbers of the table."""
    e: Any = asked.encoding
    for i, j in _places(pick, found):
        if e.wave_of[j] < 0:
            continue
        angle = math.radians(found[i, j])
        wave = e.amplitude * (math.sin(angle) if e.sines[j] else math.cos(angle))
        exact = many_digits.row(e, asked.positions[i])[j]
        if wrong := why_wrong(wave, exact, 4 * _WAVE):
            return wrong
    return ""


_ANGLES = ("cosine", "correlation")
_METRICS = (*distance.METRICS, "correlation", "correlation")
_CHECKS: Mapping[str, Callable[[Asked, Floats, Random], str]] = {
    "table": _table,
    "cos-sin": _table,
    "tokens": _table,
    "distances": _distances,
    "likeness": _likeness,
    "matrix": _matrix,
    "distance-histogram": _histogram,
    "projection": _projection,
    "shift-matrix": _shift_matrix,
    "shifted": _shifted,
    "shift-residual": _shift_residual,
    "score": _score,
    "score-bound": _score_bound,
    "bias": _bias,
    "float32-error": _float32_error,
    "frequencies": _frequencies,
    "angles": _angles,
}
_WEIGHTED = (*_CHECKS, *("distances", "matrix", "projection") * 2)


# -- planted ---------------------------------------------------------------------------------------


def _divided_first(e: Encoding, positions: range, report: Any) -> Floats:
    rows = projection.rows_of(e, positions, report)
    largest = np.abs(rows).max() or 1.0
    return (rows / largest) * largest


def _all_digits(values: Floats, errors: Floats, least: float = 0.0) -> Floats:
    return values


@contextmanager
def _planted(name: str) -> Iterator[None]:
    """Let other functions be in some places."""
    with ExitStack() as stack:
        for place, function in PLANTS[name].items():
            stack.enter_context(patch(place, function))
        yield


PLANTS: Mapping[str, Mapping[str, Callable[..., Any]]] = {
    "divided first": {"pe_explorer.analysis.projection.relative_rows": _divided_first},
    "all digits": {
        "pe_explorer.analysis._close.rounded_to_right_digits": _all_digits,
        "pe_explorer.analysis._tables.rounded_to_right_digits": _all_digits,
    },
    "rounded rows": {"pe_explorer.analysis.distance.Multiples": Line},
}

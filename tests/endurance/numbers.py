"""Random settings of encodings, quantities and metrics, compared with many exact digits."""

import math
from decimal import Decimal
from functools import partial
from itertools import combinations
from random import Random
from unittest.mock import patch

import numpy as np

from pe_explorer import encodings, quantities
from pe_explorer.analysis import distance, projection
from pe_explorer.analysis.comparison import Subject
from pe_explorer.encodings import LIMIT, EncodingError, LinearRows, Rotary, Steady, Waves
from pe_explorer.params import Choice, declared
from pe_explorer.quantities import QuantityInput
from tests.support.definitions import as_mp, mp
from tests.support.oracles import definition, of_quantity
from tests.support.requirements import whole
from tests.support.truth import distance as true_distance

_ANGLES = ("cosine", "correlation")
_MAX_TESTED = 6  # tested numbers of an array
_TOLERANCE, _MAX_ERROR = 1e-12, 2e-15  # relative to a number, and to an array
_MAX_FLOAT = 1.7e308
_SINE_ERROR = 1e-15
_FEW_DIGITS = 14  # numbers with fewer digits are rounded, so their last digit may differ
_ROUNDING_ERROR = 4.5e-16  # of a wave with amplitude 1
_SHORT_FACTOR = 10  # limit for the rounding errors of short rows, relative to their size
_TABLES, _ROWS = 12, 6
_BASES = (1e4, 1e4, math.nextafter(1, 2), 1.0000001, 1.5, math.pi, 5e5, 1e12)
_VALUES = {
    "dim": (1, 2, 3, 4, 5, 8, 12),
    "scale": (1.0, 1.0, 1.0, -1.0, 1e3, 1e6, 1e-2, 1e-6, 1e-6, 1e-20, 1 / 3),
    "row_offset": (0, 0, 1),
    "head_dim": (4, 8, 12),
    "rope_theta": _BASES,
    "rope_type": ("default",),
    "partial_rotary_factor": (1.0, 1.0, 0.5),
    "heads": (1, 2, 3, 7, 8, 12),
    "symmetric": (False, True),
}
"""The values of the parameters of encodings, except those of `_random_input`."""


def run(faults, seed, size, folder, plant=()):
    pick = Random(f"{seed} tables")
    tables = [folder / f"numbers-{number}.npy" for number in range(_TABLES)]
    for path in tables:
        width = pick.choice(_VALUES["dim"])
        rows = np.array([[pick.gauss(0, 1) for _ in range(width)] for _ in range(_ROWS)])
        table = pick.choice((0.0, 1.0, 1e6)) + pick.choice((1.0, 1.0, 1e-6)) * rows
        np.save(path, table.astype(pick.choice(("<f8", "<f8", "<f4", ">f8"))))
    for _, pick in faults.items(f"{seed} number", size, plant, PLANTS):
        inputs = _random_input(pick, tables)
        name = pick.choice(
            [name for name in _WEIGHTED if not quantities.unavailable_reason(name, inputs)]
        )
        details = f"{name} of {inputs.encoding!r}, {inputs.positions}, {inputs.metric}"
        details += f", {inputs.options}, reference {inputs.reference}, position {inputs.position}"
        faults.say(details)
        try:
            found = whole(quantities.data(name, inputs))
            if name in _AS_DEFINED:
                of_quantity(name).check(found, definition(inputs.encoding), inputs.positions)
            else:
                for number, exact, *room in _CHECKS[name](inputs, found, pick):
                    wrong = why_wrong(float(number), exact, *room)
                    assert not wrong, wrong
        except EncodingError as refusal:
            if not str(refusal):
                faults.add_exception(f"without words in numbers: {details}", refusal)
        except AssertionError as error:
            faults.add(f"{name} of {inputs.encoding.name} is wrong", f"{details}\n{error}")
        except Exception as error:
            faults.add_exception(f"in numbers: {details}", error)


def _far(pick):
    return pick.choice((-1, 1)) * int(10 ** pick.uniform(0, math.log10(LIMIT)))


def _random_input(pick, tables):
    name = pick.choice([*encodings.names(), "sinusoidal", "sinusoidal"])
    values = _VALUES | {
        "base": (*_BASES, 10 ** pick.uniform(0.01, 12)),
        "offset": (0, 0, 1, -5, _far(pick)),
        "length": (1, 50, 3, 7777, LIMIT, max(1, abs(_far(pick)))),
        "file": [str(path) for path in tables],
    }
    parameters = {}
    for key, kind in declared(encodings.find(name)).items():
        if key in values or isinstance(kind, Choice):
            parameters[key] = pick.choice(values.get(key) or list(kind.choices))
    e = encodings.create(name, **parameters)
    first, last = e.domain[0], e.domain[-1]
    count, step = pick.randint(2, 5), pick.choice((1, 1, 1, 2, 1000))
    start = pick.choice((0, -2, _far(pick), _far(pick), first, last))
    start = min(max(first, start), last - (count - 1) * step)
    positions = range(start, start + count * step, step)
    if start < first:
        positions = range(first, last + 1)
    near = [p for p in (positions[0], positions[-1], positions[0] + 1) if p in e.domain]
    return QuantityInput(
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


def why_wrong(found, exact, of_all=0.0):
    """Return how a number differs from the exact value, or an empty text.

    It may differ by 1e-12 relative to itself, by `of_all`, or by 1 in the last of few digits.
    """
    if mp.isnan(exact) or math.isnan(found):
        is_right = mp.isnan(exact) and math.isnan(found)
    elif math.isinf(found):
        is_right = abs(exact) >= np.finfo(np.float64).max and (exact > 0) == (found > 0)
    else:
        _, digits, power = Decimal(repr(found)).normalize().as_tuple()
        last_digit = 10.0**power if len(digits) < _FEW_DIGITS else 0.0
        room = max(_TOLERANCE * abs(exact) + of_all + math.ulp(0.0), last_digit)
        is_right = abs(mp.mpf(found) - exact) <= room
    return "" if is_right else f"{found!r}, {mp.nstr(exact, 17)}"


def row(e, position):
    defined = definition(e)
    return [as_mp(defined.element(position, column)) for column in range(defined.width)]


# Each function yields some numbers with their exact values and tolerances.


def _places(pick, numbers):
    for _ in range(min(_MAX_TESTED, numbers.size)):
        yield tuple(pick.randrange(side) for side in numbers.shape)


def _table(inputs, found, pick):
    e = inputs.encoding
    for i, j in _places(pick, found):
        yield found[i, j], row(e, inputs.positions[i])[j], _SINE_ERROR * isinstance(e, Waves)


def judged_distance(e, metric, p, q, found, *, as_likeness=False, of_all=_MAX_ERROR):
    """Return a distance with its exact value and its tolerance."""
    rows = [row(e, place) for place in (p, q)]
    exact, coarse = true_distance(e, p, q, metric), e.width * math.ulp(0.0)
    if metric in _ANGLES and not distance.has_closed_form(e, metric):
        coarse += of_all
    elif metric == "similarity":
        coarse += 4 * of_all
    elif metric in ("dot", "normalised-dot"):
        rounding = of_all * mp.norm(rows[0]) * mp.norm(rows[1])
        rounding *= 1 if metric == "dot" else 2 / e.width
        coarse += float(min(rounding, _MAX_FLOAT))
        if rounding > _MAX_FLOAT and abs(exact) < rounding and math.isnan(found):
            exact = mp.nan
    elif isinstance(e, Waves):
        coarse += {"euclidean": 1e-150, "sse": 1e-300}.get(metric, 0.0)
    is_turned = metric == "correlation" and isinstance(e, Waves)
    if is_turned and math.isnan(found) and not mp.isnan(exact):
        far = math.sqrt(2 * float(exact)) if p != q else 1.0
        assert 1000 * sum(_max_turn(row, e.amplitude) for row in rows) > far, "nan without need"
        exact = mp.nan
    elif as_likeness:
        exact, coarse = 1 - exact, 4 * of_all
    return found, exact, coarse


def _max_turn(numbers, amplitude):
    """Return the maximum angle in radians by which rounding rotates a row minus its mean."""
    mean = mp.fsum(numbers) / len(numbers)
    length = float(mp.norm([x - mean for x in numbers]))
    size = min(amplitude, _SHORT_FACTOR * float(max(map(abs, numbers))))
    return _ROUNDING_ERROR * len(numbers) ** 0.5 * size / length if length else math.inf


def _distances(inputs, found, pick):
    for place in _places(pick, found):
        ends = [inputs.positions[i] for i in place]
        ends = ends if len(ends) > 1 else (inputs.reference, *ends)
        yield judged_distance(inputs.encoding, inputs.metric, *ends, found[place])


def _likeness(inputs, found, pick):
    as_likeness = inputs.metric in _ANGLES
    for (i,) in _places(pick, found):
        ends = inputs.position, inputs.positions[i], found[i]
        yield judged_distance(inputs.encoding, inputs.metric, *ends, as_likeness=as_likeness)


def _histogram(inputs, found, pick):
    """Check that each pair is in a bin, and that bins contain the pairs with these distances."""
    e, metric = inputs.encoding, inputs.metric
    if metric == "correlation" and isinstance(e, Waves):
        return ()  # some correlations are undefined
    exact = [true_distance(e, *pair, metric) for pair in combinations(inputs.positions, 2)]
    known = [float(each) for each in exact if not mp.isnan(each)]
    assert math.isclose(found[:, 2].sum(), 1, rel_tol=1e-9), "the shares do not add up to 1"
    assert found[:, 3].sum() == len(known), f"{found[:, 3].sum()} pairs of {len(known)}"
    room = 1e-9 * max(map(abs, known)) + _MAX_ERROR * max(1.0, *map(abs, known))
    for low, high, _, count in found.tolist():
        surely = sum(low + room < each < high - room for each in known)
        perhaps = sum(low - room <= each <= high + room for each in known)
        assert surely <= count <= perhaps, f"{count} from {low} to {high}: {surely} to {perhaps}"
    return ()


def _projection(inputs, found, pick):
    """Yield the lengths of principal components, and distances of points on a line."""
    rows, count = (
        [row(inputs.encoding, p) for p in inputs.positions],
        len(inputs.positions),
    )
    means = [mp.fsum(column) / count for column in zip(*rows, strict=True)]
    from_mean = mp.matrix([[x - m for x, m in zip(each, means, strict=True)] for each in rows])
    products = from_mean * from_mean.T
    values = sorted(map(abs, mp.eigsy(products, eigvals_only=True)), reverse=True)
    room = float(_TOLERANCE * mp.sqrt(values[0]))
    for component, points in enumerate(found.T):
        length = mp.sqrt(mp.fsum(mp.mpf(float(each)) ** 2 for each in points))
        yield length, mp.sqrt(values[component]) if component < count else mp.mpf(0), room
    if values[1] * 10**24 < values[0]:  # rows on a line: distances are exact
        for i, j in ((0, 1), (0, count - 1)):
            step = mp.sqrt(products[i, i] + products[j, j] - 2 * products[i, j])
            yield abs(mp.mpf(float(found[i, 0])) - mp.mpf(float(found[j, 0]))), step, room


def _shift_matrix(inputs, found, pick):
    """Yield the cosines of rotated waves; only check that least-squares fits are finite."""
    assert np.isfinite(found).all()
    if isinstance(inputs.encoding, Rotary):
        defined = definition(inputs.encoding)
        for i in range(inputs.encoding.rotary):
            angle = as_mp(defined.frequency(defined.wave(i)[0])) * inputs.options["k"]
            yield found[i, i], mp.cos(angle), _SINE_ERROR


def _shifted(inputs, found, pick):
    """Yield rows of waves, which equal the rows of later positions."""
    e, k = inputs.encoding, inputs.options["k"]
    if not isinstance(e, Steady) or isinstance(e, Rotary) or not e.is_shift_invariant:
        assert np.isfinite(found).all()
        return
    for i, j in _places(pick, found):
        if inputs.positions[i] + k in e.domain:
            yield found[i, j], row(e, inputs.positions[i] + k)[j], 4 * _SINE_ERROR


def _shift_residual(inputs, found, pick):
    """Yield the differences between shifted and exact rows, up to rounding."""
    e, k = inputs.encoding, inputs.options["k"]
    if isinstance(e, Rotary):
        assert found.max() <= 4 * _SINE_ERROR, f"{found.max()}"
        return
    moved = whole(quantities.data("shifted", inputs))
    for i in range(min(2, len(found))):
        exact = row(e, inputs.positions[i] + k)
        differences = [abs(mp.mpf(float(a)) - b) for a, b in zip(moved[i], exact, strict=True)]
        rounding = 1e-14 * float(max(map(abs, exact))) + 1e-14 * float(np.abs(moved[i]).max())
        yield found[i], max(differences), rounding + _SINE_ERROR * isinstance(e, Waves)


def _float32_error(inputs, found, pick):
    """Check that the error plus the exact value is a float32 number."""
    for i, j in _places(pick, found):
        made = mp.mpf(float(found[i, j])) + row(inputs.encoding, inputs.positions[i])[j]
        assert abs(made - float(np.float32(float(made)))) <= _SINE_ERROR, f"{found[i, j]!r}"
    return ()


def _angles(inputs, found, pick):
    e = inputs.encoding
    for i, j in _places(pick, found):
        if e.wave_indices[j] >= 0:
            angle = math.radians(found[i, j])
            wave = e.amplitude * (math.sin(angle) if e.sines[j] else math.cos(angle))
            yield wave, row(e, inputs.positions[i])[j], 4 * _SINE_ERROR


_METRICS = (*distance.METRICS, "correlation", "correlation")
_CHECKS = {
    "tokens": _table,
    "distances": _distances,
    "likeness": _likeness,
    "matrix": _distances,
    "distance-histogram": _histogram,
    "projection": _projection,
    "shift-matrix": _shift_matrix,
    "shifted": _shifted,
    "shift-residual": _shift_residual,
    "float32-error": _float32_error,
    "angles": _angles,
}
_AS_DEFINED = ("table", "cos-sin", "score", "score-bound", "bias", "frequencies", "wavelengths")
_WEIGHTED = (*_CHECKS, *_AS_DEFINED, *("distances", "matrix", "projection") * 2)


def _divided_first(e, positions, report):
    rows = projection.compute_chunked_rows(e, positions, report)
    largest = np.abs(rows).max() or 1.0
    return (rows / largest) * largest


PLANTS = {
    "divided": partial(
        patch, "pe_explorer.analysis.projection.compute_relative_rows", _divided_first
    ),
    "rows": partial(patch, "pe_explorer.analysis.distance.Multiples", LinearRows),
}

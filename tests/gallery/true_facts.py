"""The facts of the guide by their definitions, one number after the other.

Written from the definitions and shared with no code of ours: an encoding is only asked for its
name and its parameters.
"""

import itertools
import math
from collections.abc import Mapping
from functools import cache
from types import SimpleNamespace

import mpmath
import numpy as np

from tests.support import truth

MOST = 1 << 16  # numbers of a table: words are about no larger one
LIMIT = 2**53
FIRST_SENTENCE = "She told him that she only loved him."


# -- encodings -------------------------------------------------------------------------------------


@cache
def table_in(file):
    return np.load(file).astype(float)


def rotated(e):
    return int(e.head_dim * e.partial_rotary_factor)


def pair_in(e, j):
    channel = j % rotated(e)
    return channel // 2 if e.layout == "interleaved" else channel % (rotated(e) // 2)


def slopes(e):
    m = 2 ** int(math.log2(e.heads))
    first = [2.0 ** (-8 * (k + 1) / m) for k in range(m)]
    return first + [2.0 ** (-8 * (2 * k + 1) / (2 * m)) for k in range(e.heads - m)]


def element(e, p, j):
    if e.name == "learned":
        return float(table_in(e.file)[p + e.row_offset, j])
    if e.name == "alibi":
        return slopes(e)[j] * (-abs(p) if e.symmetric else p)
    if e.name == "rope":
        pair = pair_in(e, j)
        angle = p * mpmath.mpf(e.rope_theta) ** (mpmath.mpf(-2 * pair) / rotated(e))
        return float(mpmath.cos(angle) if j < rotated(e) else mpmath.sin(angle))
    return float(truth.element(e, p, j))


@cache
def row_of(e, p):
    return [element(e, p, j) for j in range(width_of(e))]


def width_of(e):
    if e.name == "learned":
        return table_in(e.file).shape[1]
    if e.name == "rope":
        return 2 * rotated(e)
    return e.heads if e.name == "alibi" else e.dim


def domain_of(e):
    if e.name == "learned":
        return range(-e.row_offset, len(table_in(e.file)) - e.row_offset)
    return range(-LIMIT, LIMIT + 1)


def title(e, j):
    if e.name == "rope":
        return f"{'cos' if j < rotated(e) else 'sin'} {pair_in(e, j)}"
    return f"head {j}" if e.name == "alibi" else str(j)


def pairs_of(e):
    if e.name == "rope":
        return rotated(e) // 2
    return e.dim // 2 if e.name == "sinusoidal" and e.waves == "both" else 0


def wavelengths_of(e):
    """Return the wavelengths of the pairs, or else of the single waves, by the definition."""
    if e.name == "rope":
        exponents = [mpmath.mpf(2 * i) / rotated(e) for i in range(pairs_of(e))]
        return [float(2 * mpmath.pi * mpmath.mpf(e.rope_theta) ** x) for x in exponents]
    if e.name != "sinusoidal":
        raise KeyError
    waves = [truth.wave(e, j) for j in range(e.dim)]
    exponents = sorted({wave[1] for wave in waves if wave})
    wanted = exponents[: pairs_of(e) or None]
    found = [truth.frequency(e.base, e.scale, x) for x in wanted]
    return [float(2 * truth.mp.pi / abs(w)) if w else math.inf for w in found]


def count_of_waves(e):
    if e.name == "rope":
        return pairs_of(e)
    if e.name != "sinusoidal":
        raise KeyError
    return len({wave[1] for j in range(e.dim) if (wave := truth.wave(e, j))})


def all_in_pairs(e):
    """Return whether every wave has both its sine and its cosine."""
    return e.name == "rope" or (
        e.name == "sinusoidal" and pairs_of(e) > 0 and pairs_of(e) == count_of_waves(e)
    )


def dot(u, v):
    return math.fsum(a * b for a, b in zip(u, v, strict=True))


def distance(u, v, metric):
    differences = [abs(a - b) for a, b in zip(u, v, strict=True)]
    if metric == "correlation":
        u, v = ([x - math.fsum(row) / len(row) for x in row] for row in (u, v))
        if max(map(abs, (*u, *v))) < 1e-300:
            return math.nan
    if metric in ("cosine", "correlation"):
        lengths = math.sqrt(dot(u, u) * dot(v, v))
        found = 1 - dot(u, v) / lengths if lengths else math.nan
        return 0.0 if abs(found) < 1e-15 else found
    return {
        "dot": dot(u, v),
        "manhattan": math.fsum(differences),
        "chebyshev": max(differences),
        "sse": dot(differences, differences),
        "euclidean": math.sqrt(dot(differences, differences)),
    }[metric]


# -- facts -----------------------------------------------------------------------------------------


class TrueFacts(Mapping):
    """The facts of an exploration; `KeyError` for one that it does not have."""

    def __init__(self, state, subject, more):
        self.state, self.e, self.less = state, subject.encoding, subject.less

    def __getitem__(self, name):
        found = getattr(self, name, None)
        value = None if found is None else found()
        if value is None or (isinstance(value, float) and not math.isfinite(value)):
            raise KeyError(name)
        return value

    def __iter__(self):
        raise NotImplementedError

    def __len__(self):
        raise NotImplementedError

    # names and ranges

    def encoding(self):
        return {"rope": "RoPE", "alibi": "ALiBi"}.get(self.e.name, self.e.name)

    def row(self):
        return "offset" if self.e.name == "alibi" else "position"

    def rows(self):
        return f"{self.row()}s"

    def column(self):
        return {"rope": "cosine or sine", "alibi": "head"}.get(self.e.name, "dimension")

    def columns(self):
        return {"rope": "cosines and sines", "alibi": "heads"}.get(self.e.name, "dimensions")

    def pin(self):
        return self.state.pins[self.state.compared].name if self.state.pins else None

    def reference(self):
        return self.state.reference

    def width(self):
        return width_of(self.e)

    def count(self):
        return self.state.count

    def first(self):
        return self.state.start

    def last(self):
        return self.state.start + self.state.count - 1

    def middle(self):
        return self.state.start + self.state.count // 2

    def table_rows(self):
        return len(table_in(self.e.file)) if self.e.name == "learned" else None

    def table_first(self):
        return -self.e.row_offset if self.e.name == "learned" else None

    def missing(self):
        return self.state.count - len(self.there()) or None

    # values

    def there(self):
        """Return the rows shown that there are."""
        if self.e.name != "learned":
            return range(self.first(), self.last() + 1)
        domain = domain_of(self.e)
        return [p for p in range(self.first(), self.last() + 1) if p in domain]

    def few(self, numbers=None):
        there = self.there()
        size = len(there) * self.width() if numbers is None else numbers
        if not there or size > MOST:
            raise KeyError

    def values(self):
        self.few()
        rows = [row_of(self.e, p) for p in self.there()]
        if self.less is not None:
            less = [row_of(self.less, p) for p in self.there()]
            rows = [
                [a - b for a, b in zip(u, v, strict=True)] for u, v in zip(rows, less, strict=True)
            ]
        return rows

    def cells(self):
        """Yield value, row and column of each cell in reading order."""
        for p, row in zip(self.there(), self.values(), strict=True):
            for j, value in enumerate(row):
                yield value, p, j

    def lowest_cell(self):
        return min(self.cells(), key=lambda cell: cell[0])

    def lowest(self):
        return self.lowest_cell()[0]

    def lowest_row(self):
        return self.lowest_cell()[1]

    def lowest_column(self):
        return title(self.e, self.lowest_cell()[2])

    def highest(self):
        return max(value for value, _, _ in self.cells())

    def farthest_cell(self):
        return max(self.cells(), key=lambda cell: abs(cell[0]))

    def farthest_from_0(self):
        return abs(self.farthest_cell()[0])

    def farthest_row(self):
        return self.farthest_cell()[1]

    def farthest_column(self):
        return title(self.e, self.farthest_cell()[2])

    def still(self):
        columns = zip(*self.values(), strict=True)
        return sum(max(column) - min(column) < 0.1 for column in columns)

    def by_length(self):
        found = [math.sqrt(dot(row, row)) for row in self.values()]
        return list(zip(found, self.there(), strict=True))

    def shortest_length(self):
        return min(self.by_length())[0]

    def shortest_row(self):
        return min(self.by_length(), key=lambda each: each[0])[1]

    def longest_length(self):
        longest = max(self.by_length())[0]
        return longest if longest - self.shortest_length() >= 1e-3 * longest else None

    def longest_row(self):
        return max(self.by_length(), key=lambda each: each[0])[1]

    def step(self):
        return {"index": 1.0, "fraction": 1 / getattr(self.e, "length", 1)}.get(self.e.name)

    def last_value(self):
        self.few(self.width())
        return row_of(self.e, self.there()[-1])[0]

    def length_of_1(self):
        return {"index": 1, "fraction": getattr(self.e, "length", 1)}.get(self.e.name)

    def longest_period(self):
        if self.e.name == "binary":
            return 2.0**self.e.dim
        return max(wavelengths_of(self.e))

    def changed(self):
        rows = self.values()
        found = [
            sum(a != b for a, b in zip(u, v, strict=True)) for u, v in itertools.pairwise(rows)
        ]
        if not found:
            raise KeyError
        return list(zip(found, self.there()[:-1], strict=True))

    def most_changed(self):
        return max(self.changed(), key=lambda each: each[0])[0]

    def most_changed_row(self):
        return max(self.changed(), key=lambda each: each[0])[1]

    def most_changed_next(self):
        return self.most_changed_row() + 1

    # waves

    def wavelengths(self):
        found = wavelengths_of(self.e)
        if not found:
            raise KeyError
        return found

    def finite(self):
        if not all(map(math.isfinite, self.wavelengths())):
            raise KeyError
        return self.wavelengths()

    def pairs(self):
        return len(self.wavelengths()) if pairs_of(self.e) else None

    def waves(self):
        return count_of_waves(self.e) or None

    def shortest_wavelength(self):
        return self.finite()[0]

    def longest_wavelength(self):
        return self.finite()[-1]

    def wavelength_ratio(self):
        return self.finite()[1] / self.finite()[0] if len(self.finite()) > 1 else None

    def turning(self):
        return sum(length <= self.state.count for length in self.wavelengths())

    def not_turning(self):
        return sum(not length <= self.state.count for length in self.wavelengths())

    def fastest_frequency(self):
        return math.radians(self.first_step())

    def slowest_frequency(self):
        return math.radians(self.last_step())

    def count_for_all(self):
        number = math.ceil(self.finite()[-1])
        return number if number <= LIMIT else None

    def first_step(self):
        return 360 / self.finite()[0]

    def last_step(self):
        return 360 / self.finite()[-1]

    def first_turns(self):
        return (self.state.count - 1) / self.finite()[0]

    def last_turns(self):
        return (self.state.count - 1) / self.finite()[-1]

    def tokens(self):
        chosen = self.state.options.get("tokens")
        return chosen or SimpleNamespace(sentence=FIRST_SENTENCE, before="", join="sum")

    def words(self):
        return len(self.tokens().sentence.split())

    def farthest_move(self):
        now, before = (
            [word.strip(".").lower() for word in text.split()]
            for text in (self.tokens().sentence, self.tokens().before)
        )
        if not before or self.tokens().join == "words":
            return None
        self.few(len(now) * self.width())
        pairs = []
        for place, word in enumerate(now):
            same = [at for at, other in enumerate(before) if other == word]
            pairs.append((place, same[now[:place].count(word)]))
        places = [[self.state.start + n for n in pair] for pair in pairs]
        if self.e.name == "learned" and not {*itertools.chain(*places)} <= {*domain_of(self.e)}:
            return None
        rows = [[row_of(self.e, p) for p in pair] for pair in places]
        return max(math.dist(*pair) for pair in rows)

    def shift_by(self):
        k = self.state.options["shift"].k if "shift" in self.state.options else 1
        return k if k == 0 or all_in_pairs(self.e) else None

    def turned_by(self, length):
        return 360 * self.shift_by() / length % 360

    def first_turn_by(self):
        return self.turned_by(self.finite()[0]) if self.pairs() and self.shift_by() else None

    def last_turn_by(self):
        return self.turned_by(self.finite()[-1]) if self.pairs() and self.shift_by() else None

    def block_cosine(self):
        angle = self.first_turn_by()
        return None if angle is None else math.cos(math.radians(angle))

    def block_sine(self):
        angle = self.first_turn_by()
        return None if angle is None else abs(math.sin(math.radians(angle)))

    def row_length(self):
        if not all_in_pairs(self.e):
            return None
        return math.sqrt(dot(row_of(self.e, 3), row_of(self.e, 3)))

    # distances

    def between(self, p, q, metric=None):
        self.few(16 * self.width())
        if p not in domain_of(self.e) or q not in domain_of(self.e):
            raise KeyError
        return distance(row_of(self.e, p), row_of(self.e, q), metric or self.state.metric)

    def next_distance(self):
        return self.between(self.state.reference, self.state.reference + 1)

    def next_anywhere(self):
        metric = self.state.metric
        if self.e.name in ("index", "fraction"):
            anywhere = metric in ("euclidean", "sse", "manhattan", "chebyshev")
        else:
            by_offset = metric in ("cosine", "dot", "euclidean", "sse")
            anywhere = all_in_pairs(self.e) and by_offset
        return self.next_distance() if anywhere else None

    def self_product(self):
        return self.between(self.state.reference, self.state.reference, "dot")

    def curve(self):
        """Return pairs of the distance from the reference, and the row."""
        self.few()
        found = [(self.between(self.state.reference, p), p) for p in self.there()]
        found = [each for each in found if math.isfinite(each[0])]
        if not found:
            raise KeyError
        return found

    def largest_distance(self):
        return max(self.curve())[0]

    def largest_row(self):
        return first_near(self.curve(), self.largest_distance())

    def smallest_product(self):
        return min(self.curve())[0]

    def smallest_row(self):
        return first_near(self.curve(), self.smallest_product())

    def half_offset(self):
        if not all_in_pairs(self.e):
            return None
        speeds = 2 * np.pi / np.array(self.wavelengths())
        offsets = np.arange(1, 1 + MOST // len(speeds))
        similarities = np.cos(np.outer(offsets, speeds)).mean(axis=1)
        below = np.flatnonzero(similarities < 0.5)
        return int(offsets[below[0]]) if len(below) else None

    def walk(self):
        """Return the curve from the reference on, to the side that shows more."""
        there, reference = list(self.there()), self.state.reference
        if reference not in there:
            raise KeyError
        place = there.index(reference)
        after, before = there[place:], there[place::-1]
        rows = after if len(after) > place else before
        self.few()
        found = [self.between(reference, p) for p in rows]
        if len(found) < 3 or not all(map(math.isfinite, found)):
            raise KeyError
        return rows, found

    def falling(self):
        _, found = self.walk()
        least = 1e-12 * max(map(abs, found))
        return [b - a < -least for a, b in itertools.pairwise(found)]

    def peak_row(self):
        falling = self.falling()
        return self.walk()[0][falling.index(True)] if any(falling) else None

    def peak_distance(self):
        falling = self.falling()
        return self.walk()[1][falling.index(True)] if any(falling) else None

    def falls(self):
        return sum(self.falling())

    def steps(self):
        return len(self.falling())

    def growing_steps(self):
        _, found = self.walk()
        grows = all(b > a for a, b in itertools.pairwise(found))
        return len(found) - 1 if grows else None

    def neighbours(self):
        if self.state.metric == "dot":
            raise KeyError
        rows = self.values()
        found = [distance(u, v, self.state.metric) for u, v in itertools.pairwise(rows)]
        found = [each for each in found if math.isfinite(each)]
        if not found:
            raise KeyError
        return found

    def nearest_neighbours(self):
        return min(self.neighbours())

    def farthest_neighbours(self):
        most = max(self.neighbours())
        return most if most - self.nearest_neighbours() >= 1e-3 * most else None

    # biases

    def slopes(self):
        if self.e.name != "alibi":
            raise KeyError
        return slopes(self.e)

    def strongest(self):
        return max(self.slopes())

    def strongest_head(self):
        return self.slopes().index(max(self.slopes()))

    def strongest_half(self):
        return float(mpmath.findroot(lambda k: mpmath.exp(-self.strongest() * k) - 0.5, 1))

    def weakest(self):
        return min(self.slopes()) if len(self.slopes()) > 1 else None

    def weakest_head(self):
        return self.slopes().index(min(self.slopes())) if len(self.slopes()) > 1 else None

    def weakest_half(self):
        if len(self.slopes()) < 2:
            return None
        return math.log(0.5) / -min(self.slopes())


def first_near(curve, value):
    """Return the first row whose distance is the value, but for rounding."""
    scale = max(abs(each) for each, _ in curve)
    return next(p for each, p in curve if abs(each - value) <= 1e-12 * scale)

"""The facts of the guide, computed by their definitions.

Written from the definitions and shared with no code of ours: those of encodings stand in their
tests.
"""

import itertools
import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from operator import attrgetter
from types import SimpleNamespace

import mpmath
import numpy as np

from pe_explorer.analysis.distance import METRICS
from tests.support.measures import MEASURES, usual_distances
from tests.support.oracles import definition
from tests.support.toy_words import joined_rows, toy_vector

MOST_NUMBERS = 1 << 16  # numbers of a table; texts use no larger tables
LIMIT = 2**53
SIMILARITIES = ("dot", "similarity", "normalised-dot")
FIRST_SENTENCE = "She told him that she only loved him."


# -- encodings -------------------------------------------------------------------------------------


@cache
def row_of(e, p):
    return definition(e).rows([p])[0].tolist()


@cache
def wavelengths_of(e):
    return tuple(definition(e).wavelengths())


@cache
def apart(e, p, q, metric):
    return distance(row_of(e, p), row_of(e, q), metric)


def dot(u, v):
    return math.fsum(a * b for a, b in zip(u, v, strict=True))


def distance(u, v, metric):
    (actual,) = usual_distances(metric, np.array([u]), np.array([v]))[0]
    return 0.0 if metric in ("cosine", "correlation") and abs(actual) < 1e-15 else float(actual)


# -- facts -----------------------------------------------------------------------------------------


@cache
def fact(state, subject, name):
    """Return a fact of an exploration by name, or None; it is shared by all views."""
    facts = TrueFacts(state, subject)
    try:
        actual = FORMULAS[name](facts) if name in FORMULAS else getattr(facts, name, None)
        return actual() if callable(actual) else actual
    except KeyError:
        return None


class TrueFacts(Mapping):
    """The facts of an exploration; `KeyError` for one that it does not have."""

    def __init__(self, state, subject):
        self.state, self.subject = state, subject
        self.e, self.less = subject.encoding, subject.subtrahend
        self.defined = definition(self.e)
        self.row, self.width = self.defined.row, self.defined.width
        self.first, self.last = state.start, state.start + state.count - 1

    def __getitem__(self, name):
        value = fact(self.state, self.subject, name)
        if value is None or (isinstance(value, float) and not math.isfinite(value)):
            raise KeyError(name)
        return value

    __iter__ = __len__ = None  # not needed

    # values

    def there(self):
        shown = range(self.first, self.last + 1)
        if not self.defined.table_rows:
            return shown
        return [p for p in shown if p in self.defined.domain]

    def few(self, numbers=None):
        there = self.there()
        size = len(there) * self.width if numbers is None else numbers
        if not there or size > MOST_NUMBERS:
            raise KeyError

    def values(self):
        self.few()
        rows = np.array([row_of(self.e, p) for p in self.there()])
        if self.less is not None:
            rows = rows - [row_of(self.less, p) for p in self.there()]
        return rows.tolist()

    def cells(self):
        for p, row in zip(self.there(), self.values(), strict=True):
            for j, value in enumerate(row):
                yield value, p, j

    def lowest_cell(self):
        return min(self.cells(), key=lambda cell: cell[0])

    def farthest_cell(self):
        return max(self.cells(), key=lambda cell: abs(cell[0]))

    def still(self):
        columns = zip(*self.values(), strict=True)
        return sum(max(column) - min(column) < 0.1 for column in columns)

    def by_length(self):
        actual = [math.sqrt(dot(row, row)) for row in self.values()]
        return list(zip(actual, self.there(), strict=True))

    def longest_length(self):
        longest = max(self.by_length())[0]
        return longest if longest - min(self.by_length())[0] >= 1e-2 * longest else None

    def last_value(self):
        self.few(self.width)
        return row_of(self.e, self.there()[-1])[0]

    def changed(self):
        rows = self.values()
        pairs = itertools.pairwise(rows)
        actual = [sum(a != b for a, b in zip(u, v, strict=True)) for u, v in pairs]
        if not actual:
            raise KeyError
        return list(zip(actual, self.there()[:-1], strict=True))

    def most_changed_row(self):
        return max(self.changed(), key=lambda each: each[0])[1]

    # waves

    def all_in_pairs(self):
        """Return whether every wave has both its sine and its cosine."""
        return 0 < self.defined.pairs == self.defined.count

    def wavelengths(self):
        if not (actual := wavelengths_of(self.e)):
            raise KeyError
        return sorted(actual)

    def finite(self):
        if not all(map(math.isfinite, self.wavelengths())):
            raise KeyError
        return self.wavelengths()

    def pairs(self):
        return len(self.wavelengths()) if self.defined.pairs else None

    def waves(self):
        return self.defined.count or None

    def incomplete_waves(self):
        if not self.waves():
            raise KeyError
        speeds = map(abs, self.defined.frequencies())
        return [i for i, w in enumerate(speeds) if not self.state.count * w >= 2 * mpmath.pi]

    def wavelength_ratio(self):
        actual = wavelengths_of(self.e)
        ratios = [after / before for before, after in itertools.pairwise(actual)]
        uniform = ratios and max(ratios) - min(ratios) < 1e-9 * ratios[0]
        return ratios[0] if uniform and ratios[0] >= 1 else None

    def only_wavelength(self):
        (actual,) = self.finite() if len(self.finite()) == 1 else (None,)
        return actual

    def slowing(self):
        """Return the slowdown of each rotating pair, if any is slowed."""
        if not hasattr(self.defined, "paper"):
            raise KeyError
        pairs = [(self.defined.paper(i), self.defined.frequency(i)) for i in range(self.pairs())]
        actual = [float(before / now) for before, now in pairs if now]
        if all(abs(item - 1) < 1e-9 for item in actual):
            raise KeyError
        return actual

    def slowed_pairs(self):
        return sum(item >= 1 + 1e-9 for item in self.slowing())

    def attention_factor(self):
        return float(self.defined.amplitude) if "rotary" in self.defined.abilities else None

    def both_lengths(self):
        options = self.state.options.get("context")
        kinds = dict(self.e.parameters)
        before = options.trained if options else None
        if kinds.get("rope_type") in ("dynamic", "yarn", "longrope", "llama3"):
            before = before or kinds["original_max_position_embeddings"]
        before = before or self.state.count
        goal = options.target if options else None
        if goal is None and kinds.get("rope_type") in ("dynamic", "longrope"):
            goal = kinds["sequence_length"]
        scaled = kinds.get("rope_type", "default") != "default" and kinds["factor"] > 1
        stretch = kinds["factor"] if scaled else 4
        return before, goal or min(LIMIT, round(stretch * before))

    def reached(self):
        """Return which waves complete a turn in training, and which others reach unseen angles."""
        if not self.waves():
            raise KeyError
        before, goal = self.both_lengths()
        plain, there = getattr(self.defined, "unscaled", self.defined.frequency), self.defined
        if self.e.parameters.get("rope_type") in ("dynamic", "longrope") and goal > before:
            there = definition(replace(self.e, sequence_length=goal))
        turned, new = [], []
        for wave in range(self.defined.count):
            old, now = abs(plain(wave)), abs(there.frequency(wave))
            turned.append(before * old >= 2 * mpmath.pi)
            new.append(not turned[-1] and now > 0 and goal * now >= before * old * (1 + 1e-12))
        return turned, new

    def within_pairs(self):
        turned, new = self.reached()
        return len(turned) - sum(turned) - sum(new)

    def base_needed(self):
        turned, _ = self.reached()
        before, goal = self.both_lengths()
        kinds = self.e.parameters
        base = kinds.get("rope_theta") or kinds["base"]
        if all(turned) or not turned[0] or goal <= before:
            return None
        plain = getattr(self.defined, "unscaled", self.defined.frequency)
        first = next((i for i, done in enumerate(turned) if not done and plain(i)), None)
        if first is None:
            return None
        exponent = mpmath.log(abs(plain(0) / plain(first))) / mpmath.log(base)
        return math.ceil(base * mpmath.mpf(goal / before) ** (1 / exponent))

    def compared(self):
        """Return pairs of frequencies of the encoding and of the one that it is compared with."""
        if not self.waves():
            raise KeyError
        here = self.defined.frequencies()
        if self.state.pins:
            there = definition(self.state.pins[self.state.compared].encoding).frequencies()
        else:
            plain = getattr(self.defined, "unscaled", self.defined.frequency)
            there = [plain(i) for i in range(self.defined.count)]
        return list(zip(here, there, strict=False))

    def apart(self):
        return [abs(a - b) > 1e-12 * max(abs(a), abs(b)) for a, b in self.compared()]

    def first_hand_turns(self):
        if not self.waves() or self.defined.longest_period() is None:
            return None
        frequency = self.defined.frequency(0)
        return float((self.state.position + self.defined.origin) * frequency / (2 * mpmath.pi))

    def turns_at(self, pair):
        """Return the turns of a pair at the cursor."""
        if not self.pairs() or self.pairs() <= pair or self.defined.longest_period() is None:
            return None
        frequency = self.defined.frequency(pair)
        return float((self.state.position + self.defined.origin) * frequency / (2 * mpmath.pi))

    def turns_between(self, pair):
        """Return the turns of a pair from the reference to the cursor."""
        if not self.pairs() or self.pairs() <= pair or self.defined.longest_period() is None:
            return None
        offset = self.state.position - self.state.reference
        return float(offset * self.defined.frequency(pair) / (2 * mpmath.pi))

    def second_angle(self, position):
        if not self.pairs() or self.pairs() < 2 or self.defined.longest_period() is None:
            raise KeyError
        return (position + self.defined.origin) * self.defined.frequency(1)

    def cosine_at(self, position):
        return round(float(mpmath.cos(self.second_angle(position))), 3) + 0.0

    def gap(self, function, later=0):
        ends = self.state.position + later, self.state.reference + later
        here, there = (function(self.second_angle(end)) for end in ends)
        return float(abs(here - there))

    def read_off_lines(self):
        options = self.state.options["waves"]
        if options.line1 is None or options.line2 is None:
            raise KeyError
        return options.line1, options.line2

    def line_gap(self):
        lines = self.read_off_lines()
        listed = self.state.options["waves"].dimensions
        far = abs(lines[0] - lines[1]) >= 2
        if not far or not listed or min(listed) >= self.width or not self.waves():
            raise KeyError
        heights = [row_of(self.e, int(line))[min(listed)] for line in lines]
        return abs(heights[0] - heights[1])

    def sum_rule_at(self, position):
        """Return the sum of products that gives the sine k positions later."""
        angle, by = self.second_angle(position), self["shift_by"] * self.defined.frequency(1)
        factors = mpmath.sin(angle), mpmath.cos(by), mpmath.cos(angle), mpmath.sin(by)
        result = factors[0] * factors[1] + factors[2] * factors[3]
        texts = [f"{round(float(number), 3) + 0.0:.3f}" for number in (*factors, result)]
        texts[:4] = [f"({text})" if "-" in text else text for text in texts[:4]]
        return "{}·{} + {}·{} ≈ {}".format(*texts)

    def far_ratio(self):
        if self["cursor_separation"] < 2:
            raise KeyError
        return self["cursor_distance"] / self["next_anywhere"]

    def nearer(self):
        far = [value for value, p in self.curve() if abs(p - self.state.reference) > 1]
        return sum(value < self["next_anywhere"] for value in far)

    def count_for_all(self):
        number = math.ceil(self.finite()[-1])
        return number if number <= LIMIT else None

    def tokens(self):
        chosen = self.state.options.get("tokens")
        return chosen or SimpleNamespace(sentence=FIRST_SENTENCE, before="", join="sum")

    def farthest_move(self):
        now, before = (
            [word.strip(".").lower() for word in text.split()]
            for text in (self.tokens().sentence, self.tokens().before)
        )
        join = self.tokens().join
        if not before or join == "words" or (join == "sum" and "bias" in self.defined.abilities):
            return None
        self.few(len(now) * self.width)
        pairs = []
        for place, word in enumerate(now):
            same = [at for at, other in enumerate(before) if other == word]
            pairs.append((place, same[now[:place].count(word)]))
        places = [[self.state.start + n for n in pair] for pair in pairs]
        if not all(p in self.defined.domain for p in itertools.chain(*places)):
            return None
        if join == "sum" and "rotary" in self.defined.abilities:
            pairs_of = zip(now, places, strict=True)
            rows = [[joined_rows(self.defined, [w], p)[0] for p in pair] for w, pair in pairs_of]
        else:
            rows = [[row_of(self.e, p) for p in pair] for pair in places]
        return max(math.dist(*pair) for pair in rows)

    def shift_by(self):
        k = self.state.options["shift"].k if "shift" in self.state.options else 1
        return k if k == 0 or self.all_in_pairs() else None

    def turned_by(self, length):
        return math.fmod(360 * self.shift_by() / length, 360)

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
        if not self.all_in_pairs():
            return None
        return math.sqrt(dot(row_of(self.e, 3), row_of(self.e, 3)))

    # distances

    def between(self, p, q, metric=None):
        self.few(16 * self.width)
        if p not in self.defined.domain or q not in self.defined.domain:
            raise KeyError
        return apart(self.e, p, q, metric or self.state.metric)

    def next_distance(self):
        return self.between(self.state.reference, self.state.reference + 1)

    def next_anywhere(self):
        steps, turns = "euclidean sse manhattan chebyshev", "cosine euclidean sse"
        metrics = steps if self.defined.step else turns if self.all_in_pairs() else ""
        return self.next_distance() if self.state.metric in metrics.split() else None

    def next_product(self):
        is_known = self.all_in_pairs() and self.state.metric in SIMILARITIES
        return self.next_distance() if is_known else None

    def self_product(self):
        metric = self.state.metric if self.state.metric in SIMILARITIES else "dot"
        return self.between(self.state.reference, self.state.reference, metric)

    def curve(self):
        """Return pairs of distance from the reference and row."""
        self.few()
        actual = [(self.between(self.state.reference, p), p) for p in self.there()]
        actual = [item for item in actual if math.isfinite(item[0])]
        if not actual:
            raise KeyError
        return actual

    def half_offset(self):
        if not self.all_in_pairs():
            return None
        speeds = 2 * np.pi / np.array(self.wavelengths())
        offsets = np.arange(1, 1 + MOST_NUMBERS // len(speeds))
        similarities = np.cos(np.outer(offsets, speeds)).mean(axis=1)
        below = np.flatnonzero(similarities < 0.5)
        return int(offsets[below[0]]) if len(below) else None

    def late_similarities(self):
        """Return the similarities of rows a quarter of the slowest turn after the reference."""
        speeds = 2 * np.pi / np.array(self.wavelengths())
        reference = self.state.reference
        offsets = [p - reference for p in self.there() if 4 * (p - reference) >= self.finite()[-1]]
        if not self.all_in_pairs() or not 0 < len(offsets) * len(speeds) <= MOST_NUMBERS:
            raise KeyError
        return np.cos(np.outer(offsets, speeds)).mean(axis=1)

    def score(self, word, other):
        """Return the cosine similarity of two words at their positions."""
        if "tokens" not in self.state.options or self.tokens().join not in ("sum", "words"):
            raise KeyError
        words = self.tokens().sentence.split()
        if max(word, other) >= len(words) or "bias" in self.defined.abilities:
            raise KeyError
        if self.tokens().join == "words":
            width = getattr(self.e, "head_dim", self.width)
            rows = [toy_vector(words[at], width) for at in (word, other)]
        else:
            rows = joined_rows(self.defined, words, self.state.start)[[word, other]]
        u, v = np.array(rows)
        return float(u @ v / np.linalg.norm(u) / np.linalg.norm(v))

    def walk(self):
        """Return the curve from the reference on, on the longer side."""
        there, reference = list(self.there()), self.state.reference
        if reference not in there or self.state.metric in SIMILARITIES:
            raise KeyError
        place = there.index(reference)
        after, before = there[place:], there[place::-1]
        rows = after if len(after) > place else before
        self.few()
        actual = [self.between(reference, p) for p in rows]
        if len(actual) < 3 or not all(map(math.isfinite, actual)):
            raise KeyError
        return rows, actual

    def falling(self):
        _, actual = self.walk()
        least = 1e-12 * max(map(abs, actual))
        return [b - a < -least for a, b in itertools.pairwise(actual)]

    def peak_row(self):
        falling = self.falling()
        return self.walk()[0][falling.index(True)] if any(falling) else None

    def peak_distance(self):
        falling = self.falling()
        return self.walk()[1][falling.index(True)] if any(falling) else None

    def growing_steps(self):
        _, actual = self.walk()
        grows = all(b > a for a, b in itertools.pairwise(actual))
        return len(actual) - 1 if grows else None

    def neighbours(self):
        if self.state.metric in SIMILARITIES:
            raise KeyError
        rows = self.values()
        actual = [distance(u, v, self.state.metric) for u, v in itertools.pairwise(rows)]
        actual = [item for item in actual if math.isfinite(item)]
        if not actual:
            raise KeyError
        return actual

    def farthest_neighbours(self):
        most = max(self.neighbours())
        return most if most - min(self.neighbours()) >= 1e-2 * most else None

    # biases

    def slopes(self):
        return [float(slope) for slope in self.defined.slopes()]

    def strongest_half(self):
        return float(mpmath.findroot(lambda k: mpmath.exp(-max(self.slopes()) * k) - 0.5, 1))

    def weakest_head(self):
        return self.slopes().index(min(self.slopes())) if len(self.slopes()) > 1 else None

    def weakest_half(self):
        return math.log(0.5) / -min(self.slopes()) if len(self.slopes()) > 1 else None


FORMULAS = {name: attrgetter(name) for name in ("row", "width", "first", "last")}
FORMULAS |= {
    "encoding": lambda of: of.defined.called,
    "rows": lambda of: f"{of.row}s",
    "column": lambda of: of.defined.column,
    "wave": lambda of: "pair" if of.defined.pairs else of.defined.column,
    "wave_plural": lambda of: f"{of['wave']}s",
    "completing": lambda of: of.waves() - len(of.incomplete_waves()),
    "columns": lambda of: of.defined.columns,
    "pin": lambda of: of.state.pins[of.state.compared].name if of.state.pins else None,
    "current": lambda of: of.state.name,
    "reference": lambda of: of.state.reference,
    "measure": lambda of: MEASURES[of.state.metric].rpartition(" ")[0],
    "joined": lambda of: MEASURES[of.state.metric].rpartition(" ")[2],
    "metric_means": lambda of: METRICS[of.state.metric],  # a text, whose numbers are constants
    "count": lambda of: of.state.count,
    "middle": lambda of: of.state.start + of.state.count // 2,
    "table_rows": lambda of: of.defined.table_rows,
    "table_first": lambda of: of.defined.domain[0] if of.defined.table_rows else None,
    "missing": lambda of: of.state.count - len(of.there()) or None,
    "lowest": lambda of: of.lowest_cell()[0],
    "lowest_row": lambda of: of.lowest_cell()[1],
    "lowest_column": lambda of: of.defined.title(of.lowest_cell()[2]),
    "highest": lambda of: max(value for value, _, _ in of.cells()),
    "farthest_from_0": lambda of: abs(of.farthest_cell()[0]),
    "farthest_row": lambda of: of.farthest_cell()[1],
    "shortest_length": lambda of: min(of.by_length())[0],
    "base": lambda of: of.e.parameters["base"],
    "rope_theta": lambda of: of.e.parameters["rope_theta"],
    "step": lambda of: of.defined.step and float(of.defined.step),
    "length_of_1": lambda of: of.defined.step and round(1 / of.defined.step),
    "longest_period": lambda of: of.defined.longest_period(),
    "most_changed": lambda of: max(of.changed(), key=lambda each: each[0])[0],
    "hand_turns[0]": lambda of: of.turns_at(0),
    "hand_turns[1]": lambda of: of.turns_at(1),
    "turns_apart[0]": lambda of: of.turns_between(0),
    "turns_apart[1]": lambda of: of.turns_between(1),
    "hand_cosine": lambda of: of.cosine_at(of.state.position),
    "reference_cosine": lambda of: of.cosine_at(of.state.reference),
    "sum_rule": lambda of: of.sum_rule_at(of.state.position),
    "reference_sum_rule": lambda of: of.sum_rule_at(of.state.reference),
    "sine_gap": lambda of: of.gap(mpmath.sin),
    "cosine_gap": lambda of: of.gap(mpmath.cos),
    "result_gap": lambda of: of.gap(mpmath.sin, of["shift_by"]),
    "read_off[0]": lambda of: of.read_off_lines()[0],
    "read_off[1]": lambda of: of.read_off_lines()[1],
    "next_lead": lambda of: of["next_anywhere"] * (1 - of.far_ratio()),
    "cursor_separation": lambda of: abs(of.state.position - of.state.reference),
    "next_ratio": lambda of: of.far_ratio(),
    "shortest_wavelength": lambda of: of.finite()[0],
    "longest_wavelength": lambda of: of.finite()[-1],
    "kept_pairs": lambda of: sum(abs(item - 1) < 1e-9 for item in of.slowing()),
    "most_slowed": lambda of: max(of.slowing()) if of.slowed_pairs() else None,
    "turning": lambda of: sum(length <= of.state.count for length in of.wavelengths()),
    "not_turning": lambda of: sum(not length <= of.state.count for length in of.wavelengths()),
    "slower": lambda of: sum(2 * math.pi / length < 0.01 for length in of.wavelengths()),
    "lengths.trained": lambda of: of.both_lengths()[0] if of.waves() else None,
    "lengths.target": lambda of: of.both_lengths()[1] if of.waves() else None,
    "report.turned": lambda of: sum(of.reached()[0]),
    "report.within": lambda of: of.within_pairs(),
    "report.new": lambda of: sum(of.reached()[1]),
    "report.never_turned": lambda of: len(of.reached()[0]) - sum(of.reached()[0]),
    "unseen": lambda of: sum(of.reached()[1]),
    "factor": lambda of: of.e.parameters.get("factor"),
    "comparison.differing": lambda of: sum(of.apart()),
    "comparison.ratios": lambda of: len(of.apart()),
    "position": lambda of: of.state.position,
    "cursor_distance": lambda of: of.between(of.state.reference, of.state.position),
    "first_step": lambda of: 360 / of.finite()[0],
    "last_step": lambda of: 360 / of.finite()[-1],
    "fastest_frequency": lambda of: 2 * math.pi / of.finite()[0],
    "slowest_frequency": lambda of: 2 * math.pi / of.finite()[-1],
    "slowest_quarter": lambda of: of.state.reference + math.ceil(of.finite()[-1] / 4),
    "late_nearest": lambda of: 1 - max(of.late_similarities()),
    "late_farthest": lambda of: 1 - min(of.late_similarities()),
    "scores[0][2]": lambda of: of.score(0, 2),
    "scores[3][5]": lambda of: of.score(3, 5),
    "scores[1][2]": lambda of: of.score(1, 2),
    "last_turns": lambda of: (of.state.count - 1) / of.finite()[-1],
    "words": lambda of: len(of.tokens().sentence.split()),
    "largest_distance": lambda of: max(of.curve())[0],
    "smallest_product": lambda of: min(of.curve())[0],
    "largest_row": lambda of: first_near(of.curve(), max(of.curve())[0]),
    "smallest_row": lambda of: first_near(of.curve(), min(of.curve())[0]),
    "falls": lambda of: sum(of.falling()),
    "steps": lambda of: len(of.falling()),
    "nearest_neighbours": lambda of: min(of.neighbours()),
    "strongest": lambda of: max(of.slopes()),
    "strongest_head": lambda of: of.slopes().index(max(of.slopes())),
    "weakest": lambda of: min(of.slopes()) if len(of.slopes()) > 1 else None,
}
"""Facts that are single expressions."""


def first_near(curve, value):
    """Return the first row whose distance equals the value within rounding."""
    scale = max(abs(item) for item, _ in curve)
    return next(p for entry, p in curve if abs(entry - value) <= 1e-12 * scale)

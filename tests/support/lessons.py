"""What somebody does who completes a step of a lesson, in the shortest way and in random ways."""

import math

from pe_explorer.exploration import DirectStore, resolve
from pe_explorer.gallery.tries import with_settings
from pe_explorer.params import ParameterError

BY_MEASURE = {
    "sentence": lambda value: {"options.tokens.sentence": value},
    "turning": lambda value: {"count": 450},
    "slower": lambda value: {"encoding.base": 100.0},
    "unseen": lambda value: {},  # follows from the other conditions
    "slowest_wavelength": lambda value: {"encoding.base": value / 5},
    "next_distance": lambda value: {},
    "offset": lambda value: {"reference": 30, "position": 30 + value},
    "words": lambda value: {"options.tokens.sentence": " ".join("abcdefghijkl"[: int(value)])},
    "shift_by": lambda value: {"options.shift.k": value},
    "line_gap": lambda value: {"options.waves.line2": 18.0},
    "sine_gap": lambda value: {},
    "cosine_gap": lambda value: {},
    "result_gap": lambda value: {},
    "next_lead": lambda value: {"position": 63},
    "next_ratio": lambda value: {},
    "next_anywhere": lambda value: {},
    "nearer": lambda value: {"encoding.dim": 16},
}
"""The settings by which a measure gets a value."""

OTHER_SETTINGS = {
    "position": lambda pick: pick.randrange(300),
    "dimension": lambda pick: pick.randrange(16),
    "count": lambda pick: pick.randrange(2, 400),
    "start": lambda pick: pick.randrange(500),
    "reference": lambda pick: pick.randrange(20),
    "metric": lambda pick: pick.choice(["cosine", "euclidean", "sse", "dot", "manhattan"]),
    "encoding": lambda pick: pick.choice(["sinusoidal", "rope", "binary", "index", "alibi"]),
    "encoding.dim": lambda pick: pick.choice([1, 2, 7, 8, 18, 64, 128, 130]),
    "encoding.base": lambda pick: 10 ** pick.uniform(0.5, 8),
    "encoding.waves": lambda pick: pick.choice(["both", "sine", "cosine"]),
    "encoding.scale": lambda pick: pick.choice([0.25, 1.0, 2.0]),
    "encoding.offset": lambda pick: pick.choice([-3, 0, 1]),
    "encoding.layout": lambda pick: pick.choice(["interleaved", "concatenated"]),
    "encoding.head_dim": lambda pick: pick.choice([2, 8, 64, 128]),
    "encoding.rope_theta": lambda pick: 10 ** pick.uniform(1, 7),
    "encoding.rope_type": lambda pick: pick.choice(["default", "linear", "ntk", "yarn", "llama3"]),
    "encoding.factor": lambda pick: pick.choice([0.5, 1.0, 2.0, 8.0, 100.0]),
    "encoding.original_max_position_embeddings": lambda pick: pick.choice([64, 2048, 8192, 32768]),
    "options.context.trained": lambda pick: pick.choice([5, 4096, 8192, 10**7]),
    "options.context.target": lambda pick: pick.choice([4096, 8192, 65536, 10**6]),
}
"""Settings that a learner may change on the way, and random values for them."""


def doing(step, pick=None):
    """Return the exploration of a step whose first group of conditions has been met.

    With a random generator, thresholds are exceeded by any amount, and any group is met.
    """
    groups, settings = step.check.groups, {}
    for condition in pick.choice(groups) if pick else groups[0]:
        value = condition.value
        if condition.op[0] in "<>":
            sign = -1 if condition.op[0] == "<" else 1
            beyond = 0 if condition.op.endswith("=") else 1
            if pick:
                size = math.exp(pick.uniform(0, math.log(abs(value) + 2)))
                beyond += pick.choice([0, 1, pick.randrange(8), round(size)])
            value += sign * beyond
        name = condition.name.removeprefix("measure.")
        settings |= BY_MEASURE[name](value) if name != condition.name else {name: value}
    return with_settings(step.exhibit.exploration, settings)


def random_ways(step, pick, count):
    """Yield resolved explorations that complete a step, most with other settings changed."""
    found = 0
    for attempt in range(200 * count):
        number = 0 if attempt % 5 == 0 else pick.randrange(1, 4)
        names = pick.sample(sorted(OTHER_SETTINGS), number)
        try:
            state = doing(step, pick)
            for name in names:
                state = with_settings(state, {name: OTHER_SETTINGS[name](pick)})
        except (ParameterError, LookupError, AttributeError, TypeError):
            continue  # this encoding has no such parameter
        state = resolve(state, DirectStore())
        if state.encoding is not None and step.is_done(state):
            found += 1
            yield state
        if found == count:
            return

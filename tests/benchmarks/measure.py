"""Timing in pairs: a ratio means something only if both sides ran in the same minute."""

import time
from dataclasses import asdict, dataclass
from statistics import median


@dataclass(frozen=True)
class Row:
    """One line of the table.

    `ratio` compares with `against` in the same run; `goal` says which way and how far.
    """

    name: str
    value: float
    unit: str
    against: str
    ratio: float
    goal: str = ""

    def record(self):
        """Return the row as the JSON file has it."""
        return {key: value for key, value in asdict(self).items() if key != "goal"}


def alternate(*actions, rounds=9, after=None, typical=median):
    """Return the median seconds of each action, run in turn; the first round does not count.

    `after` tidies up behind each, outside the measured time. `typical` may be `min` where
    now and then something unrelated adds seconds, on either side.
    """
    times = [[] for _ in actions]
    for _ in range(rounds + 1):
        for action, found in zip(actions, times, strict=True):
            start = time.perf_counter()
            answer = action()
            found.append(time.perf_counter() - start)
            del answer
            if after:
                after()
    return [typical(found[1:]) for found in times]


def as_table(rows):
    """Return rows as a Markdown table."""
    cells = [("name", "here", "against", "ratio", "goal"), *(_cells(row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    head, *lines = (f"| {' | '.join(map(str.ljust, line, widths))} |" for line in cells)
    ruler = "|".join("-" * (width + 2) for width in widths)
    return "\n".join([head, f"|{ruler}|", *lines])


def _cells(row):
    return row.name, f"{row.value:.3g} {row.unit}", row.against, f"{row.ratio:.3g}", row.goal

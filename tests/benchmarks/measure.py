"""Alternating measurements, because only times of the same minute have a meaningful ratio."""

import resource
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

GOALS = {
    "blocking": ("50 ms", "1 or less"),
    "blocking-wide": ("50 ms", "1 or less"),
    "table-fill": ("naive NumPy expression", "18 times as fast or more"),
    "table-fill-limit": ("memory fill, the physical limit: its share of our time", ""),
    "block-means-far": ("the same with 1 position per block: its time", "1.5 times or less"),
    "export": ("np.save of zeros of the same size: its speed", "0.5 or more"),
    "drag": ("memory before: growth in MB", "1 MB or less"),
    "events": ("memory before: growth in MB", "20 MB or less"),
    "damaged": ("200 ms", "1 or less"),
    "config": ("50 ms", "1 or less"),
    "check": ("500 ms", "1 or less"),
    "change-512x128": ("matplotlib, artists updated in place", "8 times as fast or more"),
    "change-1e9": ("the same at 512 positions: its time", "1.2 times or less"),
    "change-factor": ("a change of the base of RoPE: its time", "1.2 times or less"),
    "change-100000x512": ("matplotlib, artists updated in place", "250 times as fast or more"),
    "start": ("a bare script that shows an empty plot: its time", "1.35 times or less"),
    "frames": ("memory before: growth in MB", "10 MB or less"),
    "play": ("10 ms: 99 of 100 frames", "1 or less"),
    "find-key": ("20 ms", "1 or less"),
}
"""The reference and the goal of each measurement, by name."""


class Row(NamedTuple):
    """One line of the table; `ratio` is relative to the reference in `GOALS`."""

    name: str
    value: float
    unit: str
    ratio: float

    def record(self):
        return {**self._asdict(), "against": GOALS[self.name][0]}


def alternate(*actions, rounds=9, after=None, typical=median):
    """Return the median seconds of each action, run in turn; the first round is ignored.

    `after` cleans up after each action, outside the measured time. `typical` can be `min` if
    unrelated work sometimes adds seconds.
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


def resident(pid="self"):
    """Return the resident memory of a process in bytes."""
    pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    return int(pages) * resource.getpagesize()


def as_table(rows):
    cells = [("name", "here", "against", "ratio", "goal")]
    for row in rows:
        against, goal = GOALS[row.name]
        cells.append((row.name, f"{row.value:.3g} {row.unit}", against, f"{row.ratio:.3g}", goal))
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    head, *lines = (f"| {' | '.join(map(str.ljust, line, widths))} |" for line in cells)
    ruler = "|".join("-" * (width + 2) for width in widths)
    return "\n".join([head, f"|{ruler}|", *lines])

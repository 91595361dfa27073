"""`python -m tests.endurance --events N --seed S`: the long test of everything.

It sends N random events to the window, and does shares of N of the other parts: files, command
lines, kills, breakdowns, frames, typed numbers, numbers, tables, and where there is Xvfb,
surroundings of a real window. The exit code is 1 if there was a fault; the report names the events
that bring it and the command that replays them.
"""

import argparse
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path

from tests import sandbox
from tests.endurance import shrinking, trial
from tests.endurance.parts import PARTS
from tests.endurance.tree import tree, unasked
from tests.endurance.trial import Task, as_ranges, parse_numbers

WATCHED = sandbox.WRITABLE
"""Nothing may change here, except in the folders of the parts, which they check themselves."""
_OF_SERVERS = ("compiled", "dbus-", ".X", "xvfb-run.")
"""Prefixes of what Python and servers write to `/tmp`."""


def main():
    options = _parser().parse_args()
    sandbox.require()
    if not options.part:
        for part in PARTS.values():
            if part.missing:
                lacks = ", ".join(part.missing)
                print(f"endurance: no {part.items}, as this machine lacks {lacks}")
    parts = Path(tempfile.gettempdir()) / trial.PREFIX
    declared = [parts, *map(sandbox.TMP.joinpath, _OF_SERVERS)]
    before = tree(*WATCHED, apart_from=declared)
    tasks = [task for seed in options.seed for task in _tasks(options, seed) if task.size]
    total = Tally()
    pool = ThreadPoolExecutor(options.jobs)
    try:
        trials = pool.map(trial.run, tasks)
        for _, group in groupby(trials, lambda each: each.task.seed):
            _report(list(group), options.shrink, total)
    finally:
        pool.shutdown(cancel_futures=True)
    if len(total.seeds) != 1:
        print(total)
    outside = unasked(before, tree(*WATCHED, apart_from=declared))
    for what in outside:
        print(f"FAULT, outside of the folders of the parts: {what}")
    return 1 if total.faults or outside else 0


def _parser():
    parser = argparse.ArgumentParser("python -m tests.endurance", description=__doc__)
    add = parser.add_argument
    add("--events", type=int, default=3000, help="of each seed, with shares of the rest (3000)")
    seeds = "one, or several as 1-20 (1)"
    add("--seed", "--seeds", type=parse_numbers, default=(1,), help=seeds)
    add("--jobs", type=int, default=2, help="processes at the same time (2)")
    possible = [name for name, part in PARTS.items() if not part.missing]
    add("--part", choices=possible, help="only this part")
    add("--only", type=parse_numbers, default=(), help="of the events those with these numbers")
    shrink = "seconds to look for the fewest events (120); 0 ignores freezes, as none is replayed"
    add("--shrink", type=float, default=120.0, help=shrink)
    add("--patience", type=float, default=60.0, help="seconds until an event has hung (60)")
    add("--plant", action="append", default=[], help="plant a fault in the part, or the events")
    return parser


def _tasks(options, seed):
    """Return what there is to do for a seed; the events come first, because they take longest."""
    planted = options.part or "events"
    names = [planted]
    if not options.part and not options.only:
        names = [name for name, part in PARTS.items() if not part.missing]
    for name in names:
        plant = tuple(options.plant) if name == planted else ()
        only = options.only if name == "events" else ()
        yield Task(name, seed, options.events, options.patience, plant, only)


def _report(trials, seconds, total):
    trials = [shrinking.examine(each, trial.run, seconds) for each in trials]
    found = Tally()
    for each in trials:
        found.add(each)
        total.add(each)
        if each.faults:
            print(each.report())
        often, items = 60 * len(each.journal) / each.seconds, PARTS[each.task.part].items
        print(f"{each.seconds:.0f} s, {often:.0f} {items} a minute, {each.memory} MB at most")
    print(found, flush=True)


class Tally:
    def __init__(self):
        self.seeds = set()
        self.faults = 0
        self._counts, self._kinds, self._reached, self._existing = Counter(), set(), {}, {}

    def add(self, done):
        self.seeds.add(done.task.seed)
        self.faults += len(done.faults)
        self._counts[done.task.part] += len(done.journal)
        if done.task.part == "events":
            self._kinds |= done.kinds
        for name, (found, self._existing[name]) in done.reached.items():
            self._reached.setdefault(name, set()).update(found)

    def __str__(self):
        if not self.seeds:
            return "endurance: nothing to do"
        words = []
        for name in filter(self._counts.__contains__, PARTS):
            words.append(f"{self._counts[name]} {PARTS[name].items}")
            if name == "events":
                words[-1] += f" of {len(self._kinds)} kinds"
                for what, found in self._reached.items():
                    words.append(f"{what} reached {len(found)} of {self._existing[what]}")
        seeds = f"seed{'s' * (len(self.seeds) > 1)} {as_ranges(sorted(self.seeds))}"
        return f"endurance: {seeds}: {', '.join(words)}, {self.faults} faults"


if __name__ == "__main__":
    sys.exit(main())

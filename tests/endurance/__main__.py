"""`python -m tests.endurance --events N --seed S`: the long test of everything.

It sends N random events to the window, and does shares of N of the other parts: files, command
lines, kills, breakdowns, frames, typed numbers, numbers, tables, and where there is Xvfb,
surroundings of a real window. The exit code is 1 if there was a fault; the report names the events
that bring it and the command that replays them.
"""

import argparse
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path

from tests import sandbox
from tests.endurance import shrinking, trial
from tests.endurance.parts import PARTS
from tests.endurance.tree import tree, unasked
from tests.endurance.trial import Task, parse_numbers

WATCHED = sandbox.WRITABLE
"""Nothing may change here, except in the folders of the parts, which they check themselves."""
_OF_SERVERS = ("dbus-", ".X", "xvfb-run.")
"""Prefixes of what Python and servers write to `/tmp`."""


def main():
    possible = [name for name, part in PARTS.items() if not part.missing]
    options = _parser(possible).parse_args()
    sandbox.require()
    for part in () if options.part else PARTS.values():
        if part.missing:
            print(f"endurance: no {part.items}, as this machine lacks {', '.join(part.missing)}")
    planted = options.part or "events"
    names = [planted] if options.part or options.only else possible
    tasks = []
    for seed, name in ((seed, name) for seed in options.seed for name in names):
        plant = tuple(options.plant) if name == planted else ()
        only = options.only if name == "events" else ()
        tasks.append(Task(name, seed, options.events, options.patience, plant, only))
    parts = Path(tempfile.gettempdir()) / trial.PREFIX
    declared = [parts, *map(sandbox.TMP.joinpath, _OF_SERVERS)]
    before = tree(*WATCHED, apart_from=declared)
    pool, faults, written = ThreadPoolExecutor(options.jobs), 0, set()
    try:
        trials = pool.map(trial.run, [task for task in tasks if task.size])
        for seed, group in groupby(trials, lambda each: each.task.seed):
            of_seed = list(group)
            written.update(*(each.written for each in of_seed))
            faults += _report(seed, of_seed, options.shrink)
    finally:
        pool.shutdown(cancel_futures=True)
    outside = unasked(before, tree(*WATCHED, apart_from=declared), written)
    for what in outside:
        print(f"FAULT, outside of the folders of the parts: {what}")
    return 1 if faults or outside else 0


def _parser(parts):
    parser = argparse.ArgumentParser("python -m tests.endurance", description=__doc__)
    add = parser.add_argument
    add("--events", type=int, default=3000, help="of each seed, with shares of the rest (3000)")
    seeds = "one, or several as 1-20 (1)"
    add("--seed", "--seeds", type=parse_numbers, default=(1,), help=seeds)
    add("--jobs", type=int, default=2, help="processes at the same time (2)")
    add("--part", choices=parts, help="only this part")
    add("--only", type=parse_numbers, default=(), help="of the events those with these numbers")
    shrink = "seconds to look for the fewest events (120); 0 ignores freezes, as none is replayed"
    add("--shrink", type=float, default=120.0, help=shrink)
    add("--patience", type=float, default=60.0, help="seconds until an event has hung (60)")
    add("--plant", action="append", default=[], help="plant a fault in the part, or the events")
    return parser


def _report(seed, trials, seconds):
    """Print what was found with a seed, and return the number of faults."""
    trials = [shrinking.examine(each, trial.run, seconds) for each in trials]
    words = []
    for each in trials:
        if each.faults:
            print(each.report())
        count, items = len(each.journal), PARTS[each.task.part].items
        often = f"{60 * count / each.seconds:.0f} {items} a minute"
        print(f"{each.seconds:.0f} s, {often}, {each.memory} MB at most")
        kinds = f" of {len(each.kinds)} kinds" if each.task.part == "events" else ""
        words.append(f"{count} {items}{kinds}")
    faults = sum(len(each.faults) for each in trials)
    print(f"endurance: seed {seed}: {', '.join(words)}, {faults} faults", flush=True)
    return faults


if __name__ == "__main__":
    sys.exit(main())

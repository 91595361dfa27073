"""`python -m tests.endurance --events N --seed S`: run the endurance test.

The test sends N random events to the window, and runs proportional shares of the other parts:
files, command lines, kills, breakdowns, frames, typed numbers, numbers, tables and, with Xvfb,
surroundings of a real window. The exit code is 1 if there was a fault. The report names the events
that cause the fault, and the command that replays them.
"""

import argparse
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests import sandbox
from tests.endurance import trial
from tests.endurance.tree import tree, unasked
from tests.endurance.trial import NEEDS, PARTS, Task

WATCHED = sandbox.WRITABLE
"""The folders that must not change; the folders of parts are excluded, because parts check them."""
_OF_SERVERS = ("dbus-", ".X", "xvfb-run.")  # prefixes of temporary files


def main():
    missing = {name for name in PARTS if not all(map(shutil.which, NEEDS.get(name, ())))}
    parser = argparse.ArgumentParser("python -m tests.endurance", description=__doc__)
    add = parser.add_argument
    add("--events", type=int, default=3000, help="with shares of the other parts (3000)")
    add("--seed", type=int, default=1)
    add("--jobs", type=int, default=2, help="processes at the same time (2)")
    add("--part", choices=sorted(PARTS.keys() - missing), help="only this part")
    only = "only the events with these numbers, such as 3,17,20"
    add("--only", type=lambda text: tuple(map(int, text.split(","))), default=(), help=only)
    seconds = "seconds to look for the fewest events (120); 0 ignores freezes, as none is replayed"
    add("--shrink", type=float, default=120.0, help=seconds)
    add("--patience", type=float, default=60.0, help="seconds until an event has hung (60)")
    planted = "plant a fault in the part, or else in the events alone"
    add("--plant", action="append", default=[], help=planted)
    options = parser.parse_args()
    sandbox.require()
    names = [options.part or "events"]
    if not (options.part or options.only or options.plant):
        names = [name for name in PARTS if name not in missing]
        for name in missing:
            print(f"endurance: no {name}, which need {', '.join(NEEDS[name])}")
    chosen = options.patience, tuple(options.plant), options.only
    tasks = [Task(name, options.seed, options.events, *chosen) for name in names]
    folders = Path(tempfile.gettempdir()) / trial.PREFIX
    expected = [folders, *map(sandbox.TMP.joinpath, _OF_SERVERS)]
    before = tree(*WATCHED, apart_from=expected)
    pool = ThreadPoolExecutor(options.jobs)
    try:
        trials = list(pool.map(trial.run, [task for task in tasks if task.size]))
    finally:
        pool.shutdown(cancel_futures=True)
    written = set().union(*(found.written for found in trials))
    outside = unasked(before, tree(*WATCHED, apart_from=expected), written)
    faults = 0
    for found in trials:
        if found.task.part == "events" and options.shrink:
            trial.shrink(found, options.shrink)
        if found.faults:
            print(found.report())
        faults += len(found.faults)
        print(f"endurance: {len(found.journal)} {found.task.part} in {found.seconds:.0f} s")
    print(f"endurance: seed {options.seed}: {faults} faults", flush=True)
    for what in outside:
        print(f"FAULT, outside of the folders of the parts: {what}")
    return 1 if faults or outside else 0


if __name__ == "__main__":
    sys.exit(main())

"""`python -m tests.endurance --events N --seed S`: the long test of everything.

It sends N random events to the window, and does shares of N of the other parts: files, command
lines, kills, breakdowns, frames, typed numbers, numbers, tables, and where there is Xvfb,
surroundings of a real window. Exit code 1 if there was a fault; it is then told which events bring
it, and how to replay them.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests import sandbox
from tests.endurance import shrinking, trial
from tests.endurance.parts import PARTS
from tests.endurance.series import Tally, run_all
from tests.endurance.tree import tree, unasked
from tests.endurance.trial import Task, Trial, parse_numbers

WATCHED = sandbox.WRITABLE
"""Nothing may change here, except in the folders of the parts, which they check themselves."""
_OF_SERVERS = ("dbus-", ".X", "xvfb-run.")
"""Prefixes of what Python and servers write to `/tmp`."""


def main() -> int:
    """Run the parts of all seeds, and print what each found."""
    options = _parser().parse_args()
    sandbox.require()
    if not options.part:
        _say_what_is_missing()
    parts = Path(tempfile.gettempdir()) / trial.PREFIX
    declared = [parts, *map(sandbox.TMP.joinpath, _OF_SERVERS)]
    before = tree(*WATCHED, apart_from=declared)
    session = _Session(options)
    run_all(iter(options.seed), session.tasks_of, trial.run, session.receive, options.jobs)
    if len(session.tally.seeds) != 1:
        print(session.tally)
    outside = unasked(before, tree(*WATCHED, apart_from=declared))
    for what in outside:
        print(f"FAULT, outside of the folders of the parts: {what}")
    return 1 if session.tally.faults or outside else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.endurance", description=__doc__)
    add = parser.add_argument
    add("--events", type=int, default=3000, help="of each seed, with shares of the rest (3000)")
    seeds = "one, or several as 1-20 (1)"
    add("--seed", "--seeds", type=parse_numbers, default=(1,), help=seeds)
    add("--jobs", type=int, default=2, help="processes at once (2)")
    add("--part", choices=_possible(), help="this part alone")
    add("--only", type=parse_numbers, default=(), help="of the events those with these numbers")
    shrink = "seconds to look for the fewest events (120); with 0, freezes are not replayed or told"
    add("--shrink", type=float, default=120.0, help=shrink)
    add("--patience", type=float, default=60.0, help="seconds until an event has hung (60)")
    add("--plant", action="append", default=[], help="plant a fault in the part, or the events")
    return parser


def _possible() -> list[str]:
    """Return the names of the parts that can be done here."""
    return [name for name, part in PARTS.items() if part.exists and not part.missing]


def _say_what_is_missing() -> None:
    """Print which parts are left out, and why."""
    for part in PARTS.values():
        if part.exists and part.missing:
            print(f"endurance: no {part.items}, as this machine lacks {', '.join(part.missing)}")


class _Session:
    """What is done, in which order, and what becomes of the trials."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self.tally = Tally()

    def tasks_of(self, seed: int) -> Sequence[Task]:
        """Return what there is to do of a seed; the events first, as they take longest."""
        options = self._options
        names = _possible()
        planted = options.part or "events"
        if options.part or options.only:
            names = [planted]
        tasks = []
        for name in names:
            plant = tuple(options.plant) if name == planted else ()
            only = options.only if name == "events" else ()
            tasks.append(Task(name, seed, options.events, options.patience, plant, only))
        return [task for task in tasks if task.size]

    def receive(self, trials: Sequence[Trial]) -> None:
        """Replay what was found with a seed, and print it.

        All its parts are done: a replay that shares its core with another would freeze again.
        """
        trials = [shrinking.examine(each, trial.run, self._options.shrink) for each in trials]
        found = Tally()
        found.add(trials)
        self.tally.add(trials)
        for each in trials:
            if each.faults:
                print(each.report())
            speed = 60 * len(each.journal) / each.seconds
            often = f"{speed:.0f} {PARTS[each.task.part].items} a minute"
            print(f"{each.seconds:.0f} s, {often}, {each.memory} MB at most")
        print(found, flush=True)


if __name__ == "__main__":
    sys.exit(main())

"""`python -m tests.endurance --events N --seed S`: random events on the window.

Exit code 1 if there was a fault. A seed replays the same events.
"""

from __future__ import annotations

import argparse
import sys

from tests.endurance import trial
from tests.endurance.plants import PLANTS


def main() -> int:
    """Run one seed after the other, and print what each found."""
    parser = argparse.ArgumentParser("python -m tests.endurance", description=__doc__)
    add = parser.add_argument
    add("--events", type=int, default=3000, help="of each seed (3000)")
    add("--seed", "--seeds", type=seeds, default=range(1, 2), help="one, or several as 1-20 (1)")
    add("--patience", type=float, default=60.0, help="seconds until an event has hung (60)")
    add("--plant", action="append", default=[], choices=PLANTS, help="plant a fault to be found")
    options = parser.parse_args()
    faults = 0
    for seed in options.seed:
        found = trial.run(seed, options.events, options.patience, tuple(options.plant))
        faults += len(found.faults)
        if found.faults:
            print(found.report())
        speed = 60 * len(found.journal) / found.seconds
        print(f"{found.seconds:.0f} s, {speed:.0f} events a minute, {found.memory} MB at most")
        print(found, flush=True)
    return 1 if faults else 0


def seeds(text: str) -> range:
    """Return the seeds of a text such as 7 or 1-20."""
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


if __name__ == "__main__":
    sys.exit(main())

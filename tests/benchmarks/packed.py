"""`python -m tests.benchmarks.packed FOLDER`: the start of a packed program against the source.

Both run the self-test, whose first line appears when the window is painted, and are then ended.
"""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

from tests.benchmarks.measure import alternate


def first_paint(command):
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as program:
        line = program.stdout.readline()
        program.kill()
    if line != "window: painted\n":
        raise RuntimeError(f"{command[0]} has painted no window")


def main():
    packed = [str(Path(sys.argv[1]) / "pe-explorer"), "--self-test"]
    source = [sys.executable, "-m", "pe_explorer", "--self-test"]
    starts = partial(first_paint, packed), partial(first_paint, source)
    ours, usual = alternate(*starts, rounds=15, typical=min)
    print(f"packed: {ours * 1e3:.0f} ms to the first painted window")
    print(f"source: {usual * 1e3:.0f} ms to the first painted window")
    print(f"packed / source: {ours / usual:.3f}")


if __name__ == "__main__":
    main()

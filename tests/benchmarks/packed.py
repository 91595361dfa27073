"""`python -m tests.benchmarks.packed FOLDER`: the start of a packed program against the source.

Both run their self-test, whose first line comes when the window is painted; each is ended there.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

_ROUNDS = 15


def first_paint(command):
    """Return the seconds from the start of a program to its painted window."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as program:
        line = program.stdout.readline()
        took = time.perf_counter() - start
        program.kill()
    if line != "window: painted\n":
        raise RuntimeError(f"{command[0]} has painted no window")
    return took


def main():
    """Print the fastest start of each, and the ratio; whole processes in turn."""
    packed = [str(Path(sys.argv[1]) / "pe-explorer"), "--self-test"]
    source = [sys.executable, "-m", "pe_explorer", "--self-test"]
    times = {"packed": [], "source": []}
    for _ in range(_ROUNDS):
        times["packed"].append(first_paint(packed))
        times["source"].append(first_paint(source))
    fastest = {name: min(each) for name, each in times.items()}
    for name, seconds in fastest.items():
        print(f"{name}: {seconds * 1e3:.0f} ms to the first painted window")
    print(f"packed / source: {fastest['packed'] / fastest['source']:.3f}")


if __name__ == "__main__":
    main()

"""`python -m tests.benchmarks [--json FILE] [NAME ...]`: measure, and print a table of ratios."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # must precede the import of NumPy

import argparse
import json
from pathlib import Path

from tests.benchmarks import blocking, core, memory, sessions, window
from tests.benchmarks.measure import as_table

BENCHMARKS = {
    benchmark.__name__.replace("_", "-"): benchmark
    for module in (core, window, memory, blocking, sessions)
    for benchmark in module.BENCHMARKS
}


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    names = f"of {', '.join(BENCHMARKS)}; all by default"
    parser.add_argument("names", nargs="*", metavar="NAME", help=names)
    rows = "write the rows as a list of {name, value, unit, against, ratio}"
    parser.add_argument("--json", type=Path, metavar="FILE", help=rows)
    options = parser.parse_args()
    if unknown := set(options.names) - set(BENCHMARKS):
        parser.error(f"no benchmark {', '.join(sorted(unknown))}")
    rows = [
        row
        for name, benchmark in BENCHMARKS.items()
        if not options.names or name in options.names
        for row in benchmark()
    ]
    print(as_table(rows))
    if options.json:
        records = [row.record() for row in rows]
        options.json.write_text(json.dumps(records, indent=1) + "\n")


if __name__ == "__main__":
    main()

"""`python -m tests.flags` adds a line to the committed table for each flag that is new; nothing in
it changes.
"""

import os
import sys


def main():
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from tests.flags.found import TABLE, committed, now, text

    table, before = committed(), TABLE.read_text(encoding="utf-8")
    for key, flags in now().items():
        table[key] = {**flags, **table.get(key, {})}
    after = text(table)
    TABLE.write_text(after, encoding="utf-8")
    print(f"{len(after.splitlines()) - len(before.splitlines())} lines added to {TABLE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

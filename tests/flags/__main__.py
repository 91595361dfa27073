"""`python -m tests.flags` adds to the committed table what has become new; nothing in it
changes.
"""

import os
import sys


def main():
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from tests.flags.found import TABLE, committed, now, text

    table, added = committed(), 0
    for key, flags in now().items():
        known = table.setdefault(key, {})
        added += len(flags.keys() - known.keys())
        table[key] = {**flags, **known}
    TABLE.write_text(text(table), encoding="utf-8")
    print(f"{added} flags added to {TABLE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

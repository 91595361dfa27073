"""`python -m tests.texts` writes the committed listing of texts anew: read aloud what changed."""

import os
import sys


def main():
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from tests.texts.found import LISTING, now, text

    after = text(now())
    LISTING.write_text(after, encoding="utf-8")
    print(f"{len(after.splitlines())} lines in {LISTING}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Kill -9 at random moments: what was replaced is there whole, and what was unsaved is found."""

import shutil
import traceback
from contextlib import contextmanager
from unittest.mock import patch

from tests.support.kills import KINDS, check, kill


def run(faults, seed, size, folder, plant=()):
    kinds = [KINDS[number % len(KINDS)] for number in range(size)]
    items = faults.items("", size, plant, PLANTS)
    for _, killed in zip(items, kill(kinds, folder, seed), strict=True):
        try:
            check(killed)
        except Exception as error:
            trace = "".join(traceback.format_exception(error))
            what = f"{type(error).__name__} after a kill in {killed.kind}: {str(error)[:200]}"
            faults.add(what, f"{killed}\n{trace}")
        else:
            shutil.rmtree(killed.folder)


@contextmanager
def _half():
    """Let all that was written be half there."""

    def check_spoiled(killed):
        for path in killed.folder.iterdir():
            if not path.name.startswith("."):
                path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        return check(killed)

    with patch(f"{__name__}.check", check_spoiled):
        yield


PLANTS = {"half": _half}

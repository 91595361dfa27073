"""Processes killed at random moments: replaced files must be complete, and backups are found."""

import shutil
from functools import partial
from unittest.mock import patch

from tests.endurance.calls import watched
from tests.support.kills import KINDS, check, kill


def run(faults, seed, size, folder, plant=()):
    kinds = [KINDS[number % len(KINDS)] for number in range(size)]
    items = faults.items("", size, plant, PLANTS)
    for _, killed in zip(items, kill(kinds, folder, seed), strict=True):
        what = f"the files after a kill in {killed.kind}"
        if watched(faults, what, lambda killed=killed: check(killed), str(killed), limited=False):
            shutil.rmtree(killed.folder)


def _check_half(killed):
    for path in killed.folder.iterdir():
        if not path.name.startswith("."):
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    return check(killed)


PLANTS = {"half": partial(patch, f"{__name__}.check", _check_half)}

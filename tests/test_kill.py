"""Processes killed at random moments.

What they replaced is there whole, old or new, and what was unsaved is found.
"""

import os

import pytest

from tests.support.kills import KINDS, check, kill

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

SEED = int.from_bytes(os.urandom(4))
TRIALS = {"session": 30, "npy": 20, "csv": 15, "autosave": 35, "png": 8, "svg": 8, "pdf": 8}


MOST_ROUNDS = 8  # until one was killed while a partial file was there, which may be for a moment


@pytest.mark.parametrize("kind", KINDS)
def test_the_old_or_the_new_is_there_whole(tmp_path, kind):
    print("seed", SEED)  # shown when a test fails
    trials = at_work = left_behind = 0
    for place in range(MOST_ROUNDS):
        folder = tmp_path / str(place)
        folder.mkdir()
        for killed in kill([kind] * TRIALS[kind], folder, SEED + place):
            trials += 1
            at_work += killed.begun > killed.done
            left_behind += check(killed)
            for path in killed.folder.iterdir():
                path.unlink()
        if left_behind or kind == "autosave":
            break
    assert at_work > trials // 5, "too few were killed at work"
    assert left_behind > 0 or kind == "autosave"

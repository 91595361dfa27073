"""Processes killed at random moments.

What they replaced is there whole, old or new, and what was unsaved is found.
"""

import itertools
import os
from collections import Counter

import pytest

from tests.support import kills
from tests.support.kills import KINDS, check, kill, number_of, number_of_session

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

SEED = int.from_bytes(os.urandom(4))
TRIALS = {"session": 8, "npy": 6, "csv": 6, "autosave": 10, "png": 4, "svg": 4, "pdf": 4}
MOST_ROUNDS = 20  # until one was killed while a partial file was there, which may be for a moment


def test_the_old_or_the_new_is_there_whole(tmp_path):
    print("seed", SEED)  # shown when a test fails
    trials, at_work, left_behind = Counter(), Counter(), Counter()
    for place in range(MOST_ROUNDS):
        kinds = [
            kind for kind in KINDS if not (left_behind[kind] or (place and kind == "autosave"))
        ]
        folder = tmp_path / str(place)
        folder.mkdir()
        # one process for all of a round: it starts those that are killed
        wanted = [kind for kind in kinds for _ in range(TRIALS[kind])]
        for killed in kill(wanted, folder, SEED + place) if wanted else ():
            trials[killed.kind] += 1
            at_work[killed.kind] += killed.begun > killed.done
            left_behind[killed.kind] += check(killed)
            for path in killed.folder.iterdir():
                path.unlink()
    for kind in KINDS:
        assert at_work[kind] > trials[kind] // 5, f"too few were killed at work: {kind}"
        assert left_behind[kind] > 0 or kind == "autosave", kind


@pytest.mark.parametrize("kind", kills.ROWS)
def test_data_have_their_own_session_wherever_the_next_export_is_killed(tmp_path, kind):
    for step in itertools.count(1):
        target, other = (tmp_path / f"{name}{step}.{kind}" for name in ("target", "other"))
        kills.write(target, 1)
        if not kills.killed_at(step, target, 2):
            break
        for _ in range(2):
            k = number_of(target)
            assert number_of_session(target) == k or k == 2, step
            kills.write(other, 3)  # it removes nothing that is still of use
    assert step > 3
    kills.write(target, 4)
    assert (number_of(target), number_of_session(target)) == (4, 4)

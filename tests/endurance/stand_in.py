"""A part that does next to nothing, for the tests of what runs the parts."""

import os
import time
from collections.abc import Sequence
from pathlib import Path

from tests.endurance.faults import Faults


def run(faults: Faults, seed: int, size: int, folder: Path, plant: Sequence[str] = ()) -> None:
    """Write a file for each item; the third brings the fault that is planted, if there is any."""
    for number in range(1, size + 1):
        faults.event = number
        (folder / f"{number}.txt").write_text(str(seed))
        for fault in plant if number == 3 else ():
            if fault == "noted":
                faults.add("a fault of a stand-in")
            elif fault == "printed":
                print("planted words")
            elif fault == "outside":
                (folder.parent.parent / "outside.txt").touch()
            elif fault == "raised":
                raise ValueError("planted")
            elif fault == "abort":
                os.abort()
            elif fault == "hang":
                time.sleep(10_000)

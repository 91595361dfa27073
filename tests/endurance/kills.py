"""Kill −9 at random moments: what was replaced is there whole, and what was unsaved is found."""

import shutil
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tests.endurance.faults import Faults
from tests.support.kills import KINDS, check, kill


def run(faults: Faults, seed: int, size: int, folder: Path, plant: Sequence[str] = ()) -> None:
    """Kill so many processes, of one kind after the other; the first are planted faults."""
    kinds = [KINDS[number % len(KINDS)] for number in range(size)]
    for number, killed in enumerate(kill(kinds, folder, seed), 1):
        faults.event = number
        if number <= len(plant):
            PLANTS[plant[number - 1]](killed.folder)
        try:
            check(killed)
        except Exception as error:
            trace = "".join(traceback.format_exception(error))
            what = f"{type(error).__name__} after a kill in {killed.kind}: {str(error)[:200]}"
            faults.add(what, f"{killed}\n{trace}")
        else:
            shutil.rmtree(killed.folder)


# -- planted ---------------------------------------------------------------------------------------


def _half(folder: Path) -> None:
    for path in _whole(folder):
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _gone(folder: Path) -> None:
    for path in _whole(folder):
        path.unlink()


def _whole(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if not path.name.startswith(".")]


PLANTS: Mapping[str, Callable[[Path], None]] = {"half": _half, "gone": _gone}

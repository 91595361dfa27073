"""What exhibits say after many random changes: nothing that a second formula denies."""

from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

from pe_explorer.analysis import umap_process
from pe_explorer.gallery.exhibits import exhibits
from tests.endurance.faults import Faults
from tests.support.told import falsehoods

_CHANGES = 40  # of an exhibit and of what its tries make


def run(faults: Faults, seed: int, size: int, folder: Path, plant: Sequence[str] = ()) -> None:
    """Hear so many exhibits."""
    names = list(exhibits())
    with patch.object(umap_process, "missing", lambda: ""):
        for _, pick in faults.items(f"{seed} told", size):
            name = pick.choice(names)
            faults.say(name)
            for said, state in falsehoods(exhibits()[name], pick, _CHANGES):
                faults.add(f"a false sentence in {name}", f"{said} of {state}")

"""The parts of the long test, and how many items of each a number of events brings."""

from shutil import which
from typing import NamedTuple


class Part(NamedTuple):
    """A module of this folder: its name, and the number of events for which there is one item.

    `needs` are the programs without which it is left out. Its function
    `run(faults, seed, size, folder, plant)` does `size` items in a process of its own. It takes
    their numbers and random numbers from `faults.items`, and reports what is wrong with
    `faults.add`. An item depends on nothing but the seed and its number. `PLANTS` of the module are
    the faults that can be planted, by name.
    """

    name: str
    share: int
    items: str
    needs: tuple = ()

    @property
    def missing(self):
        return [program for program in self.needs if not which(program)]


_PARTS = (
    Part("events", 1, "events"),
    Part("files", 50, "files"),
    Part("command_lines", 100, "command lines"),
    Part("kills", 500, "kills"),
    Part("breakdowns", 500, "breakdowns"),
    Part("frames", 10, "frames"),
    Part("anew", 100, "views drawn anew"),
    Part("told", 200, "exhibits that were heard"),
    Part("surroundings", 333, "surroundings", ("Xvfb", "xdotool", "setpriv")),
    Part("typed", 5, "typed numbers"),
    Part("numbers", 2, "numbers"),
    Part("tables", 100, "tables"),
)
PARTS = {part.name: part for part in _PARTS}

"""What the long test consists of: its parts, and how many items of each a number of events brings.

A part is a module of this folder with a function `run`, which does items in a process of its own.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from shutil import which
from typing import Any, NamedTuple


class Part(NamedTuple):
    """A part of the long test.

    Attributes
    ----------
    name : str
        That of its module, in this folder.
    share : int
        The number of events for which there is one item.
    items : str
        What the items are called.
    module : str
        Where it is if not in this folder.
    needs : sequence of str
        The programs of the system without which it is left out.
    """

    name: str
    share: int
    items: str
    module: str = ""
    needs: Sequence[str] = ()

    @property
    def exists(self) -> bool:
        """Whether its module is there."""
        return find_spec(self._module) is not None

    @property
    def missing(self) -> list[str]:
        """The programs that it needs and this machine lacks."""
        return [program for program in self.needs if not which(program)]

    @property
    def run(self) -> Callable[..., Any]:
        """The function that does `size` items.

        `run(faults, seed, size, folder, plant)` sets `faults.event` to the number of an item,
        counted from 1, before it does it, and notes what is wrong by `faults.add`. An item depends
        on nothing but the seed and its number. It may return what is to be told of them: texts
        in lists by name.
        """
        run: Callable[..., Any] = import_module(self._module).run
        return run

    @property
    def _module(self) -> str:
        return self.module or f"tests.endurance.{self.name}"


PARTS = {
    part.name: part
    for part in (
        Part("events", 1, "events"),
        Part("files", 50, "files"),
        Part("command_lines", 100, "command lines"),
        Part("kills", 500, "kills"),
        Part("breakdowns", 500, "breakdowns"),
        Part("frames", 10, "frames"),
        Part("anew", 100, "views drawn anew"),
        Part("told", 200, "exhibits that were heard"),
        Part("surroundings", 333, "surroundings", needs=("Xvfb", "xdotool", "setpriv")),
        Part("typed", 5, "typed numbers"),
        Part("numbers", 2, "numbers"),
        Part("tables", 100, "tables"),
    )
}

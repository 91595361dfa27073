"""`dbus-run-session -- python -m tests.support.screen_reader`: what a screen reader is told.

Starts the program, asks for its window over AT-SPI as a screen reader does, and prints a line of
JSON for all that is shown: role and name.
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

from tests.support.processes import ROOT

_ACCESSIBLE = "org.a11y.atspi.Accessible"
_ROOT = "/org/a11y/atspi/accessible/root"
_REFERENCE = re.compile(r"\('(:[\d.]+)', (?:objectpath )?'([^']+)'\)")
_TEXT = re.compile(r"""(['"])(.*)\1""", re.DOTALL)
_SHOWING = 1 << 25  # in the first word of the states
_PATIENCE = 60.0  # seconds until there is a window


class Place(NamedTuple):
    """Where something of a program is on the bus of screen readers."""

    name: str
    path: str


class Bus:
    """The bus on which programs say what they show."""

    def __init__(self) -> None:
        words = "--session -d org.a11y.Bus -o /org/a11y/bus -m org.a11y.Bus.GetAddress"
        found = _TEXT.search(_said(words.split()))
        assert found, "there is no bus for screen readers"
        self._address = found[2]

    def ask(self, place: Place, method: str, *arguments: str) -> str:
        """Return the answer to a question about a place, as text."""
        words = ("-d", place.name, "-o", place.path, "-m", method, *arguments)
        return _said(["--address", self._address, *words])

    def programs(self) -> list[Place]:
        """Return the programs that say something."""
        registry = Place("org.a11y.atspi.Registry", _ROOT)
        return self.below(registry)

    def below(self, place: Place) -> list[Place]:
        """Return what there is within a place."""
        return [Place(*found) for found in _REFERENCE.findall(self._children(place))]

    def _children(self, place: Place) -> str:
        return self.ask(place, f"{_ACCESSIBLE}.GetChildren")

    def told(self, place: Place) -> tuple[str, str]:
        """Return role and name of a place."""
        role = self.ask(place, f"{_ACCESSIBLE}.GetRoleName")
        name = self.ask(place, "org.freedesktop.DBus.Properties.Get", _ACCESSIBLE, "Name")
        return _unquoted(role), _unquoted(name)

    def is_shown(self, place: Place) -> bool:
        """Return whether a place can be seen."""
        states = re.findall(
            r"\d+", self.ask(place, f"{_ACCESSIBLE}.GetState").replace("uint32", "")
        )
        return bool(states) and bool(int(states[0]) & _SHOWING)

    def walk(self, place: Place) -> Iterator[tuple[str, str]]:
        """Yield role and name of all that is shown within a place."""
        for child in self.below(place):
            if self.is_shown(child):
                yield self.told(child)
                yield from self.walk(child)


def _said(words: list[str]) -> str:
    done = subprocess.run(["gdbus", "call", *words], capture_output=True, text=True, check=False)
    return done.stdout


def _unquoted(answer: str) -> str:
    found = _TEXT.search(answer)
    return found[2] if found else ""


def main() -> int:
    """Start the program, print what is shown of it, and end it."""
    own = {"QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "PYTHONPATH": str(ROOT)}
    environment = {**os.environ, **own}
    environment.pop("QT_QPA_PLATFORM", None)
    program = subprocess.Popen([sys.executable, "-m", "pe_explorer"], env=environment)
    try:
        bus, end = Bus(), time.monotonic() + _PATIENCE
        while not (windows := [each for one in bus.programs() for each in bus.below(one)]):
            assert time.monotonic() < end, "no window tells a screen reader of itself"
            time.sleep(0.2)
        time.sleep(1.0)  # until all of it is there
        for window in windows:
            print(json.dumps(bus.told(window)))
            for told in bus.walk(window):
                print(json.dumps(told))
    finally:
        program.terminate()
        program.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())

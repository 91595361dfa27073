"""`dbus-run-session -- python -m tests.xcb.screen_reader`: what a screen reader receives.

Starts the program, asks for its window over AT-SPI as a screen reader does, and prints a line of
JSON for all that is shown: role and name.
"""

import json
import os
import re
import subprocess
import sys
import time

from tests.support.processes import ROOT, comes_true

ACCESSIBLE = "org.a11y.atspi.Accessible"
REGISTRY = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
REFERENCE = re.compile(r"\('(:[\d.]+)', (?:objectpath )?'([^']+)'\)")
TEXT = re.compile(r"""(['"])(.*)\1""", re.DOTALL)
SHOWING = 1 << 25  # in the first word of the states


def gdbus(*words):
    return subprocess.run(
        ["gdbus", "call", *words], capture_output=True, text=True, check=False
    ).stdout


def text_in(answer):
    found = TEXT.search(answer)
    return found[2] if found else ""


class Bus:
    """The bus on which programs say what they show; a place has a name and a path."""

    def __init__(self):
        words = "--session -d org.a11y.Bus -o /org/a11y/bus -m org.a11y.Bus.GetAddress"
        self._address = text_in(gdbus(*words.split()))
        assert self._address, "there is no bus for screen readers"

    def ask(self, place, method, *arguments):
        name, path = place
        where = ("--address", self._address, "-d", name, "-o", path)
        return gdbus(*where, "-m", method, *arguments)

    def below(self, place):
        return REFERENCE.findall(self.ask(place, f"{ACCESSIBLE}.GetChildren"))

    def windows(self):
        return [window for program in self.below(REGISTRY) for window in self.below(program)]

    def walk(self, place):
        """Yield role and name of a place, and of all that is shown within it."""
        role = self.ask(place, f"{ACCESSIBLE}.GetRoleName")
        name = self.ask(place, "org.freedesktop.DBus.Properties.Get", ACCESSIBLE, "Name")
        yield text_in(role), text_in(name)
        for child in self.below(place):
            states = self.ask(child, f"{ACCESSIBLE}.GetState").replace("uint32", "")
            if int(re.search(r"\d+|$", states)[0] or 0) & SHOWING:
                yield from self.walk(child)


def main():
    own = {"QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "PYTHONPATH": str(ROOT)}
    environment = {**os.environ, **own}
    environment.pop("QT_QPA_PLATFORM", None)
    program = subprocess.Popen([sys.executable, "-m", "pe_explorer"], env=environment)
    try:
        bus = Bus()
        assert comes_true(bus.windows), "no window tells a screen reader of itself"
        time.sleep(1.0)  # until all of it is there
        for window in bus.windows():
            for node in bus.walk(window):
                print(json.dumps(node))
    finally:
        program.terminate()
        program.wait()


if __name__ == "__main__":
    main()

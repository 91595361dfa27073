"""The bar on the terminal of a command that takes long."""

import io
import sys
import time

from pe_explorer.commandline.render import TerminalProgress
from pe_explorer.progress import Part, report


class Terminal(io.StringIO):
    """Keeps what is written to it."""

    def isatty(self):
        return True


def test_a_phase_is_named_before_the_bar(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with TerminalProgress() as bar:
        later = time.monotonic() + 10.0  # what is sooner done shows no bar
        monkeypatch.setattr("time.monotonic", lambda: later)
        for phase in ("Finding neighbours", "Moving points", ""):
            report(Part(bar, 0.2, 0.5), 0.5, phase)
    shown = [line.strip() for line in terminal.getvalue().split("\r")]
    assert any(line.startswith("Finding neighbours:  45% |") for line in shown)
    assert any(line.startswith("Moving points:  45% |") for line in shown)
    assert any(line.startswith("45% |") for line in shown)

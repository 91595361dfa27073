"""The flag `--self-test`: the program tests itself and says what it found."""

from __future__ import annotations

import argparse
import os
import sys

from pe_explorer.commandline.qt import require_qt
from pe_explorer.commandline.streams import print_error
from pe_explorer.params import reason

_EXIT_FAILED = 1


def run(_: argparse.Namespace) -> int:
    """Test the program, print a report, and return 0, or 1 where anything lacks.

    It needs no display: where there is none, the window is drawn off the screen.
    """
    displays = ("DISPLAY", "WAYLAND_DISPLAY")
    if sys.platform.startswith("linux") and not any(os.environ.get(name) for name in displays):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    require_qt(window=True)
    try:
        from pe_explorer.app.run import run_self_test

        problems = run_self_test(_print_line)
    except ImportError as error:
        problems = [f"a part of the program is missing: {reason(error)}"]
    for problem in problems:
        print_error(f"pe-explorer --self-test: {problem}")
    if problems:
        return _EXIT_FAILED
    _print_line("self-test: passed")
    return 0


def _print_line(line: str) -> None:
    print(line, flush=True)

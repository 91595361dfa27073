"""Standard output and standard error, of which either may be closed, full or broken."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress

from pe_explorer.params import one_line

__all__ = ["drop_output", "make_streams_safe", "say"]


def make_streams_safe() -> None:
    """Let output go nowhere where it was closed; let no letter stop it that its terminal lacks."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream := getattr(sys, name), io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(line: str) -> None:
    """Write one line to standard error, whatever characters the arguments brought into it."""
    with suppress(OSError):  # nobody reads it
        print(one_line(line), file=sys.stderr, flush=True)


def drop_output() -> None:
    """Let what is still to be written to standard output go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

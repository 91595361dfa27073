"""Standard output and standard error: either may be closed, full or broken."""

import io
import os
import sys
from contextlib import suppress

from pe_explorer.params import one_line

EXIT_BAD_INPUT = 2


def make_streams_safe() -> None:
    """Discard output to a closed stream; escape characters that the terminal cannot show."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def print_error(line: str) -> None:
    """Write one line to standard error; characters that cannot be shown are escaped."""
    with suppress(OSError):  # nobody is reading
        print(one_line(line), file=sys.stderr, flush=True)


def drop_output() -> None:
    """Discard what has not been written to standard output yet."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())

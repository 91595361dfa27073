"""Standard input, output and error: each may be closed, full or broken."""

import errno
import io
import os
import sys
from contextlib import suppress
from typing import Any

from pe_explorer.params import one_line

EXIT_BAD_INPUT = 2


class _ClosedOutput(io.TextIOWrapper):
    """Stands in for a closed standard output: writing to it fails, as on a full disk."""

    def write(self, _text: str) -> int:
        raise OSError(errno.EBADF, "closed")


def make_streams_safe() -> None:
    """Escape characters that the terminal cannot show.

    What is printed on a closed standard output raises `OSError`; errors to a closed stream are
    discarded.
    """
    # The files take the numbers of the closed streams, or the next file would be written to.
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            kind = _ClosedOutput if name == "stdout" else io.TextIOWrapper
            setattr(sys, name, kind(open(os.devnull, "wb"), encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def discard_closed_output() -> None:
    """Let the window run without a standard output, as it does on many desktops."""
    if isinstance(sys.stdout, _ClosedOutput):
        sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8")


def load_config(argument: str) -> Any:
    """Return the `ConfigFile` in a file, a folder, or standard input for "-"."""
    from pe_explorer import configs  # most commands start without this folder

    if argument != "-":
        return configs.open_config(argument)
    if sys.stdin is None:
        raise configs.ConfigError("standard input", "is closed", "pass a config.json to it")
    return configs.open_config("standard input", sys.stdin.buffer)


def print_error(line: str) -> None:
    """Write one line to standard error; characters that cannot be shown are escaped."""
    with suppress(OSError):  # nobody is reading
        print(one_line(line), file=sys.stderr, flush=True)


def drop_output() -> None:
    """Discard what has not been written to standard output yet."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())

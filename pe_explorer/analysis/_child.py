"""A process that answers one question at a time, and can be ended at any moment.

A question is a line of JSON with bytes after it. What the process says is a line of JSON each,
``[kind, value]``; after the last, which is ``points``, follow as many bytes as its value says.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any, NamedTuple

_LONGEST = 1 << 16  # bytes of a line
_NO_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # on Windows a process may open one

BROKEN, FAILED, MEMORY, POINTS = "broken", "failed", "memory", "points"
"""What a process says last."""

ENDED, GARBLED = "ended", "garbled"
"""What is said in the place of a process that has ended, or that says what cannot be read."""

_USELESS = (BROKEN, MEMORY, ENDED, GARBLED)  # the process, once this is said
LAST = (POINTS, FAILED, *_USELESS)


class Said(NamedTuple):
    """What a process says: for points their bytes, and the return code of one that has ended."""

    kind: str
    value: Any


class Child:
    """A process that was started for questions; it ends when the program does.

    Raises
    ------
    OSError
        If it cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=_NO_WINDOW,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input: IO[bytes] = self._process.stdin
        self._output: IO[bytes] = self._process.stdout
        self._thread: threading.Thread | None = None

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked."""
        return self._process.poll() is None

    @property
    def number(self) -> int:
        """The number by which the system knows the process."""
        return self._process.pid

    def ask(
        self, question: Mapping[str, Any], data: bytes, size: int, hear: Callable[[Said], None]
    ) -> None:
        """Ask what has an answer of `size` bytes; `hear` gets what is said, in a thread.

        There is always a last word, one of `LAST`. The process is ended where it can be of no more
        use.
        """
        talk = (question, data, size, hear)
        self._thread = threading.Thread(target=self._talk, args=talk, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the process now, whatever it is doing, and give back what it needed."""
        self._process.kill()
        self._process.wait()
        if self._thread:
            self._thread.join()
        for pipe in (self._input, self._output):
            with contextlib.suppress(OSError):  # what was not written yet is of no use
                pipe.close()

    def _talk(
        self, question: Mapping[str, Any], data: bytes, size: int, hear: Callable[[Said], None]
    ) -> None:
        """Write a question, and pass on what is answered to it, up to the last."""
        said = Said("", None)
        try:
            self._input.write(json.dumps(question).encode() + b"\n")
            self._input.write(data)
            self._input.flush()
            while said.kind not in LAST:
                said = self._read(size)
                if said.kind in _USELESS:
                    self._process.kill()
                    self._process.wait()
                hear(said)
        except OSError:
            hear(Said(ENDED, self._process.wait()))

    def _read(self, size: int) -> Said:
        """Return what the process says next."""
        line = self._output.readline(_LONGEST)
        if not line:
            return Said(ENDED, self._process.wait())
        try:
            kind, value = json.loads(line)
        except (ValueError, TypeError, RecursionError):
            return Said(GARBLED, line)
        if kind != POINTS:
            return Said(str(kind), value)
        points = self._output.read(size) if value == size else b""
        return Said(POINTS if len(points) == size else GARBLED, points)

"""The progress of a command that draws, as a bar on the terminal."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from pe_explorer.commandline import interrupts
from pe_explorer.progress import Progress

if TYPE_CHECKING:
    from tqdm import tqdm


_DELAY = 1.0  # seconds of work before the bar appears
_BAR_FORMAT = "{desc}{percentage:3.0f}% |{bar}| {elapsed}"


class TerminalProgress(Progress):
    """Shows the progress of a file; signals are ignored once it is only to be put in place."""

    def __init__(self) -> None:
        super().__init__()
        self._start = time.monotonic()
        self._bar: tqdm[None] | None = None

    def __enter__(self) -> TerminalProgress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def report(self, share: float, phase: str = "") -> None:
        """Take note of how much is done, from 0 to 1, and show it."""
        is_new = phase != self.phase
        super().report(share, phase)
        if share == 1.0:
            interrupts.ignore()
        if self._bar is None:
            if time.monotonic() - self._start < _DELAY:
                return
            from tqdm import tqdm  # only here: most commands end before it is needed

            self._bar = tqdm(total=1.0, disable=None, leave=False, bar_format=_BAR_FORMAT)
        self._bar.set_description(phase, refresh=False)
        self._bar.update(share - self._bar.n)
        if is_new:  # or a phase in which the share stands still would not be seen
            self._bar.refresh()

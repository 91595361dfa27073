"""A picture that is to be computed, as plain values for any thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pe_explorer.exploration import Exploration
from pe_explorer.views._cost import Size

__all__ = ["Key", "Wanted"]


Key = tuple[tuple[Any, ...], Size]
"""What a picture is made of, and for which area."""


@dataclass(frozen=True)
class Wanted:
    """A picture that is to be computed: of what, for which area, at what cost, and how."""

    state: Exploration
    key: Key
    cost: float
    compute: Callable[[Exploration, Size, threading.Event], Any]

    def __call__(self, cancelled: threading.Event) -> Any:
        """Compute it, in any thread."""
        return self.compute(self.state, self.key[1], cancelled)

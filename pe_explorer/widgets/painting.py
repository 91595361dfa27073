"""Keeps errors within the functions that paint: one that leaves them can end the process."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

P = ParamSpec("P")


def guarded(paint: Callable[P, None]) -> Callable[P, None]:
    """Return a painting function whose errors are logged, and go no further."""

    @wraps(paint)
    def paint_or_log(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            paint(*args, **kwargs)
        except Exception:
            logging.getLogger(paint.__module__).exception("%s failed", paint.__qualname__)

    return paint_or_log

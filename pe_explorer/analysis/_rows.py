"""Checks of the rows that a projection is asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pe_explorer.encodings import EncodingError
from pe_explorer.params import reason

__all__ = ["checked_rows"]


def checked_rows(rows: Any) -> npt.NDArray[np.float64]:
    """Return rows as float64, or raise `EncodingError` with what is wrong with them."""
    try:
        given = np.asarray(rows, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise EncodingError("rows", f"cannot be read as numbers ({reason(error)})") from None
    if given.ndim != 2:
        raise EncodingError("rows", f"have the shape {given.shape}; it must be (n, columns)")
    if not np.isfinite(given).all():
        problem = "hold numbers that are not finite, which have no place in a projection"
        raise EncodingError("rows", problem, "choose rows without them")
    return given

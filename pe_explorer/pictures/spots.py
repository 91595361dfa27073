"""Where a place that words name is in a figure: a row, a pair or a cell as a point of a panel."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Spot", "Where"]


class Where(NamedTuple):
    """A place that words name, in numbers of the exploration; None for what it does not name.

    Attributes
    ----------
    view : str
        The view in which it is.
    position, dimension, pair : int or None
        A row, a column, a pair of columns.
    other : int or None
        A second position, where two are compared.
    row, column : int or None
        A cell of the matrix of a shift.
    value : float or None
        The height in a curve, where it is not that of the curve itself.
    encoding : int
        Which of several curves: 0 for the current encoding's, 1 for the first pin's.
    """

    view: str
    position: float | None = None
    dimension: int | None = None
    pair: int | None = None
    other: int | None = None
    row: int | None = None
    column: int | None = None
    value: float | None = None
    encoding: int = 0


class Spot(NamedTuple):
    """A point of a figure.

    Attributes
    ----------
    panel : str
        The name of the panel; ``clocks`` for a page of clocks.
    x, y : float
        Where it is, in the units of the panel's axes, counted from their origins; on a page of
        clocks in logical pixels, from its left upper corner.
    """

    panel: str
    x: float
    y: float

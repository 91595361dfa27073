"""A table of numbers as pixels with their colours."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.arrays import Floats
from pe_explorer.pictures.figure import Cells, Rectangle
from pe_explorer.pictures.pixels import colour_indices


class PixelImage(NamedTuple):
    """Pixels and their colours.

    Attributes
    ----------
    values : (rows, columns) float64
        What each pixel shows, nan for none.
    indices : (rows, columns) uint8
        Their colours.
    limits : (float, float)
        The values at the two ends of the colour map.
    """

    values: Floats
    indices: npt.NDArray[np.uint8]
    limits: tuple[float, float]

    def cells(
        self, width: int, height: int, colours: str, title: str, *, numbered: bool = False
    ) -> Cells:
        """Return the cells of a panel that cover so many columns and rows."""
        place = Rectangle(-0.5, -0.5, width, height)
        values, indices, limits = self
        return Cells(values, indices, place, colours, limits, title, numbered=numbered)


def coloured(values: Floats, limits: tuple[float, float]) -> PixelImage:
    """Return numbers with the colours that they have between two limits."""
    return PixelImage(values, colour_indices(values, limits), limits)

"""What can be chosen in the view of distances: which part, and the colours of the matrix."""

from __future__ import annotations

from collections.abc import Mapping

from pe_explorer.analysis.comparison import SHOW
from pe_explorer.colours.maps import VALUE_MAPS
from pe_explorer.params import Choice, declare
from pe_explorer.pictures.picture import Options
from pe_explorer.values import frozen

_PARTS = {
    "both": "the curve beside the matrix, or above it where there is more height than width",
    "curve": "the distances from the reference alone",
    "matrix": "the distances between all positions alone",
    "histogram": "how the distances of all pairs of positions are spread",
}


@frozen
class DistancesOptions(Options):
    """What is shown of the distances, and in which colours."""

    part: str = declare(
        Choice("both", _PARTS, label="Part", help="What is shown of the distances.")
    )
    show: str = declare(SHOW)
    values: str = declare(
        Choice("viridis", VALUE_MAPS, label="Colours", help="Colour map of the matrix.")
    )

    @property
    def without_effect(self) -> Mapping[str, str]:
        """The colours of the matrix, and of which encoding it is, where that is not shown."""
        if self.shows_matrix:
            return {}
        curves = "the curves of all encodings are drawn together"
        return {"values": "the matrix is not shown", "show": curves}

    @property
    def shows_curve(self) -> bool:
        """Whether the distances from the reference are shown."""
        return self.part in ("both", "curve")

    @property
    def shows_matrix(self) -> bool:
        """Whether the distances between all positions are shown."""
        return self.part in ("both", "matrix")

    @property
    def shows_histogram(self) -> bool:
        """Whether it is shown how the distances of all pairs are spread."""
        return self.part == "histogram"

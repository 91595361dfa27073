"""The options of the distances: part shown, second metric and colours of the matrix."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pe_explorer.analysis.comparison import SHOW
from pe_explorer.analysis.distance import SECOND_METRIC
from pe_explorer.colours.maps import VALUE_MAPS
from pe_explorer.params import Choice, declare
from pe_explorer.pictures.picture import PANEL_SHARE, Options

_PARTS = {
    "both": "the curve and the matrix",
    "curve": "only the distances from the reference",
    "matrix": "only the distances between all positions",
    "histogram": "the distribution of the distances between all positions",
}


@dataclass(frozen=True)
class DistancesOptions(Options):
    """Options for the part shown, a second metric and the colours."""

    part: str = declare(Choice("both", _PARTS, label="Part", help="Which distances are shown."))
    show: str = declare(SHOW)
    below: str = declare(SECOND_METRIC)
    values: str = declare(
        Choice("viridis", VALUE_MAPS, label="Colours", help="Colour map of the matrix.")
    )
    share: float | None = declare(PANEL_SHARE)

    @property
    def ineffective_parameters(self) -> Mapping[str, str]:
        reasons = {} if self.part == "both" else {"share": "only one part is shown"}
        if not self.has_curve:
            reasons["below"] = "the curve is not shown"
        if not self.has_matrix:
            reasons["values"] = "the matrix is not shown"
            reasons["show"] = "the curves of all encodings are drawn together"
        return reasons

    @property
    def compared_options(self) -> Options | None:
        """The options for the matrix, or None if it is not shown."""
        return replace(self, part="matrix") if self.has_matrix else None

    @property
    def common_options(self) -> Options | None:
        """The options for the curves, which always show all encodings; None without curves."""
        return replace(self, part="curve") if self.has_curve else None

    @property
    def second_metric(self) -> str:
        """The metric of the second curve, or an empty string if no second metric is shown."""
        return self.below if self.has_curve and self.below != SECOND_METRIC.default else ""

    @property
    def has_curve(self) -> bool:
        return self.part in ("both", "curve")

    @property
    def has_matrix(self) -> bool:
        return self.part in ("both", "matrix")

    @property
    def has_histogram(self) -> bool:
        return self.part == "histogram"

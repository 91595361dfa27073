"""The options of the heatmap: quantity, columns and colours."""

from collections.abc import Mapping
from dataclasses import dataclass

from pe_explorer.analysis import precision
from pe_explorer.analysis.windows import SECOND_START
from pe_explorer.colours.maps import ANGLE_MAPS, VALUE_MAPS
from pe_explorer.params import Choice, Flag, declare
from pe_explorer.pictures._columns import COLUMN_COUNT, FIRST_COLUMN
from pe_explorer.pictures.picture import PANEL_SHARE, Options

_QUANTITY_CHOICES = {
    "value": "the encoding's values",
    "angle": "the angle of each column's wave, 0° to 360°",
    "error": "the result of usual code in a floating-point type minus the exact value",
}
_PIXEL_CHOICES = {
    "mean": "the exact mean of all values in the pixel",
    "sample": "only the first position in the pixel, which causes aliasing",
}
_PIXEL_HELP = "How positions are combined when several share a pixel."
_PAIR_HELP = "Show one column of angles per pair instead of two."
_UPWARD_HELP = "Put the first position at the bottom."


@dataclass(frozen=True)
class HeatmapOptions(Options):
    """Options for the quantity, the columns and the colours."""

    quantity: str = declare(
        Choice("value", _QUANTITY_CHOICES, label="Show", help="What the colours show.")
    )
    rounded_to: str = declare(precision.DTYPE)
    cast: str = declare(precision.CAST)
    pixel: str = declare(Choice("mean", _PIXEL_CHOICES, label="Pixel", help=_PIXEL_HELP))
    values: str = declare(
        Choice("soft", VALUE_MAPS, label="Colours", help="Colour map for values.")
    )
    angles: str = declare(
        Choice("hues", ANGLE_MAPS, label="Angle colours", help="Colour map for angles.")
    )
    pairs: bool = declare(Flag(False, label="Pair columns", help=_PAIR_HELP))
    first: int = declare(FIRST_COLUMN)
    dimensions: int = declare(COLUMN_COUNT)
    upward: bool = declare(Flag(False, label="Upward", help=_UPWARD_HELP))
    second: int | None = declare(SECOND_START)
    share: float | None = declare(PANEL_SHARE)

    @property
    def ineffective_parameters(self) -> Mapping[str, str]:
        if self.shows_errors:
            pixel_reason = "a pixel shows the error of its first position"
            reasons = {"angles": "the colours show errors", "pixel": pixel_reason}
        else:
            reasons = dict.fromkeys(("rounded_to", "cast"), "the colours do not show errors")
            if self.shows_angles:
                return {"values": "the colours show angles", **reasons}
            reasons["angles"] = "the colours show values"
        return {"pairs": "only angles have one column per pair", **reasons}

    @property
    def shows_angles(self) -> bool:
        return self.quantity == "angle"

    @property
    def by_pairs(self) -> bool:
        """Whether each heatmap column shows the angle of a pair instead of a dimension."""
        return self.pairs and self.shows_angles

    @property
    def shows_errors(self) -> bool:
        return self.quantity == "error"

    @property
    def quantity_title(self) -> str:
        """The name of the values that the colours show, such as ``float32 error``."""
        if not self.shows_errors:
            return self.quantity
        title = f"{self.rounded_to} error"
        return title if self.cast == precision.CAST.default else f"{title} ({self.cast})"

    @property
    def rounding(self) -> dict[str, str]:
        """The arguments of `precision.error`."""
        return {"dtype": self.rounded_to, "cast": self.cast}

    @property
    def is_float32_code(self) -> bool:
        """Whether the errors are those of float32 code without a cast to another type."""
        return self.rounded_to == precision.DTYPE.default and self.cast != "once"

    @property
    def averages(self) -> bool:
        """Whether a pixel shows the mean over its positions."""
        # The mean of the errors has no closed form.
        return self.pixel == "mean" and not self.shows_errors

    @property
    def should_average_columns(self) -> bool:
        """Whether a pixel shows the mean over its dimensions."""
        return self.averages and not self.shows_angles  # a mean of angles would be meaningless

"""A trial view: the values of one column as a curve, with three options."""

import threading
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.params import Choice, Flag, Real, declare
from pe_explorer.pictures.figure import (
    Curve,
    Figure,
    Level,
    Panel,
    PanelAxis,
    PanelPlace,
    whole_numbers,
)
from pe_explorer.pictures.inspection import Inspection, inspection_of
from pe_explorer.pictures.picture import Options, Picture
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.shown_positions import place_of_position

_QUANTITIES = {"value": "the values of the column", "change": "how much each value changes"}


@dataclass(frozen=True)
class TrialOptions(Options):
    """What is shown of the column, whether without its sign, and what is marked."""

    quantity: str = declare(Choice("value", _QUANTITIES, label="Quantity", help="What is shown."))
    absolute: bool = declare(Flag(False, label="Absolute", help="Show numbers without a sign."))
    limit: float = declare(Real(0.5, -1e6, 1e6, label="Limit", help="The number to mark."))


class TrialNumbers(NamedTuple):
    """The numbers of one column, and the limit for them."""

    values: Floats
    limit: float

    @property
    def above(self) -> int:
        """How many numbers are above the limit."""
        return int((self.values > self.limit).sum())

    @property
    def greatest(self) -> float:
        """The greatest number."""
        return float(self.values.max())


class Trial(Picture[TrialOptions, TrialNumbers]):
    """The values of the cursor's column as a curve over the positions."""

    name: ClassVar[str] = "trial"
    title: ClassVar[str] = "Trial"
    group: ClassVar[str] = "look"
    rank: ClassVar[int] = 99
    help: ClassVar[str] = "The values of one column as a curve."
    fields: ClassVar[frozenset[str]] = Picture.fields | {"dimension"}

    def cost(self, size: Size) -> float:
        return float(self.state.count)

    def numbers(self, size: Size, progress: threading.Event) -> TrialNumbers:
        column = self.encoding.table(self.state.positions)[:, self.state.dimension]
        values = np.diff(column, prepend=column[0]) if self.options.quantity == "change" else column
        return TrialNumbers(np.abs(values) if self.options.absolute else values, self.options.limit)

    def figure(self, numbers: TrialNumbers) -> Figure:
        (panel,) = self.frame().panels
        x = np.arange(len(numbers.values), dtype=np.float64)
        curve, level = (
            Curve(self.options.quantity, x, numbers.values),
            Level(numbers.limit, "limit"),
        )
        low, high = min(numbers.values.min(), level.y), max(numbers.greatest, level.y)
        panel = panel._replace(
            y=panel.y.reaching(float(low), float(high), 0.1), curves=(curve,), levels=(level,)
        )
        return Figure((panel,), status=self.telling(numbers).text("status"))

    def frame(self) -> Figure:
        y = PanelAxis(self.options.quantity, -1.0, 1.0)
        x = whole_numbers(self.encoding.rows.name, self.state.start, self.state.count)
        return Figure((Panel("curve", x, y),))

    def cursor_places(self) -> dict[str, PanelPlace]:
        return {"curve": (place_of_position(self.state, self.state.position), None)}

    def inspect(self, progress: threading.Event) -> Inspection:
        return inspection_of(self.telling(self.numbers(Size(1, 1), progress)))

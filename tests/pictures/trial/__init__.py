"""A trial view: the values of one column as a curve, with three options."""

import threading
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.params import Choice, Flag, Real, declare
from pe_explorer.pictures.figure import Curve, Figure, Panel, PanelAxis, make_whole_axis
from pe_explorer.pictures.inspection import Inspection, make_inspection
from pe_explorer.pictures.picture import Options, Picture
from pe_explorer.pictures.pixels import Size

_QUANTITIES = {"value": "the values of the column", "change": "how much each value changes"}


@dataclass(frozen=True)
class TrialOptions(Options):
    quantity: str = declare(Choice("value", _QUANTITIES, label="Quantity", help="What is shown."))
    absolute: bool = declare(Flag(False, label="Absolute", help="Show numbers without a sign."))
    limit: float = declare(Real(0.5, -1e6, 1e6, label="Limit", help="What is counted above it."))


class TrialNumbers(NamedTuple):
    values: Floats
    above: int
    limit: float


class Trial(Picture[TrialOptions, TrialNumbers]):
    name: ClassVar[str] = "trial"
    title: ClassVar[str] = "Trial"
    group: ClassVar[str] = "look"
    rank: ClassVar[int] = 99
    help: ClassVar[str] = "The values of one column as a curve."
    fields: ClassVar[frozenset[str]] = Picture.fields | {"dimension"}

    def cost(self, size: Size) -> float:
        return float(self.state.count)

    def numbers(self, size: Size, progress: threading.Event) -> TrialNumbers:
        values = self.encoding.table(self.state.positions)[:, self.state.dimension]
        values = np.diff(values, prepend=values[0]) if self.options.quantity == "change" else values
        values, limit = np.abs(values) if self.options.absolute else values, self.options.limit
        return TrialNumbers(values, int((values > limit).sum()), limit)

    def figure(self, numbers: TrialNumbers) -> Figure:
        (panel,) = self.frame().panels
        values = numbers.values
        curve = Curve(self.options.quantity, np.arange(float(len(values))), values)
        y = panel.y.with_ends(float(values.min()), float(values.max()), 0.1)
        status = self.wording(numbers).text("status")
        return Figure((panel._replace(y=y, curves=(curve,)),), status=status)

    def frame(self) -> Figure:
        x = make_whole_axis(self.encoding.rows.name, self.state.start, self.state.count)
        return Figure((Panel("curve", x, PanelAxis(self.options.quantity, -1.0, 1.0)),))

    def inspect(self, progress: threading.Event) -> Inspection:
        return make_inspection(self.wording(self.numbers(Size(1, 1), progress)))

"""Where on a page the numbers of a panel lie."""

from typing import NamedTuple

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.pictures.figure import Panel, Rectangle
from pe_explorer.pictures.places import Number


class Axes(NamedTuple):
    """A panel and the area of the page, in points, that its axes enclose."""

    panel: Panel
    area: Rectangle

    def across(self, x: Number) -> Number:
        """Return how far to the right on the page a number of the lower axis lies."""
        part = self.panel.x.part(x)
        return self.area.left + part * self.area.width

    def down(self, y: Number) -> Number:
        """Return how far down on the page a number of the upright axis lies."""
        part = self.panel.y.part(y)
        if not self.panel.y.down:
            part = 1.0 - part
        return self.area.top + part * self.area.height

    def numbers(self, right: float, down: float) -> tuple[float, float]:
        """Return the numbers of both axes at a place, given as parts of the area."""
        up = down if self.panel.y.down else 1.0 - down
        x, y = self.panel.x, self.panel.y
        return x.low + right * x.length, y.low + up * y.length

    def upright(self, x: Number) -> Floats:
        """Return the ends of a line across the area from top to bottom."""
        place = self.across(x)
        return np.array([(place, self.area.top), (place, self.area.bottom)])

    def level(self, y: Number) -> Floats:
        """Return the ends of a line across the area from left to right."""
        place = self.down(y)
        return np.array([(self.area.left, place), (self.area.right, place)])

    def place(self, part: Rectangle) -> Rectangle:
        """Return where on the page a part of the panel lies."""
        left = self.across(part.left)
        width = self.across(part.right) - left
        top, bottom = sorted((self.down(part.top), self.down(part.bottom)))
        return Rectangle(left, top, width, bottom - top)

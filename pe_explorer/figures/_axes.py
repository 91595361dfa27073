"""Convert coordinates of a panel to coordinates on a page."""

from typing import NamedTuple

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.pictures.figure import Panel, Rectangle
from pe_explorer.pictures.places import Number


class Axes(NamedTuple):
    """A panel and the rectangle enclosed by its axes, in points on the page."""

    panel: Panel
    area: Rectangle

    def across(self, x: Number) -> Number:
        """Return the horizontal place on the page, in points, of a coordinate on the x axis."""
        part = self.panel.x.part(x)
        return self.area.left + part * self.area.width

    def down(self, y: Number) -> Number:
        """Return the vertical place on the page, in points, of a coordinate on the y axis."""
        part = self.panel.y.part(y)
        if not self.panel.y.down:
            part = 1.0 - part
        return self.area.top + part * self.area.height

    def numbers(self, right: float, down: float) -> tuple[float, float]:
        """Return the coordinates on both axes at fractions of the area."""
        up = down if self.panel.y.down else 1.0 - down
        x, y = self.panel.x, self.panel.y
        return x.low + right * x.length, y.low + up * y.length

    def upright(self, x: Number) -> Floats:
        """Return the ends of a vertical line through the area."""
        place = self.across(x)
        return np.array([(place, self.area.top), (place, self.area.bottom)])

    def level(self, y: Number) -> Floats:
        """Return the ends of a horizontal line through the area."""
        place = self.down(y)
        return np.array([(self.area.left, place), (self.area.right, place)])

    def place(self, part: Rectangle) -> Rectangle:
        """Convert a rectangle of the panel to a rectangle on the page."""
        left = self.across(part.left)
        width = self.across(part.right) - left
        top, bottom = sorted((self.down(part.top), self.down(part.bottom)))
        return Rectangle(left, top, width, bottom - top)

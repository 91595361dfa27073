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

    def to_page_x(self, x: Number) -> Number:
        """Convert an x coordinate of the panel to points on the page."""
        return self.area.left + self.panel.x.part(x) * self.area.width

    def to_page_y(self, y: Number) -> Number:
        """Convert a y coordinate of the panel to points on the page."""
        part = self.panel.y.part(y)
        if not self.panel.y.is_downward:
            part = 1.0 - part
        return self.area.top + part * self.area.height

    def find_coordinates(self, right: float, down: float) -> tuple[float, float]:
        """Convert a point, given as fractions of the area, to coordinates of the panel."""
        up = down if self.panel.y.is_downward else 1.0 - down
        x, y = self.panel.x, self.panel.y
        return x.low + right * x.length, y.low + up * y.length

    def make_vertical_line(self, x: Number) -> Floats:
        """Return the ends of a vertical line across the area, in points on the page."""
        page_x = self.to_page_x(x)
        return np.array([(page_x, self.area.top), (page_x, self.area.bottom)])

    def make_horizontal_line(self, y: Number) -> Floats:
        """Return the ends of a horizontal line across the area, in points on the page."""
        page_y = self.to_page_y(y)
        return np.array([(self.area.left, page_y), (self.area.right, page_y)])

    def to_page_rectangle(self, rectangle: Rectangle) -> Rectangle:
        """Convert a rectangle of the panel to points on the page."""
        left = self.to_page_x(rectangle.left)
        width = self.to_page_x(rectangle.right) - left
        top, bottom = sorted((self.to_page_y(rectangle.top), self.to_page_y(rectangle.bottom)))
        return Rectangle(left, top, width, bottom - top)

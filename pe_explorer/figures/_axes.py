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

    def x_on_page(self, x: Number) -> Number:
        """Convert an x coordinate of the panel to points on the page."""
        return self.area.left + self.panel.x.part(x) * self.area.width

    def y_on_page(self, y: Number) -> Number:
        """Convert a y coordinate of the panel to points on the page."""
        part = self.panel.y.part(y)
        if not self.panel.y.points_down:
            part = 1.0 - part
        return self.area.top + part * self.area.height

    def coordinates_at(self, right: float, down: float) -> tuple[float, float]:
        """Convert a point, given as fractions of the area, to coordinates of the panel."""
        up = down if self.panel.y.points_down else 1.0 - down
        x, y = self.panel.x, self.panel.y
        return x.low + right * x.length, y.low + up * y.length

    def vertical_line(self, x: Number) -> Floats:
        """Return the ends of a vertical line across the area, in points on the page."""
        page_x = self.x_on_page(x)
        return np.array([(page_x, self.area.top), (page_x, self.area.bottom)])

    def horizontal_line(self, y: Number) -> Floats:
        """Return the ends of a horizontal line across the area, in points on the page."""
        page_y = self.y_on_page(y)
        return np.array([(self.area.left, page_y), (self.area.right, page_y)])

    def page_rectangle(self, rectangle: Rectangle) -> Rectangle:
        """Convert a rectangle of the panel to points on the page."""
        left = self.x_on_page(rectangle.left)
        width = self.x_on_page(rectangle.right) - left
        top, bottom = sorted((self.y_on_page(rectangle.top), self.y_on_page(rectangle.bottom)))
        return Rectangle(left, top, width, bottom - top)

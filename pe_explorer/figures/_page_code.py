"""A page as statements of matplotlib: texts, rectangles, legends, colour bars, titles of axes.

Places are parts of the figure's width and height, from its lower left corner, as matplotlib has
them.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from pe_explorer.colours.dashes import Dashes
from pe_explorer.colours.maps import ORDER_MAP, TOO_DARK
from pe_explorer.colours.themes import DARK
from pe_explorer.figures._bar import Bar, draw_bar
from pe_explorer.figures._code_text import AxisCode, Name, call, matplotlib_text
from pe_explorer.figures._legend import PlacedLegend, draw_legend
from pe_explorer.figures._look import GAP, Look
from pe_explorer.figures._ticks import Ticks
from pe_explorer.figures.page import Circle, Item, PageText, Polyline
from pe_explorer.pictures.figure import Curve, Rectangle, whole_numbers

_ANCHORS = {"start": "left", "middle": "center", "end": "right"}
_ABOVE_LINES = 3  # the `zorder` of points
_Counted = tuple[str, int, int]
_Kind = TypeVar("_Kind", bound=Item)


def of_kind(items: Iterable[Item], kind: type[_Kind]) -> list[_Kind]:
    """Return the items of a kind."""
    return [item for item in items if isinstance(item, kind)]


class PageCode(NamedTuple):
    """Writes what stands on a page of so many points."""

    width: float
    height: float
    look: Look

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return a point of the page as parts of the figure, to thousandths of a point."""
        return round(float(x / self.width), 5), round(float(1 - y / self.height), 5)

    def box(self, place: Rectangle) -> tuple[float, ...]:
        """Return a place of the page: its lower left corner, width and height."""
        sides = self.at(place.width, self.height - place.height)
        return *self.at(place.left, place.bottom), *sides

    def items(self, items: Iterable[Item]) -> Iterator[str]:
        """Yield what draws rectangles, and texts over them."""
        items = list(items)
        yield from map(self.rectangle, of_kind(items, Polyline))
        for text in of_kind(items, PageText):
            look = {"ha": _ANCHORS[text.anchor], "size": text.size, "color": text.colour}
            look["weight"] = "bold" if text.bold else "normal"
            usual = "left", self.look.size, self.look.colours.text, "normal"
            pairs = zip(look.items(), usual, strict=True)
            unusual = {name: value for (name, value), other in pairs if value != other}
            yield call(
                "figure.text", *self.at(text.x, text.y), matplotlib_text(text.text), **unusual
            )

    def rectangle(self, line: Polyline, **look: float | str) -> str:
        """Return what draws the rectangle that a line goes around."""
        (left, top), (right, bottom) = line.points.min(axis=0), line.points.max(axis=0)
        x, y, *sides = self.box(Rectangle(left, top, right - left, bottom - top))
        colours = {"facecolor": line.fill or "none", "edgecolor": line.colour or "none"}
        width = round(line.width, 3)
        patch = call("Rectangle", (x, y), *sides, **colours, linewidth=width, **look)
        return f"figure.add_artist({patch})"

    def legend(self, legend: PlacedLegend) -> Iterator[str]:
        """Yield what draws a legend."""
        items = list(draw_legend(legend, self.look))
        lines = of_kind(items, Polyline)
        yield from self.items([line for line in lines if line.rule])
        for line in lines:
            if line.clip:  # the hatching that stands for a place
                yield self.rectangle(self.look.border(line.clip, line.colour), hatch="///")
        strokes = (line.points for line in lines if not (line.rule or line.fill or line.clip))
        stroked = () if legend.at_ends else legend.names
        names = (name for name in stroked if name.curve.visible)
        for ends, name in zip(strokes, names, strict=True):
            (left, y), (right, _) = ends
            _, height = self.at(left, y)
            across = self.at(left, y)[0], self.at(right, y)[0]
            look = self.curve_look(name.curve, name.dashes)
            stroke = call("Line2D", across, 2 * (height,), **look)
            yield f"figure.add_artist({stroke})"
        yield from self.items(of_kind(items, PageText))

    def curve_look(self, curve: Curve, dashes: Dashes) -> dict[str, Any]:
        """Return how a curve looks."""
        look: dict[str, Any] = {"color": self.look.shade(curve.colour)}
        if dashes:
            look["linestyle"] = 0, tuple(round(length, 3) for length in dashes)
        return look

    # -- points in their order -----------------------------------------------------------------

    def order_colours(self) -> str:
        """Return what makes the colours of points in their order."""
        if self.look.colours is not DARK:
            return f"colours = {ORDER_MAP!r}"
        return f"colours = ListedColormap(colormaps[{ORDER_MAP!r}].colors[{TOO_DARK}:])"

    def order_look(self, counted: _Counted) -> dict[str, Any]:
        """Return the colours from the first number that is counted to the last."""
        axis, (*_, count) = AxisCode(whole_numbers(*counted)), counted
        return {"cmap": Name("colours"), "clim": (axis.at(0), axis.at(count - 1))}

    def dots(self, x: str, y: str, radius: float, counted: _Counted) -> str:
        """Return what draws discs in the colours of `order`."""
        look = {
            "c": Name("order"),
            "linewidths": 0,
            "zorder": _ABOVE_LINES,
            **self.order_look(counted),
        }
        return call("ax.scatter", Name(x), Name(y), s=_area(radius), **look)

    def dot(self, x: float, y: float, dot: Circle) -> str:
        """Return what draws a disc of one colour."""
        look = {"color": dot.fill, "linewidths": 0, "zorder": _ABOVE_LINES}
        return call("ax.scatter", x, y, s=_area(dot.radius), **look)

    def ring(self, x: str, y: str, ring: Circle) -> str:
        """Return what draws a ring."""
        look = {"facecolors": "none", "edgecolors": ring.colour, "linewidths": round(ring.width, 3)}
        return call(
            "ax.scatter", Name(x), Name(y), s=_area(ring.radius), zorder=_ABOVE_LINES, **look
        )

    # -- axes ----------------------------------------------------------------------------------

    def ticks(self, ticks: Ticks) -> tuple[list[float], list[str]]:
        """Return where numbers stand beside an axis, and how they are written."""
        return [*map(AxisCode(ticks.axis).at, ticks.places)], [*map(matplotlib_text, ticks.texts)]

    def title(self, axes: str, side: str, ticks: Ticks, items: Iterable[Item]) -> Iterator[str]:
        """Yield what writes a title: among the texts of a side, those behind its numbers."""
        lines = of_kind(items, PageText)[len(ticks.places) :]
        lines.sort(key=lambda text: text.x if text.upward else text.y)
        if lines:
            label = "\n".join(matplotlib_text(line.text) for line in lines)
            place = self.at(lines[-1].x, lines[-1].y)
            yield call(f"{axes}.set_{side}label", label, va="baseline")
            on_page = Name("figure.transFigure")
            yield call(f"{axes}.{side}axis.set_label_coords", *place, transform=on_page)

    def bar(self, bar: Bar, shown: str) -> Iterator[str]:
        """Yield what draws the colour bar of something shown."""
        places, texts = self.ticks(bar.ticks)
        yield call("strip = figure.add_axes", self.box(bar.strip))
        if bar.horizontal:
            above = {"orientation": "horizontal", "ticklocation": "top"}
            yield call("bar = figure.colorbar", Name(shown), cax=Name("strip"), **above)
            yield call("bar.set_ticks", places, labels=texts, va="baseline")
            yield call("strip.tick_params", pad=round(GAP * self.look.size, 3))
        else:
            yield call("bar = figure.colorbar", Name(shown), cax=Name("strip"))
            yield call("bar.set_ticks", places, labels=texts)
        side = "x" if bar.horizontal else "y"
        yield from self.title("strip", side, bar.ticks, draw_bar(bar, self.look))

    def bar_of_order(self, bar: Bar) -> Iterator[str]:
        """Yield what draws the colour bar of points: it reaches half a number beyond them."""
        axis = AxisCode(bar.axis)
        yield "scale = ScalarMappable(cmap=colours)"
        yield call("scale.set_clim", axis.at(bar.axis.low), axis.at(bar.axis.high))
        yield from self.bar(bar, "scale")


def _area(radius: float) -> float:
    """Return what matplotlib calls the size of a disc."""
    return round((2 * radius) ** 2, 3)

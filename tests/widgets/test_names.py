"""Names in a plot: at the ends of curves or in a legend, on a badge, above the plot."""

from itertools import product

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF

from pe_explorer.colours.themes import DARK as SHADES
from pe_explorer.widgets.axes import RangeAxis, ValueAxis
from pe_explorer.widgets.fonts import scaled_font
from pe_explorer.widgets.legend import Legend, Named
from pe_explorer.widgets.plot import RangePlot
from pe_explorer.widgets.theme import palette_of
from tests.support.gestures import settle

RED, GREEN = "#ff0000", "#00ff00"
X = np.linspace(0.0, 1.0, 401)
SHADED, HATCHED = (Named((f"{area} places",), "", (), area) for area in ("shaded", "hatched"))


def level(height):
    return np.full(len(X), height)


def metrics(scale=0.88):
    return QFontMetricsF(scaled_font(scale))


def wide(text):
    return metrics().horizontalAdvance(text)


def place_of(item):
    """Return what an item covers of its plot, without its soft edge."""
    return item.mapRectToParent(item.boundingRect()).adjusted(1, 1, -1, -1)


class Shown:
    """A plot with a legend, and what is painted in it."""

    def __init__(self, scene, names, curves=(), size=(560, 370), badge=""):
        plot = RangePlot(ValueAxis("left"), RangeAxis("bottom", "position"))
        self.scene, self.plot = scene(plot, size=size), plot
        plot.dress(palette_of("dark"), 1.0)
        self.scene.canvas.setBackground(SHADES.base)
        plot.badge.show_text(badge, "why")
        self.without = self.painted()
        self.legend = Legend(plot.box, plot.badge)
        self.legend.show_names(names, palette_of("dark"))
        self.legend.avoid(X, curves)
        self.width, self.height = plot.box.width(), plot.box.height()
        self.place, self.line = place_of(self.legend), metrics().lineSpacing()

    def painted(self):
        found, across, down = self.scene.drawn(1.0)
        left, top = round(across[0]), round(down[0])
        return found[top : round(down[-1]), left : round(across[-1]), ::-1]

    def box_of(self, colour, off=30):
        """Return left, top, right and bottom of what is painted in a colour, and how much is."""
        shade = np.array(QColor(colour).getRgb()[:3])
        rows, columns = np.nonzero((np.abs(self.painted() - shade) < off).all(axis=-1))
        return columns.min(), rows.min(), columns.max() + 1, rows.max() + 1, len(rows)


@pytest.mark.parametrize(("right", "low"), [(0, 0), (0, 1), (1, 0), (1, 1)])
@pytest.mark.parametrize("badge", ["", "mean of 12 positions"])
def test_a_legend_stands_in_the_corner_without_curves_above_the_badge(scene, right, low, badge):
    curves = [
        np.where(np.abs(X - across) < 0.4, 0.1 + 0.8 * down, np.nan)
        for across, down in product((0, 1), (0, 1))
        if (across, down) != (right, low)
    ]
    shown = Shown(scene, [Named(("one",), RED), SHADED], curves, badge=badge)
    beside, below = shown.width - shown.place.right(), shown.height - shown.place.bottom()
    assert (beside if right else shown.place.left()) == pytest.approx(4)
    over = place_of(shown.plot.badge) if badge and right and low else None
    if over is None:
        assert (below if low else shown.place.top()) == pytest.approx(4)
    else:
        assert shown.plot.badge.place.top() - shown.place.bottom() == pytest.approx(1)
    assert shown.place.width() == pytest.approx(wide(SHADED.texts[0]) + 28 + 12)
    assert shown.place.height() == pytest.approx(2 * shown.line + 4)
    if right:
        shown.scene.canvas.resize(460, 300)
        settle()
        moved = place_of(shown.legend).right() - shown.place.right()
        assert moved == pytest.approx(shown.plot.box.width() - shown.width)


def test_a_legend_shows_a_piece_of_each_curve_and_place_beside_its_name(scene):
    names = [Named(("a b",), RED), Named(("no",), GREEN, (4.0, 4.0)), SHADED, HATCHED]
    shown = Shown(scene, names)
    image, (left, top) = shown.painted(), (round(shown.place.x()), round(shown.place.y()))
    assert left > shown.width / 2  # at the upper right, as no corner has less in it
    assert shown.legend.names == shown.legend.texts == ("a b", "no", *(
        each.texts[0] for each in (SHADED, HATCHED)))  # fmt: skip
    found = {}
    for colour in (RED, GREEN):
        one, upper, other, lower, found[colour] = shown.box_of(colour)
        assert (one - left, other - left) == pytest.approx((4, 32), abs=1)
        middle = top + 2 + shown.line * (0.5 + (colour == GREEN))
        assert (upper + lower) / 2 == pytest.approx(middle, abs=1)
        assert lower - upper == pytest.approx(2, abs=1)
    assert 0.3 < found[GREEN] / found[RED] < 0.7  # dashes
    texts = image[:, left + 36 : left + 44]
    ink = np.abs(texts - np.array(QColor(SHADES.text).getRgb()[:3])).max(axis=-1) < 60
    rows = {int((row - top - 2) / shown.line) for row in np.flatnonzero(ink.any(axis=1))}
    assert rows == {0, 1, 2, 3}
    for row, shade in ((2, SHADES.raised), (3, None)):
        middle = round(top + 2 + shown.line * (row + 0.5))
        swatch = image[middle - 3 : middle + 3, left + 6 : left + 30].reshape(-1, 3)
        several = len(np.unique(swatch, axis=0)) > 1
        assert several == (shade is None)
        assert several or (swatch == QColor(shade).getRgb()[:3]).all()
        line = np.array(QColor(SHADES.line).getRgb()[:3])
        rim = image[round(middle - shown.line / 2) : round(middle + shown.line / 2), left + 12]
        edges = np.flatnonzero(np.abs(rim - line).max(axis=-1) < 30)
        assert 0.55 * shown.line < np.ptp(edges) < 0.85 * shown.line
    changed = np.abs(image - shown.without).max(axis=-1) > 0
    rows, columns = np.nonzero(changed)
    assert abs(columns.min() - left) <= 1 >= abs(rows.min() - top)
    assert abs(rows.max() - shown.place.bottom()) <= 1 >= abs(columns.max() - shown.place.right())
    for item in (shown.legend, shown.plot.badge):  # they leave the mouse to the plot
        assert item.acceptedMouseButtons() == Qt.MouseButton.NoButton
    shown.legend.show_names([], palette_of("dark"))
    assert (shown.painted() == shown.without).all()


@pytest.mark.parametrize("height", [90, 200, 370])
def test_names_take_at_most_sixty_percent_of_the_height_and_the_rest_is_counted(scene, height):
    names = [Named((f"curve {number}",), RED) for number in range(40)]
    shown = Shown(scene, names[:1], size=(400, height))
    most = max(2, int(shown.height * 0.6 / shown.line))
    for count in (most, most + 1, 40):
        shown.legend.show_names(names[:count], palette_of("dark"))
        left_out = count - most + 1
        last = (f"and {left_out} more",) if count > most else (f"curve {most - 1}",)
        firsts = (f"curve {number}" for number in range(most - 1))
        assert shown.legend.texts == (*firsts, *last)


@pytest.mark.parametrize(("width", "stroke"), [(190, 16), (260, 28), (560, 28)])
def test_a_name_without_room_is_a_shorter_one_or_loses_its_middle(scene, width, stroke):
    long, words = "a" * 60 + "b" * 60, ["c" * count for count in range(200, 0, -1)]
    shown = Shown(scene, [Named((long,), RED), Named(tuple(words), "")], size=(width, 370))
    cut, short = shown.legend.texts
    assert "a…b" in cut
    room = max(0.65 * shown.width, min(150, shown.width - 8)) - stroke - 12
    assert max(wide(cut), wide(short)) <= room < min(wide(cut + "a"), wide(short + "c"))
    assert shown.place.width() == pytest.approx(max(wide(cut), wide(short)) + stroke + 12)
    assert shown.width >= shown.place.right()


@pytest.mark.parametrize(
    ("heights", "sides"),
    [
        ((0.3, 0.7), (-1, -1)),  # above each
        ((0.01, 0.7), (1, -1)),  # no room above
        ((0.3, 0.33), (-1, 1)),  # the other curve is above
        ((0.3, 0.3), (-1, 1)),
        ((0.7, 0.99), (-1, -1)),
    ],
)
def test_names_stand_at_the_ends_of_their_curves_where_all_have_room(scene, heights, sides):
    names = [Named((f"far too long a name{'.' * 60}", "one"), RED), Named(("<b>2</b>",), GREEN)]
    beyond = np.r_[np.full(len(X) - 2, np.nan), 0.0, 1.0]  # to the right of all names
    shown = Shown(scene, names, [*map(level, heights), np.minimum(0.5 + X, 0.53), beyond])
    assert shown.legend.texts == ("one", "<b>2</b>")
    for name, height, side, text in zip(names, heights, sides, ("one", "<b>2</b>"), strict=True):
        left, top, right, bottom, _ = shown.box_of(name.colour, 120)
        end = shown.width - 4
        assert end - wide(text) - 1 <= left <= right <= end + 1
        at = height * shown.height
        assert (
            (at - shown.line <= top <= bottom <= at)
            if side < 0
            else (at <= top <= bottom <= at + shown.line)
        )
        assert right - left > 0.7 * wide(text)
    assert shown.place.right() == pytest.approx(shown.width - 4)  # it leaves out the rest


@pytest.mark.parametrize(
    ("texts", "heights", "badge"),
    [
        (("one", "<b>2</b>"), (0.3, np.nan), ""),  # a curve has no end
        (("one", "n" * 80), (0.3, 0.7), ""),  # a name takes over a third of the width
        (("one", "two", "three"), (0.3, 0.7), ""),  # a name has no curve
        (("one", "<b>2</b>"), (0.3, 0.97), "mean of 12 positions"),  # the badge is there
        (("one", "two", "three"), (0.3, 0.3, 0.3), ""),
    ],
)
def test_otherwise_they_stand_in_a_legend(scene, texts, heights, badge):
    names = [Named((text,), RED) for text in texts]
    shown = Shown(scene, names, [*map(level, heights)], badge=badge)
    assert len(shown.legend.texts) == len(texts)
    assert shown.place.left() == shown.width - 4 - shown.place.width()
    assert shown.place.height() == pytest.approx(len(texts) * shown.line + 4)


@pytest.mark.parametrize(
    ("size", "shown_as"),
    [((560, 370), "mean of 12 positions"), ((190, 370), "mean of 12"), ((110, 370), ""),
     ((560, 95), "")],
)  # fmt: skip
def test_a_badge_stands_in_the_lower_right_corner_where_there_is_room(scene, size, shown_as):
    shown = Shown(scene, [], size=size, badge="mean of 12 positions")
    badge = shown.plot.badge
    place = badge.place
    assert badge.isVisible() == bool(shown_as)
    assert (badge.text, badge.toolTip()) == ("mean of 12 positions", "why")
    if not shown_as:
        assert place == QRectF()
        return
    assert (shown.width - place.right(), shown.height - place.bottom()) == (4, 4)
    assert place.width() == pytest.approx(metrics(0.84).horizontalAdvance(shown_as) + 8, abs=0.5)
    assert place.height() == pytest.approx(metrics(0.84).height() + 4, abs=0.5)
    left, top, right, bottom, _ = shown.box_of(SHADES.text, 60)
    assert (left + right) / 2 == pytest.approx(place.center().x(), abs=2)
    assert (top + bottom) / 2 == pytest.approx(place.center().y(), abs=3)
    assert right - left == pytest.approx(place.width() - 8, abs=3)
    badge.forbid()
    badge.show_text("first of 12 positions")
    assert (badge.isVisible(), badge.place, badge.toolTip()) == (False, QRectF(), "")


def test_a_heading_stands_above_the_plot_and_is_cut_at_its_width(scene):
    shown = Shown(scene, [])
    before = shown.height
    shown.plot.show_heading("")
    assert shown.plot.heading is None
    for text, fits in (("a pin", True), ("long " * 60, False)):
        shown.plot.show_heading(text)
        settle()
        heading = shown.plot.heading
        line = QFontMetricsF(heading.font()).lineSpacing()
        assert heading.room == pytest.approx(line + 4)
        found, across, down = shown.scene.drawn(1.0)
        assert before - shown.plot.box.height() == pytest.approx(heading.room, abs=1)
        left = round(across[0])
        above = found[round(down[0] - heading.room) : round(down[0]) - 1, left:592, ::-1]
        ink = np.abs(above - np.array(QColor(SHADES.text).getRgb()[:3])).max(axis=-1) < 80
        columns = np.flatnonzero(ink.any(axis=0)) + left
        middle = (across[0] + across[-1]) / 2
        assert (columns.min() + columns.max()) / 2 == pytest.approx(middle, abs=6)
        assert across[0] <= columns.min() <= columns.max() <= across[-1]
        assert (np.ptp(columns) < 60) == fits
    shown.plot.show_heading("")
    settle()
    assert (shown.plot.heading.room, shown.plot.box.height()) == (0, before)

"""Style, theme colours and text measurement, shared by all parts of a figure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.colours.dashes import DASHES, Dashes, typed_dashes
from pe_explorer.colours.themes import DARK, LIGHT, PIN_SHADES, Colours
from pe_explorer.figures.page import RAISED_SIZE, Measure, PageText, Polyline, Typeset, pieces
from pe_explorer.figures.style import Style
from pe_explorer.pictures.figure import Curve, Rectangle

Places = Sequence[tuple[float, float]]

ASCENT, DESCENT, LINE = 0.8, 0.25, 1.2
"""Height above and depth below the baseline, and distance of baselines, in font sizes."""

BASE = 0.36
"""Distance from the middle of a digit down to its baseline, in font sizes."""

TICK, GAP = 0.35, 0.3
"""Length of a tick, and gap between adjacent items, in font sizes."""

OVER = 0.5
"""Part of a tick label beyond the end of a y axis, in font sizes."""

PIXEL = 0.75 / 8
"""Size of a screen pixel in font sizes; small text on the screen has 8 points."""

THRIFT = (
    "nothing",
    "spare rows of tables",
    "long titles",  # titles for which a shorter form needs fewer lines
    "columns of tables",
    "tables",
    "titles of colour bars",
    "second lines of titles",
    "titles of axes",
)
"""Parts that are omitted, in this order, until areas are large enough; a caption can name them."""

_TINT = 0.3  # weight of the curve's colour in the background of a band
_RULE = 0.075  # width of frames and ticks, relative to the font size
_NARROWER = 0.999  # factor just below 1 that forces the widest line to wrap
_MOST_TITLE_LINES = 2  # maximum; more lines are used only if shorter forms omit information

_CHARACTERS = "\u2e80-\u303f\u3041-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef"
_LETTERS = rf"[^\s{_CHARACTERS}]+"
_WORD = re.compile(rf"(\s*)([{_CHARACTERS}]|{_LETTERS})")
"""A word with the space before it; each Chinese, Japanese or Korean character is a word."""
_BINDING = rf"(?: = {_LETTERS}| %(?!\S)|(?<!,) [−\d][^\s{_CHARACTERS}]*)"
_BOUND_WORD = re.compile(rf"(\s*)([{_CHARACTERS}]|{_LETTERS}{_BINDING}*)")
"""Like `_WORD`, but ``b = 500``, ``14 %`` and ``position 20`` are single words."""


class Look(NamedTuple):
    """The style, colours and font size in points, shared by all parts of a figure.

    `thrift` is the number of entries of `THRIFT` that are omitted.
    """

    style: Style
    size: float
    measure: Measure
    colours: Colours
    thrift: int = 0

    def omits(self, what: str) -> bool:
        """Return whether an entry of `THRIFT` is omitted."""
        return self.thrift >= THRIFT.index(what)

    def without(self, what: str) -> Look:
        """Return a look that omits an entry of `THRIFT` and all previous entries."""
        return self._replace(thrift=max(self.thrift, THRIFT.index(what)))

    @property
    def labels(self) -> bool:
        """Whether axes have titles."""
        return self.style.labels and not self.omits("titles of axes")

    @property
    def of_bars(self) -> Look:
        """The look of colour bars, whose titles are omitted before the titles of axes."""
        return self.without("titles of axes") if self.omits("titles of colour bars") else self

    @property
    def most_title_lines(self) -> int:
        """The maximum number of lines of a title."""
        return 1 if self.omits("second lines of titles") else _MOST_TITLE_LINES

    def width(self, text: str) -> float:
        """Return the width of a text in points."""
        if not isinstance(text, Typeset):
            return self.measure(text, self.size) if text else 0.0
        width = 0.0
        for part, raised in pieces(text):
            size = RAISED_SIZE * self.size if raised else self.size
            width += self.measure(part, size)
        return width

    def widest(self, texts: Sequence[str]) -> float:
        """Return the width of the widest of some texts."""
        return max(map(self.width, texts), default=0.0)

    def shade(self, colour: str) -> str:
        """Return the hexadecimal colour of a curve.

        The curve's `colour` is ``accent``, a colour of pins or a custom colour.
        """
        if colour.startswith("#"):
            return colour
        if colour == "accent":
            return self.colours.accent
        light, dark = PIN_SHADES[colour]
        return dark if self.colours is DARK else light

    def tint(self, colour: str) -> str:
        """Return the fill colour of a curve's band, which is a pale shade of the curve."""
        ground = DARK.base if self.colours is DARK else "#ffffff"
        pairs = zip(bytes.fromhex(self.shade(colour)[1:]), bytes.fromhex(ground[1:]), strict=True)
        mixed = (round(_TINT * front + (1 - _TINT) * back) for front, back in pairs)
        return f"#{bytes(mixed).hex()}"

    def filling(self, colour: str) -> str:
        """Return the fill colour of the area below a curve."""
        return self.colours.filling if colour == "accent" else self.tint(colour)

    def dashes(self, curve: Curve) -> Dashes:
        """Return the dash pattern of a curve in points; empty for the current encoding."""
        if not curve.name:
            return ()
        if curve.dash and curve.dash not in (*PIN_SHADES, "accent"):
            return tuple(length * self.line_width(curve) for length in typed_dashes(curve.dash))
        return tuple(
            length * PIXEL * self.size for length in DASHES.get(curve.dash or curve.colour, ())
        )

    def line_width(self, curve: Curve) -> float:
        """Return the width of a curve in points."""
        return curve.width or self.style.line_width

    @property
    def ground(self) -> str:
        """The background colour; empty if transparent."""
        grounds = {"white": "#ffffff", "transparent": "", "dark": DARK.base}
        return grounds[self.style.ground]

    @property
    def rule_width(self) -> float:
        """The width of frames and ticks in points."""
        return _RULE * self.size

    def rules(self, starts: Places, ends: Places) -> Iterator[Polyline]:
        """Yield thin lines, such as the ticks of an axis, as one item."""
        if starts:
            lines = np.full((len(starts), 3, 2), np.nan)  # two ends and a gap for each line
            lines[:, 0], lines[:, 1] = starts, ends
            yield Polyline(lines.reshape(-1, 2), self.colours.muted, self.rule_width, rule=True)

    def border(self, place: Rectangle, colour: str, fill: str = "") -> Polyline:
        """Return a thin line around a rectangle."""
        points = _corners(place)
        return Polyline(points, colour, self.rule_width, fill=fill, rule=True)

    def text(self, text: str, x: float, y: float, anchor: str = "start") -> PageText:
        """Return a text on a baseline; `anchor` is the part of the text at `x`."""
        return PageText(text, x, y, self.size, self.colours.text, anchor)

    def upward(self, text: str, x: float, y: float) -> PageText:
        """Return a text rotated to read upwards and centred at `y`."""
        return self.text(text, x, y, "middle")._replace(upward=True)

    def wrapped(self, text: str, room: float) -> list[str]:
        """Wrap a text to a width; only a single long word may exceed the width."""
        bound = self._in_lines(text, _BOUND_WORD, room)
        return bound if self.widest(bound) <= room else self._in_lines(text, _WORD, room)

    def has_room(self, text: str, room: float) -> bool:
        """Return whether every word of a text fits into a width; ``b = 500`` counts as one word."""
        return all(self.width(word) <= room for _, word in _BOUND_WORD.findall(text))

    def _in_lines(self, text: str, words: re.Pattern[str], room: float) -> list[str]:
        lines: list[str] = []
        kind = Typeset if isinstance(text, Typeset) else str
        for space, match in words.findall(text.strip()):
            word = kind(match)
            longer = kind(f"{lines[-1]}{space}{word}") if lines else word
            if lines and self.width(longer) <= room:
                lines[-1] = longer
            else:
                lines.append(word)
        return lines

    def cut(self, text: str, room: float) -> str:
        """Return a text, truncated with an ellipsis if it is too wide."""
        cut = text
        while len(cut) > 1 and self.width(cut) > room:
            cut = f"{cut.rstrip('…')[:-1].rstrip()}…"
        return cut

    def lines_of(self, forms: Sequence[str], room: float, max_lines: int) -> list[str]:
        """Return the longest form that needs the fewest lines, at most `max_lines`.

        The result is empty if no form fits.
        """
        widths = list(map(self.width, forms))
        for form, width in zip(forms, widths, strict=True):
            if width <= room:
                return [type(form)(form.strip())] if form.strip() else []
        for words, count in itertools.product((_BOUND_WORD, _WORD), range(2, max_lines + 1)):
            for form, width in zip(forms, widths, strict=True):
                if width > count * (room + self.size):  # a quick check before the slower wrapping
                    continue
                lines = self._in_lines(form, words, room)
                if len(lines) <= count and self.widest(lines) <= room:
                    return self._even(form, words, lines)
        return []

    def _even(self, text: str, words: re.Pattern[str], lines: list[str]) -> list[str]:
        while len(lines) > 1:
            widest = self.widest(lines)
            narrower = self._in_lines(text, words, widest * _NARROWER)
            if len(narrower) > len(lines) or self.widest(narrower) >= widest:
                break
            lines = narrower
        return lines

    def title_lines(self, forms: Sequence[str], room: float, badge: str = "") -> list[str]:
        """Return the lines of a title, followed by the badge if it fits."""
        if badge and forms and not self.omits("long titles"):
            title = f"{forms[0]}, {badge}"
            if lines := self.lines_of([title], room, self.most_title_lines):
                return lines
        return self.lines_of(forms, room, self.most_title_lines)


def look_of(style: Style, measure: Measure) -> Look:
    """Return the look of a style."""
    colours = DARK if style.ground == "dark" else LIGHT
    return Look(style, style.text_size, measure, colours)


def filled(place: Rectangle, colour: str) -> Polyline:
    """Return a rectangle filled with one colour."""
    return Polyline(_corners(place), colour, 0.0, fill=colour)


def _corners(place: Rectangle) -> npt.NDArray[np.float64]:
    left, right = place.left, place.right
    top, bottom = place.top, place.bottom
    across = left, right, right, left, left
    down = top, top, bottom, bottom, top
    return np.column_stack([across, down])

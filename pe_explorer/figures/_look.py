"""Style, theme colours and text measurement, shared by all parts of a figure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.colours.dashes import DASHES, Dashes, parse_dashes
from pe_explorer.colours.themes import DARK, LIGHT, PIN_SHADES, Colours
from pe_explorer.figures.page import (
    SUPERSCRIPT_SIZE,
    Measure,
    PageText,
    Polyline,
    TypesetText,
    split_superscripts,
)
from pe_explorer.figures.style import Style
from pe_explorer.pictures.figure import Curve, Rectangle

Points = Sequence[tuple[float, float]]

ASCENT, DESCENT, LINE_HEIGHT = 0.8, 0.25, 1.2
"""Height above the baseline, depth below it, and distance between lines, in font sizes."""

BASELINE = 0.36  # distance from the middle of a digit down to its baseline, in font sizes

TICK_LENGTH, GAP = 0.35, 0.3  # length of a tick, and gap between adjacent items, in font sizes

OVERHANG = 0.5  # height by which a tick label extends beyond the end of a y axis, in font sizes

PIXEL_SIZE = 0.75 / 8  # size of a screen pixel in font sizes: 0.75 points for text of 8 points

OMISSIONS = (
    "nothing",
    "spare rows of tables",
    "long titles",  # titles for which a shorter form needs fewer lines
    "columns of tables",
    "tables",
    "titles of colour bars",
    "second lines of titles",
    "titles of axes",
)  # parts of a figure that are omitted in this order until the areas are legible

_TINT_WEIGHT = 0.3  # weight of the curve's colour in the background of a band
_RULE_WIDTH = 0.075  # width of frames and ticks, in font sizes
_MAX_TITLE_LINES = 2  # maximum number of lines, unless shorter titles would omit information

_CJK_CHARACTERS = "\u2e80-\u303f\u3041-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef"
_NON_CJK_WORD = rf"[^\s{_CJK_CHARACTERS}]+"
_WORD_PATTERN = re.compile(rf"(\s*)([{_CJK_CHARACTERS}]|{_NON_CJK_WORD})")
"""Matches spaces and a word; each Chinese, Japanese or Korean character is a word."""
_SUFFIX = rf"(?: = {_NON_CJK_WORD}| %(?!\S)|(?<!,) [−\d][^\s{_CJK_CHARACTERS}]*)"
_UNBREAKABLE_PATTERN = re.compile(rf"(\s*)([{_CJK_CHARACTERS}]|{_NON_CJK_WORD}{_SUFFIX}*)")
"""Like `_WORD_PATTERN`, but ``b = 500``, ``14 %`` and ``position 20`` are single words."""


class Look(NamedTuple):
    """The style, colours and font size in points, shared by all parts of a figure."""

    style: Style
    size: float
    measure: Measure
    colours: Colours
    omission_level: int = 0  # index of the last entry of `OMISSIONS` that is omitted

    def omits(self, entry: str) -> bool:
        """Return whether an entry of `OMISSIONS` is omitted."""
        return self.omission_level >= OMISSIONS.index(entry)

    def with_omission(self, entry: str) -> Look:
        """Return a look that omits an entry of `OMISSIONS` and all previous entries."""
        return self._replace(omission_level=max(self.omission_level, OMISSIONS.index(entry)))

    @property
    def has_titles(self) -> bool:
        """Whether axes have titles."""
        return self.style.labels and not self.omits("titles of axes")

    @property
    def bar_look(self) -> Look:
        """The look of colour bars, whose titles are omitted before the titles of axes."""
        return self.with_omission("titles of axes") if self.omits("titles of colour bars") else self

    def width(self, text: str) -> float:
        """Return the width of a string in points."""
        if not isinstance(text, TypesetText):
            return self.measure(text, self.size) if text else 0.0
        sizes, parts = (self.size, SUPERSCRIPT_SIZE * self.size), split_superscripts(text)
        return sum(self.measure(part, sizes[is_superscript]) for part, is_superscript in parts)

    def max_width(self, texts: Sequence[str]) -> float:
        """Return the width of the widest text in points, or 0 if there are no texts."""
        return max(map(self.width, texts), default=0.0)

    def shade(self, colour: str) -> str:
        """Return the hexadecimal code of a colour, which may be named, such as ``accent``."""
        if colour.startswith("#"):
            return colour
        if colour == "accent":
            return self.colours.accent
        light_shade, dark_shade = PIN_SHADES[colour]
        return dark_shade if self.colours is DARK else light_shade

    def tint(self, colour: str) -> str:
        """Return the fill colour of a band, which mixes the curve's colour with the background."""
        background = DARK.base if self.colours is DARK else "#ffffff"
        codes = self.shade(colour), background
        curve_rgb, back_rgb = np.array([[*bytes.fromhex(code[1:])] for code in codes])
        channels = np.rint(_TINT_WEIGHT * curve_rgb + (1 - _TINT_WEIGHT) * back_rgb).astype(
            np.uint8
        )
        return f"#{channels.tobytes().hex()}"

    def area_fill(self, colour: str) -> str:
        """Return the fill colour of the area below a curve."""
        return self.colours.area_fill if colour == "accent" else self.tint(colour)

    def dashes(self, curve: Curve) -> Dashes:
        """Return the dash pattern of a curve in points; empty for a solid line."""
        if not curve.name:
            return ()
        if curve.dash and curve.dash not in (*PIN_SHADES, "accent"):
            return tuple(length * self.line_width(curve) for length in parse_dashes(curve.dash))
        lengths = DASHES.get(curve.dash or curve.colour, ())
        return tuple(length * PIXEL_SIZE * self.size for length in lengths)

    def line_width(self, curve: Curve) -> float:
        """Return the width of a curve in points."""
        return curve.width or self.style.line_width

    @property
    def ground(self) -> str:
        """The background colour; empty if transparent."""
        backgrounds = {"white": "#ffffff", "transparent": "", "dark": DARK.base}
        return backgrounds[self.style.ground]

    @property
    def rule_width(self) -> float:
        """The width of frames and ticks in points."""
        return _RULE_WIDTH * self.size

    def rules(self, starts: Points, ends: Points) -> Iterator[Polyline]:
        """Yield thin lines, such as the ticks of an axis, as one item."""
        if starts:
            lines = np.full((len(starts), 3, 2), np.nan)  # two ends and a gap for each line
            lines[:, 0], lines[:, 1] = starts, ends
            yield Polyline(lines.reshape(-1, 2), self.colours.muted, self.rule_width, is_rule=True)

    def border(self, place: Rectangle, colour: str, fill: str = "") -> Polyline:
        """Return a thin line around a rectangle."""
        return Polyline(list_corners(place), colour, self.rule_width, fill=fill, is_rule=True)

    def text(self, text: str, x: float, y: float, anchor: str = "start") -> PageText:
        """Return text with its baseline at `y`; `anchor` is the part of the text at `x`."""
        return PageText(text, x, y, self.size, self.colours.text, anchor)

    def make_upward_text(self, text: str, x: float, y: float) -> PageText:
        """Return text that reads upwards, centred at `y`, with its baseline at `x`."""
        return self.text(text, x, y, "middle")._replace(is_upward=True)

    def wrap(self, text: str, limit: float) -> list[str]:
        """Wrap text to a width; only a single long word may exceed the width."""
        lines = self._wrap(text, _UNBREAKABLE_PATTERN, limit)
        return lines if self.max_width(lines) <= limit else self._wrap(text, _WORD_PATTERN, limit)

    def fits_words(self, text: str, limit: float) -> bool:
        """Return whether every word fits into a width; ``b = 500`` counts as one word."""
        return all(self.width(word) <= limit for _, word in _UNBREAKABLE_PATTERN.findall(text))

    def _wrap(self, text: str, words: re.Pattern[str], limit: float) -> list[str]:
        lines: list[str] = []
        kind = type(text)
        for space, word in words.findall(text.strip()):
            longer_line = kind(f"{lines[-1]}{space}{word}") if lines else kind(word)
            if lines and self.width(longer_line) <= limit:
                lines[-1] = longer_line
            else:
                lines.append(kind(word))
        return lines

    def truncate(self, text: str, limit: float) -> str:
        """Return the text, truncated with an ellipsis if it is too wide."""
        while len(text) > 1 and self.width(text) > limit:
            text = f"{text.rstrip('…')[:-1].rstrip()}…"
        return text

    def fit_lines(self, forms: Sequence[str], limit: float, max_lines: int) -> list[str]:
        """Return the lines of the longest form that needs the fewest lines.

        `forms` are alternative texts, the longest first. Return an empty list if every form needs
        more than `max_lines` lines.
        """
        widths = list(map(self.width, forms))
        for form, width in zip(forms, widths, strict=True):
            if width <= limit:
                return [type(form)(form.strip())] if form.strip() else []
        for words, count in product((_UNBREAKABLE_PATTERN, _WORD_PATTERN), range(2, max_lines + 1)):
            for form, width in zip(forms, widths, strict=True):
                if width > count * (limit + self.size):  # a quick check before the slower wrapping
                    continue
                lines = self._wrap(form, words, limit)
                if len(lines) <= count and self.max_width(lines) <= limit:
                    return self._balance_lines(form, words, lines)
        return []

    def _balance_lines(self, text: str, words: re.Pattern[str], lines: list[str]) -> list[str]:
        """Narrow the widest line as far as possible without adding lines."""
        while len(lines) > 1:
            width = self.max_width(lines)
            narrower_lines = self._wrap(text, words, 0.999 * width)
            if len(narrower_lines) > len(lines) or self.max_width(narrower_lines) >= width:
                break
            lines = narrower_lines
        return lines

    def fit_title(self, forms: Sequence[str], limit: float, badge: str = "") -> list[str]:
        """Return the lines of a title, followed by the badge if it fits."""
        max_lines = 1 if self.omits("second lines of titles") else _MAX_TITLE_LINES
        if badge and forms and not self.omits("long titles"):
            title = f"{forms[0]}, {badge}"
            if lines := self.fit_lines([title], limit, max_lines):
                return lines
        return self.fit_lines(forms, limit, max_lines)


def make_look(style: Style, measure: Measure) -> Look:
    """Return the `Look` for a style and a function that measures text."""
    return Look(style, style.text_size, measure, DARK if style.ground == "dark" else LIGHT)


def make_rectangle(place: Rectangle, colour: str) -> Polyline:
    """Return a rectangle filled with one colour."""
    return Polyline(list_corners(place), colour, 0.0, fill=colour)


def list_corners(place: Rectangle) -> npt.NDArray[np.float64]:
    """Return the corners of a rectangle, the first again at the end, or the ends of a line."""
    left, top, right, bottom = place.left, place.top, place.right, place.bottom
    if place.is_empty:
        return np.array([(left, top), (right, bottom)])
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom), (left, top)])

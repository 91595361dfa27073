"""Writes a page as SVG: text stays text, lines stay lines, cells are one picture of their own.

A page is small beside its cells, so this is a writer of a few elements and no library. Whoever
opens the file scales the cells without mixing them.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

import numpy as np
import numpy.typing as npt

from pe_explorer.figures.page import (
    RAISED,
    RISE,
    Circle,
    Dots,
    Image,
    Item,
    Line,
    Page,
    Text,
    pieces,
)
from pe_explorer.figures.png import png
from pe_explorer.figures.session_element import element
from pe_explorer.pictures.figure import Rectangle

__all__ = ["svg"]

Floats = npt.NDArray[np.float64]

_NAMESPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
# Readers take the last that they know: browsers the second, older ones the first.
_NOT_SMOOTHED = "image-rendering:optimizeSpeed;image-rendering:pixelated"
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML file may have, however it is written."""


def svg(page: Page, session: str = "") -> str:
    """Return a page as the text of an SVG file, which carries a session if there is one."""
    width, height = _number(page.width), _number(page.height)
    family = quoteattr(_legal(f"{page.font}, sans-serif"))
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg {_NAMESPACES} version="1.1" width="{width}pt" height="{height}pt" '
        f'viewBox="0 0 {width} {height}" font-family={family} xml:space="preserve">',
    ]
    if page.title:
        parts.append(f"<title>{escape(_legal(page.title))}</title>")
    if session:
        parts.append(f"<metadata>{element(session)}</metadata>")
    if page.ground:
        parts.append(f'<rect width="{width}" height="{height}" fill="{page.ground}"/>')
    clips = _Clips(page.items)
    parts += clips.definitions()
    for item in page.items:
        parts += _element(item, clips)
    return "\n".join([*parts, "</svg>", ""])


class _Clips:
    """The rectangles outside of which something is not drawn, by their names in the file."""

    def __init__(self, items: tuple[Item, ...]) -> None:
        clipped = (item.clip for item in items if isinstance(item, Line | Image))
        found = dict.fromkeys(clip for clip in clipped if clip is not None)
        self._names = {clip: f"clip{number}" for number, clip in enumerate(found)}

    def definitions(self) -> Iterator[str]:
        """Yield the elements that say what they are."""
        for clip, name in self._names.items():
            yield f'<clipPath id="{name}"><rect {_place(clip)}/></clipPath>'

    def attribute(self, clip: Rectangle | None) -> str:
        """Return the attribute of what is drawn inside one only."""
        return "" if clip is None else f' clip-path="url(#{self._names[clip]})"'


def _element(item: Item, clips: _Clips) -> Iterator[str]:
    match item:
        case Text():
            yield _text(item)
        case Line():
            yield _line(item, clips)
        case Circle():
            yield _circle(item)
        case Dots():
            yield from _dots(item)
        case Image():
            yield _image(item, clips)


# -- elements ------------------------------------------------------------------------------------


def _text(text: Text) -> str:
    x, y = _number(text.x), _number(text.y)
    turned = f' transform="rotate(-90 {x} {y})"' if text.upward else ""
    bold = ' font-weight="bold"' if text.bold else ""
    spans, risen = [], 0.0
    for piece, raised in pieces(text.text):
        written = escape(_legal(piece))
        wanted = RISE * text.size if raised else 0.0
        if raised or risen:
            size = text.size * (RAISED if raised else 1.0)
            move = _number(risen - wanted)
            written = f'<tspan dy="{move}" font-size="{_number(size)}">{written}</tspan>'
        risen = wanted
        spans.append(written)
    return (
        f'<text x="{x}" y="{y}" font-size="{_number(text.size)}" fill="{text.colour}" '
        f'text-anchor="{text.anchor}"{bold}{turned}>{"".join(spans)}</text>'
    )


def _line(line: Line, clips: _Clips) -> str:
    dashes = ""
    if line.dashes:
        lengths = " ".join(map(_number, line.dashes))
        dashes = f' stroke-dasharray="{lengths}"'
    return (
        f'<path d="{_path(line.points)}" fill="{line.fill or "none"}" '
        f"{_stroke(line.colour, line.width)} "
        f'stroke-linejoin="round"{dashes}{clips.attribute(line.clip)}/>'
    )


def _path(points: Floats) -> str:
    """Return the commands that draw through points, with a gap where a number is nan."""
    commands, begins = [], True
    for x, y in points.tolist():
        if x != x or y != y:
            begins = True
            continue
        commands.append(f"{'M' if begins else 'L'}{_number(x)} {_number(y)}")
        begins = False
    return "".join(commands)


def _circle(circle: Circle) -> str:
    place = f'cx="{_number(circle.x)}" cy="{_number(circle.y)}" r="{_number(circle.radius)}"'
    stroke = _stroke(circle.colour, circle.width)
    return f'<circle {place} fill="{circle.fill or "none"}" {stroke}/>'


def _dots(dots: Dots) -> Iterator[str]:
    radius = _number(dots.radius)
    yield "<g>"
    for (x, y), colour in zip(dots.centres.tolist(), dots.colours.tolist(), strict=True):
        red, green, blue = colour
        fill = f"#{red:02x}{green:02x}{blue:02x}"
        yield f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{radius}" fill="{fill}"/>'
    yield "</g>"


def _image(image: Image, clips: _Clips) -> str:
    rows, columns = image.cells.shape[:2]
    channels = 4 if image.colours is None else 1
    data = b"".join(png(columns, rows, channels, [image.cells], colours=image.colours))
    source = f"data:image/png;base64,{base64.b64encode(data).decode()}"
    return (
        f'<image {_place(image.place)} preserveAspectRatio="none" style="{_NOT_SMOOTHED}" '
        f'xlink:href="{source}"{clips.attribute(image.clip)}/>'
    )


# -- attributes ----------------------------------------------------------------------------------


def _stroke(colour: str, width: float) -> str:
    if width <= 0:
        return 'stroke="none"'
    return f'stroke="{colour}" stroke-width="{_number(width)}"'


def _place(place: Rectangle) -> str:
    left, top, width, height = map(_number, place)
    return f'x="{left}" y="{top}" width="{width}" height="{height}"'


def _number(value: float) -> str:
    """Return a length in points, to a thousandth, without zeros at its end."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _legal(text: str) -> str:
    """Return a text with what XML forbids replaced."""
    return _FORBIDDEN.sub("\ufffd", text)

"""Write a page as SVG, with text as text, lines as lines and cells as an embedded image.

The writer needs only a few elements and therefore no library. Viewers should scale cells without
interpolation. Because some viewers always interpolate, each cell is repeated, so that most of its
area has its own colour.
"""

import base64
import math
import threading
from collections.abc import Iterator

from pe_explorer.figures.page import (
    SUPERSCRIPT_HEIGHT,
    SUPERSCRIPT_SIZE,
    Circle,
    ClockPoints,
    Dots,
    Item,
    Page,
    PageImage,
    PageText,
    Polyline,
    split_superscripts,
)
from pe_explorer.figures.png import iterate_rows, png
from pe_explorer.figures.session_element import make_session_element
from pe_explorer.figures.size import POINTS_PER_INCH
from pe_explorer.figures.xml_text import attribute, escape_text
from pe_explorer.pictures.figure import Rectangle
from pe_explorer.progress import PartialProgress, report

_Attributes = dict[str, str | float]
"""Attributes of an element: numbers are lengths in points, and empty strings are omitted."""
_ClipNames = dict[Rectangle, str]  # the name of each clipping rectangle in the file

_NAMESPACES = (
    'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'xml:space="preserve"'
)
# Viewers use the last value that they know: browsers the second, older viewers the first.
_PIXELATED_STYLE = "image-rendering:optimizeSpeed;image-rendering:pixelated"
_POINT_COST = 50  # time to write a point, relative to the time for a cell
_MAX_COPIES_PER_INCH = 600  # maximum resolution, because smaller copies are invisible in print
_MAX_COPIES = 32  # maximum number of copies of a cell in each direction
_MAX_PIXELS = 1 << 20  # maximum number of pixels of an image with repeated cells


def make_svg_parts(page: Page, session: str, progress: threading.Event) -> Iterator[str]:
    """Yield the text of an SVG file in chunks, including the session unless it is empty.

    Report the completed fraction to `progress`, and raise `CancelledError` once it is set.
    """
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    width, height = _number(page.width), _number(page.height)
    font = page.font.replace("\\", "\\\\").replace("'", "\\'")
    start = _format_start_tag(
        "svg",
        version="1.1",
        width=f"{width}pt",
        height=f"{height}pt",
        viewBox=f"0 0 {width} {height}",
        font_family=f"'{font}', sans-serif",  # names with digits or commas need quotes
    )
    yield f"{start} {_NAMESPACES}>\n"
    if page.title:
        yield f"<title>{escape_text(page.title)}</title>\n"
    if session:
        yield f"<metadata>{make_session_element(session)}</metadata>\n"
    if page.ground:
        rect = _format_empty_tag("rect", width=page.width, height=page.height, fill=page.ground)
        yield f"{rect}\n"
    clip_names: _ClipNames = {}
    for item in page.items:
        if isinstance(item, Polyline | PageImage) and item.clip and item.clip not in clip_names:
            clip_names[item.clip] = f"clip{len(clip_names)}"
    for clip, name in clip_names.items():
        rect = _format_empty_tag("rect", **_make_box_attributes(clip))
        yield f'<clipPath id="{name}">{rect}</clipPath>\n'
    total, completed_weight = sum(map(_estimate_cost, page.items)), 0
    for item in page.items:
        part = PartialProgress(progress, completed_weight / total, _estimate_cost(item) / total)
        report(part, 0.0)
        yield from _format_element(item, clip_names, part)
        completed_weight += _estimate_cost(item)
    yield "</svg>\n"


def _estimate_cost(item: Item) -> int:
    match item:
        case PageImage():
            return 1 + item.cells.size
        case Polyline():
            return _POINT_COST * (1 + len(item.points))
        case ClockPoints():
            return _POINT_COST * (1 + item.face.x.size)
        case Dots():
            return _POINT_COST * (1 + len(item.centres))
    return _POINT_COST


def _format_element(item: Item, clip_names: _ClipNames, progress: PartialProgress) -> Iterator[str]:
    match item:
        case PageText():
            yield _text(item)
        case Polyline():
            yield _format_line(item, clip_names)
        case Circle():
            place = {"cx": item.x, "cy": item.y, "r": item.radius}
            stroke = _make_stroke(item.colour, item.width)
            yield _format_empty_tag("circle", **place, fill=item.fill or "none", **stroke)
        case ClockPoints():
            for dots in item.make_discs():
                yield from _write_dots(dots)
                yield "\n"
        case Dots():
            yield from _write_dots(item)
        case PageImage():
            yield from _format_image(item, clip_names, progress)
    yield "\n"


def _format_clip_path(clip_names: _ClipNames, clip: Rectangle | None) -> str:
    return "" if clip is None else f"url(#{clip_names[clip]})"


def _format_start_tag(name: str, **attributes: str | float) -> str:
    """Return a start tag without its ``>``; ``_`` in attribute names becomes ``-``."""
    words = [f"<{name}"]
    for key, value in attributes.items():
        text = value if isinstance(value, str) else _number(value)
        if text:
            words.append(f"{key.replace('_', '-')}={attribute(text)}")
    return " ".join(words)


def _format_empty_tag(name: str, **attributes: str | float) -> str:
    return f"{_format_start_tag(name, **attributes)}/>"


def _text(text: PageText) -> str:
    rotation = f"rotate(-90 {_number(text.x)} {_number(text.y)})" if text.is_upward else ""
    start = _format_start_tag(
        "text",
        x=text.x,
        y=text.y,
        font_size=text.size,
        font_weight="bold" if text.is_bold else "",
        fill=text.colour,
        text_anchor=text.anchor,
        transform=rotation,
    )
    spans = "".join(_write_spans(text))
    return f"{start}>{spans}</text>"


def _write_spans(text: PageText) -> Iterator[str]:
    """Yield the spans of a text.

    A superscript is shifted up, and the span after it is shifted down again.
    """
    previous_rise = 0.0
    for piece, is_superscript in split_superscripts(text.text):
        span = escape_text(piece)
        rise = SUPERSCRIPT_HEIGHT * text.size if is_superscript else 0.0
        if is_superscript or previous_rise:
            size = text.size * (SUPERSCRIPT_SIZE if is_superscript else 1.0)
            start = _format_start_tag("tspan", dy=previous_rise - rise, font_size=size)
            span = f"{start}>{span}</tspan>"
        previous_rise = rise
        yield span


def _format_line(line: Polyline, clip_names: _ClipNames) -> str:
    commands, command = [], "M"
    for x, y in line.points.tolist():
        if math.isnan(x) or math.isnan(y):
            command = "M"
        else:
            commands.append(f"{command}{_number(x)} {_number(y)}")
            command = "L"
    return _format_empty_tag(
        "path",
        d="".join(commands),
        fill=line.fill or "none",
        stroke_linejoin="round",
        stroke_dasharray=" ".join(map(_number, line.dashes)),
        clip_path=_format_clip_path(clip_names, line.clip),
        **_make_stroke(line.colour, line.width),
    )


def _write_dots(dots: Dots) -> Iterator[str]:
    yield "<g>\n"
    for (x, y), colour in zip(dots.centres.tolist(), dots.colours, strict=True):
        fill = f"#{colour.tobytes().hex()}"
        yield _format_empty_tag("circle", cx=x, cy=y, r=dots.radius, fill=fill) + "\n"
    yield "</g>"


def _format_image(
    image: PageImage, clip_names: _ClipNames, progress: PartialProgress
) -> Iterator[str]:
    rows, columns = image.cells.shape[:2]
    row_copies, column_copies = (
        _count_copies(image.place.height, rows),
        _count_copies(image.place.width, columns),
    )
    pixels = rows * row_copies * columns * column_copies
    if pixels > _MAX_PIXELS:
        factor = math.sqrt(_MAX_PIXELS / pixels)
        row_copies, column_copies = (
            max(1, math.floor(factor * copies)) for copies in (row_copies, column_copies)
        )
    cells = image.cells.repeat(row_copies, axis=0).repeat(column_copies, axis=1)
    channel_count = 4 if image.colours is None else 1
    yield _format_start_tag(
        "image",
        **_make_box_attributes(image.place),
        preserveAspectRatio="none",
        style=_PIXELATED_STYLE,
        clip_path=_format_clip_path(clip_names, image.clip),
    )
    yield ' xlink:href="data:image/png;base64,'
    remainder, parts = b"", iterate_rows(cells, progress)
    for part in png(
        columns * column_copies, rows * row_copies, channel_count, parts, colours=image.colours
    ):
        data = remainder + part
        length = len(data) // 3 * 3
        remainder = data[length:]
        yield base64.b64encode(data[:length]).decode()
    yield base64.b64encode(remainder).decode()
    yield '"/>'


def _count_copies(length: float, cells: int) -> int:
    """Return the number of copies of each cell in one direction, up to the visible resolution."""
    if cells < 2:
        return 1  # a single cell has no neighbours to interpolate with
    copies = math.ceil(length / cells * _MAX_COPIES_PER_INCH / POINTS_PER_INCH)
    return max(1, min(copies, _MAX_COPIES))


def _make_stroke(colour: str, width: float) -> _Attributes:
    return {"stroke": colour, "stroke_width": width} if width > 0 else {"stroke": "none"}


def _make_box_attributes(place: Rectangle) -> _Attributes:
    return {"x": place.left, "y": place.top, "width": place.width, "height": place.height}


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")

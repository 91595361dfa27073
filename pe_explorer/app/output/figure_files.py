"""Functions that write a figure's page to a PNG, PDF or SVG file, optionally with a session."""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QBuffer, QHashSeed, QIODevice, QMarginsF, QRect, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPageSize, QPaintDevice, QPainter, QPdfWriter

from pe_explorer import __version__
from pe_explorer.arrays import Bytes
from pe_explorer.figures.page import Page
from pe_explorer.figures.png import CHUNK_ROWS, png
from pe_explorer.figures.session_element import make_session_element
from pe_explorer.figures.size import POINTS_PER_INCH, require_pixels
from pe_explorer.figures.xml_text import clean_xml_text, escape_text
from pe_explorer.files.atomic import OutputError, replace_file
from pe_explorer.files.session import FIGURE_SUFFIXES, PNG_KEY
from pe_explorer.painting.page_painter import paint
from pe_explorer.params import ParameterError
from pe_explorer.progress import PartialProgress, report

PROGRAM_NAME = f"PE Explorer {__version__}"


@contextmanager
def painting(device: QPaintDevice, *, in_points: bool = False) -> Iterator[QPainter]:
    """Yield a painter for a device, in units of points (1/72 inch) if `in_points` is true.

    The painter is always ended, because otherwise Qt aborts the process. Raise `OSError`
    if painting on the device cannot begin.
    """
    painter = QPainter()
    if not painter.begin(device):
        raise OSError("the device does not respond")
    try:
        if in_points:
            dots_per_point = device.logicalDpiX() / POINTS_PER_INCH
            painter.scale(dots_per_point, dots_per_point)
        yield painter
    finally:
        painter.end()


def make_pdf(
    page: Page, prepare: Callable[[QPdfWriter], object], draw: Callable[[QPainter], None]
) -> bytes:
    """Return the bytes of a PDF file with one page.

    `prepare` sets the paper of the PDF writer, and `draw` paints the page in points.
    """
    QHashSeed.setDeterministicGlobalSeed()  # otherwise Qt writes several fonts in random order
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(page.title)
    writer.setCreator(PROGRAM_NAME)
    prepare(writer)
    with painting(writer, in_points=True) as painter:
        draw(painter)
    return bytes(buffer.data().data())


_XMP_TEMPLATE = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
{session}
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>"""


def save(page: Page, target: Path, dpi: float, session: str, progress: threading.Event) -> None:
    """Write a page to a file atomically; can run in any thread.

    The ending of `target` selects the file type, one of `files.session.FIGURE_SUFFIXES`. `dpi` is
    the resolution of a PNG image. `session` is the text of `files.session.dumps_shared`, or an
    empty string to embed no session. `progress` is complete when the file only needs to be moved
    into place.

    Raise `CancelledError` if `progress` is set, and `ParameterError` if the ending is unknown, the
    image is too large, or the file cannot be written.
    """
    parts = _ENCODERS.get(target.suffix.lower())
    if parts is None:
        raise OutputError(target, f"the name must end in {', '.join(FIGURE_SUFFIXES)}")
    page = page._replace(title=clean_xml_text(page.title))
    with replace_file(target) as file:
        for part in parts(page, dpi, session, progress):
            file.write(part)
        report(progress, 1.0)


def image(page: Page, dpi: float, progress: threading.Event | None = None) -> QImage:
    """Return a page as an image.

    Raise `ParameterError` if the image is too large, and `CancelledError` if `progress` is set.
    """
    scale = dpi / POINTS_PER_INCH
    width = max(1, round(page.width * scale))
    height = max(1, round(page.height * scale))
    require_pixels(width, height)
    picture = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    if picture.isNull():
        problem = f"{width:,} × {height:,} pixels need more memory than is available"
        raise ParameterError("size", problem, "choose a smaller size or a lower resolution")
    for set_density in (picture.setDotsPerMeterX, picture.setDotsPerMeterY):
        set_density(round(dpi / 0.0254))
    with painting(picture) as painter:
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
        ground = QColor(page.ground or Qt.GlobalColor.transparent)
        for top in range(0, height, CHUNK_ROWS):  # in strips, because filling blocks other threads
            painter.fillRect(QRect(0, top, width, CHUNK_ROWS), ground)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        painter.scale(scale, scale)
        paint(page, painter, progress)
    return picture


def _encode_png(page: Page, dpi: float, session: str, progress: threading.Event) -> Iterable[bytes]:
    picture = image(page, dpi, PartialProgress(progress, 0.0, 0.4))
    texts = make_png_texts(page.title, session)
    return make_png(picture, bool(page.ground), texts, dpi, PartialProgress(progress, 0.4, 0.6))


def make_png_texts(title: str, session: str) -> dict[str, str]:
    """Return the texts to embed in a PNG file, by key."""
    texts = {"Title": title, "Software": PROGRAM_NAME, PNG_KEY: session}
    return {key: text for key, text in texts.items() if text}


def make_png(
    picture: QImage, is_opaque: bool, texts: dict[str, str], dpi: float, progress: threading.Event
) -> Iterable[bytes]:
    """Return the chunks of a PNG file with an image and texts."""
    pixel_format = QImage.Format.Format_RGB888 if is_opaque else QImage.Format.Format_RGBA8888
    channel_count = 3 if is_opaque else 4
    width, height = picture.width(), picture.height()

    def pixels() -> Iterator[Bytes]:
        for top in range(0, height, CHUNK_ROWS):
            report(progress, top / height)
            strip = picture.copy(0, top, width, min(CHUNK_ROWS, height - top))
            strip.convertTo(pixel_format)
            data = np.frombuffer(strip.constBits(), np.uint8).reshape(strip.height(), -1)
            yield data[:, : width * channel_count]

    return png(width, height, channel_count, pixels(), texts=texts, dpi=dpi)


def _encode_pdf(page: Page, _: float, session: str, progress: threading.Event) -> Iterable[bytes]:
    # Import this module here, because other formats do not need `hashlib`, which loads OpenSSL.
    from pe_explorer.figures.pdf import finish, with_placeholders

    xmp = _XMP_TEMPLATE.format(
        title=escape_text(page.title), session=make_session_element(session) if session else ""
    )

    def prepare(writer: QPdfWriter) -> None:
        size, exact = QSizeF(page.width, page.height), QPageSize.SizeMatchPolicy.ExactMatch
        writer.setPageSize(QPageSize(size, QPageSize.Unit.Point, "", exact))
        writer.setPageMargins(QMarginsF())
        writer.setDocumentXmpMetadata(xmp.encode())

    draw = partial(paint, with_placeholders(page), progress=PartialProgress(progress, 0.0, 0.4))
    return finish(make_pdf(page, prepare, draw), page, PartialProgress(progress, 0.4, 0.6))


def _encode_svg(page: Page, _: float, session: str, progress: threading.Event) -> Iterable[bytes]:
    from pe_explorer.figures.svg import make_svg_parts

    return (part.encode() for part in make_svg_parts(page, session, progress))


_ENCODERS = {".png": _encode_png, ".pdf": _encode_pdf, ".svg": _encode_svg}

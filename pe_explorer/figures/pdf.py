"""Post-process a PDF file written by Qt: set its exact size and insert the cells of its images.

Qt supports only page sizes in whole points and compresses images slowly. Qt therefore draws one
pixel for each image, and the cells are appended as an incremental update of the PDF file. The
creation date that Qt writes is removed, so that the same figure always gives the same bytes.
"""

import hashlib
import re
import threading
import zlib
from collections.abc import Iterator, Sequence

import numpy as np

from pe_explorer.arrays import Bytes
from pe_explorer.figures.page import Page, PageImage
from pe_explorer.figures.png import choose_compression_level, iterate_rows
from pe_explorer.progress import PartialProgress

# Matches only at the beginning of a line, where a title or an embedded session never occurs.
_BOX_PATTERN = re.compile(rb"(?m)(?:(?<=^/MediaBox )|(?<=^/TrimBox ))\[0 0 \d+\.\d+ (\d+)\.\d+\]")
_IMAGE_PATTERN = re.compile(
    rb"\n(\d+) 0 obj\n<<\n/Type /XObject\n/Subtype /Image\n/Width 1\n/Height 1\n"
)
_TRAILER_PATTERN = re.compile(rb"\ntrailer\n<<\n/Size (\d+)\s+(.*?)>>\nstartxref\n(\d+)", re.DOTALL)
_DATE_PATTERN = re.compile(rb"(?m)^/(?:Creation|Mod)Date \(D:[^()]*\)$")
_FILE_ID_PATTERN = re.compile(rb"(?m)^/ID \[ <([0-9a-fA-F]+)> <[0-9a-fA-F]+> \]$")


def with_placeholders(page: Page) -> Page:
    """Return a page whose images are placeholders of one pixel."""
    pixel = np.full((1, 1, 4), 255, dtype=np.uint8)
    items = (
        item._replace(cells=pixel, colours=None) if isinstance(item, PageImage) else item
        for item in page.items
    )
    return page._replace(items=tuple(items))


def finish(pdf: bytes, page: Page, progress: threading.Event) -> list[bytes]:
    """Return the post-processed PDF file in parts.

    Parameters
    ----------
    pdf : bytes
        The file that Qt wrote, with placeholders instead of images.
    page : Page
    progress : event
        Receives the completed fraction. Once it is set, `CancelledError` is raised.
    """
    images = [item for item in page.items if isinstance(item, PageImage)]

    def make_exact_box(box: re.Match[bytes]) -> bytes:
        top = int(box[1])  # the top edge does not move
        bottom = round(top - page.height, 4) + 0.0
        exact = f"[0 {bottom:g} {page.width:.4f} {top}]"
        return exact.encode().ljust(len(box[0]))

    # Pad with spaces, because offsets in the file must not change.
    pdf = _DATE_PATTERN.sub(
        lambda date_match: b" " * len(date_match[0]), _BOX_PATTERN.sub(make_exact_box, pdf)
    )
    pdf = _identify_by_content(pdf, images)
    if not images:
        return [pdf]
    parts, place, places = [pdf], len(pdf), {}
    numbers = [int(match[1]) for match in _IMAGE_PATTERN.finditer(pdf)]
    trailer = _TRAILER_PATTERN.search(pdf, pdf.rfind(b"\ntrailer"))
    assert trailer is not None  # Qt always writes a trailer
    free_object_number = int(trailer[1])
    share = 1 / len(images)
    for index, (number, image) in enumerate(zip(numbers, images, strict=True)):
        part = PartialProgress(progress, index * share, share)
        for object_number, data in _make_objects(number, free_object_number + index, image, part):
            places[object_number] = place
            parts.append(data)
            place += len(data)
    parts.append(_make_xref_table(places, free_object_number + len(images), trailer))
    parts.append(b"startxref\n%d\n%%%%EOF\n" % place)
    return parts


def _identify_by_content(pdf: bytes, images: Sequence[PageImage]) -> bytes:
    """Replace Qt's random file identifiers with a hash of the content."""
    ids = _FILE_ID_PATTERN.search(pdf, pdf.rfind(b"\ntrailer"))
    assert ids is not None  # Qt always writes file identifiers
    start, end = ids.span()
    digest = hashlib.blake2b(pdf[:start], digest_size=len(ids[1]) // 2)
    for image in images:
        digest.update(image.cells.tobytes())
        if image.colours is not None:
            digest.update(image.colours.tobytes())
    file_id = digest.hexdigest().encode()
    return pdf[:start] + b"/ID [ <%b> <%b> ]" % (file_id, file_id) + pdf[end:]


def _make_objects(
    number: int, mask: int, image: PageImage, progress: threading.Event
) -> Iterator[tuple[int, bytes]]:
    """Yield the PDF objects of an image with their numbers.

    `mask` is the number of the object for the opacity, if the image has one.
    """
    table = image.colours
    if table is not None and np.isin(table[:, 3], (0, 255)).all():  # no colour is translucent
        space = f"[/Indexed /DeviceRGB {len(table) - 1} <{table[:, :3].tobytes().hex()}>]"
        transparent_indices = np.flatnonzero(table[:, 3] == 0)
        if len(transparent_indices):
            space += f" /Mask [{transparent_indices[0]} {transparent_indices[-1]}]"
        yield number, _make_object(number, space, image.cells, progress)
        return
    opacity = image.rgba[..., 3]
    space = "/DeviceRGB"
    if opacity.min(initial=255) < 255:
        space += f" /SMask {mask} 0 R"
        yield mask, _make_object(mask, "/DeviceGray", opacity, progress)
    yield number, _make_object(number, space, image.rgba[..., :3], progress)


def _make_object(number: int, space: str, cells: Bytes, progress: threading.Event) -> bytes:
    rows, columns = cells.shape[:2]
    compressor = zlib.compressobj(choose_compression_level(rows * columns))
    packed_rows = [compressor.compress(part.tobytes()) for part in iterate_rows(cells, progress)]
    packed_rows.append(compressor.flush())
    length = sum(map(len, packed_rows))
    head = (
        f"{number} 0 obj\n<< /Type /XObject /Subtype /Image /Width {columns} /Height {rows} "
        f"/BitsPerComponent 8 /ColorSpace {space} /Length {length} /Filter /FlateDecode >>\n"
    )
    return b"".join((head.encode(), b"stream\n", *packed_rows, b"\nendstream\nendobj\n"))


def _make_xref_table(places: dict[int, int], size: int, trailer: re.Match[bytes]) -> bytes:
    """Return the cross-reference table and the trailer of the incremental update."""
    lines = ["xref\n"]
    for number, place in sorted(places.items()):
        lines.append(f"{number} 1\n{place:010d} 00000 n \n")
    lines.append(f"trailer\n<< /Size {size} ")
    before = trailer[2] + b"/Prev " + trailer[3]
    return "".join(lines).encode() + before + b" >>\n"

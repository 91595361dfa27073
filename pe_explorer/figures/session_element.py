"""The session embedded in a PDF or SVG file as one XML element, found without parsing the file.

The text is JSON without characters that XML escapes. The text is therefore the same for an XML
parser and for a search for the name of the element.
"""

import html
import re

NAME = "pe-explorer:session"
_NAMESPACE = 'xmlns:pe-explorer="urn:pe-explorer:"'
# Characters that XML escapes or forbids.
_SPECIAL = re.compile("[<>&\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_BEGIN = re.compile(rb"<pe-explorer:session(?:\s[^<>]{0,1000})?>")
_END = b"</pe-explorer:session"
_MOST_BYTES = len("&quot;")  # maximum bytes of a character escaped by another program
_MOST_SPELLINGS = 2  # maximum spellings of a session: one of this program, one of another program


class ElementError(ValueError):
    """Error raised if the text of an element is unusable; the message gives the reason."""


def element(session: str) -> str:
    """Return the XML element for a session in JSON."""
    # JSON escapes are legal, because these characters only occur in JSON strings.
    text = _SPECIAL.sub(lambda found: f"\\u{ord(found[0]):04x}", session)
    return f"<{NAME} {_NAMESPACE}>{text}</{NAME}>"


def text_in(data: bytes, most: int) -> str | None:
    """Return the JSON text of a session with at most `most` characters, or None without an element.

    Programs that modify a file may escape characters as XML allows, and may write a second copy of
    the element.

    Raises
    ------
    ElementError
        If an element has no end, is too long or is not UTF-8, or if the elements differ or have
        more than two spellings.
    """
    longest = _MOST_BYTES * most + len(_END)
    spellings, place = set(), 0
    while begin := _BEGIN.search(data, place):
        first = begin.end()
        place = data.find(_END, first, first + longest)
        if place < 0:
            raise ElementError("its session is truncated, or too long")
        spellings.add(data[first:place])
        if len(spellings) > _MOST_SPELLINGS:
            problem = "it contains several sessions, or a session in more than two spellings"
            raise ElementError(problem)
    texts = set(map(_decoded, spellings))
    if len(texts) > 1:
        raise ElementError("it has several sessions")
    return texts.pop() if texts else None


def _decoded(data: bytes) -> str:
    try:
        return html.unescape(data.decode())
    except UnicodeDecodeError:
        raise ElementError("its session is damaged") from None

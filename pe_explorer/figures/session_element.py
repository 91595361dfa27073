"""The session in a PDF or SVG file: one XML element, found without parsing the file.

Its text is JSON without a character that XML would write in another way; so it is the same to
whoever reads XML and to whoever searches for the name of the element.
"""

import html
import re

NAME = "pe-explorer:session"
_NAMESPACE = 'xmlns:pe-explorer="urn:pe-explorer:"'
# What XML writes in another way, or does not allow.
_SPECIAL = re.compile("[<>&\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_BEGIN = re.compile(rb"<pe-explorer:session(?:\s[^<>]{0,1000})?>")
_END = b"</pe-explorer:session"
_MOST_BYTES = len("&quot;")  # of a character that another program has escaped
_MOST_SPELLINGS = 2  # of one session: ours, and another program's


class ElementError(ValueError):
    """An element whose text cannot be used; the text of the error says why."""


def element(session: str) -> str:
    """Return the element that carries the text of a session, which is JSON."""
    # JSON escapes are legal, because these characters only occur in JSON strings.
    text = _SPECIAL.sub(lambda found: f"\\u{ord(found[0]):04x}", session)
    return f"<{NAME} {_NAMESPACE}>{text}</{NAME}>"


def text_in(data: bytes, most: int) -> str | None:
    """Return the text of a session of at most `most` characters; None where there is no element.

    A program that changes a file may escape characters as XML allows, and may write the element
    once more.

    Raises
    ------
    ElementError
        If an element has no end, is too long or not UTF-8, if two differ, or if it is written in
        more than two ways.
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

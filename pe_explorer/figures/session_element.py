"""The session in a PDF or SVG file: one XML element, which is found without parsing the file.

The text is JSON without characters that XML escapes. An XML parser and a search for the name of the
element therefore find the same text.
"""

import re

ELEMENT_NAME = "pe-explorer:session"
_NAMESPACE = 'xmlns:pe-explorer="urn:pe-explorer:"'
_ESCAPED_CHARACTERS = re.compile("[<>&\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML escapes or forbids."""
_START_TAG = re.compile(rb"<pe-explorer:session(?:\s[^<>]{0,1000})?>")
_END_TAG = b"</pe-explorer:session"
_MAX_CHARACTER_BYTES = len("&quot;")  # maximum size of an escaped character in bytes
_MAX_SPELLINGS = 2  # maximum number of spellings: one by this program, one by another program


class ElementError(ValueError):
    """An error for an element whose text cannot be used; the message gives the reason."""


def make_session_element(session: str) -> str:
    """Return the XML element for a session in JSON."""
    # JSON escapes are legal, because these characters occur only in JSON strings.
    text = _ESCAPED_CHARACTERS.sub(lambda match: f"\\u{ord(match[0]):04x}", session)
    return f"<{ELEMENT_NAME} {_NAMESPACE}>{text}</{ELEMENT_NAME}>"


def find_session_text(data: bytes, max_characters: int) -> str | None:
    """Return the JSON text of the session in a file, or None if there is no element.

    `max_characters` limits the length of the text. Programs that modify a file may escape
    characters as XML allows, and may write a second copy of the element.

    Raises
    ------
    ElementError
        If an element has no end, is too long or is not UTF-8, or if the elements differ or
        have more than two spellings.
    """
    import html  # slow, because it contains a table of 2,231 names

    max_size = _MAX_CHARACTER_BYTES * max_characters + len(_END_TAG)
    spellings, end = set(), 0
    while match := _START_TAG.search(data, end):
        start = match.end()
        end = data.find(_END_TAG, start, start + max_size)
        if end < 0:
            raise ElementError("its session is truncated, or too long")
        spellings.add(data[start:end])
        if len(spellings) > _MAX_SPELLINGS:
            problem = "it contains several sessions, or a session in more than two spellings"
            raise ElementError(problem)
    try:
        texts = {html.unescape(spelling.decode()) for spelling in spellings}
    except UnicodeDecodeError:
        raise ElementError("its session is damaged") from None
    if len(texts) > 1:
        raise ElementError("it has several sessions")
    return texts.pop() if texts else None

"""Texts as XML files write them: whatever signs they have, the file can be read."""

import re
from xml.sax.saxutils import escape, quoteattr

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML file may have, not even escaped."""


def legal(text: str) -> str:
    """Return a text with what XML forbids replaced."""
    return _FORBIDDEN.sub("\ufffd", text)


def content(text: str) -> str:
    """Return a text as it stands between the beginning and the end of an element."""
    return escape(legal(text))


def attribute(text: str) -> str:
    """Return a text as the value of an attribute, in quotes."""
    return quoteattr(legal(text))

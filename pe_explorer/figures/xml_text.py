"""Escape text for XML files, so that every text gives a valid file."""

import re
from xml.sax.saxutils import escape, quoteattr

_FORBIDDEN_CHARACTERS = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML forbids even if escaped."""


def clean_xml_text(text: str) -> str:
    """Replace characters that XML forbids."""
    return _FORBIDDEN_CHARACTERS.sub("\ufffd", text)


def escape_text(text: str) -> str:
    """Escape a string for use as the content of an XML element."""
    return escape(clean_xml_text(text))


def attribute(text: str) -> str:
    """Escape and quote a string for use as the value of an attribute."""
    return quoteattr(clean_xml_text(text))

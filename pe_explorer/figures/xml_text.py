"""Escape text for XML files, so that every text gives a valid file."""

import re

_FORBIDDEN_CHARACTERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML forbids even if escaped."""

# Like `xml.sax.saxutils`, but without importing modules for the network.
_TEXT_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_ATTRIBUTE_ENTITIES = _TEXT_ENTITIES | str.maketrans(
    {'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
)


def clean_xml_text(text: str) -> str:
    """Replace characters that XML forbids."""
    return _FORBIDDEN_CHARACTERS.sub("\ufffd", text)


def escape_text(text: str) -> str:
    """Escape a string for use as the content of an XML element."""
    return clean_xml_text(text).translate(_TEXT_ENTITIES)


def attribute(text: str) -> str:
    """Escape and quote a string for use as the value of an attribute."""
    return f'"{clean_xml_text(text).translate(_ATTRIBUTE_ENTITIES)}"'

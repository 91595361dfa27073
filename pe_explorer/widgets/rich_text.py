"""Plain text within the rich text of tooltips and labels."""

from __future__ import annotations

# As `html.escape` does, without importing the names of 2,231 characters.
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})


def escaped(text: str) -> str:
    """Return rich text that shows a text as it is."""
    return text.translate(_ENTITIES)


def paragraph(text: str) -> str:
    """Return a paragraph that shows a text as it is; a tooltip breaks its lines."""
    return f"<p>{escaped(text)}</p>"

"""Rows and columns of widgets, by default without margins around them."""

from collections.abc import Iterable
from typing import TypeVar

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

_Layout = TypeVar("_Layout", bound=QBoxLayout)
_Margins = tuple[int, int, int, int]  # left, top, right and bottom, in pixels


def column_in(
    parent: QWidget,
    *parts: QWidget,
    spacing: int | None = None,
    margins: _Margins = (0, 0, 0, 0),
) -> QVBoxLayout:
    """Put parts below each other into a widget; return the layout, which takes more of them."""
    return _filled(QVBoxLayout(parent), parts, spacing, margins)


def row_in(
    parent: QWidget,
    *parts: QWidget,
    spacing: int | None = None,
    margins: _Margins = (0, 0, 0, 0),
) -> QHBoxLayout:
    """Put parts beside each other into a widget; return the layout, which takes more of them."""
    return _filled(QHBoxLayout(parent), parts, spacing, margins)


def _filled(
    layout: _Layout, parts: Iterable[QWidget], spacing: int | None, margins: _Margins
) -> _Layout:
    layout.setContentsMargins(*margins)
    if spacing is not None:
        layout.setSpacing(spacing)
    for part in parts:
        layout.addWidget(part)
    return layout

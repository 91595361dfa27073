"""Rows and columns of widgets without margins around them."""

from collections.abc import Iterable
from typing import TypeVar

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

_Layout = TypeVar("_Layout", bound=QBoxLayout)


def column_in(parent: QWidget, *parts: QWidget, spacing: int | None = None) -> QVBoxLayout:
    """Put parts below each other into a widget; return the layout, which takes more of them."""
    return _filled(QVBoxLayout(parent), parts, spacing)


def row_in(parent: QWidget, *parts: QWidget, spacing: int | None = None) -> QHBoxLayout:
    """Put parts beside each other into a widget; return the layout, which takes more of them."""
    return _filled(QHBoxLayout(parent), parts, spacing)


def _filled(layout: _Layout, parts: Iterable[QWidget], spacing: int | None) -> _Layout:
    layout.setContentsMargins(0, 0, 0, 0)
    if spacing is not None:
        layout.setSpacing(spacing)
    for part in parts:
        layout.addWidget(part)
    return layout

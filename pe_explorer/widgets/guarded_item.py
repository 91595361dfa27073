"""An item over a plot whose painting cannot end the process."""

from __future__ import annotations

import logging

from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsObject, QStyleOptionGraphicsItem, QWidget

__all__ = ["GuardedItem"]


class GuardedItem(QGraphicsObject):
    """Paints itself in `_paint`; an error there is logged, as one that leaves `paint` can kill."""

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        try:
            self._paint(painter)
        except Exception:
            name = type(self).__name__.lower()
            logging.getLogger(__name__).exception(f"a {name} could not be painted")

    def _paint(self, painter: QPainter) -> None:
        raise NotImplementedError

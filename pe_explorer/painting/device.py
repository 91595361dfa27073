"""Painting by device pixels, and with errors that stay within the function that paints."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec

from PySide6.QtGui import QPainter, QTransform

P = ParamSpec("P")


def guarded(paint: Callable[P, None]) -> Callable[P, None]:
    """Return a painting function whose errors are logged, and go no further."""

    @wraps(paint)
    def paint_or_log(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            paint(*args, **kwargs)
        except Exception:
            logging.getLogger(paint.__module__).exception("%s failed", paint.__qualname__)

    return paint_or_log


def pixel_ratio(painter: QPainter) -> float:
    """Return device pixels per pixel of what a painter draws on.

    It asks the painter, because the device is wrong while a widget is drawn into an image.
    """
    world = painter.worldTransform()
    painter.setWorldTransform(QTransform())
    ratio = painter.deviceTransform().m11()
    painter.setWorldTransform(world)
    return ratio


@contextmanager
def by_device_pixels(painter: QPainter) -> Iterator[QTransform]:
    """Switch a painter to device pixels; yield the transform from its coordinates to them."""
    painter.save()
    to_device = painter.deviceTransform()
    painter.setWorldTransform(QTransform())
    painter.setWorldTransform(painter.deviceTransform().inverted()[0])
    try:
        yield to_device
    finally:
        painter.restore()


def snap(painter: QPainter) -> None:
    """Move the origin to the nearest corner of device pixels, so that images stay sharp there."""
    place, ratio = painter.deviceTransform(), pixel_ratio(painter)
    across = round(place.dx()) - place.dx()
    down = round(place.dy()) - place.dy()
    painter.translate(across / ratio, down / ratio)

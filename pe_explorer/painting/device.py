"""Paint in device pixels, and log errors inside paint functions."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec

from PySide6.QtGui import QPainter, QTransform

P = ParamSpec("P")


def guarded(paint: Callable[P, None]) -> Callable[P, None]:
    """Return a paint function that logs its errors instead of raising them."""

    @wraps(paint)
    def paint_or_log(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            paint(*args, **kwargs)
        except Exception:
            logging.getLogger(paint.__module__).exception("%s failed", paint.__qualname__)

    return paint_or_log


def pixel_ratio(painter: QPainter) -> float:
    """Return the device pixels per logical pixel of a painter.

    The transform of the painter is used, because the device reports a wrong ratio while a widget is
    rendered into an image.
    """
    world = painter.worldTransform()
    painter.setWorldTransform(QTransform())
    ratio = painter.deviceTransform().m11()
    painter.setWorldTransform(world)
    return ratio


@contextmanager
def by_device_pixels(painter: QPainter) -> Iterator[QTransform]:
    """Switch a painter to device pixels; yield the transform from logical to device pixels."""
    painter.save()
    to_device = painter.deviceTransform()
    painter.setWorldTransform(QTransform())
    painter.setWorldTransform(painter.deviceTransform().inverted()[0])
    try:
        yield to_device
    finally:
        painter.restore()


def snap(painter: QPainter) -> None:
    """Move the origin to the nearest corner of a device pixel, so that images are sharp."""
    place, ratio = painter.deviceTransform(), pixel_ratio(painter)
    across = round(place.dx()) - place.dx()
    down = round(place.dy()) - place.dy()
    painter.translate(across / ratio, down / ratio)

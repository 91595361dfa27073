"""Paint in device pixels, and log errors inside paint functions."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec

from PySide6.QtGui import QPainter, QTransform

P = ParamSpec("P")


def log_errors(paint: Callable[P, None]) -> Callable[P, None]:
    """Return a paint function that logs its errors instead of raising them."""

    @wraps(paint)
    def paint_or_log(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            paint(*args, **kwargs)
        except Exception:
            logging.getLogger(paint.__module__).exception("%s failed", paint.__qualname__)

    return paint_or_log


@contextmanager
def save_state(painter: QPainter) -> Iterator[None]:
    """Save the state of a painter, and restore it at the end."""
    painter.save()
    try:
        yield
    finally:
        painter.restore()


@contextmanager
def paint_in_device_pixels(painter: QPainter) -> Iterator[QTransform]:
    """Let a painter draw in device pixels; yield the transform from logical to device pixels."""
    with save_state(painter):
        transform = painter.deviceTransform()
        painter.setWorldTransform(QTransform())
        painter.setWorldTransform(painter.deviceTransform().inverted()[0])
        yield transform


def snap_to_pixels(painter: QPainter) -> None:
    """Move the origin to the nearest corner of a device pixel, so that images are sharp."""
    transform, world_transform = painter.deviceTransform(), painter.worldTransform()
    # Read the pixel ratio from the transform, because the device reports a wrong ratio while a
    # widget is rendered into an image.
    painter.setWorldTransform(QTransform())
    ratio = painter.deviceTransform().m11()
    painter.setWorldTransform(world_transform)
    x_offset = round(transform.dx()) - transform.dx()
    y_offset = round(transform.dy()) - transform.dy()
    painter.translate(x_offset / ratio, y_offset / ratio)

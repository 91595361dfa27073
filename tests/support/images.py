"""Colours of rendered pictures as numbers."""

import numpy as np
from PySide6.QtGui import QImage


def pixels(image):
    """Return the blue, green and red of each pixel, 0 to 255, shape (height, width, 3)."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    channels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)
    return channels[:, : image.width(), :3].astype(int)


def distinct(colours):
    """Return the distinct colours of a picture, shape (number, channels), from 0 to 255."""
    shifts = 8 * np.arange(colours.shape[-1])
    packed = (colours.astype(np.int64) << shifts).sum(axis=-1)
    return np.unique(packed)[:, None] >> shifts & 255

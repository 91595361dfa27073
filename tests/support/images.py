"""The colours of a rendered picture as numbers."""

import numpy as np
from PySide6.QtGui import QImage


def pixels(image):
    """Return (height, width, 3): blue, green and red of each pixel, 0 to 255."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    return (
        np.frombuffer(image.constBits(), np.uint8)
        .reshape(image.height(), image.bytesPerLine() // 4, 4)[:, : image.width(), :3]
        .astype(int)
    )


def distinct(colours):
    """Return each colour of a picture once, as (number, channels); channels are 0 to 255.

    Whole colours are compared as one number each, a run of equal ones once.
    """
    channels = colours.shape[-1]
    shifts = 8 * np.arange(channels)
    packed = (colours.reshape(-1, channels).astype(np.int64) << shifts).sum(axis=1)
    begins = np.append(True, packed[1:] != packed[:-1])
    return np.unique(packed[begins])[:, None] >> shifts & 255

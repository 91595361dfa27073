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

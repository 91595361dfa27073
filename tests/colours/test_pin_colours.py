"""Colours of pins are distinguishable, and have enough contrast to the background."""

import numpy as np
import pytest
from PySide6.QtGui import QColor
from scipy.spatial.distance import pdist

from pe_explorer.colours.themes import PIN_SHADES
from pe_explorer.exploration import PIN_COLOURS
from pe_explorer.widgets.theme import colours, find_pin_shade, make_palette

DEFICIENCIES = {  # Machado, Oliveira and Fernandes 2009, table 1, severity 1.0
    "none": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(shade):
    c = np.array([QColor(shade).redF(), QColor(shade).greenF(), QColor(shade).blueF()])
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    xyz = TO_XYZ @ rgb / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pin_colours_are_distinguishable_for_colour_blind_readers(qapp, theme):
    palette = make_palette(theme)
    shades = [colours(palette).accent, *(find_pin_shade(colour, palette) for colour in PIN_COLOURS)]
    for eyes, matrix in DEFICIENCIES.items():
        seen = [lab(np.clip(matrix @ linear(shade), 0, 1)) for shade in shades]
        assert pdist(seen).min() > 18, eyes  # 2.3 is just noticeable
    ground = TO_XYZ[1] @ linear(colours(palette).base)
    for shade in shades[1:]:
        darker, lighter = sorted([ground, TO_XYZ[1] @ linear(shade)])
        # WCAG requires 3 for graphics, but thin lines look weaker on a dark background.
        assert (lighter + 0.05) / (darker + 0.05) >= (3 if theme == "light" else 4.5)


def test_every_pin_colour_has_shades():
    assert list(PIN_SHADES) == list(PIN_COLOURS)

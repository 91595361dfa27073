"""A figure of 4096 × 4096 numbers: all of them count in the file, and the program stays small."""

import subprocess
import sys

import numpy as np
import pytest
from PySide6.QtGui import QImage

from pe_explorer.colours.maps import table
from pe_explorer.pictures.pixels import NO_VALUE
from tests.support.pages import images_of_pdf, images_of_svg
from tests.support.processes import ENVIRONMENT
from tests.support.resampling import resampled

CELLS = 4096
MOST_MEMORY = 300 * 10**6
PIXELS = 4300  # of each side: more than cells, with room for numbers and titles

# A child's memory begins with that of who starts it, so a small process does.
MEASURED = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def embedded(path):
    """Return the pixels of the largest picture in an SVG or PDF file."""
    if path.suffix == ".svg":
        pictures = [pixels for pixels, _ in images_of_svg(path)]
    else:
        pictures = images_of_pdf(path)
    return max(pictures, key=len)


def encoded(rows):
    """Return the published formula of Vaswani et al., sines and cosines in turn."""
    angles = np.multiply.outer(rows, 10000.0 ** (-np.arange(0, CELLS, 2) / CELLS))
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(rows), -1)


@pytest.mark.parametrize("ending", [".png", ".pdf", ".svg"])
def test_it_is_whole_and_needs_little_memory(tmp_path, ending):
    path = tmp_path / f"f{ending}"
    program = (sys.executable, "-m", "pe_explorer", "render", "heatmap", "--values", "viridis")
    what = (
        *("--dim", str(CELLS), "--positions", f"0:{CELLS}"),
        *("--size", f"{PIXELS}x{PIXELS}", "--font-size", "8"),
    )
    command = (sys.executable, "-c", MEASURED, *program, *what, "-o", path)
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, check=True, timeout=120)
    assert int(done.stdout) * 1024 < MOST_MEMORY
    if ending == ".png":
        picture = QImage(str(path))
        assert (picture.width(), picture.height()) == (PIXELS, PIXELS)
        return
    found = embedded(path)
    columns = found.shape[1]  # as many as the area has pixels: columns are hardly wider
    assert len(found) == CELLS
    assert CELLS <= columns < PIXELS
    rows = np.arange(0, CELLS, 131)
    shown = resampled(encoded(rows), columns, turns=2)
    shades = np.rint((shown + 1) / 2 * 254).astype(int)
    colour_map = table("viridis", NO_VALUE).astype(int)
    off = [
        np.abs(colour_map[np.clip(shades + step, 0, 254)] - found[rows, :, :3]).sum(axis=-1)
        for step in (-1, 0, 1)  # plain angles are a little off
    ]
    assert (np.min(off, axis=0) == 0).all()

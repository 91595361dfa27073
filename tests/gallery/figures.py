"""Figures of exhibits, small and fast."""

import threading
from functools import cache

from pe_explorer.assets import find_asset
from pe_explorer.exploration import DirectStore, resolve
from pe_explorer.figures.making import PictureRequest, compute_figures
from pe_explorer.figures.style import Style
from pe_explorer.gallery.exhibits import exhibits
from tests.support.figures import measure

EXHIBITS = sorted(path.stem for path in find_asset("gallery/exhibits").iterdir())
SIZE, SIZE_OF_CLOCKS = (240.0, 200.0), (480.0, 400.0)
"""Sizes of figures in points; clocks need more space to be shown completely."""


@cache
def figure_of(name, view=""):
    exhibit = exhibits()[name]
    return figure_of_state(exhibit.exploration, view or exhibit.main_view)


def figure_of_state(state, view):
    expected = [PictureRequest(view, resolve(state, DirectStore()), "")]
    size = SIZE_OF_CLOCKS if view == "clocks" else SIZE
    (figure,) = compute_figures(expected, Style(), *size, 2.0, measure, threading.Event())
    return figure

"""Figures of views, computed for a page as the commands do it, with a measure of texts."""

import threading

from pe_explorer.exploration import DirectStore, Exploration, resolve
from pe_explorer.figures.making import Wanted, computed
from pe_explorer.figures.size import PRESETS

DENSITY = 300 / 72


def measure(text, size):
    """Return about the width that a text has in DejaVu Sans, or a little more."""
    return 0.62 * size * len(text)


def made(view, style, size=PRESETS["one-column"], **fields):
    """Return the figures of one view, computed for a page, and the size of that in points."""
    state = resolve(Exploration(**fields), DirectStore())
    width, height = size.in_points
    wanted = [Wanted(view, state)]
    figures = computed(wanted, style, width, height, DENSITY, measure, threading.Event())
    return figures, width, height

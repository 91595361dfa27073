"""Figures of views on a page, computed as in the commands, and their contents."""

import re
import threading

from pe_explorer import pictures
from pe_explorer.exploration import DirectStore, Exploration, resolve
from pe_explorer.figures.layout import areas, make_page
from pe_explorer.figures.making import PictureRequest, compute_figures
from pe_explorer.figures.page import ClockPoints, PageText, split_superscripts
from pe_explorer.figures.size import PRESETS, parse_figure_size
from pe_explorer.figures.style import Style

DENSITY = 300 / 72
ONE_COLUMN = PRESETS["one-column"]
STYLE = Style()
NOT_PRINTED = re.compile(r"[0-9]e[-+−]?[0-9]|\^|(?<![\w\])])-\.?[0-9]|(?<![.,\d])[0-9]{5}")
"""Numbers in the notation of programs: ``1e-5``, ``10^5``, ``-5`` and 12345."""


def options_of(view, **options):
    return {"options": {view: pictures.find(view).Options(**options)}}


def sized(size):
    return PRESETS.get(size) or parse_figure_size(size) if isinstance(size, str) else size


def measure(text, size):
    """Return the approximate width of a text in DejaVu Sans, whose digits are 0.64 em wide."""
    return 0.64 * size * len(text)


def figures_of(*views, style=STYLE, size=ONE_COLUMN, **fields):
    wanted = wanted_of(*views, **fields)
    return compute_figures(
        wanted, style, *sized(size).in_points, DENSITY, measure, threading.Event()
    )


def wanted_of(*views, **fields):
    """Return requests for figures; ``distances-curve`` requests only the curve."""
    state = resolve(Exploration(**fields), DirectStore())
    parts = (view.partition("-") for view in views)
    return [PictureRequest(view, state, only) for view, _, only in parts]


def page_with(*views, style=STYLE, size=ONE_COLUMN, **fields):
    figures = figures_of(*views, style=style, size=size, **fields)
    return make_page(figures, style, sized(size), measure)


def areas_of(*views, style=STYLE, size=ONE_COLUMN, **fields):
    """Return the areas of the data of each view on a page."""
    figures = figures_of(*views, style=style, size=size, **fields)
    return areas(figures, style, *sized(size).in_points, measure)


def items_of(page, kind):
    items = [item.make_discs() if isinstance(item, ClockPoints) else [item] for item in page.items]
    return [item for some in items for item in some if isinstance(item, kind)]


def words_of(page):
    return [text.text for text in items_of(page, PageText)]


def box(text, measure=measure):
    width = sum(
        measure(part, text.size * (0.7 if raised else 1.0))
        for part, raised in split_superscripts(text.text)
    )
    before = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * width
    up, down = 0.75 * text.size, 0.2 * text.size
    if text.is_upward:
        return text.x - up, text.y - width + before, text.x + down, text.y + before
    return text.x - before, text.y - up, text.x - before + width, text.y + down


def overlap(one, two):
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def check_texts(page):
    """Check that all texts are complete, on the page, without overlaps and with printed numbers."""
    texts = items_of(page, PageText)
    boxes = [box(text) for text in texts]
    for text, (left, top, right, bottom) in zip(texts, boxes, strict=True):
        on_page = left >= 0 and top >= 0 and right <= page.width and bottom <= page.height
        assert on_page, text
        assert not text.text.endswith("…"), text
        assert not NOT_PRINTED.search("".join(part for part, _ in split_superscripts(text.text))), (
            text
        )
    for number, one in enumerate(boxes):
        others = zip(texts[:number], boxes, strict=False)
        touching = [other.text for other, two in others if overlap(one, two)]
        assert not touching, texts[number].text

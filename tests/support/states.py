"""Pictures of views, computed and described without a window."""

import threading
from itertools import chain

from pe_explorer import pictures
from pe_explorer.exploration import DirectStore, Exploration, resolve
from pe_explorer.pictures.gestures import DisplayedPicture
from pe_explorer.pictures.pixels import Size

NEVER = threading.Event()
SIZE = Size(300, 200)


def state_of(view, options=None, **fields):
    """Return an exploration with options of a view, with its files loaded."""
    wanted = pictures.with_options(Exploration(**fields), view, **(options or {}))
    return resolve(wanted, DirectStore())


def numbers_of_view(view, options=None, size=SIZE, **fields):
    return pictures.make_picture(view, state_of(view, options, **fields)).numbers(size, NEVER)


def figure_of(view, options=None, size=SIZE, **fields):
    return snapshot(view, options, size, **fields).figure


def cost_of(view, options=None, size=SIZE, **fields):
    return pictures.make_picture(view, state_of(view, options, **fields)).cost(size)


def snapshot(view, options=None, size=SIZE, **fields):
    """Return the arguments of gestures: the state, its numbers and its figure."""
    picture = pictures.make_picture(view, state_of(view, options, **fields))
    numbers = picture.numbers(size, NEVER)
    return DisplayedPicture(picture, numbers, picture.figure(numbers))


def inspection_of_view(view, options=None, **fields):
    found = pictures.make_picture(view, state_of(view, options, **fields)).inspect(NEVER)
    return found, {value.name: value.text for value in found.values}


def texts_of(figure):
    """Yield all texts inside a figure: sentence, table, titles, names and headings."""
    if figure.clocks:
        yield figure.clocks.counted_items[0]
    if figure.note:
        yield figure.note.sentence
    if figure.table:
        rows = (figure.table.titles, *figure.table.rows, *figure.table.with_long_texts.rows)
        yield from chain.from_iterable(rows)
    for panel in figure.panels:
        yield from (panel.x.title, panel.y.title, panel.badge, panel.heading)
        yield from (*panel.x.names, *panel.y.names)
        yield from (
            f"{curve.legend_name} {curve.missing_reason}" for curve in (*panel.curves, *panel.areas)
        )
        yield from (each.label or each.name for each in panel.marks)
        if panel.cells:
            yield panel.cells.title
        if panel.trail:
            yield panel.trail.counted_items[0]

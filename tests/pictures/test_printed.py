"""What is said and drawn of any view and encoding has no ``1e-5``, ``10^5``, ``-5`` or 12345."""

import re

from pe_explorer import encodings, pictures
from pe_explorer.figures.layout import page_of
from pe_explorer.figures.page import PageText, pieces
from pe_explorer.figures.size import PRESETS
from pe_explorer.params import printed
from pe_explorer.pictures.picture import LackError
from tests.support.cases import for_each
from tests.support.figures import STYLE, figures_of, items_of, measure
from tests.support.pairwise import pairwise

NOT_PRINTED = re.compile(r"[0-9]e[-+−]?[0-9]|\^|(?<![\w\])])-\.?[0-9]|(?<![.,\d])[0-9]{5}")
SIZE = PRESETS["slide"]
STATES = {
    "near": {"count": 40},
    "far": {"start": 10**12 - 20, "count": 40, "position": 10**12, "reference": 10**12},
    "farthest": {"start": 10**15, "count": 30, "position": 10**15 + 3, "reference": 10**15},
    "below": {"start": -50_000, "count": 100_000, "position": -7},
}
ENCODINGS = {
    "sinusoidal": {"dim": 16},
    "rope": {"head_dim": 16, "rope_type": "yarn"},
    "alibi": {},
    "index": {},
    "fraction": {},
    "binary": {},
}


def texts_of(view, state, encoding):
    """Yield the sentence, the texts and the table of a figure."""
    try:
        (figure,) = figures_of(view, style=STYLE, size=SIZE, encoding=encoding, **state)
    except LackError as error:  # as it is shown in place of the figure
        yield printed.text(error.sentence)
        return
    yield figure.status
    for row in figure.table.rows if figure.table else ():
        yield from row
    for item in items_of(page_of([figure], STYLE, SIZE, measure), PageText):
        yield "".join(part for part, _ in pieces(item.text))


@for_each(("view", "name", "state"), pairwise(pictures.names(), ENCODINGS, STATES))
def test_numbers_are_printed(view, name, state):
    encoding = encodings.create(name, **ENCODINGS[name])
    texts = texts_of(view, STATES[state], encoding)
    found = [text for text in texts if NOT_PRINTED.search(text)]
    assert not found

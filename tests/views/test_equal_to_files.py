"""What is seen is what is exported: a pane has the pixels of the file of its size."""

from random import Random
from threading import Event

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QGraphicsView

from pe_explorer import encodings, pictures, views
from pe_explorer.app.output import figure_files
from pe_explorer.exploration import Pin
from pe_explorer.figures import making
from pe_explorer.figures.layout import make_page
from pe_explorer.figures.size import PIXELS_PER_INCH, UNIT_POINTS, FigureSize
from pe_explorer.painting.page_painter import make_measure
from pe_explorer.params import Choice, declared
from pe_explorer.views.view import RenderTarget
from tests.support.gestures import wait_for_worker
from tests.support.images import pixels
from tests.support.oracles import suited_to

SIZES = ((900, 600), (420, 280), (300, 700), (640, 400), (1280, 800))
STATES = 20  # of each view
COUNTS = (1, 2, 20, 50, 383, 1000, 100_000)
METRICS = ("cosine", "dot", "euclidean", "manhattan", "sse")
ENCODINGS = ("sinusoidal", "alibi", "rope", "binary", "index", "fraction")


def random_state(name, pick):
    """Return options of a view, and fields of an exploration, that are seldom the usual ones."""
    e = suited_to(name)
    if pick.random() < 0.4:
        e = encodings.create(pick.choice(ENCODINGS))
    kinds = declared(pictures.find(name).Options)
    chosen = [key for key, kind in kinds.items() if isinstance(kind, Choice) and key != "method"]
    options = {key: pick.choice(list(kinds[key].choices)) for key in chosen if pick.random() < 0.3}
    pins = (Pin(encodings.create("sinusoidal", base=100.0), "base 100"),)
    rope = (Pin(encodings.create("rope", rope_theta=1e6), "slower"),)
    return options, {
        "encoding": e,
        "count": pick.choice(COUNTS),
        "start": pick.choice((0, 0, 7, 10**6)),
        "metric": pick.choice(METRICS),
        "pins": rope if e.name == "rope" else pick.choice(((), pins)),
        "show": pick.choice(("current", "current", "pinned", "current pinned")),
    }


def pane(view, scale):
    """Return the pixels of the page that a view shows."""
    canvas = view.findChild(QGraphicsView)
    image = QImage(canvas.size() * scale, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    painter = QPainter(image)
    view.render(painter, -canvas.pos())
    painter.end()
    return pixels(image)


def file(view, scale):
    """Return the pixels of a file of the same size.

    Where the view has its table beside the page, it is of the same numbers without the table.
    """
    canvas, style = view.findChild(QGraphicsView), view.page_style
    size, measure = FigureSize(canvas.width(), canvas.height()), make_measure(style.font)
    wanted = [making.PictureRequest(view.picture.name, view.visible_state(view.model.state))]
    density = scale / UNIT_POINTS["px"]
    figures = making.compute_figures(
        wanted, style.with_size(size), *size.in_points, density, measure, Event()
    )
    if view.table is not None:
        figure = making.with_band_names(view.snapshot.figure, view.options)
        figures = [figure._replace(table=None)]
    page = make_page(figures, style, size, measure)
    return pixels(figure_files.image(page, scale * PIXELS_PER_INCH, Event()))


@pytest.mark.sampled(44)
@pytest.mark.parametrize("number", range(STATES))
@pytest.mark.parametrize("name", views.names())
def test_a_pane_equals_the_file_of_its_size(show, qapp, name, number):
    pick = Random(f"{name} {number}")
    qapp.set_theme(pick.choice(("light", "dark")))
    options, fields = random_state(name, pick)
    size, scale = pick.choice(SIZES), pick.choice((1, 2))
    target = RenderTarget(density=float(scale), has_cursor_mark=False)
    view = show(name, *size, options, target, **fields)
    wait_for_worker(view.model)
    if view.is_blank or view.snapshot.figure.note is not None:  # a sentence stands over the pane
        return
    seen, wanted = pane(view, scale), file(view, scale)
    assert seen.shape == wanted.shape
    differ = (np.abs(seen.astype(int) - wanted) > 3).any(axis=-1)
    assert differ.mean() <= 0.001


@pytest.mark.sampled(22)
@pytest.mark.parametrize("number", range(STATES))
@pytest.mark.parametrize("name", views.names())
def test_a_pane_does_not_show_what_it_has_shown_before(show, name, number):
    pick = Random(f"before {name} {number}")
    size = pick.choice(SIZES)
    (options, before), (others, now) = (random_state(name, pick) for _ in range(2))
    walked, fresh = show(name, *size, options, **before), show(name, *size, others, **now)
    state = fresh.model.state
    wait_for_worker(walked.model)
    walked.model.set(options=state.options, **{field: getattr(state, field) for field in now})
    walked.model.set(position=state.position, dimension=state.dimension)
    for _ in range(3):  # each picture may ask for another, once it is laid out
        wait_for_worker(walked.model)
        wait_for_worker(fresh.model)
    canvas = fresh.findChild(QGraphicsView)
    if not canvas.isHidden():
        np.testing.assert_allclose(pane(walked, 1).astype(int), pane(fresh, 1), atol=3)

"""The projection with umap-learn itself, with a seed of which no points are stored."""

import threading

import pytest

from pe_explorer import encodings, pictures
from pe_explorer.exploration import DirectStore, Exploration, resolve
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.projection import ProjectionPicture

pytestmark = pytest.mark.umap


def test_a_thousand_positions_are_a_line_without_a_break():
    e = encodings.create("sinusoidal", dim=1024)
    state = pictures.with_options(Exploration(e, count=1000), "projection", method="umap", seed=2)
    shown = resolve(state, DirectStore())
    numbers = ProjectionPicture.compute(shown, Size(1, 1), threading.Event())
    assert numbers.neighbours == pytest.approx(0.985, abs=0.01)
    assert numbers.neighbours_before == 1
    longest, median = numbers.steps
    assert 0 < longest < 4 * median

"""The projection with umap-learn itself: the numbers of document 002's exhibit."""

import threading

import pytest

from pe_explorer import encodings, pictures
from pe_explorer.exploration import DirectStore, Exploration, resolve
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.projection import ProjectionPicture

pytestmark = pytest.mark.umap


def test_a_thousand_positions_are_a_line_without_a_break():
    e = encodings.create("sinusoidal", dim=1024)
    state = pictures.with_options(Exploration(e, count=1000), "projection", method="umap")
    shown = resolve(state, DirectStore())
    numbers = ProjectionPicture.compute(shown, Size(1, 1), threading.Event())
    assert numbers.neighbours == pytest.approx(0.983, abs=0.005)
    assert numbers.neighbours_before == 1
    longest, median = numbers.steps
    assert longest == pytest.approx(0.227, rel=0.1)
    assert median == pytest.approx(0.091, rel=0.1)

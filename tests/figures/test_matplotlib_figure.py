"""The figure of matplotlib that Python gets: its size, its axes, and what it refuses."""

import sys

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt

from pe_explorer import encodings
from pe_explorer.colours.themes import DARK
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration import Exploration
from pe_explorer.figures import matplotlib_figure
from pe_explorer.figures.size import FigureSize
from pe_explorer.params import ParameterError

SHOWN = Exploration(encoding=encodings.create("sinusoidal", dim=8), start=100, count=20)


@pytest.mark.parametrize(
    ("size", "inches", "dpi"),
    [
        ("84x60mm", (84 / 25.4, 60 / 25.4), 120),
        ("3.3x2.4in", (3.3, 2.4), 120),
        (FigureSize(480, 360), (5.0, 3.75), 96),
    ],
)
def test_it_has_the_size_and_numbers_of_the_view(size, inches, dpi):
    figure = matplotlib_figure("heatmap", SHOWN, size=size, dpi=120.0)
    assert figure.get_size_inches().tolist() == pytest.approx(inches)
    assert figure.dpi == dpi
    ax, bar = figure.axes
    angles = np.arange(100, 120)[:, None] * 10000.0 ** (-np.arange(4) / 4)
    wanted = np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(20, 8)
    np.testing.assert_allclose(ax.images[0].get_array(), wanted, rtol=0, atol=1e-14)
    assert (ax.get_xlim(), ax.get_ylim()) == ((-0.5, 7.5), (119.5, 99.5))
    assert ax.get_yticklabels()[0].get_text() == "100"
    assert bar.get_ylabel() == "value"


def test_it_leaves_pyplot_and_its_settings_alone():
    before = dict(mpl.rcParams)
    figure = matplotlib_figure("clocks", SHOWN, theme="dark", title="costs $5")
    assert dict(mpl.rcParams) == before
    assert plt.get_fignums() == []
    assert mpl.colors.to_hex(figure.get_facecolor()) == DARK.base
    assert figure.texts[0].get_text() == r"costs \$5"
    white = matplotlib_figure("clocks", SHOWN, theme="dark", ground="white")
    assert mpl.colors.to_hex(white.get_facecolor()) == "#ffffff"


def test_what_cannot_be_drawn_is_told_in_a_sentence():
    index = Exploration(encoding=encodings.create("index"))
    for wrong, error, sentence in (
        ({"view": "heatmpa"}, ParameterError, "view: 'heatmpa' is not one of .*'heatmap'"),
        ({"theme": "drak"}, ParameterError, "theme: 'drak' is not one of light, dark"),
        ({"size": "3"}, ParameterError, "size: '3' is not a size"),
        ({"size": "20x20mm"}, ParameterError, "too small .* at least 35x20mm"),
        ({"font_size": 99.0}, ParameterError, "font_size: 99 is outside the limits"),
        ({"letters": 8}, TypeError, "letters"),
        ({"view": "clocks", "exploration": index}, EncodingError, "not made of waves"),
    ):
        with pytest.raises(error, match=sentence):
            matplotlib_figure(**{"view": "heatmap", "exploration": SHOWN, **wrong})


def test_without_matplotlib_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r'pip install "pe-explorer\[matplotlib\]"'):
        matplotlib_figure("heatmap", SHOWN)

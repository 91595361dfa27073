"""Every view and quantity of every encoding: it is made, or one line says why not and no file is
left.
"""

import math

import numpy as np
import pytest
from PySide6.QtGui import QImage
from scipy.spatial.distance import pdist
from tqdm import tqdm

from pe_explorer import quantities, views
from pe_explorer.analysis import moved_rows
from pe_explorer.app.application import Application
from pe_explorer.commandline import main as cli
from pe_explorer.encodings import Bias, Rotary, Waves
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from pe_explorer.flags import WINDOW
from tests.support.samples import samples

ABSOLUTE = {"sinusoidal", "index", "fraction", "binary"}
ALL = ABSOLUTE | {"learned", "rope", "alibi"}
TURNING = {"sinusoidal", "rope"}
DRAWN = {
    "heatmap": ALL,
    "heatmap --quantity angle": TURNING,
    "heatmap --quantity error": TURNING,
    "frequencies": TURNING,
    "clocks": TURNING,
    "waves": ALL,
    "tokens": ALL,
    "tokens --part both": ALL,
    "shift": ALL,
    "shift --part tables": ALL,
    "projection": ALL,
    "distances": ALL,
    "distances --part histogram": ALL,
    "heatmap --heatmap-second 20": ALL,
    "properties": ALL,
    WINDOW: ALL,
}
WRITTEN = {
    "table": ALL,
    "distances": ALL,
    "angles": TURNING,
    "matrix": ALL,
    "projection": ALL,
    "distance-histogram": ALL,
    "likeness": ALL,
    "tokens": ALL,
    "frequencies": TURNING,
    "wavelengths": TURNING,
    "shift-matrix": ALL,
    "shifted": ALL,
    "shift-residual": ALL,
    "float32-error": TURNING,
    "cos-sin": {"rope"},
    "score": {"rope"},
    "bias": {"alibi"},
}
"""What there is of the encodings of today; of others, whatever is told in the same way."""

COUNT = 9
every_encoding = pytest.mark.parametrize(
    "e", samples(dim=6, head_dim=6, heads=3), ids=lambda e: e.name
)


def asked(folder, command, words, e, target):
    """Run a command on a session with an encoding, and return its exit code."""
    start = e.first_range[0]
    metric = "euclidean"  # which rows of zeros have, too
    state = Exploration(e, start=start, count=COUNT, reference=start + 1, metric=metric)
    session.write(folder / "s.json", state)
    try:
        return cli.main([command, *words, "--session", "s.json", "-o", target])
    except SystemExit as stop:
        return stop.code


def refused(capsys, folder, command, e):
    """Check that one line says why there is nothing, and what there is instead."""
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), err[-1:]) == ("", 1, "\n")
    assert err.startswith(f"pe-explorer {command}: --")
    assert e.called() in err
    assert "; " in err  # the remedy
    assert [path.name for path in folder.iterdir()] == ["s.json"]


def test_the_table_is_of_everything_there_is():
    assert {line.split()[0] for line in DRAWN} >= {*views.names(), WINDOW}
    assert WRITTEN.keys() >= set(quantities.names())
    assert {e.name for e in samples()} >= ALL


@pytest.mark.parametrize("picture", DRAWN)
@every_encoding
def test_a_picture_is_drawn_or_a_line_says_why_not(qapp, tmp_path, monkeypatch, capsys, picture, e):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Application, "__new__", lambda cls, theme: qapp)  # there can be only one
    monkeypatch.setattr(Application, "__init__", lambda self, theme: None)
    code = asked(tmp_path, "render", (*picture.split(), "--size", "480x300"), e, "p.png")
    assert e.name not in ALL or (code == 0) == (e.name in DRAWN[picture])
    if code:
        assert code == 2
        refused(capsys, tmp_path, "render", e)
        return
    assert capsys.readouterr() == ("", "")
    image = QImage(str(tmp_path / "p.png"))
    assert (image.width(), image.height()) == (480, 300)
    colours = {image.pixel(x, y) for x in range(0, 480, 3) for y in range(0, 300, 3)}
    assert len(colours) > 9


@pytest.mark.parametrize("what", quantities.names())
@every_encoding
def test_a_quantity_is_written_or_a_line_says_why_not(tmp_path, monkeypatch, capsys, what, e):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tqdm, "monitor_interval", 0)  # else a thread of it remains
    code = asked(tmp_path, "export", ("--what", what, "--carry", "omit"), e, "q.npy")
    assert e.name not in ALL or (code == 0) == (e.name in WRITTEN.get(what, ALL))
    if code:
        assert code == 2
        refused(capsys, tmp_path, "export", e)
        return
    assert capsys.readouterr().out == ""
    found = np.load(tmp_path / "q.npy")
    assert found.shape == shape(what, e)
    assert np.isfinite(found).all()


def apart_in_steps(apart):
    """Return the edges of 24 to 48 bins with a round width, or of one around a single distance."""
    low, high = apart.min(), apart.max()
    if high - low < 1e-9:
        return range(4)
    step = next(
        each * 10.0**power
        for power in range(-12, 12)
        for each in (1, 2, 5)
        if each * 10.0**power >= (high - low) / 48
    )
    return range(math.floor(low / step), math.floor(high / step) + 2)


def shape(what, e):
    """Return the shape that an array has."""
    if what in ("frequencies", "wavelengths"):
        assert isinstance(e, Waves)
        return (len(e.turns),)
    if what == "cos-sin":
        assert isinstance(e, Rotary)
        return (COUNT, 2 * e.rotary)
    if what == "bias":
        assert isinstance(e, Bias)
        return (e.heads, COUNT)
    if what in ("table", "angles", "float32-error"):
        return COUNT, e.width
    if what == "distance-histogram":
        first = e.first_range[0]
        apart = pdist(e.table(range(first, first + COUNT)))
        return len(apart_in_steps(apart)) - 1, 4
    if what == "projection":
        return COUNT, 2
    if what == "tokens":
        return 8, e.width
    if what.startswith("shift"):
        width = moved_rows.width(e)
        shapes = {"shift-matrix": (width, width), "shifted": (COUNT, width)}
        return shapes.get(what, (COUNT,))
    return (COUNT, COUNT) if what == "matrix" else (COUNT,)

"""Every view and quantity of every encoding: it is made, or one line says why not and no file is
left.
"""

import numpy as np
import pytest
from PySide6.QtGui import QImage
from tqdm import tqdm

from pe_explorer import quantities, views
from pe_explorer.app.application import Application
from pe_explorer.commandline import main as cli
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from pe_explorer.flags import WINDOW
from tests.support.images import distinct, pixels
from tests.support.oracles import definition, of_picture, of_quantity
from tests.support.samples import samples
from tests.support.wanted import NOTHING

DRAWN = {WINDOW: NOTHING} | {
    f"{name} {words}".strip(): needs
    for name in views.names()
    for words, needs in (("", of_picture(name).needs), *of_picture(name).with_options.items())
}
"""What the pictures need, with the flags that choose them."""

COUNT = 9
every_encoding = pytest.mark.parametrize(
    "e", samples(dim=6, head_dim=6, heads=3), ids=lambda e: e.name
)


@pytest.fixture
def asked(tmp_path, monkeypatch, qapp, capsys):
    """A function that runs a command on a session with an encoding, in a folder of its own.

    It returns whether the file was made; if not, one line must say why.
    """
    monkeypatch.setattr(Application, "__new__", lambda cls, theme: qapp)  # there can be only one
    monkeypatch.setattr(Application, "__init__", lambda self, theme: None)
    monkeypatch.setattr(tqdm, "monitor_interval", 0)  # else a thread of it remains

    def asked(command, words, e, start, target):
        (tmp_path / target).unlink(missing_ok=True)
        monkeypatch.chdir(tmp_path)
        metric = "euclidean"  # which rows of zeros have, too
        state = Exploration(e, start=start, count=COUNT, reference=start + 1, metric=metric)
        session.write("s.json", state)
        try:
            code = cli.main([command, *words, "--session", "s.json", "-o", target])
        except SystemExit as stop:
            code = stop.code
        out, err = capsys.readouterr()
        assert out == ""
        if code:
            assert (code, err.count("\n"), err[-1:]) == (2, 1, "\n")
            assert err.startswith(f"pe-explorer {command}: --")
            assert e.called() in err
            assert "; " in err  # the remedy
            assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["s.json"]
        else:
            assert command == "export" or err == "" or (err.count("\n"), "room" in err) == (1, True)
        return code == 0

    return asked


@every_encoding
def test_a_picture_is_drawn_or_a_line_says_why_not(asked, e):
    far = min(10**15, e.domain[-1] - COUNT)
    for number, (picture, needs) in enumerate(DRAWN.items()):
        start = e.first_range[0] if number % 2 else far
        made = asked("render", (*picture.split(), "--size", "480x300"), e, start, "p.png")
        assert made == (needs <= definition(e).abilities), picture
        if made:
            image = QImage("p.png")
            assert (image.width(), image.height()) == (480, 300)
            assert len(distinct(pixels(image)[::3, ::3])) > 9


@every_encoding
def test_a_quantity_is_written_or_a_line_says_why_not(asked, e):
    start = e.first_range[0]
    for what in quantities.names():
        made = asked("export", ("--what", what, "--carry", "omit"), e, start, "q.npy")
        assert made == (of_quantity(what).needs <= definition(e).abilities), what
        if made:
            found = np.load("q.npy")
            has_gaps = what == "evidence"  # what was not found has no number
            assert np.isfinite(found).any() if has_gaps else np.isfinite(found).all()
            of_quantity(what).check(found, definition(e), range(start, start + COUNT))

"""Every view and quantity of every encoding: it is made, or one line says why not and no file is
left.
"""

import numpy as np
from PySide6.QtGui import QImage
from tqdm import tqdm

from pe_explorer import quantities, views
from pe_explorer.app.application import Application
from pe_explorer.commandline import main as cli
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from pe_explorer.flags import WINDOW
from tests.support.cases import for_each
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
every_encoding = for_each("e", samples(dim=6, head_dim=6, heads=3), ids=lambda e: e.name)


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


@for_each("picture", DRAWN)
@every_encoding
def test_a_picture_is_drawn_or_a_line_says_why_not(qapp, tmp_path, monkeypatch, capsys, picture, e):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Application, "__new__", lambda cls, theme: qapp)  # there can be only one
    monkeypatch.setattr(Application, "__init__", lambda self, theme: None)
    monkeypatch.setattr(tqdm, "monitor_interval", 0)  # else a thread of it remains
    code = asked(tmp_path, "render", (*picture.split(), "--size", "480x300"), e, "p.png")
    assert (code == 0) == (DRAWN[picture] <= definition(e).abilities)
    if code:
        assert code == 2
        refused(capsys, tmp_path, "render", e)
        return
    assert capsys.readouterr() == ("", "")
    image = QImage(str(tmp_path / "p.png"))
    assert (image.width(), image.height()) == (480, 300)
    assert len(distinct(pixels(image)[::3, ::3])) > 9


@for_each("what", quantities.names())
@every_encoding
def test_a_quantity_is_written_or_a_line_says_why_not(tmp_path, monkeypatch, capsys, what, e):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tqdm, "monitor_interval", 0)  # else a thread of it remains
    code = asked(tmp_path, "export", ("--what", what, "--carry", "omit"), e, "q.npy")
    assert (code == 0) == (of_quantity(what).needs <= definition(e).abilities)
    if code:
        assert code == 2
        refused(capsys, tmp_path, "export", e)
        return
    assert capsys.readouterr().out == ""
    found = np.load(tmp_path / "q.npy")
    has_gaps = what == "evidence"  # what was not found has no number
    assert np.isfinite(found).any() if has_gaps else np.isfinite(found).all()
    start = e.first_range[0]
    of_quantity(what).check(found, definition(e), range(start, start + COUNT))

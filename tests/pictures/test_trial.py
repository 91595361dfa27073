"""A trial view: what a new view needs is one folder and one file of words, both short."""

from pathlib import Path

import numpy as np
import pytest

from pe_explorer import pictures
from pe_explorer.gallery import guide
from pe_explorer.words import texts
from tests.pictures import trial
from tests.support.oracles import definition
from tests.support.shown import inspected, on_screen
from tests.support.sinusoids import sinusoidal

FOLDER, MOST_LINES = Path(trial.__file__).parent, 150


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    find = pictures.find
    monkeypatch.setattr(
        pictures, "find", lambda name: {"trial": trial.Trial}.get(name) or find(name)
    )
    monkeypatch.setattr(texts, "asset", lambda name: FOLDER / "words.json")
    texts.read_words.cache_clear()
    yield
    texts.read_words.cache_clear()


def test_its_texts_are_those_of_its_numbers():
    options, e = {"quantity": "change", "absolute": True, "limit": 0.25}, sinusoidal(dim=8)
    drawn = on_screen("trial", options, encoding=e, count=30, dimension=2)
    column = np.array([float(row[2]) for row in definition(e).rows(range(30))])
    changes = np.abs(np.diff(column, prepend=column[0]))
    (panel,) = drawn.figure.panels
    np.testing.assert_allclose(panel.curves[0].y, changes, atol=1e-15)
    above = (changes > 0.25).sum()
    assert drawn.figure.status == f"Trial: {above} of 30 positions above 0.25, without their signs."
    found, values = inspected("trial", options, encoding=e, count=30, dimension=2)
    assert float(values["Greatest"]) == pytest.approx(changes.max(), rel=1e-11)
    assert (values["Above the limit"], len(found.brief)) == (str(above), 1)
    words = guide.explain("trial", drawn.picture.state)
    assert words.shows == f"The curve is one dimension of {e.called()}: 30 positions."
    assert words.look == (f"The column repeats every {2 * np.pi * 10:.4g} positions.",)
    assert not words.tries  # it would change nothing


def test_it_is_short():
    assert (
        sum(len(path.read_text("utf-8").splitlines()) for path in FOLDER.glob("*.*")) <= MOST_LINES
    )

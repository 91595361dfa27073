"""A trial view: what a new view needs is one folder with its words, both short."""

from pathlib import Path

import numpy as np

from pe_explorer import pictures
from pe_explorer.gallery import guide
from pe_explorer.words import texts
from tests.pictures import trial
from tests.support.oracles import definition
from tests.support.sinusoids import sinusoidal
from tests.support.states import inspection_of_view, snapshot

FOLDER, MOST_LINES = Path(trial.__file__).parent, 150


def test_a_view_with_a_curve_and_three_options_is_a_short_folder_and_file_of_words(monkeypatch):
    monkeypatch.setattr(pictures, "find", {"trial": trial.Trial}.get)
    monkeypatch.setattr(texts, "find_asset", lambda name: FOLDER / "words.json")
    shown = {"encoding": sinusoidal(dim=8), "count": 30, "dimension": 2}
    options = {"quantity": "change", "absolute": True, "limit": 0.25}
    drawn = snapshot("trial", options, **shown)
    changes = np.abs(np.diff(definition(shown["encoding"]).rows(range(30))[:, 2], prepend=0.0))
    above = f"{(changes > 0.25).sum()}"
    np.testing.assert_allclose(drawn.figure.panels[0].curves[0].y, changes, atol=1e-15)
    assert drawn.figure.status == f"Trial: {above} of 30 positions above 0.25, without their signs."
    found, values = inspection_of_view("trial", options, **shown)
    assert (values["Above the limit"], found.brief) == (above, (f"{above} above",))
    words = guide.explain("trial", drawn.picture.state)
    assert (
        words.shows
        == f"The curve is one dimension of {shown['encoding'].format_name()}: 30 positions."
    )
    assert words.look == (f"The column repeats every {2 * np.pi * 10:.3g} positions.",)
    lines = [path.read_text("utf-8").splitlines() for path in FOLDER.glob("*.*")]
    assert sum(map(len, lines)) <= MOST_LINES

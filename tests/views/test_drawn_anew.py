"""After any sequence of changes a view is one that is drawn anew: item by item, pixel by pixel."""

from random import Random

import pytest

from pe_explorer import encodings, pictures
from tests.endurance.anew import left_behind
from tests.support.gestures import settle, wait_for_worker

FIRST_SEED, ROUNDS = 29003, 2


@pytest.mark.parametrize("name", pictures.names())
def test_nothing_stays_of_what_was_shown_before(qapp, name):
    pick = Random(FIRST_SEED)
    for _ in range(ROUNDS):
        assert left_behind(name, pick) == ""


@pytest.mark.parametrize(
    ("name", "there", "back"),
    [
        ("properties", {"encoding": "alibi"}, {"encoding": "sinusoidal"}),
        ("heatmap", {"encoding": "learned"}, {"encoding": "sinusoidal"}),
        ("distances", {"encoding": "learned"}, {"encoding": "sinusoidal"}),
    ],
)
def test_what_was_hidden_meanwhile_is_as_it_was(show, qapp, name, there, back):
    """Labels of marks, and numbers beside colours, though the theme was another one meanwhile."""
    view = show(name, encoding=encodings.create("sinusoidal"), position=20)
    wait_for_worker(view.model)
    first = view.grab().toImage()
    for theme, fields in (("dark", there), ("light", back)):
        view.model.set_encoding(fields["encoding"])
        view.model.set(position=20)  # which another encoding may have moved
        settle(view.model)
        qapp.set_theme(theme)
        wait_for_worker(view.model)
    assert view.grab().toImage() == first


def test_what_was_a_square_fills_its_place_with_its_titles_once_it_is_none(show):
    """It stayed a square without a title, beside the rows of the words."""
    view = show("tokens", 900, 400, encoding=encodings.create("sinusoidal"))
    view.model.set_options("tokens", part="both")
    view.setFocus()  # no caret blinks in the sentence
    settle(view.model)
    first = view.grab().toImage()
    for part in ("attention", "both"):
        view.model.set_options("tokens", part=part)
        settle(view.model)
    assert view.grab().toImage() == first

"""Texts of exhibits stay true after tries and random changes."""

from random import Random

import pytest

from pe_explorer import pictures
from pe_explorer.gallery import sentences
from pe_explorer.gallery.exhibits import exhibits
from pe_explorer.gallery.sentences import Sentence
from tests.gallery.figures import EXHIBITS
from tests.support.exhibit_sentences import falsehoods, resolved

pytestmark = pytest.mark.usefixtures("umap_is_here")
CHANGES = 2


@pytest.mark.sampled(20)
@pytest.mark.parametrize("name", EXHIBITS)
def test_texts_of_exhibits_are_never_false(name):
    assert not falsehoods(exhibits()[name], Random(f"30 {name}"), CHANGES)


@pytest.mark.parametrize("name", EXHIBITS)
def test_all_texts_are_shown_when_an_exhibit_opens(name):
    exhibit = exhibits()[name]
    texts = exhibit.format_texts(resolved(exhibit.exploration))
    assert texts.is_fully_valid
    assert texts.note == exhibit.note
    assert (texts.text, texts.truth) == (exhibit.text, exhibit.truth)
    for point, text in zip(exhibit.look, texts.look, strict=True):
        assert text
        assert text == point.text or "{" in point.text
    assert texts.places == tuple(point.view_place for point in exhibit.look)
    assert all(texts.outcomes)


def test_colours_and_the_cursor_do_not_change_texts():
    exhibit = exhibits()["000-heatmap"]
    state = exhibit.exploration.with_(position=7, dimension=3)
    state = pictures.with_options(state, "heatmap", values="viridis")
    assert exhibit.format_texts(resolved(state)).is_fully_valid


@pytest.mark.parametrize(
    ("text", "when", "bound"),
    [
        ("15 of 64 pairs turn.", {}, True),
        ("{turning} of 64 pairs turn.", {"encoding.dim": 128}, True),
        ("Most columns stand still.", {}, True),
        ("{turning} of {pairs} pairs turn.", {}, False),
        ("A straight line.", {"options.frequencies.axis": "logarithmic"}, False),
        ("It errs by 10⁻¹⁵.", {}, True),
    ],
)
def test_literal_numbers_bind_a_sentence(text, when, bound):
    assert Sentence(text, when).is_bound == bound


def test_settings_in_when_can_differ():
    own = exhibits()["000-base-1e8"].exploration
    text = Sentence("15 of the 64 pairs complete a turn.", {"encoding.base": [1e4, 1e5]})
    for base, count, is_valid in ((1e4, 50, True), (1e8, 50, False), (1e4, 60, False)):
        state = sentences.with_settings(own, {"encoding.base": base, "count": count})
        assert bool(text.format_text(own, ("heatmap",), resolved(state))) == is_valid


def test_outcomes_are_shown_only_around_their_try():
    exhibit = exhibits()["000-base-1e8"]
    own, (rows, base, _) = exhibit.exploration, exhibit.tries
    assert all(exhibit.format_texts(resolved(own)).outcomes)
    assert exhibit.format_texts(resolved(rows.apply(own))).outcomes == (rows.outcome, "", "")
    assert exhibit.format_texts(resolved(base.apply(own))).outcomes == ("", base.outcome, "")
    other = sentences.with_settings(own, {"encoding.dim": 64})
    assert exhibit.format_texts(resolved(other)).outcomes == ("", "", "")

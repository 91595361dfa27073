"""What exhibits say is true of what is shown, or not said: after each try, and random changes."""

from random import Random

import pytest

from pe_explorer import pictures
from pe_explorer.analysis import umap_process
from pe_explorer.exploration import DirectStore, resolve
from pe_explorer.gallery import sentences
from pe_explorer.gallery.exhibits import exhibits
from pe_explorer.gallery.sentences import Sentence
from pe_explorer.params import ParameterError, declared
from tests.gallery.true_facts import TrueFacts
from tests.support.changes import another

CHANGES = 4
COLOURS = {("heatmap", "values"), ("heatmap", "angles"), ("shift", "values"), ("tokens", "values")}
COLOURS |= {("distances", "colours"), ("distances", "values")}
FIELDS = ("start", "count", "metric", "reference", "show", "position")


@pytest.fixture(autouse=True)
def umap_is_here(monkeypatch):
    """Let there be words on UMAP; nothing is fitted for them."""
    monkeypatch.setattr(umap_process, "missing", lambda: "")


def resolved(state):
    return resolve(state, DirectStore())


def changed(state, views, pick):
    """Return an exploration with another value of one declared field, parameter or option."""
    e = state.encoding
    kinds = [(None, name) for name in FIELDS] + [("encoding", name) for name in declared(type(e))]
    kinds += [(view, name) for view in views for name in declared(pictures.find(view).Options)]
    of, name = pick.choice(kinds)
    if of is None:
        kind, value = declared(type(state))[name], getattr(state, name)
    elif of == "encoding":
        kind, value = declared(type(e))[name], getattr(e, name)
    else:
        options = pictures.find(of).options(state)
        kind, value = declared(type(options))[name], getattr(options, name)
    if type(value) in (int, float) and pick.random() < 0.5:
        new = type(value)(value * pick.choice((0.5, 2, 10)) + pick.choice((0, 7)))
    else:
        new = another(kind, value)
    prefix = {None: "", "encoding": "encoding."}.get(of, f"options.{of}.")
    return sentences.with_settings(state, {f"{prefix}{name}": new})


def near(exhibit, pick, count):
    """Yield an exhibit's exploration, what its tries make, and some random changes of these."""
    tried = [each.applied(exhibit.exploration) for each in exhibit.tries]
    yield from (exhibit.exploration, *tried)
    made = 0
    state = exhibit.exploration
    while made < count:
        try:
            state = changed(state, exhibit.exploration.panes.views, pick)
            there = resolved(state)
            there.encoding.table(range(1))
        except ParameterError:
            continue
        made += 1
        yield state
        if pick.random() < 0.4:
            state = pick.choice((exhibit.exploration, *tried))


def written_out_where_it_is_not_so(exhibit, state):
    """Yield the texts with numbers written out that are said of other settings than their own."""
    own, told = exhibit.exploration, exhibit.told(resolved(state))
    for point, said in zip(exhibit.look, told.look, strict=True):
        if said not in {each.text for each in point.sentences}:
            continue  # it has facts, or is not said
        if not any(letter.isdigit() for letter in said):
            continue
        alike = state.encoding == own.encoding
        alike &= (state.start, state.count) == (own.start, own.count)
        view = point.at.view if point.at else None
        for name in own.panes.views if view is None else (view,):
            mine, theirs = (pictures.find(name).options(each) for each in (own, state))
            for option in declared(type(mine)):
                if (name, option) not in COLOURS:
                    alike &= getattr(mine, option) == getattr(theirs, option)
        if view in (None, "distances"):
            alike &= (state.metric, state.reference) == (own.metric, own.reference)
        if not alike:
            yield said


@pytest.mark.parametrize("name", exhibits())
def test_nothing_false_is_said(name, monkeypatch):
    """Facts by a second formula give the same words; numbers written out are those of the state."""
    exhibit, pick = exhibits()[name], Random(f"30 {name}")
    wrong = []
    for state in near(exhibit, pick, CHANGES):
        told = exhibit.told(resolved(state))
        with monkeypatch.context() as patched:
            patched.setattr(sentences, "Facts", TrueFacts)
            if told != exhibit.told(resolved(state)):
                wrong.append((told, state))
        wrong += [(text, state) for text in written_out_where_it_is_not_so(exhibit, state)]
    assert not wrong


@pytest.mark.parametrize("name", exhibits())
def test_all_is_said_when_it_opens(name):
    exhibit = exhibits()[name]
    told = exhibit.told(resolved(exhibit.exploration))
    assert told.is_whole
    assert told.note == exhibit.note
    assert (told.text, told.truth) == (exhibit.text, exhibit.truth)
    for point, said in zip(exhibit.look, told.look, strict=True):
        assert said
        assert said == point.text or "{" in point.text
    assert all(told.outcomes)


def test_what_looks_and_the_cursor_are_like_changes_no_words():
    exhibit = exhibits()["000-heatmap"]
    state = exhibit.exploration.with_(position=7, dimension=3)
    state = pictures.with_options(state, "heatmap", values="viridis")
    assert exhibit.told(resolved(state)).is_whole


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
def test_a_number_that_is_written_out_is_bound_to_all_settings(text, when, bound):
    assert Sentence(text, when).is_bound == bound


def test_settings_of_a_sentence_are_those_that_may_differ():
    own = exhibits()["000-base-1e8"].exploration
    text = Sentence("15 of the 64 pairs complete a turn.", {"encoding.base": [1e4, 1e5]})
    for base, count, said in ((1e4, 50, True), (1e8, 50, False), (1e4, 60, False)):
        state = sentences.with_settings(own, {"encoding.base": base, "count": count})
        assert bool(text.said(own, ("heatmap",), resolved(state))) == said


def test_an_outcome_is_told_before_its_try_and_after_it_and_nowhere_else():
    exhibit = exhibits()["000-base-1e8"]
    own, (rows, base) = exhibit.exploration, exhibit.tries
    assert all(exhibit.told(resolved(own)).outcomes)
    assert exhibit.told(resolved(rows.applied(own))).outcomes == (rows.outcome, "")
    assert exhibit.told(resolved(base.applied(own))).outcomes == ("", base.outcome)
    other = sentences.with_settings(own, {"encoding.dim": 64})
    assert exhibit.told(resolved(other)).outcomes == ("", "")

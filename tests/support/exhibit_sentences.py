"""Comparison of the sentences of exhibits with independently computed facts."""

from unittest.mock import patch

from pe_explorer import pictures
from pe_explorer.exploration import DirectStore, resolve
from pe_explorer.gallery import sentences
from pe_explorer.params import ParameterError, declared
from tests.gallery.true_facts import TrueFacts
from tests.support.changes import another

COLOURS = {("heatmap", "values"), ("heatmap", "angles"), ("shift", "values"), ("tokens", "values")}
COLOURS |= {("distances", "values"), ("properties", "values")}
FIELDS = ("start", "count", "metric", "reference", "show", "position")


def resolved(state):
    return resolve(state, DirectStore())


def changed(state, views, pick):
    """Return an exploration with another value of one declared field, parameter or option."""
    owners = {"": state, "encoding.": state.encoding}
    owners |= {f"options.{view}.": pictures.find(view)(state).options for view in views}
    names = [("", name) for name in FIELDS]
    names += [
        (prefix, name)
        for prefix, owner in owners.items()
        for name in declared(type(owner))
        if prefix and name != "file"  # no other file exists
    ]
    prefix, name = pick.choice(names)
    kind, value = declared(type(owners[prefix]))[name], getattr(owners[prefix], name)
    if type(value) in (int, float) and pick.random() < 0.5:
        new = type(value)(value * pick.choice((0.5, 2, 10)) + pick.choice((0, 7)))
    else:
        new = another(kind, value)
    return sentences.with_settings(state, {f"{prefix}{name}": new})


def near(exhibit, pick, count):
    """Yield an exhibit's exploration, its tries, and explorations with random changes."""
    tried = [each.apply(exhibit.exploration) for each in exhibit.tries]
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


def texts_with_wrong_numbers(exhibit, state):
    """Yield texts with literal numbers that appear for settings for which they do not hold."""
    own, texts = exhibit.exploration, exhibit.format_texts(resolved(state))
    for point, said in zip(exhibit.look, texts.look, strict=True):
        if said not in {each.text for each in point.sentences}:
            continue  # the sentence has computed facts or does not apply
        if not any(letter.isdigit() for letter in said):
            continue
        alike = state.encoding == own.encoding
        alike &= (state.start, state.count) == (own.start, own.count)
        view = point.view_place.view if point.view_place else None
        for name in own.panes.views if view is None else (view,):
            mine, theirs = (pictures.find(name)(each).options for each in (own, state))
            for option in declared(type(mine)):
                if (name, option) not in COLOURS:
                    alike &= getattr(mine, option) == getattr(theirs, option)
        if "distances" in (own.panes.views if view is None else (view,)):
            alike &= (state.metric, state.reference) == (own.metric, own.reference)
        if not alike:
            yield said


def falsehoods(exhibit, pick, changes):
    """Return the false texts of an exhibit, each with the exploration in which it appears.

    A text is false if facts from an independent formula give another text, or if it has literal
    numbers and appears for other settings than those of the exhibit.
    """
    wrong = []
    for state in near(exhibit, pick, changes):
        texts = exhibit.format_texts(resolved(state))
        with patch.object(sentences, "Facts", TrueFacts):
            if texts != exhibit.format_texts(resolved(state)):
                wrong.append((texts, state))
        wrong += [(text, state) for text in texts_with_wrong_numbers(exhibit, state)]
    return wrong

"""Lessons match their files; unusable files are reported."""

import json

import pytest

from pe_explorer.assets import asset
from pe_explorer.exploration import DirectStore, resolve
from pe_explorer.gallery import lessons as gallery, sentences
from pe_explorer.gallery.exhibits import SourceDocument, documents
from pe_explorer.gallery.lessons import find_lesson, lessons, load
from pe_explorer.params import ParameterError
from tests.gallery.true_facts import TrueFacts
from tests.support.lessons import doing

MOST_LETTERS = 200
NAMES = ["000", "001", "002", "003", "004", "beyond"]
FILES = {
    name: json.loads(asset(f"gallery/lessons/{name}.json").read_text("utf-8")) for name in NAMES
}
STEPS = [(name, place) for name in NAMES for place in range(len(FILES[name]["steps"]))]
every_step = pytest.mark.parametrize(("name", "place"), STEPS)


def test_every_lesson_file_is_used():
    assert gallery.problems() == ()
    files = {path.stem for path in asset("gallery/lessons").glob("*")}
    assert [*lessons()] == NAMES == sorted(files)
    assert [lesson.next for lesson in lessons().values()] == [*NAMES[1:], ""]
    assert lessons()["000"]._replace(id="none").next == ""


@pytest.mark.parametrize("name", NAMES)
def test_lessons_have_guesses_and_exhibits_of_their_document(name):
    lesson = lessons()[name]
    assert find_lesson(name) is lesson
    assert lesson.document == documents().get(name, SourceDocument())
    prefixes = {step.exhibit.id.partition("-")[0] for step in lesson.steps}
    assert prefixes == {"x"} if name == "beyond" else prefixes == {name}
    assert any(step.guess for step in lesson.steps)


@every_step
def test_texts_of_steps_fit_and_are_true(name, place, monkeypatch):
    step = lessons()[name].steps[place]
    assert not step.is_done(step.exhibit.exploration)
    texts = [step.idea, step.do, *(item.text for item in (*step.near, *step.now, *step.shows))]
    assert all(len(text) <= MOST_LETTERS for text in texts)
    end = doing(step)
    opened, done, other = (
        resolve(state, DirectStore())
        for state in (step.exhibit.exploration, end, end.with_(start=end.start + 1))
    )
    step_texts = step.texts_for(opened, is_done=False), step.texts_for(done, is_done=True)
    assert not step_texts[1].near
    assert step_texts[1].shows
    if not {"count", "start"} & {one.name for group in step.check.groups for one in group}:
        bound = {sentence.text for sentence in step.shows if sentence.is_bound}
        # its numbers depend on the range
        assert step.texts_for(other, is_done=True).shows not in bound
    monkeypatch.setattr(sentences, "Facts", TrueFacts)
    assert step_texts == (step.texts_for(opened, is_done=False), step.texts_for(done, is_done=True))


STEP = {
    "exhibit": "start",
    "idea": "An idea.",
    "do": "Do it.",
    "check": "count == 7",
    "shows": "This.",
}
HEAD = {"title": "A", "about": "B.", "question": "Why?", "answer": "So."}
GUESS = {"question": "How many?", "truth": 7, "unit": "rows"}
CHOICES = {"question": "Which?", "truth": 2, "choices": ["a", "b", "c"]}


def edited(**changes):
    step = {key: value for key, value in {**STEP, **changes}.items() if value is not None}
    return json.dumps({**HEAD, "steps": [step]})


DAMAGED = {
    "not-json": ("[", "is not valid JSON"),
    "no-steps": (json.dumps({**HEAD, "steps": []}), "steps: is empty"),
    "unknown": (json.dumps({**json.loads(edited()), "step": 7}), "step: is not known"),
    "exhibit": (edited(exhibit="strt"), "Did you mean 'start'?"),
    "no-idea": (edited(idea=None), "steps[0].idea: is missing"),
    "more": (edited(more="x"), "steps[0].more: is not known"),
    "check": (edited(check="count = 7"), "steps[0].check: 'count = 7' cannot be read"),
    "done": (edited(check="count == 50"), "is true before the task is done"),
    "guess": (edited(guess=7), "steps[0].guess: expected an object, got 7"),
    "guess-truth": (edited(guess={**GUESS, "truth": "7"}), "truth: expected a number, got '7'"),
    "guess-on": (edited(guess={**GUESS, "truth": True}), "truth: expected a number, got True"),
    "two": (edited(guess={**CHOICES, "choices": ["a", "b"]}), "has 2 choices. Write 3"),
    "fourth": (edited(guess={**CHOICES, "truth": 3}), "a whole number from 0 to 2, got 3"),
    "units": (edited(guess={**CHOICES, "unit": "rows"}), "guess.unit: is not known"),
}


@pytest.mark.sampled(99)  # each takes a few milliseconds
@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_files_are_reported(tmp_path, name):
    text, problem = DAMAGED[name]
    (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    (tmp_path / "good.json").write_text(edited(guess=CHOICES), encoding="utf-8")
    actual = load(tmp_path)
    assert list(actual.entries) == ["good"]
    (sentence,) = actual.problems
    assert f"{name}.json" in sentence
    assert problem in sentence


def test_a_valid_file_is_read(tmp_path):
    (tmp_path / "good.json").write_text(edited(guess=GUESS), encoding="utf-8")
    (step,) = load(tmp_path).entries["good"].steps
    assert (step.exhibit.id, step.idea, step.shows[0].text) == ("start", "An idea.", "This.")
    assert step.guess == ("How many?", 7, "rows", ())
    state = step.exhibit.exploration
    assert not step.is_done(state)
    assert step.is_done(state.with_(count=7))


def test_unknown_lessons_are_refused():
    for name, hint in (("nothing", ""), ("beyon", "Did you mean 'beyond'")):
        with pytest.raises(ParameterError, match=rf"lesson: .*000, 001.*, got '{name}'.*{hint}"):
            find_lesson(name)

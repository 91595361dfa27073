"""Lessons match their files, and what they say is true; unusable files are reported."""

import json
import re
from random import Random
from string import Formatter

import pytest

from pe_explorer.assets import find_asset
from pe_explorer.exploration import DirectStore, resolve
from pe_explorer.gallery import lessons as gallery, sentences
from pe_explorer.gallery.lessons import find_lesson, lessons, load
from pe_explorer.params import ParameterError
from tests.gallery.lesson_claims import CLAIMS
from tests.gallery.true_facts import TrueFacts
from tests.support.lessons import doing, random_ways

MOST_LETTERS = 260
WAYS = 50
NAMES = ["waves", "base", "pairs", "distance", "rotary", "context"]
STEPS = [(name, place) for name in lessons() for place in range(len(lessons()[name].steps))]
every_step = pytest.mark.parametrize(("name", "place"), STEPS)


def test_every_lesson_file_is_used():
    assert gallery.problems() == ()
    files = {path.stem for path in find_asset("gallery/lessons").glob("*")}
    assert [*lessons()] == NAMES
    assert set(NAMES) == files
    assert [lesson.next for lesson in lessons().values()] == [*NAMES[1:], ""]
    assert lessons()["waves"]._replace(id="none").next == ""


@every_step
def test_results_are_true_however_a_step_is_completed(name, place, monkeypatch):
    """Fifty random ways: beyond a threshold, with other settings and other encodings."""
    step = lessons()[name].steps[place]
    before = resolve(step.exhibit.exploration, DirectStore())
    assert not step.is_done(before)
    shortest = resolve(doing(step), DirectStore())
    assert step.is_done(shortest)
    ways = [shortest, *random_ways(step, Random(f"{name} {place}"), WAYS)]
    assert len(ways) == WAYS + 1
    claim = CLAIMS[name, place]
    for after in ways:
        result, texts = step.result(before, after), step.format_texts(before, after)
        assert result.shows
        assert bool(result.because) == bool(step.guess)
        assert claim is None or claim(before, after, result.shows), result.shows
        with monkeypatch.context() as patch:
            patch.setattr(sentences, "Facts", TrueFacts)
            assert step.result(before, after) == result
            assert step.format_texts(before, after) == texts


@every_step
def test_results_contain_no_literal_numbers(name, place):
    """A literal number would be false after another way of completing the step."""
    step = lessons()[name].steps[place]
    texts = [text.text for text in (*step.shows, *step.now)]
    texts += [step.guess.because] if step.guess else []
    literals = ["".join(part for part, *_ in Formatter().parse(text)) for text in texts]
    plain = [re.sub(r"\b[Pp]airs? \d\b", "", text) for text in literals]  # names of pairs
    assert not [text for text in plain if re.search("[1-9]", text)]


@pytest.mark.parametrize("name", lessons())
def test_lessons_have_four_to_six_steps_with_guesses_and_short_texts(name):
    lesson = lessons()[name]
    assert find_lesson(name) is lesson
    assert 4 <= len(lesson.steps) <= 6
    assert sum(step.guess is not None for step in lesson.steps) >= 2
    for step in lesson.steps:
        texts = [step.idea, step.do, *(item.text for item in (*step.near, *step.now, *step.shows))]
        assert all(len(text) <= MOST_LETTERS for text in texts)


def test_feedback_says_right_or_how_far_off_a_guess_is():
    number = gallery.Guess("How many?", 60611.0, "they do", "rows")
    assert number.verdict(60611) == "Right: 60,611 rows"
    assert "too large" in number.verdict(90000)
    assert "too small" in number.verdict(1)
    assert "too small" in number.verdict(-1)
    assert "60,611 rows" in number.verdict(0)
    slider = number._replace(powers=(0, 6))
    assert slider.verdict(100000).startswith("Right")
    assert "too large" in slider.verdict(1e6)
    choice = gallery.Guess("Which?", 1, "it is", choices=("This.", "That."))
    assert choice.verdict(1) == "Right: “That”"
    assert choice.verdict(0) == "No, the answer is “That”"
    assert gallery.Guess("How much?", 7.5, "it is", "%").format_answer(7.5) == "7.5%"
    assert number.format_answer(1) == "1 row"


STEP = {
    "exhibit": "start",
    "idea": "An idea.",
    "do": "Do it.",
    "check": "count == 7",
    "shows": "This.",
}
GUESS = {"question": "How many?", "truth": 7, "unit": "rows", "because": "so"}
CHOICES = {"question": "Which?", "truth": 2, "choices": ["a", "b", "c"], "because": "so"}
HEAD = {
    "title": "A",
    "about": "B.",
    "question": "Why?",
    "answer": "So.",
    "ending": CHOICES,
    "next": {"text": "Try it", "exhibit": "start"},
}


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
    "check": (edited(check="count = 7"), "steps[0].check: 'count = 7' cannot be parsed"),
    "done": (edited(check="count == 50"), "is already true before the task"),
    "guess": (edited(guess=7), "steps[0].guess: expected an object, got 7"),
    "guess-truth": (
        edited(guess={**GUESS, "truth": "7"}),
        "truth: expected a finite number, got '7'",
    ),
    "guess-on": (
        edited(guess={**GUESS, "truth": True}),
        "truth: expected a finite number, got True",
    ),
    "one": (edited(guess={**CHOICES, "choices": ["a"]}), "has 1 choices. Provide 2 to 4"),
    "fourth": (edited(guess={**CHOICES, "truth": 3}), "an integer from 0 to 2, got 3"),
    "reason": (edited(guess={"question": "Which?", "truth": 2}), "guess.because: is missing"),
    "ending": (json.dumps({**json.loads(edited()), "ending": GUESS}), "ending: has no choices"),
    "after": (
        json.dumps({**json.loads(edited()), "next": {"text": "Try", "exhibit": "strt"}}),
        "next.exhibit",
    ),
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
    assert (step.guess.truth, step.guess.unit, step.guess.choices) == (7, "rows", ())
    state = step.exhibit.exploration
    assert not step.is_done(state)
    assert step.is_done(state.with_(count=7))


def test_unknown_lessons_are_refused():
    for name, hint in (("nothing", ""), ("wavs", "Did you mean 'waves'")):
        with pytest.raises(ParameterError, match=rf"lesson: .*waves, base.*, got '{name}'.*{hint}"):
            find_lesson(name)

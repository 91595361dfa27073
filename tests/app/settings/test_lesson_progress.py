"""How far somebody has come in a lesson, as it is kept in the settings."""

import re

import pytest
from hypothesis import given, strategies as st

from pe_explorer.app.settings.settings import SKIPPED, LessonProgress, as_texts, parse
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.params.number_text import written_real

steps = st.integers(0, 20)
guesses = st.one_of(st.just(SKIPPED), st.floats(-1e12, 1e12, allow_nan=False).map(written_real))


@given(steps, st.frozensets(steps), st.dictionaries(steps, guesses))
def test_a_text_gives_the_same_progress_again(at, done, guessed):
    progress = LessonProgress(at, done, guessed)
    settings, errors = parse(as_texts(lessons={"000": progress}))
    assert (settings.lessons, errors) == ({"000": progress}, {})


@pytest.mark.parametrize(
    "text",
    ["", "at", "at x done guessed", "at 1 done 2", "at 1 done 2 guessed 3", "at -1 done guessed"],
)
def test_a_damaged_text_is_refused_in_a_sentence(text):
    _, errors = parse({"lessons/000": text})
    assert re.match("lessons/000: .* is not the steps of a lesson", str(errors["lessons/000"]))


def test_a_damaged_one_is_named_and_the_others_stay(qapp, tmp_path):
    path = tmp_path / "settings.ini"
    settings = SettingsFile(path)
    kept = LessonProgress(3, frozenset({0, 2}), {0: "51", 2: SKIPPED})
    settings.change(lessons={"000": kept})
    settings.change(lessons={"001": LessonProgress(4)})
    settings.close()
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("at 4 done", "at four"), encoding="utf-8")
    found = SettingsFile(path)
    assert found.settings.lessons == {"000": kept}
    assert "lessons/001" in found.notes[0]
    found.close()

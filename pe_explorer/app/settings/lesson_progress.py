"""How far somebody has come in a lesson, as a plain text.

A text that somebody has damaged is refused in a sentence; the lesson then begins anew.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, replace

from pe_explorer.params import ParameterError, quoted
from pe_explorer.values import frozen

SKIPPED = "-"
"""What is kept in the place of a guess that somebody skipped."""

_WORDS = re.compile(
    r"at (?P<at>\d{1,3}) done(?P<done>( \d{1,3})*) guessed(?P<guesses>( \d{1,3}:[-+.\de]{1,24})*)"
)


@frozen
class LessonProgress:
    """How far somebody has come.

    Attributes
    ----------
    at : int
        The step at which the lesson was left, counted from 0.
    done : frozenset of int
        The steps that were done.
    guesses : mapping of int to str
        What was guessed at steps: a number, the place of a choice, or `SKIPPED`.
    """

    at: int = 0
    done: frozenset[int] = frozenset()
    guesses: Mapping[int, str] = field(default_factory=dict, hash=False)

    def going_to(self, step: int) -> LessonProgress:
        """Return the progress of somebody who has gone to another step."""
        return replace(self, at=step)

    def having_done(self, step: int) -> LessonProgress:
        """Return the progress with one more step done."""
        return replace(self, done=self.done | {step})

    def having_guessed(self, step: int, guess: str) -> LessonProgress:
        """Return the progress with the guess of a step."""
        return replace(self, guesses={**self.guesses, step: guess})

    def as_text(self) -> str:
        """Return all of it as words with blanks between them."""
        done = [str(step) for step in sorted(self.done)]
        guesses = [f"{step}:{guess}" for step, guess in sorted(self.guesses.items())]
        return " ".join(["at", str(self.at), "done", *done, "guessed", *guesses])


def progress_from_text(lesson: str, text: str) -> LessonProgress:
    """Return the progress that `as_text` wrote; raises `ParameterError` for other texts."""
    found = _WORDS.fullmatch(text)
    if not found:
        raise ParameterError(f"lessons/{lesson}", f"{quoted(text)} is not the steps of a lesson")
    guesses = (word.split(":") for word in found["guesses"].split())
    return LessonProgress(
        at=int(found["at"]),
        done=frozenset(map(int, found["done"].split())),
        guesses={int(step): guess for step, guess in guesses},
    )

"""Whether a fault comes again, and the fewest events that bring it.

Events depend on nothing but the seed and their numbers, so that any of them can be left out.
"""

import functools
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from tests.endurance.trial import Task, Trial

Fault = dict[str, Any]
Numbers = tuple[int, ...]

_BEFORE = 20  # events that are sent before one that may come again
_TIMES = 2  # that it has to come again
GROWTH = 6  # times as many events are tried next, where fewer do not bring a fault
_PATIENCE = 20.0  # seconds: a replay waits no longer
_MOST_FAULTS = 5  # of a trial are made shorter


def examine(trial: Trial, do: Callable[[Task], Trial], seconds: float) -> Trial:
    """Return a trial with what came again of that which was unsure, and its faults made shorter.

    All of it takes about so many seconds; nothing is replayed where there are none.
    """
    if trial.task.part != "events" or not seconds:
        return trial
    trial = replace(trial, faults=[*trial.faults, *_again(trial, do)], unsure=[])
    end = time.monotonic() + seconds
    once = functools.cache(do)  # the same events may be tried for several faults
    for fault in trial.first_faults[:_MOST_FAULTS]:
        fault["shortest"] = _shortest_in_words(trial.task, fault, once, end)
    return trial


def _again(trial: Trial, do: Callable[[Task], Trial]) -> list[Fault]:
    """Return the unsure faults that come again when they are replayed with some events before."""
    last = max(trial.task.numbers, default=0)
    wanted: set[int] = set()
    for fault in trial.unsure:
        number = fault["event"]
        wanted |= {it for it in range(number - _BEFORE, min(number + 1, last) + 1) if it > 0}
    if not wanted:
        return []
    numbers = tuple(number for number in trial.task.numbers if number in wanted)
    found = trial.unsure
    for _ in range(_TIMES):
        replayed = do(replace(trial.task, only=numbers))
        replayed.remove()
        found = [fault for fault in found if _has(replayed, fault)]
        if not found:
            break
    return found


def _shortest_in_words(task: Task, fault: Fault, do: Callable[[Task], Trial], end: float) -> str:
    """Return the command with the fewest events that were found in time."""
    found = shortest(task, fault, do, end)
    if not found:
        return "not brought by fewer events, as far as there was time to try"
    return f"brought by {len(found)} events: {replace(task, only=found).command}"


def shortest(task: Task, fault: Fault, do: Callable[[Task], Trial], end: float) -> Numbers:
    """Return the fewest events that bring a fault, as found until some time; none for too many.

    First come the last ones before the fault, more and more of them; of those that bring it, parts
    are then left out, halves first.
    """
    task = replace(task, patience=min(task.patience, _PATIENCE))

    def brings(numbers: Numbers) -> bool:
        trial = do(replace(task, only=numbers))
        trial.remove()
        return _has(trial, fault)

    numbers = tuple(it for it in task.numbers if it <= fault["event"])
    length = 1
    while time.monotonic() < end:
        if brings(numbers[-length:]):
            return _reduced(numbers[-length:], brings, end)
        if length >= len(numbers):
            break
        length *= GROWTH
    return ()


def _reduced(numbers: Numbers, brings: Callable[[Numbers], bool], end: float) -> Numbers:
    """Return fewer numbers that still bring a fault: no part of them can be left out."""
    size = len(numbers) // 2
    while size:
        start = 0
        while start < len(numbers) and time.monotonic() < end:
            fewer = (*numbers[:start], *numbers[start + size :])
            if fewer and brings(fewer):
                numbers = fewer
            else:
                start += size
        size //= 2
    return numbers


def _has(trial: Trial, fault: Fault) -> bool:
    """Whether a trial has a fault as well; an unsure one at the same event."""
    what = _alike(fault["what"])
    same_event = fault["event"] if fault.get("unsure") else None
    found: Sequence[Fault] = (*trial.faults, *trial.unsure)
    return any(
        _alike(other["what"]) == what and same_event in (None, other["event"]) for other in found
    )


def _alike(what: str) -> str:
    """Return a text without its numbers, which differ from time to time."""
    return re.sub(r"\d+", "#", what)

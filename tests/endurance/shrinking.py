"""Whether a freeze comes again, and few events that bring a fault.

Events depend on nothing but the seed and their numbers, so that any of them can be left out.
"""

import re
import shutil
import time
from dataclasses import replace

LENGTHS = (1, 6, 36, 216, 1296)  # how many of the last events are tried
_BEFORE = 20  # events that are sent before one that may come again
_TIMES = 2  # that it has to come again
_PATIENCE = 20.0  # seconds: a replay waits no longer
_MOST_FAULTS = 5  # of a trial are made shorter


def examine(trial, do, seconds):
    """Return a trial with the freezes that come again, and few events for each of its faults."""
    if trial.task.part != "events" or not seconds:
        return trial
    trial = replace(trial, faults=[*trial.faults, *_again(trial, do)], unsure=[])
    end = time.monotonic() + seconds
    for fault in trial.first_faults[:_MOST_FAULTS]:
        found = shortest(trial.task, fault, do, end)
        command = replace(trial.task, only=found).command
        fault["shortest"] = f"brought by {len(found)} events: {command}"
        if not found:
            fault["shortest"] = "not brought by fewer events, as far as there was time to try"
    return trial


def _again(trial, do):
    found = trial.unsure
    near = {fault["event"] - back for fault in found for back in range(-1, _BEFORE + 1)}
    numbers = tuple(number for number in trial.task.numbers if number in near)
    for _ in range(_TIMES if found else 0):
        replayed = _replayed(trial.task, numbers, do)
        found = [fault for fault in found if _has(replayed, fault)]
    return found


def shortest(task, fault, do, end):
    """Return few events that bring a fault, as found until some time; none if they are too many.

    The last events before it are tried, more and more of them. Then halves, quarters and so on are
    left out of those that bring it.
    """
    task = replace(task, patience=min(task.patience, _PATIENCE))

    def brings(numbers):
        in_time = numbers and time.monotonic() < end
        return in_time and _has(_replayed(task, numbers, do), fault)

    known = tuple(number for number in task.numbers if number <= fault["event"])
    lengths = [*(length for length in LENGTHS if length < len(known)), len(known)]
    numbers = next((known[-length:] for length in lengths if brings(known[-length:])), ())
    size = len(numbers) // 2
    while size:
        for start in reversed(range(0, len(numbers), size)):
            fewer = numbers[:start] + numbers[start + size :]
            if brings(fewer):
                numbers = fewer
        size //= 2
    return numbers


def _replayed(task, numbers, do):
    trial = do(replace(task, only=numbers))
    shutil.rmtree(trial.folder, ignore_errors=True)
    return trial


def _has(trial, fault):
    """Whether a trial has a fault as well, but for numbers; an unsure one at the same event."""

    def key(found):
        what = re.sub(r"\d+", "#", found["what"])
        return what, found["event"] if fault.get("unsure") else None

    return key(fault) in map(key, (*trial.faults, *trial.unsure))

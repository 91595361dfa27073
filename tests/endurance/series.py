"""The parts of several seeds, in several processes at once."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from tests.endurance import reached
from tests.endurance.parts import PARTS
from tests.endurance.trial import Task, Trial, as_ranges


class Tally:
    """Adds up what trials did and found."""

    def __init__(self) -> None:
        self.seeds: list[int] = []
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []
        self._kinds: set[str] = set()
        self._told: dict[str, set[str]] = {}

    def add(self, trials: Sequence[Trial]) -> None:
        """Add the trials of one seed."""
        self.seeds += {trial.task.seed: None for trial in trials}
        for trial in trials:
            self.counts[trial.task.part] += len(trial.journal)
            self.faults += [fault["what"] for fault in trial.faults]
            if trial.task.part == "events":
                self._kinds |= trial.kinds
            for name, texts in trial.told.items():
                self._told.setdefault(name, set()).update(texts)

    def __str__(self) -> str:
        if not self.seeds:
            return "endurance: nothing to do"
        words = []
        for name in PARTS:
            if name in self.counts:
                words.append(f"{self.counts[name]} {PARTS[name].items}")
            if name == "events" and name in self.counts:
                words[-1] += f" of {len(self._kinds)} kinds"
                words += reached.in_words(self._told)
        seeds = f"seed{'s' * (len(self.seeds) > 1)} {as_ranges(sorted(self.seeds))}"
        return f"endurance: {seeds}: {', '.join((*words, f'{len(self.faults)} faults'))}"


def run_all(
    seeds: Iterator[int],
    tasks_of: Callable[[int], Sequence[Task]],
    do: Callable[[Task], Trial],
    receive: Callable[[Sequence[Trial]], None],
    jobs: int,
) -> None:
    """Do the tasks of all seeds, so many at once; hand over the trials of each seed that is done.

    `seeds` is asked for the next one when a process has nothing else to do, and `receive` is
    called by one thread at a time.
    """
    lock = threading.Lock()
    done: dict[int, list[Trial]] = {}

    def tasks() -> Iterator[Task]:
        for seed in seeds:
            done[seed] = []
            yield from tasks_of(seed)

    waiting = tasks()

    def work() -> None:
        while True:
            with lock:
                task = next(waiting, None)
            if task is None:
                return
            trial = do(task)
            with lock:
                trials = done[task.seed]
                trials.append(trial)
                if len(trials) == len(tasks_of(task.seed)):
                    receive(trials)

    with ThreadPoolExecutor(jobs) as pool:
        for worker in [pool.submit(work) for _ in range(jobs)]:
            worker.result()

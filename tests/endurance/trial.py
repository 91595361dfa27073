"""One part of one run in a process of its own, and what came of it."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.endurance.parts import PARTS, Part
from tests.support.processes import ROOT, home_in

PREFIX = "endurance-"  # of the folder of a trial
_RECENT = 25  # events shown before a fault
_HUNG = "Timeout ("  # what faulthandler says before it ends the process
_MOST_CHARACTERS = 12_000


def parse_numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of a text such as 3,17,20-25; raises `ValueError` if it is none."""
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return tuple(found)


def as_ranges(numbers: Sequence[int]) -> str:
    """Return such a text for numbers; those that follow each other become a range."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ",".join(f"{low}-{high}" if high > low else f"{low}" for low, high in ranges)


@dataclass(frozen=True)
class Task:
    """What a process is to do.

    Attributes
    ----------
    part : str
    seed : int
    events : int
        The size of the whole run, of which the part has its share.
    patience : float
        Seconds until an event, or an item of another part, has hung.
    plant : tuple of str
        The faults that are planted.
    only : tuple of int
        The numbers of the events, where they are not all.
    """

    part: str
    seed: int
    events: int
    patience: float = 60.0
    plant: tuple[str, ...] = ()
    only: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """How many items the part has."""
        return self.events // PARTS[self.part].share

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the items, in order."""
        return self.only or tuple(range(1, self.size + 1))

    @property
    def command(self) -> str:
        """What replays it."""
        words = f"--part {self.part} --events {self.events} --seed {self.seed}"
        planted = "".join(f" --plant {name}" for name in self.plant)
        only = f" --only {as_ranges(self.only)}" if self.only else ""
        return f"python -m tests.sandbox python -m tests.endurance {words}{planted}{only}"


@dataclass
class Trial:
    """What a task brought.

    Attributes
    ----------
    journal : list of str
        The events: number, kind and what was done; of other parts the items.
    faults : list of dict
        The `event`, `what` it was, and `details`.
    unsure : list of dict
        Such as may be noise: they count if they come again.
    told : dict
        What the part tells of it, such as which views were reached.
    folder : Path
        Home and files of the run; removed unless there are faults.
    """

    task: Task
    folder: Path
    journal: list[str] = field(default_factory=list)
    faults: list[dict[str, Any]] = field(default_factory=list)
    unsure: list[dict[str, Any]] = field(default_factory=list)
    told: Mapping[str, list[str]] = field(default_factory=dict)
    seconds: float = 0.0
    memory: int = 0

    @property
    def kinds(self) -> set[str]:
        """The kinds of events that there were."""
        return {kind for line in self.journal if (kind := line.split(" ", 2)[1])}

    @property
    def first_faults(self) -> list[dict[str, Any]]:
        """Every different fault once."""
        return list({fault["what"]: fault for fault in reversed(self.faults)}.values())[::-1]

    def report(self) -> str:
        """Return every different fault once, with the events before it, and how to replay them."""
        times = Counter(fault["what"] for fault in self.faults)
        parts = [self._described(fault, times[fault["what"]]) for fault in self.first_faults]
        return "\n\n".join((*parts, f"files: {self.folder}\nto replay: {self.task.command}"))

    def _described(self, fault: dict[str, Any], times: int) -> str:
        number = fault["event"]
        recent = [line for line in self.journal if int(line.split(" ", 1)[0]) <= number][-_RECENT:]
        is_event = self.task.part == "events"
        item = f"event {number}" if is_event else f"number {number} of {self.task.part}"
        often = f", {times} times" if times > 1 else ""
        head = f"FAULT, seed {self.task.seed}, {item}{often}: {fault['what']}"
        body = [head, fault["details"].rstrip(), "before:"]
        return "\n".join((*body, *(f"  {line}" for line in recent), fault.get("shortest", "")))

    def remove(self) -> None:
        """Remove its files: there is nothing to be found in them."""
        shutil.rmtree(self.folder, ignore_errors=True)


def run(task: Task) -> Trial:
    """Do a task in a process of its own, with a new home; wait for its end.

    Raises
    ------
    KeyboardInterrupt
        If somebody ended it from the keyboard.
    """
    made = tempfile.mkdtemp(prefix=f"{PREFIX}{task.part}-{task.seed}-")
    trial = Trial(task, Path(made).resolve())
    home = trial.folder / "home"
    home.mkdir()
    begin = time.monotonic()
    code = _wait_for_child(task, trial.folder)
    trial.seconds = time.monotonic() - begin
    trial.journal = _lines(trial.folder / "journal.txt")
    noted = [json.loads(line) for line in _lines(trial.folder / "faults.jsonl")]
    trial.faults = [fault for fault in noted if not fault.get("unsure")]
    trial.unsure = [fault for fault in noted if fault.get("unsure")]
    last = int(trial.journal[-1].split(" ", 1)[0]) if trial.journal else 0
    if printed := (trial.folder / "printed.txt").read_text(errors="replace"):
        trial.faults.append({"event": last, "what": "something was printed", "details": printed})
    if code:
        said = (trial.folder / "output.txt").read_text(errors="replace")[-_MOST_CHARACTERS:]
        trial.faults.append({"event": last, "what": _ending(code, said), "details": said})
    else:
        summary = json.loads((trial.folder / "summary.json").read_text())
        trial.memory, trial.told = summary["memory"], summary["told"]
    if not trial.faults:
        trial.remove()
    return trial


def _wait_for_child(task: Task, folder: Path) -> int:
    """Return the exit code of a process that does a task."""
    part: Part = PARTS[task.part]
    plan = {"folder": str(folder), "part": part, "seed": task.seed, "size": task.size}
    plan |= {"patience": task.patience, "plant": task.plant, "only": task.only}
    child = ["-X", "faulthandler", "-m", "tests.endurance.child", json.dumps(plan)]
    command = [sys.executable, *child]
    env = _environment(folder / "home")
    with open(folder / "output.txt", "wb") as out, open(folder / "printed.txt", "wb") as printed:
        into: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": printed, "stderr": out}
        code = subprocess.run(command, cwd=ROOT, env=env, check=False, **into).returncode
    if code == -signal.SIGINT:
        shutil.rmtree(folder, ignore_errors=True)
        raise KeyboardInterrupt
    return code


def _environment(home: Path) -> dict[str, str]:
    """Return the child's environment: it leads to no display, and not to the user's own files."""
    platform = {"QT_QPA_PLATFORM": f"offscreen:configfile={_screen(home)}"}
    alike = {"LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0"}
    return {**os.environ, **home_in(home), **platform, **alike}


def _screen(home: Path) -> Path:
    """Write what the screen is like.

    Qt's own has 800 pixels a side. In full screen there a window that needs more is smaller than
    its layout allows, and Qt can crash when a dock is moved.
    """
    place = {"x": 0, "y": 0, "width": 1920, "height": 1080}
    screen = {"name": "screen", **place, "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
    path = home / "screen.json"
    settings = {"synchronousWindowSystemEvents": False, "windowFrameMargins": True}
    path.write_text(json.dumps({**settings, "screens": [screen]}))
    return path


def _lines(path: Path) -> list[str]:
    text = path.read_text(errors="replace") if path.exists() else ""
    return [line for line in text.split("\n") if line]


def _ending(code: int, said: str) -> str:
    """Return how the process ended that should not have."""
    if code < 0:
        return f"the process died by {signal.Signals(-code).name}"
    if _HUNG in said:
        return "the process hung: no event ended in time"
    return f"the process ended with exit code {code}"

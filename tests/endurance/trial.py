"""One part of one run in a process of its own, and what it found."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.endurance.parts import PARTS
from tests.endurance.tree import WRITTEN, recorded
from tests.support.processes import ROOT, home_in

PREFIX = "endurance-"  # of the folder of a trial
_RECENT = 25  # events shown before a fault
_HUNG = "Timeout ("  # what faulthandler says before it ends the process
_MOST_CHARACTERS = 12_000
_SCREENS = """
{"synchronousWindowSystemEvents": false, "windowFrameMargins": true,
 "screens": [{"name": "screen", "x": 0, "y": 0, "width": 1920, "height": 1080,
              "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}]}
"""
"""Qt's own screen has 800 pixels a side. In full screen there a window that needs more is smaller
than its layout allows, and Qt can crash when a dock is moved."""


def parse_numbers(text):
    """Return the numbers of a text such as 3,17,20-25; raise `ValueError` if it is none."""
    found = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return tuple(found)


@dataclass(frozen=True)
class Task:
    """What a process is to do.

    `events` is the size of the whole run, of which the part has its share, `patience` the seconds
    until an item has hung, `plant` the faults that are planted, `only` the numbers of the events,
    where they are not all.
    """

    part: str
    seed: int
    events: int
    patience: float = 60.0
    plant: tuple = ()
    only: tuple = ()

    @property
    def size(self):
        return self.events // PARTS[self.part].share

    @property
    def numbers(self):
        return self.only or tuple(range(1, self.size + 1))

    @property
    def command(self):
        words = f"--part {self.part} --events {self.events} --seed {self.seed}"
        planted = "".join(f" --plant {name}" for name in self.plant)
        only = f" --only {','.join(map(str, self.only))}" if self.only else ""
        return f"python -m tests.sandbox python -m tests.endurance {words}{planted}{only}"


@dataclass
class Trial:
    """What a task brought.

    `journal` has a line for each item: its number, for events their kind, and what was done.
    `faults` are mappings with the `event`, `what` it was, and `details`; `unsure` are those that
    count if they come again. `written` are the files that the program wrote, wherever they are.
    """

    task: Task
    folder: Path
    journal: list = field(default_factory=list)
    faults: list = field(default_factory=list)
    unsure: list = field(default_factory=list)
    written: set = field(default_factory=set)
    seconds: float = 0.0
    memory: int = 0

    @property
    def kinds(self):
        return {kind for line in self.journal if (kind := line.split(" ", 2)[1])}

    @property
    def first_faults(self):
        return list({fault["what"]: fault for fault in reversed(self.faults)}.values())[::-1]

    def report(self):
        """Return every different fault once, with the events before it, and how to replay them."""
        times = Counter(fault["what"] for fault in self.faults)
        item = "event {}" if self.task.part == "events" else f"number {{}} of {self.task.part}"
        lines = []
        for fault in self.first_faults:
            number, what = fault["event"], fault["what"]
            often = f", {times[what]} times" if times[what] > 1 else ""
            recent = [line for line in self.journal if int(line.split(" ", 1)[0]) <= number]
            lines += [f"FAULT, seed {self.task.seed}, {item.format(number)}{often}: {what}"]
            lines += [fault["details"].rstrip(), "before:"]
            lines += [*(f"  {line}" for line in recent[-_RECENT:]), fault.get("shortest", ""), ""]
        return "\n".join((*lines, f"files: {self.folder}", f"to replay: {self.task.command}"))


def run(task):
    """Do a task in a process of its own, and wait for its end.

    Its environment leads to no display, and not to the user's own files. `KeyboardInterrupt` is
    raised if the process had that.
    """
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{task.part}-{task.seed}-")).resolve()
    trial, begin = Trial(task, folder), time.monotonic()
    home = folder / "home"
    home.mkdir()
    screen = home / "screen.json"
    screen.write_text(_SCREENS)
    plan = json.dumps(asdict(task) | {"folder": str(folder), "size": task.size})
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.endurance.child", plan]
    env = {**os.environ, **home_in(home), "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0"}
    env["QT_QPA_PLATFORM"] = f"offscreen:configfile={screen}"
    with open(folder / "output.txt", "wb") as out, open(folder / "printed.txt", "wb") as printed:
        into = {"stdin": subprocess.DEVNULL, "stdout": printed, "stderr": out}
        code = subprocess.run(command, cwd=ROOT, env=env, check=False, **into).returncode
    if code == -signal.SIGINT:
        shutil.rmtree(folder, ignore_errors=True)
        raise KeyboardInterrupt
    trial.seconds = time.monotonic() - begin
    trial.journal = _lines(folder / "journal.txt")
    for fault in map(json.loads, _lines(folder / "faults.jsonl")):
        (trial.unsure if fault.get("unsure") else trial.faults).append(fault)
    last = int(trial.journal[-1].split(" ", 1)[0]) if trial.journal else 0
    if printed := (folder / "printed.txt").read_text(errors="replace"):
        trial.faults.append({"event": last, "what": "something was printed", "details": printed})
    if code:
        output = (folder / "output.txt").read_text(errors="replace")[-_MOST_CHARACTERS:]
        what = f"the process ended with exit code {code}"
        if code < 0:
            what = f"the process died by {signal.Signals(-code).name}"
        elif _HUNG in output:
            what = "the process hung: no event ended in time"
        trial.faults.append({"event": last, "what": what, "details": output})
    else:
        trial.memory = int((folder / "memory.txt").read_text())
    trial.written.update(*map(recorded, folder.rglob(WRITTEN)))
    if not trial.faults:
        shutil.rmtree(folder, ignore_errors=True)
    return trial


def _lines(path):
    text = path.read_text(errors="replace") if path.exists() else ""
    return [line for line in text.split("\n") if line]

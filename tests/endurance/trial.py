"""The parts of the endurance test, each run in a separate process, and their results."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from importlib import import_module
from pathlib import Path

from tests.endurance.faults import Faults
from tests.endurance.tree import WRITTEN, recorded
from tests.support.processes import ROOT, home_in

PREFIX = "endurance-"  # of the folder of a trial
LENGTHS = (1, 6, 36, 216, 1296)  # numbers of last events that are tried when a fault is reduced
_MAX_FREEZE_EVENTS = 36
_MAX_FAULTS = 5  # maximum number of faults that are reduced per trial
_REPLAY_PATIENCE = 20.0  # seconds
_CONTEXT = 25  # number of events shown before a fault
_MAX_CHARACTERS = 12_000
_SCREENS = """
{"synchronousWindowSystemEvents": false, "windowFrameMargins": true,
 "screens": [{"name": "screen", "x": 0, "y": 0, "width": 1920, "height": 1080,
              "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}]}
"""
"""The screen is larger than Qt's own, which has 800 pixels per side.

In full screen mode on a small screen, a window can be smaller than its layout allows, and Qt can
crash when a dock is moved.
"""


PARTS = {
    "events": 1,
    "files": 50,
    "command_lines": 100,
    "kills": 500,
    "breakdowns": 500,
    "frames": 10,
    "anew": 100,
    "sentences": 200,
    "surroundings": 333,
    "typed": 5,
    "numbers": 2,
    "tables": 100,
}
"""Modules of this folder, and the number of events per item.

`run(faults, seed, size, folder, plant)` runs `size` items. It takes their numbers and random
numbers from `faults.items`, so that an item depends only on the seed and its number, and reports
faults with `faults.add`. `PLANTS` contains the faults that can be planted, by name.
"""
NEEDS = {"surroundings": ("Xvfb", "xdotool", "setpriv")}  # required programs


@dataclass(frozen=True)
class Task:
    part: str
    seed: int
    events: int  # of the whole run, which is shared by the parts
    patience: float = 60.0  # seconds until an item counts as hung
    plant: tuple = ()  # names of faults
    only: tuple = ()  # the numbers of the events, if only some run

    @property
    def size(self):
        return self.events // PARTS[self.part]

    @property
    def command(self):
        words = f"--part {self.part} --events {self.events} --seed {self.seed}"
        planted = "".join(f" --plant {name}" for name in self.plant)
        only = f" --only {','.join(map(str, self.only))}" if self.only else ""
        return f"python -m tests.sandbox python -m tests.endurance {words}{planted}{only}"


@dataclass
class Trial:
    """The result of a task.

    `journal` has a line for each item with its number, the kind of an event, and its actions.
    `faults` are mappings with the `event`, `what` happened, and `details`; faults in `unsure` count
    only if they are reproducible. `written` contains all files that the program wrote.
    """

    task: Task
    folder: Path
    journal: list = field(default_factory=list)
    faults: list = field(default_factory=list)
    unsure: list = field(default_factory=list)
    written: set = field(default_factory=set)
    seconds: float = 0.0

    def report(self):
        """Return each distinct fault, with the preceding events and the command for a replay."""
        times = Counter(fault["what"] for fault in self.faults)
        item = "event {}" if self.task.part == "events" else f"number {{}} of {self.task.part}"
        lines = []
        for fault in _first_of_each(self.faults):
            number, what = fault["event"], fault["what"]
            often = f", {times[what]} times" if times[what] > 1 else ""
            recent = [line for line in self.journal if int(line.split(" ", 1)[0]) <= number]
            lines += [f"FAULT, seed {self.task.seed}, {item.format(number)}{often}: {what}"]
            lines += [fault["details"].rstrip(), "before:"]
            lines += [*(f"  {line}" for line in recent[-_CONTEXT:]), fault.get("shortest", ""), ""]
        return "\n".join((*lines, f"files: {self.folder}", f"to replay: {self.task.command}"))


def _first_of_each(faults):
    return list({fault["what"]: fault for fault in reversed(faults)}.values())[::-1]


def run(task):
    """Run a task in a separate process and wait for its end.

    Its environment contains no display and no folders of the user.
    """
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{task.part}-{task.seed}-")).resolve()
    trial, begin = Trial(task, folder), time.monotonic()
    home = folder / "home"
    home.mkdir()
    screen = home / "screen.json"
    screen.write_text(_SCREENS)
    plan = json.dumps(asdict(task) | {"folder": str(folder), "size": task.size})
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.endurance.trial", plan]
    env = {**os.environ, **home_in(home), "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0"}
    env["QT_QPA_PLATFORM"] = f"offscreen:configfile={screen}"
    with open(folder / "output.txt", "wb") as out, open(folder / "printed.txt", "wb") as printed:
        into = {"stdin": subprocess.DEVNULL, "stdout": printed, "stderr": out}
        code = subprocess.run(command, cwd=ROOT, env=env, check=False, **into).returncode
    trial.seconds = time.monotonic() - begin
    trial.journal = _lines(folder / "journal.txt")
    for fault in map(json.loads, _lines(folder / "faults.jsonl")):
        (trial.unsure if fault["unsure"] else trial.faults).append(fault)
    last = int(trial.journal[-1].split(" ", 1)[0]) if trial.journal else 0
    if printed := (folder / "printed.txt").read_text(errors="replace"):
        trial.faults.append({"event": last, "what": "something was printed", "details": printed})
    if code:
        output = (folder / "output.txt").read_text(errors="replace")[-_MAX_CHARACTERS:]
        what = f"the process ended with exit code {code}"
        if code < 0:
            what = f"the process died by {signal.Signals(-code).name}"
        elif "Timeout (" in output:  # written by faulthandler before it ends the process
            what = "the process hung: no event ended in time"
        trial.faults.append({"event": last, "what": what, "details": output})
    trial.written.update(*map(recorded, folder.rglob(WRITTEN)))
    if not trial.faults:
        shutil.rmtree(folder, ignore_errors=True)
    return trial


def _lines(path):
    text = path.read_text(errors="replace") if path.exists() else ""
    return [line for line in text.split("\n") if line]


def shrink(trial, seconds):
    """Find few events that reproduce each fault; a reproducible freeze becomes a fault."""
    end = time.monotonic() + seconds
    freezes = _first_of_each(trial.unsure)[:_MAX_FAULTS]
    for fault in (*freezes, *_first_of_each(trial.faults)[:_MAX_FAULTS]):
        found = shortest(trial.task, fault, end)
        command = replace(trial.task, only=found).command
        fault["shortest"] = f"brought by {len(found)} events: {command}"
        if not found:
            fault["shortest"] = "not brought by fewer events, as far as there was time to try"
        elif fault in freezes:
            trial.faults.append(fault)


def shortest(task, fault, end):
    """Return few events that reproduce a fault within a time limit; none if too many are needed.

    Events depend only on the seed and their numbers, so that any of them can be omitted. An
    increasing number of the last events is tried first. Then halves, quarters and so on are
    removed.
    """
    task = replace(task, patience=min(task.patience, _REPLAY_PATIENCE))
    is_unsure = fault.get("unsure", False)

    def find_kind(found):
        what = re.sub(r"\d+", "#", found["what"])
        return what, found["event"] if is_unsure else None

    def brings(numbers):
        if not numbers or time.monotonic() > end:
            return False
        trial = run(replace(task, only=numbers))
        shutil.rmtree(trial.folder, ignore_errors=True)
        return find_kind(fault) in map(find_kind, (*trial.faults, *trial.unsure))

    numbers = task.only or range(1, task.size + 1)
    known = tuple(number for number in numbers if number <= fault["event"])
    most = min(len(known), _MAX_FREEZE_EVENTS) if is_unsure else len(known)
    lengths = [*(length for length in LENGTHS if length < most), most]
    numbers = next((known[-length:] for length in lengths if brings(known[-length:])), ())
    if is_unsure and not brings(numbers):  # the fault must be reproduced twice
        return ()
    size = len(numbers) // 2
    while size:
        for start in reversed(range(0, len(numbers), size)):
            fewer = numbers[:start] + numbers[start + size :]
            if brings(fewer):
                numbers = fewer
        size //= 2
    return numbers


def main():
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # ends immediately, even during work
    plan = json.loads(sys.argv[1])
    folder = Path(plan["folder"])
    home = folder / "home"
    os.chdir(home)
    faults = Faults(folder / "faults.jsonl", folder / "journal.txt", plan["patience"])
    only = {"only": plan["only"]} if plan["only"] else {}
    if plan["part"] != "events":  # the program listens after its start
        faults.listen()
    try:
        part = import_module(f"tests.endurance.{plan['part']}")
        part.run(faults, plan["seed"], plan["size"], home, plan["plant"], **only)
    except Exception as error:
        faults.add_exception("that ended everything", error)


if __name__ == "__main__":
    main()

"""One run in a process of its own, and what came of it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Trial", "run"]

_ROOT = Path(__file__).parents[2]
_RECENT = 25  # events shown before a fault
_HUNG = "Timeout ("  # what faulthandler says before it ends the process
_MOST_CHARACTERS = 12_000


@dataclass
class Trial:
    """What one seed brought.

    Attributes
    ----------
    journal : list of str
        The events: number, kind and what was done.
    faults : list of dict
        The `event`, `what` it was, and `details`.
    folder : Path
        Home and files of the run; removed unless there are faults.
    """

    seed: int
    events: int
    folder: Path
    journal: list[str] = field(default_factory=list)
    faults: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0.0
    memory: int = 0

    @property
    def kinds(self) -> set[str]:
        """The kinds of events that there were."""
        return {line.split(" ", 2)[1] for line in self.journal}

    def __str__(self) -> str:
        counts = f"{len(self.journal)} events of {len(self.kinds)} kinds, {len(self.faults)} faults"
        return f"endurance: seed {self.seed}: {counts}"

    def report(self) -> str:
        """Return every different fault once, with the events before it, and how to replay them."""
        times = Counter(fault["what"] for fault in self.faults)
        first = {fault["what"]: fault for fault in reversed(self.faults)}
        parts = [self._described(fault, times[what]) for what, fault in first.items()]
        replay = f"python -m tests.endurance --events {self.events} --seed {self.seed}"
        return "\n\n".join((*parts, f"home and files: {self.folder}\nto replay: {replay}"))

    def _described(self, fault: dict[str, Any], times: int) -> str:
        number = fault["event"]
        recent = self.journal[max(0, number - _RECENT) : number]
        often = f", {times} times" if times > 1 else ""
        head = f"FAULT, seed {self.seed}, event {number}{often}: {fault['what']}"
        return "\n  ".join((f"{head}\n{fault['details'].rstrip()}\nthe events before:", *recent))


def run(seed: int, events: int, patience: float = 60.0, plant: tuple[str, ...] = ()) -> Trial:
    """Run some events in a process of its own, with a new home; wait for its end."""
    trial = Trial(seed, events, Path(tempfile.mkdtemp(prefix=f"endurance-{seed}-")).resolve())
    home = trial.folder / "home"
    home.mkdir()
    plan = {"seed": seed, "events": events, "patience": patience, "plant": plant}
    task = json.dumps({"folder": str(home), "plan": plan})
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.endurance.child", task]
    begin = time.monotonic()
    with open(trial.folder / "stderr.txt", "wb") as errors:
        out = {"stdout": subprocess.PIPE, "stderr": errors}
        child = subprocess.run(command, cwd=_ROOT, env=_environment(home), check=False, **out)
    trial.seconds = time.monotonic() - begin
    trial.journal = _lines(home / "journal.txt")
    trial.faults = [json.loads(line) for line in _lines(home / "faults.jsonl")]
    said = (trial.folder / "stderr.txt").read_text(errors="replace")[-_MOST_CHARACTERS:]
    if child.returncode:
        what = _ending(child.returncode, said)
        trial.faults.append({"event": len(trial.journal), "what": what, "details": said})
    else:
        trial.memory = json.loads(child.stdout)["memory"]
    if not trial.faults:
        shutil.rmtree(trial.folder)
    return trial


def _environment(home: Path) -> dict[str, str]:
    """Return the child's environment: it leads to no display, and not to the user's own files."""
    own = {"HOME": str(home), "QT_QPA_PLATFORM": f"offscreen:configfile={_screen(home)}"}
    alike = {"LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0"}
    kinds = ("CONFIG", "DATA", "STATE", "CACHE")
    folders = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in kinds}
    return {**os.environ, **own, **alike, **folders}


def _screen(home: Path) -> Path:
    """Write what the screen is like.

    Qt's own has 800 pixels a side. In full screen there a window that needs more is smaller than
    its layout allows, and Qt can crash when a dock is moved.
    """
    place = {"x": 0, "y": 0, "width": 1920, "height": 1080}
    screen = {"name": "screen", **place, "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
    path = home / "screen.json"
    path.write_text(
        json.dumps(
            {
                "synchronousWindowSystemEvents": False,
                "windowFrameMargins": True,
                "screens": [screen],
            }
        )
    )
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

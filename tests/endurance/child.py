"""The process in which a part does its items, in a home folder of its own."""

import json
import os
import signal
import sys
from pathlib import Path

from tests.endurance.faults import Faults, memory
from tests.endurance.parts import Part


def main() -> int:
    """Do what the line of JSON in the only argument says."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # at once, whatever is under way
    task = json.loads(sys.argv[1])
    folder = Path(task["folder"])
    home = folder / "home"
    os.chdir(home)
    faults = Faults(folder / "faults.jsonl", folder / "journal.txt", task["patience"])
    part = Part(*task["part"])
    if part.name != "events":  # which listens once the program does
        faults.listen()
    arguments = task["seed"], task["size"], home, task["plant"]
    only = {"only": task["only"]} if task["only"] else {}
    try:
        told = part.run(faults, *arguments, **only)
    except Exception as error:
        faults.add_exception("that ended everything", error)
        told = None
    summary = {"memory": memory("VmHWM"), "told": told or {}}
    (folder / "summary.json").write_text(json.dumps(summary))
    return 0


if __name__ == "__main__":
    sys.exit(main())

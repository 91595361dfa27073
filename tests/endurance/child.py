"""The process in which a part does its items, in a home folder of its own."""

import json
import os
import signal
import sys
from importlib import import_module
from pathlib import Path

from tests.endurance.faults import Faults, memory


def main():
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # ends at once, whatever is under way
    plan = json.loads(sys.argv[1])
    folder = Path(plan["folder"])
    home = folder / "home"
    os.chdir(home)
    faults = Faults(folder / "faults.jsonl", folder / "journal.txt", plan["patience"])
    only = {"only": plan["only"]} if plan["only"] else {}
    if plan["part"] != "events":  # which listens once the program does
        faults.listen()
    try:
        run = import_module(f"tests.endurance.{plan['part']}").run
        run(faults, plan["seed"], plan["size"], home, plan["plant"], **only)
    except Exception as error:
        faults.add_exception("that ended everything", error)
    (folder / "memory.txt").write_text(f"{memory('VmHWM')}")


if __name__ == "__main__":
    main()

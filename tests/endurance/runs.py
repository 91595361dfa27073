"""The runs that there were: `runs.json`, to which several processes may add at once."""

import fcntl
import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent


class Runs:
    """A file with a record of each seed: a line of JSON with its commit, counts and faults.

    The same seed of the same commit counts once, with the larger counts.
    """

    def __init__(self, path: Path = _FOLDER / "runs.json") -> None:
        self.path = path
        self._lock = path.with_name(f".{path.name}.lock")  # which also has the last seed taken

    def records(self) -> list[dict[str, Any]]:
        """Return the records, in the order of their seeds."""
        if not self.path.exists():
            return []
        found: list[dict[str, Any]] = json.loads(self.path.read_text(encoding="utf-8"))
        return found

    def total(self, part: str) -> int:
        """Return how many items of a part there were, in all runs."""
        return sum(record.get(part, 0) for record in self.records())

    def add(self, seed: int, commit: str, counts: Mapping[str, int], faults: list[str]) -> None:
        """Add what a run did, and the faults that it found."""
        with self._locked():
            by_run = {(record["seed"], record["commit"]): record for record in self.records()}
            old = by_run.pop((seed, commit), {"faults": []})
            known = sorted({*old.pop("faults"), *faults})
            most = {name: max(count, old.get(name, 0)) for name, count in counts.items()}
            new = {"seed": seed, "commit": commit, **old, **most, "faults": known}
            by_run[seed, commit] = new
            self._write([by_run[key] for key in sorted(by_run)])

    def take_seed(self) -> int:
        """Return a seed that no run has, and that nobody else takes."""
        with self._locked() as lock:
            taken = int(os.read(lock, 20) or 0)
            seed = 1 + max([taken, *(record["seed"] for record in self.records())])
            os.pwrite(lock, b"%d" % seed, 0)
            return seed

    def _write(self, records: list[dict[str, Any]]) -> None:
        """Replace the file, by one that is whole at any time."""
        lines = ",\n".join(json.dumps(record, ensure_ascii=False) for record in records)
        partial = self.path.with_name(f".{self.path.name}.part")
        partial.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
        partial.replace(self.path)

    @contextmanager
    def _locked(self) -> Iterator[int]:
        """Keep others out; the lock goes with the process that has it, however that ends."""
        lock = os.open(self._lock, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield lock
        finally:
            os.close(lock)


def commit() -> str:
    """Return the commit that is checked out, with a + if there are changes beside it."""
    try:
        head = _git("rev-parse", "--short=10", "HEAD")
        changed = _git("status", "--porcelain", "--", ".", ":!tests/endurance/runs.json")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{head}+" if changed else head


def _git(*words: str) -> str:
    run = subprocess.run(
        ["git", *words], cwd=_FOLDER.parents[1], capture_output=True, text=True, check=True
    )
    return run.stdout.strip()

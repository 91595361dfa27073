"""What an exploration is made of stays: nothing is written over the tables that it reads."""

from __future__ import annotations

from pathlib import Path

from pe_explorer.exploration import Exploration, paths
from pe_explorer.files.atomic import OutputError

__all__ = ["refuse_sources"]


def refuse_sources(path: Path | str, state: Exploration) -> None:
    """Raise `OutputError` where a file that is to be written is a table that `state` names."""
    for table in paths.files_named(state):
        if _is_same(path, table):
            problem = "holds the table that this is made of, which would be lost"
            raise OutputError(path, f"{problem}; choose another file")


def _is_same(path: Path | str, table: str) -> bool:
    """Whether two names lead to one file; where one of them leads to none, they do not."""
    try:
        return Path(path).samefile(table)
    except (OSError, ValueError):
        return False

"""Protects the tables that an exploration reads from being overwritten."""

from __future__ import annotations

from pathlib import Path

from pe_explorer.exploration import Exploration, paths
from pe_explorer.files.atomic import OutputError

__all__ = ["refuse_sources"]


def refuse_sources(path: Path | str, state: Exploration) -> None:
    """Raise `OutputError` if a file to be written is a table that `state` names."""
    for table in paths.files_named(state):
        if _is_same(path, table):
            problem = "holds the table that this is made from; it would be overwritten"
            raise OutputError(path, f"{problem}; choose another file")


def _is_same(path: Path | str, table: str) -> bool:
    """Return whether two names lead to one file that exists."""
    try:
        return Path(path).samefile(table)
    except (OSError, ValueError):
        return False

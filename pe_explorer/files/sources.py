"""Protects the tables that an exploration reads from being overwritten."""

import os
from pathlib import Path

from pe_explorer.exploration import Exploration, paths
from pe_explorer.files.atomic import OutputError


def refuse_sources(path: Path | str, state: Exploration) -> None:
    """Raise `OutputError` if a file to be written is a table that `state` names.

    Also if the table is missing: its name would lead to something else from then on.
    """
    for table in paths.files_named(state):
        if _is_same(path, table):
            problem = "holds the table that this is made from; it would be overwritten"
            raise OutputError(path, f"{problem}; choose another file")
        if _is_same_name(path, table):
            problem = "is the name of a table that this is made from, and that is missing"
            raise OutputError(path, f"{problem}; choose another file")


def refuse_confusion(path: Path | str, state: Exploration) -> None:
    """Raise `OutputError` if the session beside data would take them for a table that is elsewhere.

    It names that table without its folder. Capital letters make no other name, as it may be read
    where they do not.
    """
    target = Path(path)
    spelled = paths.shared(target.parent)
    named = {spelled(table).casefold() for table in paths.files_named(state)}
    if target.name.casefold() in named:
        problem = "has the name of a table that this is made from; its session would confuse them"
        raise OutputError(path, f"{problem}; choose another name, or leave the session out")


def _is_same(path: Path | str, table: str) -> bool:
    """Return whether two names lead to one file that exists."""
    try:
        return Path(path).samefile(table)
    except (OSError, ValueError):
        return False


def _is_same_name(path: Path | str, table: str) -> bool:
    try:
        return os.path.realpath(path).casefold() == os.path.realpath(table).casefold()
    except (OSError, ValueError):
        return False

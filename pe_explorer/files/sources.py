"""Protects the tables that an exploration reads from being overwritten."""

import os
from contextlib import suppress
from pathlib import Path

from pe_explorer.exploration import Exploration, paths
from pe_explorer.files.atomic import OutputError


def refuse_sources(path: Path | str, state: Exploration) -> None:
    """Raise `OutputError` if a file to be written is a table that `state` names.

    Also if the table is missing: its name would lead to something else from then on.
    """
    for table in paths.files_named(state):
        problem = ""
        with suppress(OSError, ValueError):
            if os.path.realpath(path).casefold() == os.path.realpath(table).casefold():
                problem = "is the name of a table that this is made from, and that is missing"
        with suppress(OSError, ValueError):
            if Path(path).samefile(table):
                problem = "holds the table that this is made from; it would be overwritten"
        if problem:
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

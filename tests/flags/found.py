"""Every flag that the command line reads now, and what it means, as the parsers themselves have
it.
"""

import json
from pathlib import Path

from pe_explorer import encodings, views
from pe_explorer.commandline import program
from pe_explorer.flags import FIXED, PLATE, WINDOW, flag, shell_words

TABLE = Path(__file__).with_name("table.json")


def lines():
    """Return the words that begin each command, by its key in the table."""
    found = {"window": (), "list": ("list",)}
    for name in encodings.names():
        for command in ("export", "code"):
            found[f"{command} {name}"] = (command, "--encoding", name)
        for view in (*views.names(), WINDOW, PLATE):
            found[f"render {view} {name}"] = ("render", view, "--encoding", name)
    return found


def parser_of(line):
    """Return the parser that reads a line."""
    command = line[0] if line else ""
    whole, _ = program.parser_of(command, shell_words.split(line))
    if not command:
        return whole
    (commands,) = [action for action in whole._actions if isinstance(action.choices, dict)]
    return commands.choices[command]


def flags_of(line):
    """Return every flag of a command and what it means: an option's owner and field, or its
    name.
    """
    parser = parser_of(line)
    options = parser.get_default("options") or []
    meanings = {
        found: f"{option.owner}.{option.field}" for option in options for found in option.flags
    }
    fixed = {flag(name): name for name in FIXED[line[0] if line else ""]}
    read = {found for action in parser._actions for found in action.option_strings}
    assert not meanings.keys() & fixed.keys()
    short = {"-h": "help", "-o": "output"}
    known = {**meanings, **fixed, **short}
    off = {found for found in meanings if found.startswith("--no-")}
    return {found: known[found] for found in sorted(read | off)}


def now():
    """Return the table of today."""
    return {key: flags_of(line) for key, line in lines().items()}


def committed():
    """Return the table as it was extended last."""
    return json.loads(TABLE.read_text(encoding="utf-8"))

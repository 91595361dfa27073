"""Every flag that the command line reads now, and what it means to its parsers."""

import json
from functools import cache
from pathlib import Path

from pe_explorer import encodings, views
from pe_explorer.commandline import main
from pe_explorer.flags import COMMAND_FLAGS, ENCODING, PLATE, WINDOW, flag

TABLE = Path(__file__).with_name("table.json")


def lines():
    """Return the words that begin each command, by its key in the table."""
    found = {"window": (), "list": ("list",), "check": ("check",)}
    for name in encodings.names():
        for command in ("export", "code"):
            found[f"{command} {name}"] = (command, "--encoding", name)
        for view in (*views.names(), WINDOW, PLATE):
            found[f"render {view} {name}"] = ("render", view, "--encoding", name)
    return found


def flags_of(line):
    """Return every flag of a command, and the owner and field of an option, or its name."""
    command = line[0] if line else ""
    parser, _ = main.make_parser(command, [*line])
    if command:
        (commands,) = [action for action in parser._actions if isinstance(action.choices, dict)]
        parser = commands.choices[command]
    options = parser.get_default("options") or []
    meanings = {
        found: f"{option.owner}.{option.field}" for option in options for found in option.flags
    }
    fixed = {flag(name): name for name in COMMAND_FLAGS[command]}
    read = {found for action in parser._actions for found in action.option_strings}
    assert not meanings.keys() & fixed.keys()
    short = {"-h": "help", "-o": "output"}
    known = {**meanings, **fixed, **short}
    off = {found for found in meanings if found.startswith("--no-")}
    return {found: known[found] for found in sorted(read | off)}


@cache
def now():
    return {key: flags_of(line) for key, line in lines().items()}


def owned(by_command):
    """Return the flags of each owner: of each its field, and the commands that read it as such.

    An owner is an encoding, what is drawn or, for what belongs to neither, the program.
    """
    found, names = {}, set(encodings.names())
    for key, words in by_command.items():
        place, encoding = key.rsplit(" ", 1) if " " in key else (key, "")
        for word, meaning in words.items():
            owner, _, field = meaning.rpartition(".")
            section = f"encoding {encoding}" if owner == ENCODING else f"drawn {owner}"
            of_owner = found.setdefault(section if owner else "program", {})
            places = of_owner.setdefault(word, (field, {}))[1]
            places.setdefault(place, set()).add(encoding)
    drawn = {f"render {view}" for view in (*views.names(), WINDOW, PLATE)}
    table = {}
    for owner, words in sorted(found.items()):
        table[owner] = {}
        for word, (field, places) in sorted(words.items()):
            whole = {
                place
                for place, given in places.items()
                if owner.startswith("encoding ") or given in (names, {""})
            }
            rest = {f"{place} {name}" for place in places.keys() - whole for name in places[place]}
            if drawn <= whole:
                whole = whole - drawn | {"render"}
            table[owner][word] = [field, *sorted(whole | rest)]
    return table


def committed():
    return json.loads(TABLE.read_text(encoding="utf-8"))


def text(table):
    """Return the text of a table as it is stored: a line for each flag, below its owner."""
    sections = []
    for owner, words in table.items():
        each = [f"  {json.dumps(word)}: {json.dumps(use)}" for word, use in words.items()]
        sections.append("\n".join([f' "{owner}": {{', ",\n".join(each), " }"]))
    return "\n".join(["{", ",\n".join(sections), "}\n"])

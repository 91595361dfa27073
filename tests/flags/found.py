"""Every flag that the command line reads now, and what it means to its parsers."""

import json
from functools import cache
from pathlib import Path

from pe_explorer import encodings, views
from pe_explorer.commandline import main
from pe_explorer.flags import COMMAND_FLAGS, ENCODING, PLATE, WINDOW, flag, shell_words

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


def parser_of(line):
    """Return the parser that reads a line."""
    command = line[0] if line else ""
    whole, _ = main.parser_of(command, shell_words.split(line))
    if not command:
        return whole
    (commands,) = [action for action in whole._actions if isinstance(action.choices, dict)]
    return commands.choices[command]


def flags_of(line):
    """Return every flag of a command, and the owner and field of an option, or its name."""
    parser = parser_of(line)
    options = parser.get_default("options") or []
    meanings = {
        found: f"{option.owner}.{option.field}" for option in options for found in option.flags
    }
    fixed = {flag(name): name for name in COMMAND_FLAGS[line[0] if line else ""]}
    read = {found for action in parser._actions for found in action.option_strings}
    assert not meanings.keys() & fixed.keys()
    short = {"-h": "help", "-o": "output"}
    known = {**meanings, **fixed, **short}
    off = {found for found in meanings if found.startswith("--no-")}
    return {found: known[found] for found in sorted(read | off)}


@cache
def now():
    """Return the table of today."""
    return {key: flags_of(line) for key, line in lines().items()}


@cache
def committed():
    """Return the table as it was extended last."""
    return by_command(json.loads(TABLE.read_text(encoding="utf-8")))


# -- as it is stored -------------------------------------------------------------------------------

PROGRAM, DRAWS, ALONE = "program", "render", ("window", "list", "check")
KINDS = ("drawn", "encoding", PROGRAM)


def text(table):
    """Return the text of a table as it is stored: a line for each flag, below its owner."""
    owned, sections = by_owner(table), []
    assert by_command(owned) == table
    for owner, flags in owned.items():
        each = [f"  {json.dumps(word)}: {json.dumps(use)}" for word, use in flags.items()]
        lines = ",\n".join(each)
        sections.append(f' "{owner}": {{\n{lines}\n }}' if lines else f' "{owner}": {{}}')
    joined = ",\n".join(sections)
    return f"{{\n{joined}\n}}\n"


def by_owner(table):
    """Return the flags of each owner: of each its field, and the commands that read it.

    An owner is an encoding, what is drawn or, for what belongs to neither, the program.
    """
    everywhere = {f"{DRAWS} {key.split()[1]}" for key in table if key.startswith(f"{DRAWS} ")}
    owned = {f"drawn {place.split()[1]}": {} for place in everywhere}
    for key, flags in table.items():
        *place, encoding = key.split() if " " in key else (key, "")
        for word, meaning in flags.items():
            owner, _, field = meaning.rpartition(".")
            section = f"encoding {encoding}" if owner == ENCODING else f"drawn {owner}"
            uses = owned.setdefault(section if owner else PROGRAM, {})
            known, places = uses.setdefault(word, (field, set()))
            assert known == field
            places.add(" ".join(place))
    for flags in owned.values():
        for word, (field, places) in flags.items():
            brief = places - everywhere | {DRAWS} if places >= everywhere else places
            flags[word] = [field, *sorted(brief)]
    return {owner: dict(sorted(flags.items())) for owner, flags in sorted(owned.items())}


def by_command(owned):
    """Return the flags of each command and what each means, from those of each owner.

    Where several owners have a flag of one name, an encoding comes before what is drawn, and the
    program before both.
    """
    names = {kind: [] for kind in KINDS}
    for owner in owned:
        kind, _, name = owner.partition(" ")
        names[kind].append(name)
    table = {}
    for kind in KINDS:
        for name in names[kind]:
            owner = f"{kind} {name}".strip()
            encoded = [name] if kind == "encoding" else names["encoding"]
            for word, (field, *places) in owned[owner].items():
                meaning = {"drawn": f"{name}.{field}", "encoding": f"{ENCODING}.{field}"}
                for key in _keys(places, names["drawn"], encoded):
                    table.setdefault(key, {})[word] = meaning.get(kind, field)
    return table


def _keys(places, drawn, encoded):
    """Return the keys of the commands that are named in short."""
    for place in places:
        for each in [f"{DRAWS} {name}" for name in drawn] if place == DRAWS else [place]:
            yield from [each] if each in ALONE else [f"{each} {name}" for name in encoded]

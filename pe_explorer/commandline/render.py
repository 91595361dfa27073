"""The command `render`: a view or the whole window as a picture."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

from pe_explorer import flags
from pe_explorer.commandline import interrupts
from pe_explorer.commandline.arguments import (
    add_encoding,
    add_fields,
    add_options,
    add_output,
    add_pins,
    switches,
)
from pe_explorer.commandline.given import (
    encoding_of,
    known_by_flag,
    made_of,
    options_of,
    positions_of,
    value_of,
)
from pe_explorer.commandline.parser import Parser, reader
from pe_explorer.commandline.qt import view_options
from pe_explorer.commandline.start import Start, start_from
from pe_explorer.exploration import DirectStore, Exploration, check_pins, loaded
from pe_explorer.flags import ENCODING, WINDOW, Option, Print, words
from pe_explorer.flags.words import Word
from pe_explorer.params import Declared, declared

__all__ = ["add", "run"]

Views = Mapping[str, type[Declared]]


def add(parser: Parser, given: list[Word]) -> list[Word]:
    """Add the flags, also those of views; return the words as they are to be read."""
    parser.description = "Draw a view or the whole window into a PNG file; no display is needed."
    defaults = view_options()
    views = {name: type(options) for name, options in defaults.items()}
    start = start_from(given, defaults)
    names = (*views, WINDOW)
    view = _view_of(given, start, views)
    parser.add_argument("view", metavar="VIEW", choices=names, help=f"one of {', '.join(names)}")
    options = flags.options("render", type(start.encoding), views, view)
    given = add_encoding(parser, given, "render", start, options)
    what = parser.add_argument_group("what to show")
    state, known = start.found.state, declared(Exploration)
    add_fields(what, {name: known[name] for name in flags.SHOWN}, vars(state))
    add_pins(what)
    for name in _drawn(options):
        group = parser.add_argument_group(f"options of {name}")
        own = [option for option in options if option.owner == name]
        add_options(group, own, state.options[name])
    _add_picture(parser)
    parser.set_defaults(run=run, views=views)
    return given


def _view_of(given: Sequence[Word], start: Start, views: Views) -> str:
    """Return the word that says what to draw; which flags take no value depends on it, too."""
    scheme = type(start.encoding)
    every = [option for view in views for option in flags.options("render", scheme, views, view)]
    _, *places = words.others(words.settled(given, switches(every)))
    return places[0] if places else ""


def _drawn(options: Sequence[Option]) -> list[str]:
    """Return the names of the views that have some of the options, in their order."""
    return list(dict.fromkeys(option.owner for option in options if option.owner != ENCODING))


def _add_picture(parser: Parser) -> None:
    """Add the flags for how the picture is made."""
    picture = parser.add_argument_group("the picture")
    picture.add_argument(
        "--size",
        metavar="WxH",
        type=reader(flags.parse_size),
        default=flags.SIZE,
        help="size in pixels before scaling (default 1600x900)",
    )
    add_fields(picture, declared(Print))
    add_output(picture, "file to write, ending in .png")


def run(options: argparse.Namespace) -> int:
    """Draw the picture."""
    from pe_explorer.app import render

    view, found = options.view, options.found
    fields = {name: value_of(options, name) for name in flags.SHOWN}
    check_pins(found.state.pins, fields["compared"], fields["show"])
    views = _drawn(options.options)
    chosen = {name: options_of(options.views[name], options, name) for name in views}
    fields["options"] = {**found.state.options, **chosen}
    e = encoding_of(options)
    state = found.state.with_(encoding=e, **fields)
    positions = positions_of(options, known_by_flag(loaded(e, DirectStore())))
    state = render.explored(view, state, positions)
    how, ready = made_of(Print, options), interrupts.ignore
    render.run(view, state, options.size, how, options.output, found.extra, ready=ready)
    return 0

"""The command `render`: draws a view or the whole window as a picture."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from functools import partial

from pe_explorer import flags, pictures
from pe_explorer.commandline import interrupts
from pe_explorer.commandline.arguments import (
    add_encoding,
    add_fields,
    add_options,
    add_output,
    add_pins,
    switches,
)
from pe_explorer.commandline.flag_values import (
    chosen_encoding,
    chosen_positions,
    declared_value,
    flag_value,
    owned_value,
    require_computable,
)
from pe_explorer.commandline.parser import Parser, reader
from pe_explorer.commandline.qt import require_qt
from pe_explorer.commandline.start import Start, start_from
from pe_explorer.exploration import DirectStore, Exploration, Panes, check_pins, loaded
from pe_explorer.exploration.panes import ARRANGEMENTS
from pe_explorer.flags import ENCODING, WINDOW, Option, Print, shell_words
from pe_explorer.flags.shell_words import Word
from pe_explorer.params import Declared, ParameterError, declared

__all__ = ["add", "run"]

Views = Mapping[str, type[Declared]]


def add(parser: Parser, typed: list[Word]) -> list[Word]:
    """Add the flags, also those of views; return the words as these flags read them."""
    parser.description = "Draw a view or the whole window into a PNG file; no display is needed."
    views = {name: pictures.find(name).Options for name in pictures.names()}
    start = start_from(typed)
    names = (*views, WINDOW)
    known = ", ".join(names)
    named = _view_of(typed, start, views)
    view = named or _active_view(typed, start)
    parser.add_argument(
        "view",
        metavar="VIEW",
        # Where a word stands for it, "?" might read that as one too many.
        nargs="?" if view and not named else None,
        default=view,
        choices=names,
        help=f"one of {known}; without it, the active pane of the session",
    )
    options = flags.options("render", type(start.encoding), views, view)
    typed = add_encoding(parser, typed, "render", start, options)
    what = parser.add_argument_group("what to show")
    state = start.opened.state
    parameters = declared(Exploration)
    fields = {name: parameters[name] for name in flags.SHOWN}
    add_fields(what, fields, vars(state))
    add_pins(what)
    _add_panes(parser)
    for name in _drawn(options):
        group = parser.add_argument_group(f"options of {name}")
        options_of_view = [option for option in options if option.owner == name]
        add_options(group, options_of_view, pictures.find(name).options(state))
    _add_picture(parser)
    parser.set_defaults(run=run, views=views)
    return typed


def _view_of(typed: Sequence[Word], start: Start, views: Views) -> str:
    """Return the word that names what to draw, or an empty text."""
    scheme = type(start.encoding)
    every_option: list[Option] = []
    for view in views:
        every_option += flags.options("render", scheme, views, view)
    read = shell_words.resolve_switches(typed, switches(every_option))
    _, *names = shell_words.plain_words(read)  # the first is the command
    return names[0] if names else ""


def _active_view(typed: Sequence[Word], start: Start) -> str:
    """Return the view that a session shows in its active pane; an empty text without a session."""
    if not shell_words.values(typed, "--session"):
        return ""
    panes = start.opened.state.panes
    return panes.active if panes else pictures.names()[0]


def _drawn(options: Sequence[Option]) -> list[str]:
    """Return the names of the views that own some of the options, in order."""
    owners = dict.fromkeys(option.owner for option in options)
    return [owner for owner in owners if owner != ENCODING]


def _add_panes(parser: Parser) -> None:
    """Add the flags of what the whole window shows."""
    group = parser.add_argument_group(f"panes of the {WINDOW} (default: those of the session)")
    arrangement = declared(Panes)["arrangement"]
    meanings = "; ".join(f"{name}: {meaning}" for name, meaning in ARRANGEMENTS.items())
    group.add_argument(
        "--panes",
        metavar="VIEWS",
        type=reader(pictures.parse_names),
        help=flags.PANES_HELP,
    )
    group.add_argument(
        "--arrangement",
        metavar="NAME",
        type=reader(partial(arrangement.parse, "arrangement")),
        help=f"{meanings} (default: one, beside or over-two, as many as there are views)",
    )
    group.add_argument("--active", metavar="VIEW", help=flags.ACTIVE_HELP)


def _chosen_panes(options: argparse.Namespace) -> Panes | None:
    """Return the panes of the window; refuse flags for them where only a view is drawn."""
    typed = {name: getattr(options, name) or "" for name in ("panes", "arrangement", "active")}
    for name, value in typed.items():
        if value and options.view != WINDOW:
            remedy = f"draw the {WINDOW} instead, or leave {flags.flag(name)} out"
            raise ParameterError(name, f"a picture of {options.view} has no panes; {remedy}")
    before = options.opened.state.panes
    return flags.chosen_panes(before, typed["panes"], typed["arrangement"], typed["active"])


def _add_picture(parser: Parser) -> None:
    """Add the flags of the picture itself."""
    picture = parser.add_argument_group("the picture")
    picture.add_argument(
        "--size",
        metavar="WxH",
        type=reader(flags.parse_size),
        default=flags.SIZE,
        help=(
            "size in pixels before scaling (default 1600x900); a window below 800x560 is that "
            "one, made smaller"
        ),
    )
    add_fields(picture, declared(Print))
    add_output(picture, "file to write, ending in .png")


def run(options: argparse.Namespace) -> int:
    """Draw the picture."""
    require_qt(window=False)
    from pe_explorer.app import render

    view, opened = options.view, options.opened
    fields = {name: flag_value(options, name) for name in flags.SHOWN}
    fields["panes"] = _chosen_panes(options)
    check_pins(opened.state.pins, fields["compared"], fields["show"])
    views = _drawn(options.options)
    chosen = {name: owned_value(options.views[name], options, name) for name in views}
    fields["options"] = {**opened.state.options, **chosen}
    e = chosen_encoding(options)
    state = opened.state.with_(encoding=e, **fields)
    computable = require_computable(loaded(e, DirectStore()))
    state = render.explored(view, state, chosen_positions(options, computable))
    how = declared_value(Print, options)
    ready = interrupts.ignore  # now the file is put in place, or not at all
    render.run(view, state, options.size, how, options.output, opened.extra, ready=ready)
    return 0

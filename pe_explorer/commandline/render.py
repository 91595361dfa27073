"""The command `render`: draws a view or the whole window as a picture."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from pe_explorer import exploration, flags, pictures
from pe_explorer.analysis.comparison import Show, Subject
from pe_explorer.commandline import process, shared
from pe_explorer.commandline.parser import Parser, is_flag, joined, one_of, reader
from pe_explorer.commandline.process import print_error, require_qt
from pe_explorer.encodings import LIMIT, require_known
from pe_explorer.exploration import COMMAND_REMEDY, DirectStore, Exploration, Panes
from pe_explorer.exploration.panes import ARRANGEMENTS, arranged
from pe_explorer.figures.plates import picture_requests
from pe_explorer.figures.size import PRESETS, FigureSize, parse_figure_size
from pe_explorer.figures.style import Style, style_in
from pe_explorer.files.figure_request import FigureRequest, request_in
from pe_explorer.flags import ENCODING, PLATE, WINDOW, RenderSettings
from pe_explorer.params import ParameterError, declared
from pe_explorer.progress import TerminalProgress


def add(parser: Parser, words: list[str], *, as_script: bool = False) -> list[str]:
    """Add the flags, also those of views; return the words as these flags read them."""
    parser.description = (
        "Print a script for matplotlib that draws a view as a figure, or a plate of several: the "
        "same data, limits, colours and names as render, laid out by matplotlib."
        if as_script
        else "Draw a view as a figure, a plate of several, or the whole window as on the screen, "
        "into a PNG, PDF or SVG file; no display is needed."
    )
    start = shared.start_from(parser, words, several=True)
    state = start.opened.state
    request = _add_view(parser, words, start, as_script)
    if start.exhibit and request.view != WINDOW:
        request = request._replace(style=replace(request.style, title=start.exhibit.title))
    words, options = shared.add_subject(parser, words, "render", start, request.view)
    what = parser.add_argument_group("what to show")
    shared.add_options(what, flags.options_of_fields(flags.SHOWN_FIELDS), vars(state))
    shared.add_pins(what)
    panes = parser.add_argument_group(
        f"panes of the {WINDOW} or the {PLATE} (default: those of the session)"
    )
    views = "one to three views, such as heatmap,clocks; the first is the main and the active one"
    panes.add_argument("--panes", metavar="VIEWS", type=reader(pictures.parse_names), help=views)
    meanings = "; ".join(f"{name}: {meaning}" for name, meaning in ARRANGEMENTS.items())
    panes.add_argument(
        "--arrangement",
        metavar="NAME",
        type=reader(partial(declared(Panes)["arrangement"].parse, "arrangement")),
        help=f"{meanings} (default: one, beside or over-two, as many as there are views); figures "
        f"of a {PLATE} stand where they are largest",
    )
    active = "the view whose sentence stands below the panes (default: the first)"
    panes.add_argument("--active", metavar="VIEW", help=active)
    owners = dict.fromkeys(option.owner for option in options if option.owner != ENCODING)
    for name in owners:
        owned = [option for option in options if option.owner == name]
        group = parser.add_argument_group(f"options of {name}")
        shared.add_options(group, owned, vars(pictures.find(name)(state).options))
    _add_picture(parser, request, as_script)
    parser.set_defaults(run=run_script if as_script else run, views=[*owners])
    return words


def _add_view(
    parser: Parser, words: Sequence[str], start: shared.Start, as_script: bool
) -> FigureRequest:
    """Add the word for the view; return what is drawn where other flags are left out."""
    options = flags.options("render", type(start.encoding), WINDOW)
    every_name = [option._replace(aliases=(*option.aliases, option.field)) for option in options]
    read = joined(words, shared.switches(every_name))
    _, *named = (word for word in read if not is_flag(word) and word != "--")
    extra = start.opened.extra
    request = request_in(extra)
    view = named[0] if named else request.view if request else start.active
    names = (*pictures.names(), *(() if as_script else (WINDOW,)), PLATE)
    parser.add_argument(
        "view",
        metavar="VIEW",
        # Where a word stands for it, "?" might read that as one too many.
        nargs="?" if view and not named else None,
        default=view,
        type=one_of(names),
        help=f"one of {', '.join(names)}; without it, the active pane of the session, or the main "
        "one of the exhibit",
    )
    if request and request.view == view:
        return request
    return FigureRequest(view, flags.SIZE, style_in(extra, view, Style.default()))


def _chosen_panes(options: argparse.Namespace) -> Panes | None:
    for name in flags.PANES:
        if getattr(options, name) and options.view not in (WINDOW, PLATE):
            remedy = f"draw the {WINDOW} instead, or a {PLATE}, or leave {flags.flag(name)} out"
            raise ParameterError(name, f"a picture of {options.view} has no panes; {remedy}")
    panes: Panes | None = options.opened.state.panes
    if options.panes:
        panes = exploration.panes_of(options.panes, options.arrangement or "")
    elif options.arrangement:
        panes = arranged(panes or Panes(), options.arrangement, pictures.names())
    return replace(panes or Panes(), active=options.active) if options.active else panes


def _add_picture(parser: Parser, request: FigureRequest, as_script: bool) -> None:
    picture = parser.add_argument_group("the figure, or the picture of the window")
    size = (
        "size of a figure, such as 84x60mm or 3.3x2.4in, or in pixels before scaling, such as "
        f"1600x900 (default {request.size}); a window below 800x560 is that one, made smaller"
    )
    read = reader(parse_figure_size)
    picture.add_argument("--size", metavar="WxH", type=read, default=request.size, help=size)
    presets = ", ".join(f"{name} ({size})" for name, size in PRESETS.items())
    preset = f"a size by its name: one of {presets}"
    picture.add_argument("--preset", metavar="NAME", type=one_of(PRESETS), help=preset)
    parts = []
    for name in pictures.names():
        panels = [panel.name for panel in pictures.picture_of(name, Exploration()).frame().panels]
        if len(panels) > 1:
            parts.append(f"{' or '.join(panels)} of {name}")
    settings = dict(declared(RenderSettings))
    only = f"One part of a view alone: {'; '.join(parts)}; empty for all of it."
    settings["only"] = replace(settings["only"], help=only)
    values = {"scale": request.scale, "only": request.only}
    shared.add_options(picture, flags.options_of_fields(settings), values)
    if not as_script:
        output = "file to write, ending in .png, .pdf or .svg"
        picture.add_argument("-o", "--output", metavar="FILE", required=True, help=output)
    look = parser.add_argument_group("how a figure looks")
    shared.add_options(look, flags.options_of_fields(declared(Style)), vars(request.style))


def _chosen_size(options: argparse.Namespace) -> FigureSize:
    if options.preset is None:
        return options.size
    if "--size" in options.typed:
        raise ParameterError("preset", "it stands for a size; leave out --size or --preset")
    if options.view == WINDOW:
        remedy = f"give a size in pixels, such as --size {flags.SIZE}"
        raise ParameterError("preset", "it is for figures, not for the window", remedy)
    return PRESETS[options.preset]


def _chosen_style(options: argparse.Namespace, settings: RenderSettings) -> Style:
    style: Style = shared.declared_value(Style, options)
    if options.view == WINDOW:
        for name in declared(Style):
            if flags.flag(name) in options.typed and name != "cursor":
                remedy = "name a view, or leave it out"
                raise ParameterError(name, "it is for figures, not for the window", remedy)
        if "--cursor" in options.typed and style.cursor == "hide":
            raise ParameterError("cursor", "the window is drawn with its cursor; leave it out")
        return style
    chooses_theme = "--theme" in options.typed and "--ground" not in options.typed
    if chooses_theme and "dark" in (settings.theme, style.ground):
        style = replace(style, ground={"dark": "dark", "light": "white"}[settings.theme])
    return style


def run(options: argparse.Namespace) -> int:
    """Draw the picture."""
    require_qt(window=False)
    from pe_explorer.app import render

    view = options.view
    state, size, how, style, notes = _render_request(options)
    with TerminalProgress(process.ignore_signals) as progress:
        if view != WINDOW:  # Qt calls back what draws a window, and could not pass it on
            process.raise_interrupt()
        extra = options.opened.extra
        note = render.run(view, state, size, how, options.output, extra, style, progress)
    for sentence in filter(None, (note, *notes)):
        print_error(f"pe-explorer render: {sentence}")
    return 0


def run_script(options: argparse.Namespace) -> int:
    """Print the script that draws the figure."""
    from pe_explorer.files.figure_code import figure_code

    state, size, how, style, notes = _render_request(options)
    resolved = exploration.resolve(state, DirectStore())
    wanted = picture_requests(options.view, resolved, style, how.only)
    with TerminalProgress(process.ignore_signals) as progress:
        process.raise_interrupt()
        script = figure_code(wanted, style, size, progress)
    print(script, end="", flush=True)
    for sentence in notes:
        print_error(f"pe-explorer code: {sentence}")
    return 0


def _render_request(
    options: argparse.Namespace,
) -> tuple[Exploration, FigureSize, RenderSettings, Style, list[str]]:
    view, opened = options.view, options.opened
    fields = {name: shared.flag_value(options, name) for name in flags.SHOWN_FIELDS}
    fields["panes"] = _chosen_panes(options)
    exploration.check_pins(opened.state.pins, fields["compared"], fields["show"])
    chosen: dict[str, Any] = {}
    for name in options.views:
        chosen[name] = shared.owned_value(pictures.find(name).Options, options, name)
    if "--show" in options.typed and pictures.shows_by_option(view):
        chosen[view] = replace(chosen[view], show=fields["show"])
        fields["show"] = opened.state.show
    fields["options"] = {**opened.state.options, **chosen}
    e = shared.chosen_encoding(options)
    computable = shared.require_computable(exploration.load_encoding(e, DirectStore()))
    pinned = (exploration.load_encoding(pin.encoding, DirectStore()) for pin in opened.state.pins)
    shared.print_file_notes("render", (computable, *pinned))
    positions = shared.chosen_positions(options, Subject(Show.CURRENT, computable))
    if positions.step != 1:
        raise ParameterError("positions", "a picture shows consecutive rows; leave out STEP")
    if positions.stop - positions.start > LIMIT:
        raise ParameterError("positions", "a picture shows at most 2^53 rows")
    fields |= {"encoding": e, "start": positions.start, "count": len(positions)}
    state = opened.state.with_(**fields)
    resolved = exploration.resolve(state, DirectStore(), COMMAND_REMEDY)
    most = require_known(resolved.encoding).width - 1
    if state.dimension > most:
        problem = f"{state.dimension} is outside 0 to {most}; the nearest valid value is {most}"
        raise ParameterError("dimension", problem)
    size, how = _chosen_size(options), shared.declared_value(RenderSettings, options)
    style = _chosen_style(options, how)
    flags.check_drawn(view, resolved, style)
    _refuse_unavailable(options, state)
    notes = _refuse_unused(options, state, how.only, style)
    shown = [
        request.state
        for request in picture_requests(view, state, style)
        if request.picture == "projection"
    ]
    if reason := next(filter(None, map(shared.umap_note, shown)), ""):
        notes.append(f"{reason}.")
    return state, size, how, style, notes


def _refuse_unavailable(options: argparse.Namespace, state: Exploration) -> None:
    for option in options.options:
        typed = [name for name in option.flags if name in options.typed]
        if typed and option.owner != ENCODING:
            value = shared.flag_value(options, option.name)
            if reason := pictures.find(option.owner)(state).unavailable_reason(option.field, value):
                raise ParameterError(typed[0].removeprefix("--"), reason)


def _refuse_unused(
    options: argparse.Namespace, state: Exploration, only: str, style: Style
) -> list[str]:
    """Return sentences on what is kept for other views; refuse typed flags without effect."""
    unused = dict(flags.unused(options.view, state, only, style))
    follows = pictures.shows_by_option(options.view) and "--show" in options.typed
    if follows or state.show == Show.CURRENT:
        unused.pop("show", None)
    for name, refusal in unused.items():
        if flags.flag(name) in options.typed:
            raise refusal
    below = {
        flag_name
        for option in options.options
        if option.field == "below"
        for flag_name in option.flags
    }
    if only in ("curve", "matrix") and below & options.typed:
        return [f"--only {only} does not draw the second curve; --part curve draws both."]
    if "show" not in unused:
        return []
    views = " and ".join(flags.drawn_views(options.view, state, style))
    kept = f"--show {state.show}, which is saved, is for the heatmap"
    return [f"{kept}; a picture of {views} does not follow it."]

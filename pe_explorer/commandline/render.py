"""The command `render`, which draws a view, a plate or the whole window to a file."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from functools import partial
from typing import Any

from pe_explorer import exploration, flags, pictures
from pe_explorer.analysis.comparison import ShowOption, Subject
from pe_explorer.commandline import process, shared
from pe_explorer.commandline.parser import (
    Parser,
    is_flag,
    join_values,
    make_argument_type,
    make_choice_type,
)
from pe_explorer.commandline.process import print_error, require_qt
from pe_explorer.commandline.shared import Start
from pe_explorer.encodings import LIMIT, require_known
from pe_explorer.exploration import COMMAND_REMEDY, DirectStore, Exploration, Panes
from pe_explorer.exploration.panes import ARRANGEMENTS, arrange
from pe_explorer.figures.plates import make_picture_requests
from pe_explorer.figures.size import PRESETS, FigureSize, parse_figure_size
from pe_explorer.figures.style import Style, read_style
from pe_explorer.files.figure_request import FigureRequest, read_figure_request
from pe_explorer.flags import ENCODING, PLATE, WINDOW, RenderSettings
from pe_explorer.params import ParameterError, declared, join_words
from pe_explorer.progress import TerminalProgress

_FIGURES_ONLY_PROBLEM = "applies only to figures, not to the window"


def add(parser: Parser, words: list[str], *, is_script: bool = False) -> list[str]:
    """Add all flags, including the flags of views, and return the normalised arguments."""
    parser.description = (
        "Print a matplotlib script that draws a view as a figure, or several views as a plate. "
        "Data, limits, colours and names are the same as those of render, but matplotlib decides "
        "the layout."
        if is_script
        else "Save a view as a figure, several views as a plate, or the whole window to a PNG, "
        "PDF or SVG file. No display is needed."
    )
    start = shared.parse_start(parser, words, can_have_pins=True)
    state = start.opened.state
    request = _add_view(parser, words, start, is_script)
    if start.exhibit and request.view != WINDOW:
        request = request._replace(style=replace(request.style, title=start.exhibit.title))
    words, options = shared.add_subject(parser, words, "render", start, request.view)
    content = parser.add_argument_group("content")
    shared.add_options(content, flags.make_command_options(flags.SHOWN_FIELDS), vars(state))
    shared.add_pins(content)
    title = f"panes of the {WINDOW} or the {PLATE} (default: the panes of the session)"
    panes = parser.add_argument_group(title)
    views = "One to three views, such as heatmap,clocks. The first view is the main one."
    panes.add_argument(
        "--panes", metavar="VIEWS", type=make_argument_type(pictures.parse_names), help=views
    )
    meanings = "; ".join(f"{name}: {meaning}" for name, meaning in ARRANGEMENTS.items())
    panes.add_argument(
        "--arrangement",
        metavar="NAME",
        type=make_argument_type(partial(declared(Panes)["arrangement"].parse, "arrangement")),
        help=f"Arrangement of the panes. {meanings} (default: one, beside or over-two, depending "
        f"on the number of views). In a {PLATE}, the figures are arranged "
        "so that they are as large as possible.",
    )
    active = "View that the status line describes (default: the first view)."
    panes.add_argument("--active", metavar="VIEW", help=active)
    owners = dict.fromkeys(option.owner for option in options if option.owner != ENCODING)
    for name in owners:
        view_options = [option for option in options if option.owner == name]
        group = parser.add_argument_group(f"options of {name}")
        shared.add_options(group, view_options, vars(pictures.find(name)(state).options))
    _add_picture(parser, request, is_script)
    parser.set_defaults(run=run_script if is_script else run, views=[*owners])
    return words


def _add_view(parser: Parser, words: list[str], start: Start, is_script: bool) -> FigureRequest:
    """Add the argument for the view, and return a figure request with its default settings."""
    options = flags.options("render", type(start.encoding), WINDOW)
    options = [option._replace(aliases=(*option.aliases, option.field)) for option in options]
    joined_words = join_values(words, shared.list_switches(options))
    _, *arguments = (word for word in joined_words if not is_flag(word) and word != "--")
    extra = start.opened.extra
    request = read_figure_request(extra)
    view = arguments[0] if arguments else request.view if request else start.active
    names = (*pictures.names(), *(() if is_script else (WINDOW,)), PLATE)
    parser.add_argument(
        "view",
        metavar="VIEW",
        # With "?", argparse may reject a typed view as an unexpected argument.
        nargs="?" if view and not arguments else None,
        default=view,
        type=make_choice_type(names),
        help=f"View to draw: {join_words(names, 'or')} (default: the active pane of the session, "
        "or the main pane of the exhibit).",
    )
    if request and request.view == view:
        return request
    return FigureRequest(view, flags.DEFAULT_SIZE, read_style(extra, view, Style.default()))


def _read_panes(options: Namespace) -> Panes | None:
    for name in flags.PANE_FLAGS:
        if getattr(options, name) and options.view not in (WINDOW, PLATE):
            remedy = f"leave it out, or draw the {WINDOW} or a {PLATE}"
            raise ParameterError(name, f"a picture of {options.view} has no panes", remedy)
    panes: Panes | None = options.opened.state.panes
    if options.panes:
        panes = exploration.make_panes(options.panes, options.arrangement or "")
    elif options.arrangement:
        panes = arrange(panes or Panes(), options.arrangement, pictures.names())
    return replace(panes or Panes(), active=options.active) if options.active else panes


def _add_picture(parser: Parser, request: FigureRequest, is_script: bool) -> None:
    picture = parser.add_argument_group("figure or picture")
    size = (
        "Size of a figure, such as 84x60mm or 3.3x2.4in, or in pixels before scaling, such as "
        f"1600x900 (default: {request.size}). A window smaller than 800x560 is drawn at 800x560 "
        "and scaled down."
    )
    read = make_argument_type(parse_figure_size)
    picture.add_argument("--size", metavar="WxH", type=read, default=request.size, help=size)
    presets_text = join_words((f"{name} ({size})" for name, size in PRESETS.items()), "or")
    preset = f"Named size: {presets_text}."
    picture.add_argument("--preset", metavar="NAME", type=make_choice_type(PRESETS), help=preset)
    parts = []
    for name in pictures.names():
        panels = [panel.name for panel in pictures.make_picture(name, Exploration()).frame().panels]
        if len(panels) > 1:
            parts.append(f"{' or '.join(panels)} of {name}")
    settings = dict(declared(RenderSettings))
    only = f"Draw only one part of a view: {'; '.join(parts)}."
    settings["only"] = replace(settings["only"], help=only)
    values = {"scale": request.scale, "only": request.only}
    shared.add_options(picture, flags.make_command_options(settings), values)
    if not is_script:
        output = "File to write. Its extension selects the format: .png, .pdf or .svg."
        picture.add_argument("-o", "--output", metavar="FILE", required=True, help=output)
    group = parser.add_argument_group("style of a figure")
    shared.add_options(group, flags.make_command_options(declared(Style)), vars(request.style))


def _read_size(options: Namespace) -> FigureSize:
    if options.preset is None:
        return options.size
    if "--size" in options.typed_flags:
        raise ParameterError("preset", "cannot be combined with --size", "leave out one of them")
    if options.view == WINDOW:
        remedy = f"use a size in pixels, such as --size {flags.DEFAULT_SIZE}"
        raise ParameterError("preset", _FIGURES_ONLY_PROBLEM, remedy)
    return PRESETS[options.preset]


def _read_style(options: Namespace, settings: RenderSettings) -> Style:
    style: Style = shared.create_from_flags(Style, options)
    if options.view == WINDOW:
        for name in declared(Style):
            if flags.flag(name) in options.typed_flags and name != "cursor":
                remedy = "name a view, or leave it out"
                raise ParameterError(name, _FIGURES_ONLY_PROBLEM, remedy)
        if "--cursor" in options.typed_flags and style.cursor == "hide":
            raise ParameterError("cursor", "the window always shows its cursor", "leave it out")
        return style
    has_typed_theme = "--theme" in options.typed_flags and "--ground" not in options.typed_flags
    if has_typed_theme and "dark" in (settings.theme, style.ground):
        style = replace(style, ground={"dark": "dark", "light": "white"}[settings.theme])
    return style


def run(options: Namespace) -> int:
    """Draw the picture."""
    require_qt(window=False)
    from pe_explorer.app import render

    view, output, extra = options.view, options.output, options.opened.extra
    state, size, settings, style, notes = _read_render_request(options)
    with TerminalProgress(process.ignore_signals) as progress:
        # Qt draws a window in callbacks, where signals must not raise exceptions.
        if view != WINDOW:
            process.raise_on_signal()
        note = render.run(view, state, size, settings, output, extra, style, progress)
    for text in filter(None, (note, *notes)):
        print_error(f"pe-explorer render: {text}")
    return 0


def run_script(options: Namespace) -> int:
    """Print a script that draws the figure."""
    from pe_explorer.files.figure_code import figure_code

    state, size, settings, style, notes = _read_render_request(options)
    resolved = exploration.resolve(state, DirectStore())
    requests = make_picture_requests(options.view, resolved, style, settings.only)
    with TerminalProgress(process.ignore_signals) as progress:
        process.raise_on_signal()
        script = figure_code(requests, style, size, progress)
    print(script, end="", flush=True)
    for note in notes:
        print_error(f"pe-explorer code: {note}")
    return 0


def _read_render_request(
    options: Namespace,
) -> tuple[Exploration, FigureSize, RenderSettings, Style, list[str]]:
    view, opened = options.view, options.opened
    fields = {name: shared.read_flag(options, name) for name in flags.SHOWN_FIELDS}
    fields["panes"] = _read_panes(options)
    exploration.check_pins(opened.state.pins, fields["compared"], fields["show"])
    view_options: dict[str, Any] = {}
    for name in options.views:
        view_options[name] = shared.create_for_owner(pictures.find(name).Options, options, name)
    if "--show" in options.typed_flags and pictures.has_show_option(view):
        view_options[view] = replace(view_options[view], show=fields["show"])
        fields["show"] = opened.state.show
    fields["options"] = {**opened.state.options, **view_options}
    e = shared.read_encoding(options)
    computable_encoding = shared.require_computable(exploration.load_encoding(e, DirectStore()))
    pins = (exploration.load_encoding(pin.encoding, DirectStore()) for pin in opened.state.pins)
    shared.print_file_notes("render", (computable_encoding, *pins))
    positions = shared.read_positions(options, Subject(ShowOption.CURRENT, computable_encoding))
    if positions.step != 1:
        raise ParameterError("positions", "a picture shows consecutive rows", "leave out STEP")
    if positions.stop - positions.start > LIMIT:
        raise ParameterError("positions", "a picture shows at most 2^53 rows", "choose fewer")
    fields |= {"encoding": e, "start": positions.start, "count": len(positions)}
    state = opened.state.with_(**fields)
    resolved = exploration.resolve(state, DirectStore(), COMMAND_REMEDY)
    last_dimension = require_known(resolved.encoding).width - 1
    if state.dimension > last_dimension:
        problem = f"expected a whole number from 0 to {last_dimension}, got {state.dimension}"
        raise ParameterError("dimension", problem, f"the nearest valid value is {last_dimension}")
    size, settings = _read_size(options), shared.create_from_flags(RenderSettings, options)
    style = _read_style(options, settings)
    flags.check_image(view, resolved, style)
    notes = _check_flags(options, state, settings.only, style)
    requests = make_picture_requests(view, state, style)
    projections = [request.state for request in requests if request.picture == "projection"]
    if note := next(filter(None, map(shared.make_umap_note, projections)), ""):
        notes.append(note)
    return state, size, settings, style, notes


def _check_flags(options: Namespace, state: Exploration, only: str, style: Style) -> list[str]:
    """Raise an error if a typed flag has no effect, and return notes on unused settings."""
    for option in options.options:
        flag = next(filter(options.typed_flags.__contains__, option.flags), "")
        if flag and option.owner != ENCODING:
            value = shared.read_flag(options, option.name)
            picture = pictures.find(option.owner)(state)
            if reason := picture.unavailable_reason(option.field, value):
                raise ParameterError(flag.removeprefix("--"), reason)
    errors = dict(flags.find_unused_fields(options.view, state, only, style))
    has_typed_show = pictures.has_show_option(options.view) and "--show" in options.typed_flags
    if has_typed_show or state.show == ShowOption.CURRENT:
        errors.pop("show", None)
    for name, error in errors.items():
        if flags.flag(name) in options.typed_flags:
            raise error
    curve_options = [option for option in options.options if option.field == "below"]
    curve_flags = {flag for option in curve_options for flag in option.flags}
    if only in ("curve", "matrix") and curve_flags & options.typed_flags:
        return [f"--only {only} does not draw the second curve. Use --part curve to draw both."]
    if "show" not in errors:
        return []
    views = " and ".join(flags.list_drawn_views(options.view, state, style))
    return [f"--show {state.show} is saved, but has no effect on a picture of {views}."]

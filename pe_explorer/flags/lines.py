"""Parsers and formatters of positions and pins, and the text of command lines.

A command line reproduces a file, and omits flags that have no effect. Positions and
pins are written as users type them: ``0:50``, ``10^12+1000``, ``sinusoidal base=500``.
"""

import os
import re
import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from pe_explorer import params, pictures, quantities
from pe_explorer.analysis.comparison import ShowOption
from pe_explorer.encodings import LIMIT, Encoding, TableFileError, find, require_known
from pe_explorer.exploration import Exploration, Pin, add_pin, make_panes, paths
from pe_explorer.figures import PLATE
from pe_explorer.figures.overrides import has_axes_of_values
from pe_explorer.figures.plates import make_picture_requests
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.flags import commands
from pe_explorer.flags.commands import SHOWN_FIELDS, WINDOW, ExportRequest, RenderSettings
from pe_explorer.flags.options import ENCODING, flag, options, parameters as parameters_of
from pe_explorer.params import Declared, Flag, Parameter, ParameterError, declared, quote_value


def format_export_line(
    e: Encoding,
    positions: range,
    request: ExportRequest,
    output: Path | str,
    pins: Sequence[Pin] = (),
) -> str:
    """Return the shell-quoted command that exports the requested data.

    The command contains only the pins that the data depend on. Raise `ParameterError` if
    `output` is not a valid file name.
    """
    e, pins, output = paths.prepare_for_command(e, pins, output)
    omitted_names = {"compared", "curves", "name"}
    if request.has_all_curves:
        omitted_names = {"compared", "show", "second_start"}
    elif request.second_window is None:
        omitted_names.add("second_start")
    words = ["pe-explorer", "export", *_list_encoding_words("export", e, positions)]
    words += _list_field_words(request, omitted_names)
    for name, parameter in quantities.find(request.what).options.items():
        words += _list_flag_words(name, parameter, request.options[name])
    if not request.has_all_curves:
        pins = [pins[request.compared]] if request.show != ShowOption.CURRENT else []
    words += [word for pin in pins for word in ("--pin", format_pin(pin))]
    return _join_words(words, output)


def format_render_line(
    view: str,
    state: Exploration,
    size: tuple[float, float] | FigureSize,
    settings: RenderSettings,
    output: Path | str,
    style: Style | None = None,
    *,
    has_output_flag: bool = True,
) -> str:
    """Return the shell-quoted command that draws an image of an exploration.

    `view` is the name of a view, `WINDOW` or `PLATE`. A `size` without a unit is in pixels
    before scaling. The flag ``-o`` is present only if `has_output_flag` is true. Raise
    `ParameterError` if `output` is not a valid file name.
    """
    intention = state.intention
    state, pins, output = paths.prepare_for_command(intention, intention.pins, output)
    e = require_known(state.encoding)
    words = ["pe-explorer", "render", view, *_list_encoding_words("render", e, state.positions)]
    omitted_names = find_unused_fields(view, state, settings.only, style).keys()
    words += _list_field_words(state, omitted_names | declared(Exploration).keys() - SHOWN_FIELDS)
    for option in options("render", type(e), view):
        if option.owner != ENCODING:
            picture = pictures.find(option.owner)(state)
            value = getattr(picture.options, option.field)
            if not picture.unavailable_reason(option.field, value):
                words += _list_flag_words(option.name, option.parameter, value)
    if view in (WINDOW, PLATE) and (panes := state.panes) and "panes" not in omitted_names:
        words += [flag("panes"), ",".join(panes.views)]
        if panes.arrangement != make_panes(panes.views).arrangement:
            words += [flag("arrangement"), panes.arrangement]
        if panes.active != panes.views[0]:
            words += [flag("active"), panes.active]
    words += [word for pin in pins for word in ("--pin", format_pin(pin))]
    if FigureSize(*size) != commands.DEFAULT_SIZE:
        words += [flag("size"), str(FigureSize(*size))]
    words += _list_field_words(settings)
    if style is not None:
        words += _list_field_words(style, omitted_names)
        if settings.theme == "dark" and style.ground == Style.default().ground:
            # Without this flag, the command would use the background of the dark theme.
            words += [flag("ground"), style.ground]
    return _join_words(words, output if has_output_flag else None)


def _list_encoding_words(command: str, e: Encoding, positions: range) -> Iterable[str]:
    yield from (flag("encoding"), e.name)
    used_fields = params.find_used_parameters(e)
    for option in options(command, type(e)):
        if option.field in used_fields:
            yield from _list_flag_words(option.name, option.parameter, getattr(e, option.field))
    yield from (flag("positions"), format_positions(positions))


def _list_field_words(values: Declared, omitted_names: Collection[str] = ()) -> Iterable[str]:
    for name, parameter in declared(type(values)).items():
        if name not in omitted_names:
            yield from _list_flag_words(name, parameter, getattr(values, name))


def _list_flag_words(name: str, parameter: Parameter, value: Any) -> list[str]:
    """Return the arguments for a flag and its value, or [] if the value is the default."""
    if isinstance(parameter, params.Texts) and not parameter.words:
        return [word for text in value for word in (flag(name), text)]
    text = parameter.format(value)
    if text == parameter.format(parameter.default):
        return []
    if isinstance(parameter, Flag):
        return [flag(name if value else f"no_{name}")]
    is_flag_like = text.startswith("-") and not text[1:2].isdigit()
    return [f"{flag(name)}={text}"] if is_flag_like else [flag(name), text]


def _join_words(words: list[str], output: Path | str | None) -> str:
    """Join arguments into one shell-quoted line that can be displayed and copied.

    Bytes in a file name that are not valid UTF-8 are escaped in the notation ``$'…'``,
    which bash, ksh, zsh and busybox support and POSIX has included since 2024.
    """
    if output is not None:
        name = str(output)
        if not params.is_valid_path(name):
            problem = f"{name}: {params.FILE_NAME_FAULT}"
            raise ParameterError("output", problem, "choose another name")
        words = [*words, "-o", f"./{name}" if name.startswith("-") else name]
    quoted_words = []
    for word in words:
        try:
            word.encode()
            quoted_words.append(shlex.quote(word))
        except UnicodeEncodeError:
            text = os.fsencode(word).decode("latin-1")
            escaped_text = re.sub(r"[^ -&(-\[\]-~]", lambda match: f"\\{ord(match[0]):03o}", text)
            quoted_words.append(f"$'{escaped_text}'")
    return " ".join(quoted_words)


def list_drawn_views(view: str, state: Exploration, style: Style | None = None) -> tuple[str, ...]:
    """Return the distinct views in an image of `view`: the name of a view, `WINDOW` or `PLATE`."""
    requests = make_picture_requests(view, state, style)
    return tuple(dict.fromkeys(request.picture for request in requests))


def check_image(view: str, state: Exploration, style: Style | None = None) -> None:
    """Raise `ParameterError` if an image of `view` cannot be drawn."""
    if view not in (WINDOW, PLATE):
        pictures.check(view, state)
    else:  # an unavailable view is not an error, because its pane shows the reason
        for request in make_picture_requests(view, state, style):
            pictures.make_picture(request.picture, request.state).require_known_encodings()


def find_unused_fields(
    view: str, state: Exploration, only: str = "", style: Style | None = None
) -> Mapping[str, ParameterError]:
    """Return an error for each field that has no effect on an image, by field name.

    `only` is the name of the only panel to draw, or an empty string for all panels. `style`
    is the style of a figure. Use this function only for flags: a flag without effect is a
    mistake by the user, whereas a session may contain fields that only other views use.
    """
    views = list_drawn_views(view, state, style)
    used_fields = {field for name in views for field in pictures.find(name).fields}
    names = " and ".join(views)
    faults = {}
    if view == PLATE and style and style.panels:
        problem = "the panels of the plate replace the panes"
        faults["panes"] = problem, "leave out --panes or --panel"
    if "show" not in used_fields:
        comparing_views = [name for name in pictures.names() if pictures.find(name).can_compare]
        alternative = f"draw {params.join_words(comparing_views, 'or')}"
        if name := next(filter(pictures.has_show_option, views), ""):
            alternative = f"use --{name}-show instead"
        problem = f"has no effect on a picture of {names}"
        faults["show"] = problem, f"leave it out, or {alternative}"
    if "name" not in used_fields:
        faults["name"] = f"a picture of {names} does not show the encoding's name", "leave it out"
    reasons = find_ineffective_fields(view, state, only, style)
    remedies = {
        "limits": "leave it out, or draw another part or view",
        "x_limits": "leave it out, or select the range with --positions",
        **dict.fromkeys(("y_limits", "x_scale", "y_scale", "x_ticks", "y_ticks"), "leave it out"),
        **dict.fromkeys(("bar_ticks", "colours"), "leave it out, or draw another part or view"),
        "clocks": "leave it out, or draw clocks",
        "panels": f"leave it out, or draw a {PLATE}",
    }
    for name in filter(reasons.__contains__, remedies):
        faults[name] = reasons[name], remedies[name]
    return {name: ParameterError(name, *fault) for name, fault in faults.items()}


def find_ineffective_fields(
    view: str, state: Exploration, only: str = "", style: Style | None = None
) -> Mapping[str, str]:
    """Return why fields of `Style` have no effect on a figure or panel, by field name."""
    try:
        requests = make_picture_requests(view, state, style, only)
    except ParameterError:  # the error is reported when the image is drawn
        return {}
    views = dict.fromkeys(request.picture for request in requests)
    has_clocks = "clocks" in views
    needs = {"clocks": (has_clocks, "clocks"), "panels": (view == PLATE, "list of panels")}
    with suppress(TableFileError):  # a view whose table is missing has no frame
        images = [pictures.make_picture(request.picture, request.state) for request in requests]
        frames = [image.frame() for image in images]
        limited_panel_names = {name for image in images for name in image.list_limited_colours()}
        if any(panel.name == only for frame in frames for panel in frame.panels):
            limited_panel_names &= {only}
        panels = [panel for frame in frames for panel in frame.with_panel(only).panels]
        has_limits = bool(limited_panel_names)
        has_curves = any(map(has_axes_of_values, panels))
        has_trail = any(panel.trail is not None for panel in panels)
        has_cells = any(panel.y.origin is not None for panel in panels)
        has_colours = has_cells or has_trail or has_clocks or has_limits
        needs |= {
            "limits": (has_limits, "colour scale with two limits"),
            "x_limits": (has_curves, "axes of curves"),
            **dict.fromkeys(("y_limits", "x_scale", "y_scale"), (has_curves, "axes of curves")),
            **dict.fromkeys(("x_ticks", "y_ticks", "grid"), (bool(panels), "axes")),
            "legend": (has_curves, "curves"),
            "line_width": (has_curves or has_trail, "curves"),
            **dict.fromkeys(("colour_bar", "bar_ticks", "colours"), (has_colours, "colour scale")),
            "upward": (any(panel.y.is_downward for panel in panels), "axis that counts downward"),
        }
    figure = f"this picture of {' and '.join(views)}"
    return {name: f"{figure} has no {need}" for name, (is_met, need) in needs.items() if not is_met}


POSITIONS_HELP = (
    "START:STOP[:STEP] (STOP is excluded) or START+COUNT, from -2^53 to 2^53; for example "
    "0:50, 10^12+1000 or -8:9"
)
PIN_HELP = (
    "an encoding and its parameters, such as 'sinusoidal base=500', optionally with name='...' and "
    "colour=NAME"
)
_PIN_FIELDS = declared(Pin)


def parse_positions(text: str) -> range:
    """Parse positions of the form ``START:STOP[:STEP]`` or ``START+COUNT``.

    Raise `ParameterError` if the text has another form, if the range is empty, or if a
    position is beyond ±2^53.
    """
    count_match = re.fullmatch(r"([^:]*[^:eE])\+(.+)", text)
    parts = count_match.groups() if count_match else text.split(":")
    try:
        numbers = [*map(params.parse_whole_number, parts)]
        if count_match:
            numbers[1] += numbers[0]
        if len(numbers) not in (2, 3):
            raise ValueError("is not a range")
        if numbers[2:] == [0]:
            raise ValueError("STEP must not be 0")
    except ValueError as error:
        problem = params.reason(error)
        if quote_value(text) not in problem:
            problem = f"{quote_value(text)}: {problem}"
        raise ParameterError("positions", problem, f"give {POSITIONS_HELP}") from None
    positions = range(*numbers)
    if not positions:
        problem = f"{quote_value(text)} contains no positions"
        raise ParameterError("positions", problem, "choose a STOP beyond START")
    for end in (positions[0], positions[-1]):
        if abs(end) > LIMIT:
            limits = f"expected positions from -2^53 to 2^53 ({-LIMIT} to {LIMIT})"
            raise ParameterError("positions", f"{limits}, but {quote_value(text)} reaches {end}")
    return positions


def format_positions(positions: range) -> str:
    """Return a short text that `parse_positions` converts back to these positions."""
    count = positions.stop - positions.start
    start, stop, step, length = (
        re.sub(r"0{6,}$", lambda zeros: f"e{len(zeros[0])}", str(number))
        for number in (positions.start, positions.stop, positions.step, count)
    )
    if positions.step != 1:
        return f"{start}:{stop}:{step}"
    return min(f"{start}:{stop}", f"{start}+{length}", key=len)


def parse_pins(texts: Sequence[str]) -> tuple[Pin, ...]:
    """Parse pins such as ``sinusoidal base=500 colour=teal``."""
    state = Exploration()
    for text in texts:
        try:
            state = _add_pin(state, *(shlex.split(text) or [""]))
        except ValueError as error:
            problem, remedy = params.reason(error), f"give {PIN_HELP}"
            if isinstance(error, ParameterError):
                problem, remedy = error.fault, error.remedy
                if error.name not in ("encoding", "pin"):
                    problem = f"{error.name.replace('_', '-')}: {problem}"
            raise ParameterError("pin", f"{quote_value(text)}: {problem}", remedy) from None
    return state.pins


def _add_pin(state: Exploration, name: str, *words: str) -> Exploration:
    scheme = find(name)
    options = {option.name: option for option in parameters_of(scheme, _PIN_FIELDS)}
    kinds = {key: option.parameter for key, option in options.items()}
    values = params.read_words("pin", words, {**kinds, **_PIN_FIELDS}, name)
    pin_values = {key: values.pop(key) for key in _PIN_FIELDS.keys() & values.keys()}
    parameters = {options[key].field: value for key, value in values.items()}
    e = scheme(**parameters)
    params.require_used_fields(e, parameters)
    changes = add_pin(state.with_(encoding=e))
    *earlier_pins, pin = changes["pins"]
    return state.with_(**{**changes, "pins": (*earlier_pins, replace(pin, **pin_values))})


def format_pin(pin: Pin) -> str:
    """Return the text that `parse_pins` converts back to a pin."""
    e = require_known(pin.encoding, "pin")
    words, used_fields = [e.name], params.find_used_parameters(e)
    for option in parameters_of(type(e), _PIN_FIELDS):
        value = getattr(e, option.field)
        if option.field in used_fields and value != option.parameter.default:
            words.append(f"{option.name}={option.parameter.format(value)}")
    words += [f"{key}={kind.format(getattr(pin, key))}" for key, kind in _PIN_FIELDS.items()]
    return shlex.join(words)

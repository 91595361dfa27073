"""Commands as text: positions and pins are read and written, and whole lines written.

A line makes the same file again, without flags that change nothing. Positions and pins are as
people write them: ``0:50``, ``10^12+1000``, ``sinusoidal base=500``.
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
from pe_explorer.analysis.comparison import Show
from pe_explorer.encodings import LIMIT, Encoding, StoredError, find, require_known
from pe_explorer.exploration import Exploration, Pin, panes_of, paths, pinned
from pe_explorer.figures.own import has_axes_of_values
from pe_explorer.figures.plates import picture_requests
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.flags.commands import PLATE, SHOWN, SIZE, WINDOW, ExportRequest, RenderSettings
from pe_explorer.flags.options import ENCODING, flag, options, parameters as parameters_of
from pe_explorer.params import Declared, Flag, Parameter, ParameterError, Texts, declared, quoted
from pe_explorer.pictures.figure import Panel


def export_line(
    e: Encoding,
    positions: range,
    request: ExportRequest,
    output: Path | str,
    pins: Sequence[Pin] = (),
) -> str:
    """Return the command that writes the same data, quoted for the shell.

    Of the pins, it has only those that the data need. Raises `ParameterError` where no file can
    have the name of the output; `render_line` does, too.
    """
    e, pins, output = paths.for_command(e, pins, output)
    without_use = {"compared", "curves", "name"}
    if request.has_all_curves:
        without_use = {"compared", "show", "second_start"}
    elif request.second_window is None:
        without_use.add("second_start")
    words = ["pe-explorer", "export", *_of_encoding("export", e, positions)]
    words += _flags(request, without_use)
    for name, parameter in quantities.find(request.what).options.items():
        words += _flag_words(name, parameter, request.options[name])
    if not request.has_all_curves:
        pins = [pins[request.compared]] if request.show != Show.CURRENT else []
    words += [word for pin in pins for word in ("--pin", spelled_pin(pin))]
    return _line(words, output)


def render_line(
    view: str,
    state: Exploration,
    size: tuple[float, float] | FigureSize,
    how: RenderSettings,
    output: Path | str,
    style: Style | None = None,
    *,
    names_output: bool = True,
) -> str:
    """Return the command that draws the same picture, quoted for the shell.

    It is of a view, `WINDOW` or `PLATE`. A `size` without a unit is in pixels before scaling; a
    figure without a `style` has the default one; the flag ``-o`` is there if it `names_output`.
    """
    intention = state.intention
    state, pins, output = paths.for_command(intention, intention.pins, output)
    e = require_known(state.encoding)
    words = ["pe-explorer", "render", view, *_of_encoding("render", e, state.positions)]
    without_use = unused(view, state, how.only, style)
    words += _flags(state, without_use.keys() | declared(Exploration).keys() - SHOWN)
    words += _of_options(view, e, state)
    if view in (WINDOW, PLATE) and (panes := state.panes) and "panes" not in without_use:
        words += [flag("panes"), ",".join(panes.views)]
        if panes.arrangement != panes_of(panes.views).arrangement:
            words += [flag("arrangement"), panes.arrangement]
        if panes.active != panes.views[0]:
            words += [flag("active"), panes.active]
    words += [word for pin in pins for word in ("--pin", spelled_pin(pin))]
    if FigureSize(*size) != SIZE:
        words += [flag("size"), str(FigureSize(*size))]
    words += _flags(how)
    if style is not None:
        words += _flags(style, without_use)
        if how.theme == "dark" and style.ground == Style.default().ground:
            words += [flag("ground"), style.ground]  # or that of the theme would be taken
    return _line(words, output if names_output else None)


def _of_encoding(command: str, e: Encoding, positions: range) -> Iterable[str]:
    yield from (flag("encoding"), e.name)
    counting = params.used(e)
    for option in options(command, type(e)):
        if option.field in counting:
            yield from _flag_words(option.name, option.parameter, getattr(e, option.field))
    yield from (flag("positions"), spelled_positions(positions))


def _of_options(view: str, e: Encoding, state: Exploration) -> Iterable[str]:
    for option in options("render", type(e), view):
        if option.owner == ENCODING:
            continue
        picture = pictures.find(option.owner)(state)
        value = getattr(picture.options, option.field)
        if not picture.unavailable_reason(option.field, value):
            yield from _flag_words(option.name, option.parameter, value)


def _flags(values: Declared, without: Collection[str] = ()) -> Iterable[str]:
    for name, parameter in declared(type(values)).items():
        if name not in without:
            yield from _flag_words(name, parameter, getattr(values, name))


def _flag_words(name: str, parameter: Parameter, value: Any) -> list[str]:
    """Return the words of a flag with its value: none for the default."""
    if isinstance(parameter, Texts) and not parameter.words:
        return [word for each in value for word in (flag(name), each)]
    text = parameter.format(value)
    if text == parameter.format(parameter.default):
        return []
    if isinstance(parameter, Flag):
        return [flag(name if value else f"no_{name}")]
    looks_like_flag = text.startswith("-") and not text[1:2].isdigit()
    return [f"{flag(name)}={text}"] if looks_like_flag else [flag(name), text]


def _line(words: list[str], output: Path | str | None) -> str:
    """Return words quoted for the shell, in a line that can always be shown and copied.

    The bytes of a file name that is no text are escaped, as bash, ksh, zsh and busybox read them,
    and POSIX since 2024.
    """
    if output is not None:
        name = str(output)
        if not params.is_valid_path(name):
            raise ParameterError("output", f"{name}: {params.BAD_NAME}", "choose another name")
        words = [*words, "-o", f"./{name}" if name.startswith("-") else name]
    written = []
    for word in words:
        try:
            word.encode()
            written.append(shlex.quote(word))
        except UnicodeEncodeError:
            text = os.fsencode(word).decode("latin-1")
            escaped = re.sub(r"[^ -&(-\[\]-~]", lambda byte: f"\\{ord(byte[0]):03o}", text)
            written.append(f"$'{escaped}'")
    return " ".join(written)


def drawn_views(what: str, state: Exploration, style: Style | None = None) -> tuple[str, ...]:
    """Return the views that a picture of a view, `WINDOW` or `PLATE` consists of, each once."""
    return tuple(dict.fromkeys(each.picture for each in picture_requests(what, state, style)))


def check_drawn(what: str, state: Exploration, style: Style | None = None) -> None:
    """Raise `ParameterError` where the exploration has no picture."""
    if what not in (WINDOW, PLATE):
        pictures.check(what, state)
    else:  # a view that does not apply says so in its place
        for each in picture_requests(what, state, style):
            pictures.picture_of(each.picture, each.state).check_known()


def unused(
    what: str, state: Exploration, only: str = "", style: Style | None = None
) -> Mapping[str, ParameterError]:
    """Return the fields that have no effect on a picture, with what is said where one is typed.

    `only` is the panel that is drawn alone, empty for all, and `style` that of a figure. Fields for
    other views are kept in the session that a file carries; a flag without effect that was typed is
    a mistake.
    """
    views = drawn_views(what, state, style)
    drawn = [pictures.find(name) for name in views]
    names = " and ".join(views)
    faults = {}
    if what == PLATE and style and style.panels:
        faults["panes"] = "the plate has panels of its own", "leave out --panes or --panel"
    if not any("show" in picture.fields for picture in drawn):
        own = [picture.name for picture in drawn if pictures.shows_by_option(picture.name)]
        comparing = [name for name in pictures.names() if pictures.find(name).compares]
        others = f"draw {params.listed(comparing, 'or')}"
        instead = f"give --{own[0]}-show instead" if own else others
        fault = f"it is for the heatmap, which a picture of {names} does not have"
        faults["show"] = fault, f"leave it out, or {instead}"
    if not any("name" in picture.fields for picture in drawn):
        faults["name"] = f"a picture of {names} names no encoding beside pins", "leave it out"
    why = without_effect(what, state, only, style)
    remedies = {
        "limits": "leave it out, or draw another part or view",
        "x_limits": "leave it out, or choose what is shown by --positions",
        **dict.fromkeys(("y_limits", "x_scale", "y_scale", "x_ticks", "y_ticks"), "leave it out"),
        **dict.fromkeys(("bar_ticks", "colours"), "leave it out, or draw another part or view"),
        "clocks": "leave it out, or draw clocks",
        "panels": f"leave it out, or draw a {PLATE}",
    }
    faults |= {name: (why[name], remedy) for name, remedy in remedies.items() if name in why}
    return {name: ParameterError(name, *fault) for name, fault in faults.items()}


def without_effect(
    what: str, state: Exploration, only: str = "", style: Style | None = None
) -> Mapping[str, str]:
    """Return the fields of `Style` that change nothing of a figure, or of one panel, and why."""
    try:
        wanted = picture_requests(what, state, style, only)
    except ParameterError:  # of a panel, as whoever draws it will be told
        return {}
    views = dict.fromkeys(each.picture for each in wanted)
    has_clocks = "clocks" in views
    needs = {"clocks": (has_clocks, "clocks"), "panels": (what == PLATE, "list of panels")}
    with suppress(StoredError):  # a table that is missing has no frame
        drawn = [pictures.picture_of(each.picture, each.state) for each in wanted]
        frames = [picture.frame() for picture in drawn]
        limited = {panel for picture in drawn for panel in picture.limited_colours()}
        if any(panel.name == only for frame in frames for panel in frame.panels):
            limited &= {only}
        panels = [panel for frame in frames for panel in frame.only(only).panels]
        needs |= _needs_of_panels(panels, bool(limited), has_clocks)
    figure = f"this picture of {' and '.join(views)}"
    return {name: f"{figure} has no {need}" for name, (there, need) in needs.items() if not there}


def _needs_of_panels(
    panels: list[Panel], has_limited: bool, has_clocks: bool
) -> dict[str, tuple[bool, str]]:
    has_curves = any(map(has_axes_of_values, panels))
    has_trail = any(panel.trail is not None for panel in panels)
    has_cells = any(panel.y.origin is not None for panel in panels)
    has_colours = has_cells or has_trail or has_clocks or has_limited
    return {
        "limits": (has_limited, "colours that stand for numbers between two limits"),
        "x_limits": (has_curves, "axes of curves"),
        **dict.fromkeys(("y_limits", "x_scale", "y_scale"), (has_curves, "axes of curves")),
        **dict.fromkeys(("x_ticks", "y_ticks", "grid"), (bool(panels), "axes")),
        "legend": (has_curves, "curves"),
        "line_width": (has_curves or has_trail, "curves"),
        **dict.fromkeys(
            ("colour_bar", "bar_ticks", "colours"), (has_colours, "colours that stand for numbers")
        ),
        "upward": (any(panel.y.down for panel in panels), "axis that counts downward"),
    }


POSITIONS_HELP = (
    "START:STOP[:STEP] without STOP itself, or START+COUNT; such as 0:50, 10^12+1000, -8:9 (within "
    "-2^53 to 2^53)"
)
PIN_HELP = (
    "an encoding and its parameters, such as 'sinusoidal base=500', optionally with name='...' and "
    "colour=NAME"
)
_PIN_FIELDS = declared(Pin)


def parse_positions(text: str) -> range:
    """Return the positions that `text` spells: ``START:STOP[:STEP]`` or ``START+COUNT``.

    Raises `ParameterError` if it is neither, holds no position, or leaves ±2^53.
    """
    counted = re.fullmatch(r"([^:]*[^:eE])\+(.+)", text)
    try:
        numbers = [*map(params.whole_number, counted.groups() if counted else text.split(":"))]
        if counted:
            numbers[1] += numbers[0]
        if len(numbers) not in (2, 3):
            raise ValueError("not a range")
        if numbers[2:] == [0]:
            raise ValueError("STEP must not be 0")
    except ValueError as error:
        problem = f"{quoted(text)}: {params.reason(error)}; give {POSITIONS_HELP}"
        raise ParameterError("positions", problem) from None
    positions = range(*numbers)
    if not positions:
        problem = f"{quoted(text)} holds no position"
        raise ParameterError("positions", problem, "STOP must lie beyond START")
    for end in (positions[0], positions[-1]):
        if abs(end) > LIMIT:
            limits = f"the limits are -2^53 to 2^53 ({-LIMIT} to {LIMIT})"
            raise ParameterError("positions", f"{quoted(text)} reaches {end}; {limits}")
    return positions


def spelled_positions(positions: range) -> str:
    """Return the shortest text that `parse_positions` reads back as these positions."""
    count = positions.stop - positions.start
    numbers = map(str, (positions.start, positions.stop, positions.step, count))
    start, stop, step, counted = (
        re.sub(r"0{6,}$", lambda zeros: f"e{len(zeros[0])}", number) for number in numbers
    )
    if positions.step != 1:
        return f"{start}:{stop}:{step}"
    return min(f"{start}:{stop}", f"{start}+{counted}", key=len)


def parse_pins(texts: Sequence[str]) -> tuple[Pin, ...]:
    """Return the pins that texts such as ``sinusoidal base=500 colour=teal`` spell."""
    state = Exploration()
    for text in texts:
        try:
            state = _with_pin(state, *(shlex.split(text) or [""]))
        except ValueError as error:
            problem = params.reason(error)
            if isinstance(error, ParameterError):
                name, problem = error.name.replace("_", "-"), error.problem
                if name not in ("encoding", "pin"):
                    problem = f"{name}: {problem}"
            if not problem.startswith(quoted(text)):
                problem = f"{quoted(text)}: {problem}"
            raise ParameterError("pin", problem, f"give {PIN_HELP}") from None
    return state.pins


def _with_pin(state: Exploration, name: str, *words: str) -> Exploration:
    scheme = find(name)
    options = {option.name: option for option in parameters_of(scheme, _PIN_FIELDS)}
    known = {key: option.parameter for key, option in options.items()}
    values = params.read_words("pin", words, {**known, **_PIN_FIELDS}, name)
    of_pin = {key: values.pop(key) for key in _PIN_FIELDS.keys() & values.keys()}
    parameters = {options[key].field: value for key, value in values.items()}
    e = scheme(**parameters)
    params.require_used(e, parameters)
    changed = pinned(state.with_(encoding=e))
    *pins, last = changed["pins"]
    return state.with_(**{**changed, "pins": (*pins, replace(last, **of_pin))})


def spelled_pin(pin: Pin) -> str:
    """Return the text that `parse_pins` reads back as a pin."""
    e = require_known(pin.encoding, "pin")
    words, counting = [e.name], params.used(e)
    for option in parameters_of(type(e), _PIN_FIELDS):
        value = getattr(e, option.field)
        if option.field in counting and value != option.parameter.default:
            words.append(f"{option.name}={option.parameter.format(value)}")
    words += [f"{key}={kind.format(getattr(pin, key))}" for key, kind in _PIN_FIELDS.items()]
    return shlex.join(words)

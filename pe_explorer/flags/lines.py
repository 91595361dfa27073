"""Writes the shell command that makes the same file again."""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from pe_explorer import pictures, quantities
from pe_explorer.encodings import Encoding, require_known
from pe_explorer.exploration import Exploration, Pin, paths
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.flags.commands import PLATE, SHOWN, SIZE, WINDOW, ExportRequest, RenderSettings
from pe_explorer.flags.options import ENCODING, flag, options
from pe_explorer.flags.panes import pane_words
from pe_explorer.flags.pins import spelled_pin
from pe_explorer.flags.positions import spelled_positions
from pe_explorer.flags.shell_words import quoted_line
from pe_explorer.flags.unused import unused
from pe_explorer.params import (
    Declared,
    Flag,
    Parameter,
    ParameterError,
    can_be_a_name,
    declared,
    used,
)


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
    words = ["export", *_of_encoding("export", e, positions)]
    words += _flags(request, _without_use(request))
    for name, parameter in quantities.find(request.what).options.items():
        words += _flag_words(name, parameter, request.options[name])
    if not request.has_all_curves:
        pins = [pins[request.compared]] if request.show != "current" else []
    for pin in pins:
        words += [flag("pin"), spelled_pin(pin)]
    return quoted_line(["pe-explorer", *words, *_to(output)])


def _without_use(request: ExportRequest) -> set[str]:
    """Return the fields of a request that do not change its numbers."""
    if request.has_all_curves:
        return {"compared", "show", "second_start"}
    windows = () if request.second_window is not None else ("second_start",)
    return {"compared", "curves", "name", *windows}


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

    Parameters
    ----------
    view : str
        The name of a view, `WINDOW` or `PLATE`.
    state : Exploration
    size : (width, height) or FigureSize
        Without a unit, in pixels before scaling.
    how : RenderSettings
    output : path
    style : Style, optional
        The style of a figure; without it, the default one.
    names_output : bool
        Whether the command has the flag ``-o``.
    """
    intention = state.intention
    state, pins, output = paths.for_command(intention, intention.pins, output)
    e = require_known(state.encoding)
    words = ["render", view, *_of_encoding("render", e, state.positions)]
    parameters = declared(Exploration)
    without_use = unused(view, state, how.only)
    for name in (name for name in SHOWN if name not in without_use):
        words += _flag_words(name, parameters[name], getattr(state, name))
    words += _of_options(view, e, state)
    if view in (WINDOW, PLATE) and state.panes is not None:
        words += pane_words(state.panes)
    for pin in pins:
        words += [flag("pin"), spelled_pin(pin)]
    if FigureSize(*size) != SIZE:
        words += [flag("size"), str(FigureSize(*size))]
    words += _flags(how)
    if style is not None:
        words += _flags(style, without_use)
        if how.theme == "dark" and style.ground == Style.default().ground:
            words += [flag("ground"), style.ground]  # or that of the theme would be taken
    if names_output:
        words += _to(output)
    return quoted_line(["pe-explorer", *words])


def _of_encoding(command: str, e: Encoding, positions: range) -> list[str]:
    words = [flag("encoding"), e.name]
    counting = used(e)
    for option in (each for each in options(command, type(e)) if each.field in counting):
        value = getattr(e, option.field)
        words += _flag_words(option.name, option.parameter, value)
    return [*words, flag("positions"), spelled_positions(positions)]


def _of_options(view: str, e: Encoding, state: Exploration) -> Iterable[str]:
    """Yield the words of the options of what is drawn, where it is not their default."""
    views = {name: pictures.find(name).Options for name in pictures.names()}
    for option in options("render", type(e), views, view):
        if option.owner == ENCODING:
            continue
        picture = pictures.find(option.owner)
        value = getattr(picture.options(state), option.field)
        if not picture.lack_of(state, option.field, value):
            yield from _flag_words(option.name, option.parameter, value)


def _flags(values: Declared, without: Collection[str] = ()) -> Iterable[str]:
    """Yield the words of the flags of a declared value, without some fields."""
    for name, parameter in declared(type(values)).items():
        if name not in without:
            yield from _flag_words(name, parameter, getattr(values, name))


def _flag_words(name: str, parameter: Parameter, value: Any) -> list[str]:
    """Return the words of a flag with its value: none for the default."""
    text = parameter.format(value)
    if text == parameter.format(parameter.default):
        return []
    if isinstance(parameter, Flag):
        return [flag(name if value else f"no_{name}")]
    looks_like_flag = text.startswith("-") and not text[1:2].isdigit()
    if looks_like_flag:
        return [f"{flag(name)}={text}"]
    return [flag(name), text]


def _to(output: Path | str) -> list[str]:
    name = str(output)
    if not can_be_a_name(name):
        problem = "contains a character that file names cannot; choose another name"
        raise ParameterError("output", f"{name}: {problem}")
    if name.startswith("-"):
        name = f"./{name}"
    return ["-o", name]

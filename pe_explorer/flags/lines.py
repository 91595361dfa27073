"""Writes the shell command that makes the same file again."""

import os
import re
import shlex
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from pe_explorer import pictures, quantities
from pe_explorer.encodings import Encoding, require_known
from pe_explorer.exploration import Exploration, Panes, Pin, panes_of, paths
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.flags.commands import PLATE, SHOWN, SIZE, WINDOW, ExportRequest, RenderSettings
from pe_explorer.flags.options import ENCODING, flag, options
from pe_explorer.flags.spelling import spelled_pin, spelled_positions
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
        pins = [pins[request.compared]] if request.show != "current" else []
    return _line([*words, *_of_pins(pins), *_to(output)])


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
    words = ["pe-explorer", "render", view, *_of_encoding("render", e, state.positions)]
    parameters = declared(Exploration)
    without_use = unused(view, state, how.only)
    for name in (name for name in SHOWN if name not in without_use):
        words += _flag_words(name, parameters[name], getattr(state, name))
    words += _of_options(view, e, state)
    if view in (WINDOW, PLATE) and state.panes is not None:
        words += _of_panes(state.panes)
    words += _of_pins(pins)
    if FigureSize(*size) != SIZE:
        words += [flag("size"), str(FigureSize(*size))]
    words += _flags(how)
    if style is not None:
        words += _flags(style, without_use)
        if how.theme == "dark" and style.ground == Style.default().ground:
            words += [flag("ground"), style.ground]  # or that of the theme would be taken
    return _line([*words, *(_to(output) if names_output else ())])


def _of_encoding(command: str, e: Encoding, positions: range) -> Iterable[str]:
    yield from (flag("encoding"), e.name)
    counting = used(e)
    for option in options(command, type(e)):
        if option.field in counting:
            yield from _flag_words(option.name, option.parameter, getattr(e, option.field))
    yield from (flag("positions"), spelled_positions(positions))


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


def _of_panes(panes: Panes) -> Iterable[str]:
    yield from ("--panes", ",".join(panes.views))
    if panes.arrangement != panes_of(panes.views).arrangement:
        yield from ("--arrangement", panes.arrangement)
    if panes.active != panes.views[0]:
        yield from ("--active", panes.active)


def _of_pins(pins: Iterable[Pin]) -> Iterable[str]:
    for pin in pins:
        yield from (flag("pin"), spelled_pin(pin))


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
    return [f"{flag(name)}={text}"] if looks_like_flag else [flag(name), text]


def _to(output: Path | str) -> list[str]:
    name = str(output)
    if not can_be_a_name(name):
        problem = "contains a character that file names cannot; choose another name"
        raise ParameterError("output", f"{name}: {problem}")
    return ["-o", f"./{name}" if name.startswith("-") else name]


def _line(words: Iterable[str]) -> str:
    """Return words quoted for the shell, in a line that can always be shown and copied.

    The bytes of a file name that is no text are escaped, as bash, ksh, zsh and busybox read them,
    and POSIX since 2024.
    """
    quoted = []
    for word in words:
        try:
            word.encode()
            quoted.append(shlex.quote(word))
        except UnicodeEncodeError:
            text = os.fsencode(word).decode("latin-1")
            escaped = re.sub(r"[^ -&(-\[\]-~]", lambda byte: f"\\{ord(byte[0]):03o}", text)
            quoted.append(f"$'{escaped}'")
    return " ".join(quoted)

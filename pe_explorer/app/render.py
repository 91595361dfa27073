"""The command `render`: the views as pictures, without a display."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pe_explorer import views
from pe_explorer.app import picture
from pe_explorer.encodings import LIMIT, Encoding
from pe_explorer.exploration import Pin, check_pins
from pe_explorer.files.atomic import OutputError, replacing
from pe_explorer.files.command import Shown, by_prefix
from pe_explorer.files.session import CARRY
from pe_explorer.model import Exploration
from pe_explorer.params import Choice, Declared, ParameterError, declare, declared
from pe_explorer.widgets.theme import THEMES

__all__ = ["Print", "explored", "names", "options_of", "parse_size", "run"]


@dataclass(frozen=True)
class Print(Declared):
    """How a picture is made."""

    scale: float = declare(picture.SCALE)
    cursor: str = declare(
        Choice("hide", {"hide": "a figure", "show": "as on the screen"}, label="Cursor", help="Whether the picture of a view marks the cursor.")
    )
    carry: str = declare(CARRY)
    theme: str = declare(Choice("light", {name: THEMES[name] for name in ("light", "dark")}, label="Theme", help="Colours of the picture."))


names = picture.picture_names


def options_of(view: str) -> dict[str, type[Declared]]:
    """Return the options that can be given for a picture, by the prefix of their flags."""
    return by_prefix(view, {name: views.find(name).Options for name in views.names()})


def parse_size(text: str) -> tuple[int, int]:
    """Return width and height of ``1600x900``."""
    found = re.fullmatch(r"\s*(\d{1,6})\s*[x×,]\s*(\d{1,6})\s*", text)
    if not found:
        raise ParameterError("size", f"{text!r} is not a size; give width and height, such as 1600x900")
    return picture.WIDTH.check("size", int(found[1])), picture.HEIGHT.check("size", int(found[2]))


def explored(view: str, e: Encoding, positions: range, shown: Shown, chosen: Mapping[str, Any], pins: tuple[Pin, ...] = ()) -> Exploration:
    """Return what a picture of `view` shows.

    Raises
    ------
    ParameterError
        If no picture shows these positions, or this dimension.
    """
    if positions.step != 1:
        raise ParameterError("positions", "a picture shows consecutive positions; leave out STEP")
    if positions.stop - positions.start > LIMIT:
        raise ParameterError("positions", "a picture shows at most 2^53 positions")
    if shown.dimension >= e.dim:
        raise ParameterError("dimension", f"{shown.dimension} is not one of 0 to {e.dim - 1}")
    check_pins(pins, shown.compared, shown.show)
    options = views.default_options()
    for prefix, values in chosen.items():
        options[prefix.removesuffix("_") or view] = values
    fields = {name: getattr(shown, name) for name in declared(Shown)}
    return Exploration(encoding=e, start=positions.start, count=len(positions), pins=pins, options=options, **fields)


def run(
    view: str,
    state: Exploration,
    size: tuple[int, int],
    how: Print,
    output: str,
    extra: Mapping[str, Any] = MappingProxyType({}),
    *,
    ready: Callable[[], object],
) -> None:
    """Draw a view that shows `state`, and write the picture; its session holds `extra`, too.

    `ready` is called when only the writing is left.

    Raises
    ------
    ParameterError
        If the picture cannot be made or written.
    """
    if Path(output).suffix.lower() != ".png":
        raise OutputError(output, "the name must end in .png")
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtCore import QEvent

    from pe_explorer.app.application import Application, hear_qt

    hear_qt()
    app = Application(how.theme)
    image = picture.draw(view, state, *size, how.scale, how.theme, cursor=how.cursor == "show")
    data = picture.png(image, state if how.carry == "keep" else None, extra)
    ready()
    with replacing(output) as file:
        file.write(data)
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # the way out is clean when nothing is left

"""Select the figures of one view, of all panes, or of the panels that a plate lists.

The user types a panel of a plate as the name of a view followed by settings, such as
``heatmap base=500 'letter=Fig. 2'``.
"""

import shlex
from contextlib import suppress
from dataclasses import replace
from string import ascii_lowercase
from typing import Any, NamedTuple

from pe_explorer import exploration, params, pictures
from pe_explorer.analysis.comparison import SHOW
from pe_explorer.encodings import EncodingError, Stored, Unknown, find
from pe_explorer.exploration import Exploration, Panes, ResolvedState, ResolvedTables
from pe_explorer.exploration.fields import find_layer_name
from pe_explorer.exploration.moves import find_initial_fields
from pe_explorer.figures import PLATE
from pe_explorer.figures.style import Style
from pe_explorer.params import FileName, ParameterError, Text, declared, describe_bad_choice

_REMEDY = (
    "name a view and its changes, such as 'heatmap base=500' or 'distances part=curve "
    "show=pinned letter=(b)'"
)
_PANEL_SETTINGS = dict.fromkeys(
    ("letter", "only", "encoding"), Text("", 60, 0, label="Word", help="")
)
_FILE_PROBLEM = "a panel cannot name a file", "name the file for the whole plate, or pin its table"


class PictureRequest(NamedTuple):
    """A request for a picture of a state, or for one panel of the picture."""

    picture: str
    state: Exploration
    panel: str = ""  # the name of the panel; empty for all panels
    letter: str | None = None  # letter on the page; None to choose it automatically


def make_picture_requests(
    view: str, state: Exploration, style: Style | None = None, panel: str = ""
) -> list[PictureRequest]:
    """Return the requests for a view, a plate or the views of all panes.

    Raise `ParameterError` if `style` lists an invalid panel of the plate.
    """
    if view == PLATE and style and style.panels:
        letters = ascii_lowercase if len(style.panels) > 1 else " "
        panels = enumerate(zip(style.panels, letters, strict=False), 1)
        return [_panel(number, text, letter.strip(), state) for number, (text, letter) in panels]
    views = (view,) if view in pictures.names() else (state.panes or Panes()).views
    return [PictureRequest(name, state, panel) for name in views]


def _panel(number: int, text: str, letter: str, state: Exploration) -> PictureRequest:
    try:
        view, *words = shlex.split(text) or [""]
        if view not in pictures.names():
            raise ParameterError("", describe_bad_choice(view, pictures.names()))
        return _change_panel(view, words, letter, state)
    except ValueError as error:
        fault, remedy = params.reason(error), _REMEDY
        if isinstance(error, ParameterError):
            key = error.name.replace("_", "-")
            fault, remedy = f"{key}: {error.fault}" if key else error.fault, error.remedy
        problem = f"panel {number}, {params.quote_value(text)}: {fault}"
        raise ParameterError("panels", problem, remedy) from None


def _change_panel(view: str, words: list[str], letter: str, state: Exploration) -> PictureRequest:
    """Return a request for a view of a state after applying the settings of a panel."""
    picture, old = pictures.find(view), state.intention.encoding
    names = [word.partition("=")[2] for word in words if word.startswith("encoding=")]
    e: Any = find(names[-1]).default() if names else old
    options = declared(picture.Options)
    parameters = {} if isinstance(e, Unknown) else declared(type(e))
    used_fields = picture.fields | exploration.CURSOR_FIELDS
    fields = {name: field for name, field in declared(Exploration).items() if name in used_fields}
    known = {**_PANEL_SETTINGS, **fields, **parameters, **options}  # later mappings take precedence
    values = params.read_words("", words, known, f"a panel of {view}")
    has_file = any(isinstance(known[setting], FileName) for setting in values)
    if has_file or (names and isinstance(e, Stored)):
        raise ParameterError("", *_FILE_PROBLEM)
    exploration.check_pins(state.pins, values.get("compared", 0), values.get("show", SHOW.default))
    new_options, new_parameters, new_fields = (
        {name: value for name, value in values.items() if known[name] is kinds.get(name)}
        for kinds in (options, parameters, fields)
    )
    if new_parameters:
        e = replace(e, **new_parameters)
        params.require_used_fields(e, new_parameters)
    if e != old:
        encoding_fields = {"encoding": e, "name": find_layer_name(state.opened, e)}
        new_fields = {**encoding_fields, **find_initial_fields(old, e), **new_fields}
    panel = pictures.with_options(state.with_(**new_fields), view, **new_options)
    params.require_used_fields(picture(panel).options, new_options)
    if isinstance(state, ResolvedState):
        panel = exploration.resolve(panel, ResolvedTables(state))
    if only := values.get("only", ""):
        with suppress(EncodingError):  # computing the figure reports a missing table
            parts = [part.name for part in pictures.make_picture(view, panel).frame().panels]
            if only not in parts:
                raise ParameterError("only", describe_bad_choice(only, parts))
    return PictureRequest(view, panel, only, values.get("letter", letter))

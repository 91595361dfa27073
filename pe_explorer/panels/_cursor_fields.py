"""The fields in the inspector: the cursor, and the rows that it is compared with."""

import dataclasses

from PySide6.QtCore import QObject, Signal, Slot

from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.exploration import Exploration
from pe_explorer.panels._captioned import HELP, CaptionedGrid
from pe_explorer.panels.cursor_panel import axis_of, cursor_parameter
from pe_explorer.panels.follower import Follower
from pe_explorer.params import Parameter, declared
from pe_explorer.widgets.line_fields import NumberField

_FIELDS = ("position", "dimension", "second", "reference")
_CURSOR_FIELDS = ("position", "dimension")
"""The fields that the play-head moves."""
_PAGES_IN_ALL = 10  # large steps through all dimensions, or through the positions shown


class CursorFields(QObject):
    """Shows and sets the fields of an exploration that a picture is inspected at."""

    refused = Signal(str)
    """A sentence on text that is not a legal value; the state is unchanged."""

    def __init__(self, grid: CaptionedGrid, panel: Follower) -> None:
        """Set the fields of the model that a panel follows."""
        super().__init__(panel)
        self._grid, self._panel = grid, panel
        self._named_for: tuple[object, ...] = ()
        """The axes, width and fields that the fields are set up for now."""
        self.by_name = {name: self._make_field(name) for name in _FIELDS}

    def _make_field(self, name: str) -> NumberField:
        field = NumberField(declared(Exploration)[name])
        field.setObjectName(name)
        field.refused.connect(self.refused)
        field.entered.connect(self._set)
        field.stepped.connect(self._step)
        self._grid.add(name.capitalize(), field)
        return field

    # -- what the user does --------------------------------------------------------------

    @Slot(object)
    def _set(self, value: int) -> None:
        if self._panel.attached:
            self._panel.model.set(**{self.sender().objectName(): value})

    @Slot(int, bool)
    def _step(self, direction: int, page: bool) -> None:
        if self._panel.attached:
            self.step(self.sender().objectName(), direction, page)

    def step(self, name: str, direction: int, page: bool) -> None:
        """Change a field by a small or a large step."""
        model = self._panel.model
        state, playhead = model.state, model.playhead
        if name == "position":
            playhead.step(direction, "page" if page else name)
        elif name == "dimension":
            if not isinstance(state.encoding, Unknown):
                steps = max(state.encoding.width // _PAGES_IN_ALL, 1) if page else 1
                playhead.step(direction * steps, name)
        else:
            steps = max(state.count // _PAGES_IN_ALL, 1) if page else 1
            moved = getattr(state, name) + direction * steps
            model.set(**{name: _within(state, moved)})

    # -- what is shown -------------------------------------------------------------------

    def show(self, state: Exploration, inspected: tuple[str, ...]) -> None:
        """Show some fields of an exploration, named after its rows and columns."""
        e = state.encoding
        width = 0 if isinstance(e, Unknown) else e.width
        named_for = (axis_of("position", e), axis_of("dimension", e), width, inspected)
        if named_for != self._named_for:
            self._named_for = named_for
            for name in self.by_name:
                self._name_field(name, e, inspected)
        for name, field in self.by_name.items():
            field.display(getattr(state, name))

    def _name_field(self, name: str, e: Encoding | Unknown, inspected: tuple[str, ...]) -> None:
        """Name and limit a field, and show it where it is one of those inspected."""
        parameter = cursor_parameter(name, axis_of(name, e), inspected)
        if name == "dimension" and not isinstance(e, Unknown):
            parameter = dataclasses.replace(parameter, high=e.width - 1)  # type: ignore[call-arg]
        field = self.by_name[name]
        field.set_parameter(parameter)
        self._show_caption(name, parameter)
        for widget in (field, self._grid.captions[name.capitalize()]):
            widget.setVisible(name in inspected)

    def _show_caption(self, name: str, parameter: Parameter) -> None:
        key = name.capitalize()
        caption = self._grid.captions[key]
        short_title = parameter.label if name in _CURSOR_FIELDS else key
        caption.setText(f"{short_title} <i>{parameter.symbol}</i>")
        help_text = HELP[key].format(parameter.label, parameter.symbol)
        caption.setToolTip(f"<p>{help_text}</p>")


def _within(state: Exploration, row: int) -> int:
    """Return a row of the encoding, the nearest one."""
    e = state.encoding
    domain = Encoding().domain if isinstance(e, Unknown) else e.domain
    return min(max(row, domain[0]), domain[-1])

"""The choices in the header of the waves: which dimensions, and where the lines are."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QLabel

from pe_explorer.encodings import LIMIT
from pe_explorer.model import Model
from pe_explorer.params import declared
from pe_explorer.pictures.waves import LINES, WavesOptions
from pe_explorer.views.view import View
from pe_explorer.widgets.fields import LineField, NumberField

__all__ = ["WaveChoices"]

_LIST, _NUMBER = 70, 46  # pixels for what is typed; longer texts scroll
_PAGES = 10  # large steps of a line through the positions shown


class WaveChoices(QObject):
    """Which dimensions are drawn, and the lines that read them off."""

    def __init__(self, view: View) -> None:
        header = view.header
        super().__init__(header)
        self._view = view
        kinds = declared(WavesOptions)
        self.dimensions = LineField(kinds["dimensions"])
        self.dimensions.setFixedWidth(_LIST)
        self.dimensions.setPlaceholderText("usual")
        label = QLabel(kinds["dimensions"].label)
        label.setBuddy(self.dimensions)
        header.add(label, self.dimensions)
        self.lines = {option: NumberField(kinds[option]) for option in LINES}
        for field in self.lines.values():
            field.setFixedWidth(_NUMBER)
        label = QLabel("Lines")
        label.setBuddy(self.lines[LINES[0]])
        header.add(label, *self.lines.values())

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        """Return the pairs of signal and slot that make up the attachment to a model."""
        pairs: list[tuple[Any, Any]] = [
            (self.dimensions.entered, self._set_dimensions),
            (self.dimensions.refused, model.refused),
        ]
        for field in self.lines.values():
            pairs.append((field.entered, self._set_line))
            pairs.append((field.refused, model.refused))
            pairs.append((field.stepped, self._step))
        return pairs

    def show(self, options: WavesOptions) -> None:
        """Show what is chosen."""
        self.dimensions.display(options.dimensions)
        for option, field in self.lines.items():
            field.display(getattr(options, option))

    @Slot(object)
    def _set_dimensions(self, dimensions: tuple[int, ...]) -> None:
        self._view.set_options(dimensions=dimensions)

    @Slot(object)
    def _set_line(self, place: float | None) -> None:
        sender = self.sender()
        for option, field in self.lines.items():
            if field is sender:
                self._view.set_option(option, place)

    @Slot(int, bool)
    def _step(self, direction: int, page: bool) -> None:
        field = self.sender()
        assert isinstance(field, NumberField)
        state = self._view.model.state
        step = max(state.count // _PAGES, 1) if page else 1
        wanted = state.position if field.value is None else field.value + direction * step
        field.enter(float(min(max(wanted, -LIMIT), LIMIT)))

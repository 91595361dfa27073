"""The context on the screen: two lengths, what each type makes of them, and turns over pairs."""

from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLabel, QWidget

from pe_explorer.analysis.context import TARGET, TRAINED
from pe_explorer.encodings import LIMIT
from pe_explorer.exploration import Exploration
from pe_explorer.model import Model
from pe_explorer.params import Optional
from pe_explorer.pictures.context import (
    Context,
    column_count,
    lengths_of,
    row_count,
)
from pe_explorer.views._evidence import EvidenceTable, EvidenceView
from pe_explorer.views._plots import CurvePlot
from pe_explorer.widgets.axes import RangeAxis, ValueAxis
from pe_explorer.widgets.line_fields import NumberField

_AXIS_WIDTH = 64  # pixels for the numbers beside the curves
_FIELD = 84  # pixels for a typed length; longer ones scroll
_ONE_LINE_COLUMN = 90  # pixels from which on short texts have room in one line
_STEP = 1024  # positions that an arrow key adds
_PAGE = 16  # steps of an arrow key that a page key makes


class ContextView(EvidenceView):
    """Turns in training and at a target, and what each type of scaling costs."""

    picture = Context

    def __init__(self, parent: QWidget | None = None) -> None:
        plot = CurvePlot(ValueAxis("left"), RangeAxis("bottom", "pair"))
        plot.left.setWidth(_AXIS_WIDTH)
        super().__init__({"turns": plot}, parent)
        self.table.setAccessibleName("Types and answers")
        self.trained_field, self.target_field = self._add_length(TRAINED), self._add_length(TARGET)
        self.header.add_option("part", self.set_option, labelled=False)
        self.apply_theme()

    def _add_length(self, parameter: Optional) -> NumberField:
        field = NumberField(parameter.inner)
        field.setFixedWidth(_FIELD)
        label = QLabel(parameter.label)
        label.setBuddy(field)
        self.header.add(label, field)
        return field

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [
            *super().connections(model),
            (self.trained_field.entered, self._set_trained),
            (self.trained_field.refused, model.refused),
            (self.trained_field.stepped, self._step_trained),
            (self.target_field.entered, self._set_target),
            (self.target_field.refused, model.refused),
            (self.target_field.stepped, self._step_target),
        ]

    def table_shape(self) -> tuple[int, int]:
        is_short = self.options.part == "types"
        self.table.one_line = _ONE_LINE_COLUMN if is_short else EvidenceTable.one_line
        return row_count(self.model.state, self.options), column_count(self.options)

    def show_choices(self, state: Exploration) -> None:
        super().show_choices(state)
        options = self.picture.options(state)
        trained, target = lengths_of(state, options)
        self.trained_field.display(trained)
        self.target_field.display(target)
        self.header.show_choice("part", options.part)

    # -- the lengths ---------------------------------------------------------------------------

    @Slot(object)
    def _set_trained(self, length: int) -> None:
        self.set_options(trained=length)

    @Slot(object)
    def _set_target(self, length: int) -> None:
        self.set_options(target=length)

    @Slot(int, bool)
    def _step_trained(self, direction: int, page: bool) -> None:
        _step(self.trained_field, direction, page=page)

    @Slot(int, bool)
    def _step_target(self, direction: int, page: bool) -> None:
        _step(self.target_field, direction, page=page)


def _step(field: NumberField, direction: int, *, page: bool) -> None:
    wanted = field.value + direction * _STEP * (_PAGE if page else 1)
    field.enter(min(max(wanted, 1), LIMIT))

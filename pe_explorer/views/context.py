"""The context on the screen: two lengths, what each type makes of them, and turns over pairs."""

from PySide6.QtWidgets import QWidget

from pe_explorer.analysis.context import TARGET, TRAINED
from pe_explorer.exploration import Exploration
from pe_explorer.pictures.context import Context, column_count, lengths_of, row_count
from pe_explorer.views._evidence import EvidenceTable, EvidenceView
from pe_explorer.views._plots import CurvePlot
from pe_explorer.widgets.axes import RangeAxis
from pe_explorer.widgets.line_fields import NumberField

_AXIS_WIDTH = 64  # pixels for the numbers beside the curves
_FIELD = 84  # pixels for a typed length; longer ones scroll
_ONE_LINE_COLUMN = 90  # pixels from which on short texts have room in one line
_STEPS = 1024, 16 * 1024  # positions that an arrow key and a page key add


class ContextView(EvidenceView):
    """Turns in training and at a target, and what each type of scaling costs."""

    picture = Context

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__({"turns": CurvePlot(_AXIS_WIDTH, RangeAxis("bottom", "pair"))}, parent)
        self.table.setAccessibleName("Types and answers")
        self.trained_field = NumberField(TRAINED.inner)
        self.target_field = NumberField(TARGET.inner)
        self.header.add_lines(TRAINED.label, _FIELD, trained=self.trained_field)
        self.header.add_lines(TARGET.label, _FIELD, target=self.target_field)
        self.header.add_option("part", self.set_option, labelled=False)

    @property
    def steps(self) -> tuple[int, int]:
        return _STEPS

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

"""The view of context lengths, effects of scaling types, and turns of pairs."""

from pe_explorer.analysis.context import TARGET_LENGTH, TRAINING_LENGTH
from pe_explorer.exploration import Exploration
from pe_explorer.pictures.context import Context
from pe_explorer.views._evidence import EvidenceTable
from pe_explorer.views.page_view import PageView
from pe_explorer.widgets.line_fields import NumberField

_FIELD_WIDTH = 84  # width in pixels of a field for a length; longer text scrolls
_ONE_LINE_WIDTH = 90  # column width in pixels at which short texts fit into one line
_STEPS = 1024, 16 * 1024  # number of positions for an arrow key and for a page key


class ContextView(PageView):
    """A view of turns within the training and target lengths, and of scaling types."""

    picture = Context

    def fill_header(self) -> None:
        assert self.table is not None
        self.table.setAccessibleName("Scaling types or calculated values")
        trained, target = NumberField(TRAINING_LENGTH.inner), NumberField(TARGET_LENGTH.inner)
        self.header.add_line_fields(TRAINING_LENGTH.label, _FIELD_WIDTH, trained=trained)
        self.header.add_line_fields(TARGET_LENGTH.label, _FIELD_WIDTH, target=target)
        self.header.add_option("part", self.set_option, has_label=False)

    @property
    def steps(self) -> tuple[int, int]:
        return _STEPS

    def _divide_height(self) -> None:
        assert self.table is not None
        is_short = self.options.part == "types"
        self.table.one_line_width = _ONE_LINE_WIDTH if is_short else EvidenceTable.one_line_width
        super()._divide_height()

    def show_choices(self, state: Exploration) -> None:
        super().show_choices(state)
        for option, length in zip(("trained", "target"), Context(state).lengths, strict=True):
            self.header.lines[option].display(length)

"""The comparison on the screen: the evidence above a curve over pairs or offsets."""

from PySide6.QtWidgets import QWidget

from pe_explorer.pictures.compare import Compare, row_count
from pe_explorer.views._evidence import EvidenceView
from pe_explorer.views._plots import CurvePlot
from pe_explorer.widgets.axes import RangeAxis

_AXIS_WIDTH = 64  # pixels for the numbers beside the curve


class CompareView(EvidenceView):
    """How the current encoding and the pinned one differ."""

    picture = Compare

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__({"curve": CurvePlot(_AXIS_WIDTH, RangeAxis("bottom", "pair"))}, parent)
        self.header.add_option("curve", self.set_option)

    def table_shape(self) -> tuple[int, int]:
        return row_count(self.options), 1

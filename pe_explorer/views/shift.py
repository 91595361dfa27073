"""The view of shifts: matrix, tables or curve, with k in the header."""

from typing import ClassVar

from pe_explorer.params import declared
from pe_explorer.pictures.shift import Shift, ShiftOptions
from pe_explorer.views.page_view import PageView
from pe_explorer.widgets.line_fields import NumberField

_FIELD_WIDTH = 72  # width in pixels of the field for k; longer text scrolls
_STEPS = 1, 10  # number of positions for an arrow key and for a page key


class ShiftView(PageView):
    """A view of the shift matrix, the moved rows, or their differences from the true rows."""

    picture = Shift
    max_caption_lines: ClassVar[int] = 5

    def fill_header(self) -> None:
        self.header.add_line_fields("k", _FIELD_WIDTH, k=NumberField(declared(ShiftOptions)["k"]))
        self.header.add_option("part", self.set_option, has_label=False)

    @property
    def steps(self) -> tuple[int, int]:
        return _STEPS

"""Shifts on the screen: the matrix, tables or curve, with the k that they are of."""

from typing import ClassVar

from pe_explorer.params import declared
from pe_explorer.pictures.shift import Shift, ShiftOptions
from pe_explorer.views.page_view import PageView
from pe_explorer.widgets.line_fields import NumberField

_FIELD = 72  # pixels for the number typed; longer ones scroll
_STEPS = 1, 10  # positions that an arrow key and a page key move by


class ShiftView(PageView):
    """The matrix that moves rows, the rows that it moves, or how far these are from the true."""

    picture = Shift
    caption_lines: ClassVar[int] = 5

    def fill_header(self) -> None:
        self.header.add_lines("k", _FIELD, k=NumberField(declared(ShiftOptions)["k"]))
        self.header.add_option("part", self.set_option, labelled=False)

    @property
    def steps(self) -> tuple[int, int]:
        return _STEPS

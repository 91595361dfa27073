"""The comparison on the screen: the evidence above a curve over pairs or offsets."""

from pe_explorer.pictures.compare import Compare, row_count
from pe_explorer.views.page_view import PageView


class CompareView(PageView):
    """How the current encoding and the pinned one differ."""

    picture = Compare

    def fill_header(self) -> None:
        self.header.add_option("curve", self.set_option)

    def table_shape(self) -> tuple[int, int]:
        return row_count(self.options), 1

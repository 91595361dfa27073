"""What float32 costs: how far the usual code is off."""

from collections.abc import Iterator
from typing import ClassVar

from pe_explorer.analysis.precision import float32_error
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding
from pe_explorer.encodings.abilities import needs
from pe_explorer.quantities._base import Asked, Data, Quantity, titled
from pe_explorer.quantities._blocks import by_few_rows


class Float32Error(Quantity):
    """What the usual float32 code computes, minus the exact value: (n, columns)."""

    name: ClassVar[str] = "float32-error"
    help: ClassVar[str] = "what the usual float32 code computes, minus the exact value"
    rank: ClassVar[int] = 55
    in_windows: ClassVar[bool] = True

    @staticmethod
    def needs(e: Encoding) -> str:
        """Return why there is no such code, or an empty text."""
        return needs.float32_angles(e)

    @staticmethod
    def data(asked: Asked) -> Data:
        """Return the errors, shape (n, columns)."""
        e, subject = asked.encoding, asked.subject

        def fill(part: range, out: Floats) -> None:
            out[:] = float32_error(e, part)

        def titles() -> Iterator[str]:
            return map(e.column_title, range(e.width))

        filling = by_few_rows(fill, subject)
        return Data(asked.positions, e.width, titled(e.rows.name, titles), filling)

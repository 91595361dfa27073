"""What float32 costs: how far the usual code is off."""

from functools import partial

from pe_explorer.analysis.precision import float32_error
from pe_explorer.encodings import needs
from pe_explorer.quantities._base import Asked, Data, Quantity, by_columns, by_few_rows


class Float32Error(Quantity):
    """What the usual float32 code computes, minus the exact value: (n, columns)."""

    name = "float32-error"
    help = "what the usual float32 code computes, minus the exact value"
    rank = 55
    in_windows = True
    need = needs.float32_angles

    @staticmethod
    def data(asked: Asked) -> Data:
        numbers = partial(float32_error, asked.encoding)
        return by_columns(asked, by_few_rows(numbers, asked.subject))

"""How far rows that are moved are from the true ones."""

from collections.abc import Mapping

from pe_explorer.analysis.moved_rows import largest_differences
from pe_explorer.analysis.precision import CODE, code_differences, why_no_code
from pe_explorer.analysis.shift import SHIFT
from pe_explorer.arrays import Floats
from pe_explorer.encodings import EncodingError
from pe_explorer.quantities._base import Asked, Data, curve, titled
from pe_explorer.quantities._moving import MovedRowsQuantity, check_rows, mover_of


class ShiftResidual(MovedRowsQuantity):
    """The largest difference of each row that is moved by k from the true one: (n,).

    Beside it, the same of the rows that code makes, where they are asked for: (n, 2).
    """

    name = "shift-residual"
    help = "the largest difference between each moved row and the true one"
    rank = 58
    options = {"k": SHIFT, "code": CODE}
    over = "positions"

    @classmethod
    def side_by_side(cls, asked: Mapping[str, Asked]) -> Data:
        """Return the curves of exact rows of several encodings."""
        exact = {
            name: each._replace(options={**each.options, "code": "exact"})
            for name, each in asked.items()
        }
        return super().side_by_side(exact)

    @staticmethod
    def data(asked: Asked) -> Data:
        e, k, code = asked.encoding, asked.options["k"], asked.options["code"]
        check_rows(asked)
        if code != "exact" and (problem := why_no_code(e, k, code)):
            raise EncodingError("code", problem)
        by = mover_of(asked)

        def exact(part: range) -> Floats:
            return largest_differences(e, k, by(), part)

        def fill_both(part: range, out: Floats) -> None:
            out[:, 0] = exact(part)
            out[:, 1] = code_differences(e, k, part, code)

        if code == "exact":
            return curve(asked, e.rows.name, "largest difference", exact)
        titles = titled(e.rows.name, lambda: ("exact rows", f"{code} code"))
        return Data(asked.positions, 2, titles, fill_both)

"""The angle of each column's wave."""

from pe_explorer.analysis.angles import by_column, degrees, why_no_difference
from pe_explorer.analysis.comparison import why_not_comparable
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, needs
from pe_explorer.quantities._base import Asked, Data, Quantity, by_columns, by_few_rows


class Angles(Quantity):
    """The angle of each column's wave in degrees, nan where there is none: (n, columns)."""

    name = "angles"
    help = "the angle of each column's wave in degrees, 0 to 360"
    rank = 30
    in_windows = True
    differs = True
    need = needs.waves

    @staticmethod
    def why_not_comparable(e: Encoding, other: Encoding) -> str:
        return why_not_comparable(e, other) or why_no_difference(e, other)

    @staticmethod
    def data(asked: Asked) -> Data:
        subject = asked.subject

        def numbers(part: range) -> Floats:
            return by_column(degrees(subject.angles.phasors(part)), subject.angles.wave_of)

        return by_columns(asked, by_few_rows(numbers, subject))

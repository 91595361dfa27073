"""The angle of each column's wave in radians, as raw numbers."""

from pe_explorer.analysis.angles import ANGLE_TURNS, by_column
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Waves, needs
from pe_explorer.quantities._base import Asked, Data, Quantity, by_columns, by_few_rows


class Radians(Quantity):
    """The angle of each column's wave in radians, nan where there is none: (n, columns)."""

    name = "radians"
    help = "the angle of each column's wave in radians, with all turns or within one"
    rank = 31
    options = {"angle_turns": ANGLE_TURNS}
    view = "waves"
    need = needs.waves

    @staticmethod
    def data(asked: Asked) -> Data:
        e, one_turn = asked.encoding, asked.options["angle_turns"] == "one"
        assert isinstance(e, Waves)

        def numbers(part: range) -> Floats:
            return by_column(e.radians(part, one_turn=one_turn), e.wave_of)

        return by_columns(asked, by_few_rows(numbers, asked.subject))

"""Quantities with one row per position: encodings, angles of waves, errors of float32 code."""

from functools import partial

from pe_explorer.analysis.angles import ANGLE_TURNS, by_column, degrees, why_no_difference
from pe_explorer.analysis.comparison import why_not_comparable
from pe_explorer.analysis.precision import float32_error
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, Waves, needs
from pe_explorer.quantities._base import Data, Quantity, QuantityInput, by_columns, by_few_rows


class TableRows(Quantity):
    """The row of each position, of an encoding or of a difference: (n, columns)."""

    name = "table"
    help = "one row of the encoding for each position"
    rank = 10
    has_windows = True
    has_difference = True

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        subject = inputs.subject

        def fill(part: range, out: Floats) -> None:
            subject.table(part, out=out)

        is_difference = subject.less is not None
        return by_columns(inputs, by_few_rows(subject.table, subject) if is_difference else fill)


class CosSin(Quantity):
    """Cosines, then sines, in the order of the layout: (n, 2 · rotary width)."""

    name = "cos-sin"
    help = "the cosines, then the sines, that rotate queries and keys"
    rank = 60
    need = needs.rotary
    data = staticmethod(TableRows.data)


class Angles(Quantity):
    """The angle of each column's wave in degrees, nan without a wave: (n, columns)."""

    name = "angles"
    help = "the angle of each column's wave in degrees, 0 to 360"
    rank = 30
    has_windows = True
    has_difference = True
    need = needs.waves

    @staticmethod
    def why_not_comparable(e: Encoding, other: Encoding) -> str:
        return why_not_comparable(e, other) or why_no_difference(e, other)

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        angles = inputs.subject.angles

        def numbers(part: range) -> Floats:
            return by_column(degrees(angles.phasors(part)), angles.wave_of)

        return by_columns(inputs, by_few_rows(numbers, inputs.subject))


class Radians(Quantity):
    """The angle of each column's wave in radians, nan without a wave: (n, columns)."""

    name = "radians"
    help = "the angle of each column's wave in radians, with all turns or modulo 2π"
    rank = 31
    options = {"angle_turns": ANGLE_TURNS}
    view = "waves"
    need = needs.waves

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        e, one_turn = inputs.encoding, inputs.options["angle_turns"] == "one"
        assert isinstance(e, Waves)

        def numbers(part: range) -> Floats:
            return by_column(e.radians(part, one_turn=one_turn), e.wave_of)

        return by_columns(inputs, by_few_rows(numbers, inputs.subject))


class Float32Error(Quantity):
    """The result of typical float32 code minus the exact value: (n, columns)."""

    name = "float32-error"
    help = "the value of the usual float32 code minus the exact value"
    rank = 55
    has_windows = True
    need = needs.float32_angles

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        numbers = partial(float32_error, inputs.encoding)
        return by_columns(inputs, by_few_rows(numbers, inputs.subject))

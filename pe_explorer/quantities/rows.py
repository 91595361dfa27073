"""Quantities with one row per position: encodings, angles of waves, rounding errors."""

from functools import partial

from pe_explorer.analysis import precision
from pe_explorer.analysis.angles import (
    ANGLE_TURNS,
    degrees,
    expand_to_columns,
    explain_no_difference,
)
from pe_explorer.analysis.comparison import explain_mismatch
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, Waves, needs
from pe_explorer.quantities._base import (
    Data,
    Quantity,
    QuantityInput,
    make_chunked_fill,
    make_column_data,
)

ROUNDING_OPTIONS = {"rounded_to": precision.DTYPE, "cast": precision.CAST}


class TableRows(Quantity):
    """The row of the encoding for each position: (n, columns)."""

    name = "table"
    rank = 10
    can_have_second_window = True
    has_difference = True

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        subject = inputs.subject
        if subject.subtrahend is not None:
            return make_column_data(inputs, make_chunked_fill(subject.table, subject))

        def fill(part: range, out: Floats) -> None:
            subject.table(part, out=out)

        return make_column_data(inputs, fill)


class CosinesAndSines(Quantity):
    """The cosines, then the sines, that rotate queries and keys: (n, 2 · rotary dimension)."""

    name = "cos-sin"
    rank = 60
    need = needs.rotary
    data = staticmethod(TableRows.data)


class Angles(Quantity):
    """The angle of each column's wave in degrees, from 0 to 360, shape (n, columns).

    The values of columns without a wave are nan.
    """

    name = "angles"
    rank = 30
    can_have_second_window = True
    has_difference = True
    need = needs.waves

    @staticmethod
    def explain_mismatch(e: Encoding, other: Encoding) -> str:
        return explain_mismatch(e, other) or explain_no_difference(e, other)

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        angles = inputs.subject.angles

        def compute(part: range) -> Floats:
            return expand_to_columns(degrees(angles.phasors(part)), angles.wave_indices)

        return make_column_data(inputs, make_chunked_fill(compute, inputs.subject))


class Radians(Quantity):
    """The angle of each column's wave in radians, with all turns or modulo 2π: (n, columns)."""

    name = "radians"
    rank = 31
    options = {"angle_turns": ANGLE_TURNS}
    view = "waves"
    need = needs.waves

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        e, is_wrapped = inputs.encoding, inputs.options["angle_turns"] == "one"
        assert isinstance(e, Waves)

        def compute(part: range) -> Floats:
            return expand_to_columns(e.radians(part, is_wrapped=is_wrapped), e.wave_indices)

        return make_column_data(inputs, make_chunked_fill(compute, inputs.subject))


class RoundingError(Quantity):
    """The value of typical code, cast to a type at one place, minus the exact value: (n, columns).

    The options select the type and the place; see `analysis.precision`.
    """

    name = "rounding-error"
    rank = 65
    options = ROUNDING_OPTIONS
    view = "heatmap"
    can_have_second_window = True
    need = needs.code_angles

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        dtype, cast = (inputs.options[name] for name in ROUNDING_OPTIONS)
        precision.check(inputs.encoding, dtype, cast)
        compute = partial(precision.error, inputs.encoding, dtype=dtype, cast=cast)
        return make_column_data(inputs, make_chunked_fill(compute, inputs.subject))


class Float32Error(Quantity):
    """The value of typical float32 code minus the exact value: (n, columns)."""

    name = "float32-error"
    rank = 55
    can_have_second_window = True
    need = needs.code_angles

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        defaults = {name: option.default for name, option in ROUNDING_OPTIONS.items()}
        return RoundingError.data(inputs._replace(options=defaults))

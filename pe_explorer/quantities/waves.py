"""Quantities of waves: frequencies, wavelengths, turns, frequency ratios and phase errors."""

from functools import partial

from pe_explorer.analysis import context, precision
from pe_explorer.analysis.specification import compare, unscaled
from pe_explorer.encodings import LIMIT, Steady, needs
from pe_explorer.quantities._base import (
    Data,
    Quantity,
    QuantityInput,
    make_chunked_fill,
    make_value_data,
)
from pe_explorer.quantities.rows import ROUNDING_OPTIONS


class WaveFrequencies(Quantity):
    """The frequency of each wave in radians per position: (waves,)."""

    name = "frequencies"
    rank = 50
    curve_axis = "waves"
    need = needs.steady

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        assert isinstance(inputs.encoding, Steady)
        return make_value_data("wave", ("radians per position",), inputs.encoding.frequencies())


class Wavelengths(Quantity):
    """The number of positions per turn of each wave: (waves,); inf for constants."""

    name = "wavelengths"
    rank = 51
    curve_axis = "waves"
    need = needs.steady

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        e = inputs.encoding
        assert isinstance(e, Steady)
        return make_value_data("wave", (f"{e.rows.plural} per turn",), e.wavelengths())


class TurnsInTraining(Quantity):
    """The turns of each pair in the training length and in the target length: (pairs, 2).

    The turns in the training length are computed without scaling.
    """

    name = "turns"
    rank = 72
    options = {"trained": context.TRAINING_LENGTH, "target": context.TARGET_LENGTH}
    view = "context"
    need = needs.steady

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        e, options = inputs.encoding, inputs.options
        assert isinstance(e, Steady)
        count = min(len(inputs.positions), LIMIT)
        lengths = context.resolve_lengths(e, options["trained"], options["target"], count)
        titles = (f"turns in {lengths.trained} trained", f"turns at {lengths.target}")
        return make_value_data("wave", titles, context.turns(e, *lengths))


class PhaseErrors(Quantity):
    """The angle of typical code, cast to a type, minus the exact angle in radians: (n, waves).

    The values are not reduced to one turn. The options are those of `rounding-error`.
    """

    name = "phase-error"
    rank = 66
    options = ROUNDING_OPTIONS
    view = "heatmap"
    need = needs.code_angles

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        e = inputs.encoding
        assert isinstance(e, Steady)
        dtype, cast = (inputs.options[name] for name in ROUNDING_OPTIONS)
        precision.check(e, dtype, cast)
        compute = partial(precision.phase_error, e, dtype=dtype, cast=cast)
        fill = make_chunked_fill(compute, inputs.subject)
        titles = [f"wave {wave}" for wave in range(len(e.turns))]
        return Data(inputs.positions, len(titles), e.rows.name, lambda: titles, fill)


class FrequencyRatios(Quantity):
    """The frequency of each wave divided by its frequency in the compared pin: (pairs,).

    Without a pin, the divisor is the frequency of the encoding before scaling.
    """

    name = "ratios"
    rank = 73
    has_difference = True
    is_pin_comparison = True
    need = needs.steady

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        e = inputs.encoding
        comparison = compare(e, inputs.subject.subtrahend or unscaled(e))
        return make_value_data("wave", ("ratio",), comparison.ratios)

"""Quantities of waves: frequencies, wavelengths, turns and frequency ratios."""

from pe_explorer.analysis import context
from pe_explorer.analysis.specification import compare, unscaled
from pe_explorer.encodings import LIMIT, Steady, needs
from pe_explorer.quantities._base import Data, Quantity, QuantityInput, make_value_data


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

"""What each wave has whatever the position: how fast it turns, against what, and how often."""

from pe_explorer.analysis import context
from pe_explorer.analysis.specification import compare, unscaled
from pe_explorer.encodings import LIMIT, Steady, needs
from pe_explorer.quantities._base import Data, Quantity, QuantityInput, known


class WaveFrequencies(Quantity):
    """The frequency of each wave in radians per position: (waves,)."""

    name = "frequencies"
    help = "the frequency of each wave in radians per position"
    rank = 50
    curve_axis = "waves"
    need = needs.steady

    @staticmethod
    def data(asked: QuantityInput) -> Data:
        assert isinstance(asked.encoding, Steady)
        return known("wave", ("radians per position",), asked.encoding.frequencies())


class Wavelengths(Quantity):
    """The positions that a turn of each wave takes, inf where it stands still: (waves,)."""

    name = "wavelengths"
    help = "how many positions a turn of each wave takes"
    rank = 51
    curve_axis = "waves"
    need = needs.steady

    @staticmethod
    def data(asked: QuantityInput) -> Data:
        e = asked.encoding
        assert isinstance(e, Steady)
        return known("wave", (f"{e.rows.plural} per turn",), e.wavelengths())


class TurnsInTraining(Quantity):
    """The turns of each pair in training, without scaling, and at a target: (pairs, 2)."""

    name = "turns"
    help = "the turns of each wave in training, and at a target length"
    rank = 72
    options = {"trained": context.TRAINED, "target": context.TARGET}
    view = "context"
    need = needs.steady

    @staticmethod
    def data(asked: QuantityInput) -> Data:
        e, options = asked.encoding, asked.options
        assert isinstance(e, Steady)
        shown = min(len(asked.positions), LIMIT)
        lengths = context.lengths_of(e, options["trained"], options["target"], shown)
        titles = (f"turns in {lengths.trained} trained", f"turns at {lengths.target}")
        return known("wave", titles, context.turns(e, *lengths))


class Ratios(Quantity):
    """The frequency of each wave divided by that of the compared pin: (pairs,).

    Without a pin, it is divided by what the encoding itself has before any scaling.
    """

    name = "ratios"
    help = "the frequency of each wave divided by that of the compared pin"
    rank = 73
    has_difference = True
    compares_with_pin = True
    need = needs.steady

    @staticmethod
    def data(asked: QuantityInput) -> Data:
        e = asked.encoding
        found = compare(e, asked.subject.less or unscaled(e))
        return known("wave", ("ratio",), found.ratios)

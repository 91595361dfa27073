"""The turns of the pairs in training, and at a target."""

from pe_explorer.analysis import context
from pe_explorer.encodings import LIMIT, Steady, needs
from pe_explorer.quantities._base import Asked, Data, Quantity, known


class TurnsInTraining(Quantity):
    """The turns of each pair in training, without scaling, and at a target: (pairs, 2)."""

    name = "turns"
    help = "the turns of each wave in training, and at a target length"
    rank = 72
    options = {"trained": context.TRAINED, "target": context.TARGET}
    view = "context"
    need = needs.steady

    @staticmethod
    def data(asked: Asked) -> Data:
        e, options = asked.encoding, asked.options
        assert isinstance(e, Steady)
        shown = min(len(asked.positions), LIMIT)
        lengths = context.lengths_of(e, options["trained"], options["target"], shown)
        titles = (f"turns in {lengths.trained} trained", f"turns at {lengths.target}")
        return known("wave", titles, context.turns(e, *lengths))

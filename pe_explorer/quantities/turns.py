"""The turns of the pairs in training, and at a target."""

from collections.abc import Mapping
from typing import ClassVar

from pe_explorer.analysis import context
from pe_explorer.encodings import LIMIT, Waves
from pe_explorer.encodings.abilities import needs
from pe_explorer.params import Parameter
from pe_explorer.quantities._base import Asked, Data, Quantity, known


class TurnsInTraining(Quantity):
    """The turns of each pair in training, without scaling, and at a target: (pairs, 2)."""

    name: ClassVar[str] = "turns"
    help: ClassVar[str] = "the turns of each wave in training, and at a target length"
    rank: ClassVar[int] = 72
    options: ClassVar[Mapping[str, Parameter]] = {
        "trained": context.TRAINED,
        "target": context.TARGET,
    }
    view: ClassVar[str] = "context"
    need: ClassVar[needs.Need] = needs.waves

    @staticmethod
    def data(asked: Asked) -> Data:
        """Return the turns, shape (pairs, 2)."""
        e, options = asked.encoding, asked.options
        assert isinstance(e, Waves)
        shown = min(len(asked.positions), LIMIT)
        lengths = context.lengths_of(e, options["trained"], options["target"], shown)
        titles = (f"turns in {lengths.trained} trained", f"turns at {lengths.target}")
        return known("wave", titles, context.turns(e, *lengths))

"""The turns of the pairs in training, and at a target."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from pe_explorer.analysis import context
from pe_explorer.arrays import Floats
from pe_explorer.encodings import LIMIT, Encoding, Waves
from pe_explorer.encodings.abilities import needs
from pe_explorer.params import Parameter
from pe_explorer.quantities._base import Asked, Data, Quantity, titled


class TurnsInTraining(Quantity):
    """The turns of each pair in training, without scaling, and at a target: (pairs, 2)."""

    name: ClassVar[str] = "turns"
    help: ClassVar[str] = "the turns of each wave in training, and at a target length"
    rank: ClassVar[int] = 72
    options: ClassVar[Mapping[str, Parameter]] = MappingProxyType(
        {"trained": context.TRAINED, "target": context.TARGET}
    )
    view: ClassVar[str] = "context"

    @staticmethod
    def needs(e: Encoding) -> str:
        """Return why an encoding has no waves, or an empty text."""
        return needs.waves(e)

    @staticmethod
    def data(asked: Asked) -> Data:
        """Return the turns, shape (pairs, 2)."""
        e, options = asked.encoding, asked.options
        assert isinstance(e, Waves)
        shown = min(len(asked.positions), LIMIT)
        lengths = context.lengths_of(e, options["trained"], options["target"], shown)
        values = context.turns(e, *lengths)

        def fill(part: range, out: Floats) -> None:
            out[:] = values[part.start : part.stop]

        names = (f"turns in {lengths.trained} trained", f"turns at {lengths.target}")
        return Data(range(len(values)), 2, titled("wave", lambda: iter(names)), fill)

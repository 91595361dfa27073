"""How like the row of the cursor's position all others are."""

import math

from pe_explorer.analysis import distance, likeness
from pe_explorer.arrays import Floats
from pe_explorer.encodings import EncodingError
from pe_explorer.quantities._base import Asked, Data, Quantity, curve


class LikenessToCursor(Quantity):
    """The likeness of each position to that of the cursor, a distance for some metrics: (n,)."""

    name = "likeness"
    help = "how similar each position is to that of the cursor"
    rank = 54
    over = "positions"

    @staticmethod
    def data(asked: Asked) -> Data:
        """Return the likeness, shape (n,), by cosine or correlation; else the distance."""
        e, position, metric = asked.encoding, asked.position, asked.metric
        e.require_rows(position, position, "position")
        if math.isnan(distance.between(e, position, position, metric)):
            row = f"the row of {e.rows.name} {position:,} in {e.called()}"
            problem = f"{row} has no {distance.measure(metric, 'any')}"
            remedy = f"choose another metric, or another {e.rows.name}"
            raise EncodingError("position", problem, remedy)

        def numbers(part: range) -> Floats:
            return likeness.as_likeness(distance.from_reference(e, position, part, metric), metric)

        what = likeness.title(metric, f"{e.rows.name} {position}")
        return curve(asked, e.rows.name, what, numbers)

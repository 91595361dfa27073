"""Positions as points in the plane: by principal components, or by UMAP."""

import threading
from collections.abc import Iterator
from functools import cache, partial

from pe_explorer.analysis import projection, umap_process
from pe_explorer.analysis.projection import METHOD, SEED
from pe_explorer.arrays import Floats
from pe_explorer.encodings import EncodingError
from pe_explorer.progress import Part, report
from pe_explorer.quantities._base import Data, Quantity, QuantityInput, titled

_MOST_NUMBERS = 1 << 25  # numbers of a table, of which some four copies make about a gigabyte


class ProjectedPoints(Quantity):
    """The point of each position in the plane: (n, 2); by PCA (n, 1) for rows of one number."""

    name = "projection"
    help = "each position's point in the plane, by PCA or UMAP of all rows"
    rank = 52
    options = {"method": METHOD, "seed": SEED}
    view = "projection"

    @staticmethod
    def data(asked: QuantityInput) -> Data:
        e, positions = asked.encoding, asked.positions
        if len(positions) < 2:
            problem = "a projection shows how rows differ, so it needs at least 2"
            raise EncodingError("positions", problem, "choose at least 2")
        if len(positions) > (most := _MOST_NUMBERS // e.width):
            count = f"{len(positions):,} of them are too many"
            problem = f"a projection needs all rows at once, and {count}"
            raise EncodingError("positions", problem, f"choose at most {most:,}")
        is_umap = asked.options["method"] == "umap"
        seed = asked.options["seed"] if is_umap else None
        stored = projection.stored_umap(e, positions, seed)
        if is_umap and stored is None and (problem := umap_process.missing()):
            raise EncodingError("method", problem)
        name, components = ("UMAP", 2) if is_umap else ("component", min(2, e.width))

        @cache
        def points() -> Floats:
            if stored is not None:
                return stored
            whole = asked.progress or threading.Event()
            make = projection.rows_of if is_umap else projection.relative_rows
            rows = make(e, positions, partial(report, Part(whole, 0.0, 0.3)))
            return projection.points_of(rows, seed, Part(whole, 0.3, 0.7))[0]

        def fill(part: range, out: Floats) -> None:
            first = positions.index(part[0])
            out[:] = points()[first : first + len(part)]

        def titles() -> Iterator[str]:
            return (f"{name} {number + 1}" for number in range(components))

        return Data(positions, components, titled(e.rows.name, titles), fill)

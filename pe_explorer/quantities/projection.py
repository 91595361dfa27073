"""Projections of positions to points in the plane, by PCA or UMAP."""

import threading
from functools import partial

from pe_explorer.analysis import projection, umap_process
from pe_explorer.analysis.projection import METHOD, SEED
from pe_explorer.arrays import Floats
from pe_explorer.encodings import EncodingError
from pe_explorer.progress import PartialProgress, report
from pe_explorer.quantities._base import Data, Quantity, QuantityInput, make_array_fill

_MAX_VALUES = 1 << 25  # maximum number of values; four copies of them take about a gigabyte


class ProjectedPoints(Quantity):
    """The point of each position in the plane, by PCA or UMAP of all rows: (n, 2).

    The shape is (n, 1) for PCA of an encoding with a single dimension.
    """

    name = "projection"
    rank = 52
    options = {"method": METHOD, "seed": SEED}
    view = "projection"

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        e, positions = inputs.encoding, inputs.positions
        if len(positions) < 2:
            problem = "a projection compares rows, so one position is not enough"
            raise EncodingError("positions", problem, "choose at least 2")
        if len(positions) > (max_count := _MAX_VALUES // e.width):
            problem = f"a projection needs all rows in memory, but {len(positions):,} are too many"
            raise EncodingError("positions", problem, f"choose at most {max_count:,}")
        is_umap = inputs.options["method"] == "umap"
        seed = inputs.options["seed"] if is_umap else None
        stored_points = projection.read_stored_umap(e, positions, seed)
        if is_umap and stored_points is None and (problem := umap_process.unavailable_reason()):
            raise EncodingError("method", problem)
        name, components = ("UMAP", 2) if is_umap else ("component", min(2, e.width))

        def compute() -> Floats:
            if stored_points is not None:
                return stored_points
            progress = inputs.progress or threading.Event()
            compute_rows = (
                projection.compute_chunked_rows if is_umap else projection.compute_relative_rows
            )
            rows = compute_rows(e, positions, partial(report, PartialProgress(progress, 0.0, 0.3)))
            return projection.compute_points(rows, seed, PartialProgress(progress, 0.3, 0.7))[0]

        titles = [f"{name} {number + 1}" for number in range(components)]
        fill = make_array_fill(positions, compute)
        return Data(positions, components, e.rows.name, lambda: titles, fill)

"""How curves and matrix of distances follow from a table, in expressions of NumPy."""

from collections.abc import Mapping

import numpy as np

from pe_explorer.exploration import Exploration
from pe_explorer.pictures.distances import words
from pe_explorer.pictures.figure import Figure

_FROM_ROW = {
    "cosine": "1 - table @ {row} / np.linalg.norm(table, axis=1) / np.linalg.norm({row})",
    "dot": "table @ {row}",
    "euclidean": "np.linalg.norm(table - {row}, axis=1)",
    "sse": "((table - {row}) ** 2).sum(axis=1)",
    "manhattan": "np.abs(table - {row}).sum(axis=1)",
    "chebyshev": "np.abs(table - {row}).max(axis=1)",
    "correlation": "1 - np.array([np.corrcoef(each, {row})[0, 1] for each in table])",
}
"""The distances of all rows of a table from one row, by metric."""

_LEAST_DISTANCE = 1e-6  # smaller distances lose their digits in these expressions


def formula_of(state: Exploration, second_metric: str, figure: Figure) -> Mapping[str, str]:
    """Return how curves and matrix follow from the table of the positions shown, by their names."""
    metrics = {"curve": state.metric, words.SECOND: second_metric}
    found = {}
    for name, metric in metrics.items():
        curve = figure.panel(name)
        if curve and curve.curves and state.reference in state.positions:
            distances = curve.curves[0].y
            if len(distances) == state.count > 1 and _has_digits(distances):
                row = f"table[{state.reference - state.start}]"
                found[name] = _FROM_ROW[metric].format(row=row)
    matrix = figure.panel("matrix")
    if matrix and matrix.cells:
        distances = matrix.cells.values
        if distances.shape == (state.count, state.count) and _has_digits(distances):
            from_row = _FROM_ROW[state.metric].format(row="row")
            found["matrix"] = f"np.array([{from_row} for row in table])"
    return found


def _has_digits(distances: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> bool:
    """Return whether all are finite, and the largest is not lost in the digits of a float64."""
    return bool(np.isfinite(distances).all()) and float(np.abs(distances).max()) > _LEAST_DISTANCE

"""Names of metrics, and distances computed with plain NumPy."""

import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform

MEASURES = {
    "cosine": "cosine distance from",
    "similarity": "cosine similarity with",
    "dot": "dot product with",
    "normalised-dot": "normalised dot product with",
    "euclidean": "Euclidean distance from",
    "sse": "sum of squared errors from",
    "manhattan": "Manhattan distance from",
    "chebyshev": "Chebyshev distance from",
    "correlation": "correlation distance from",
}
"""Names by metric, without the position that follows, such as ``position 0``."""


def hyphened(text):
    """Return a text with hyphens instead of minus signs, so that Python can read its numbers."""
    return text.replace("−", "-")


def usual_distances(metric, a, b):
    """Return all distances between the rows of two tables, computed by the usual formulas."""
    if metric == "dot":
        return a @ b.T
    if metric == "normalised-dot":
        return a @ b.T / (a.shape[1] / 2)
    if metric == "similarity":
        return 1 - usual_distances("cosine", a, b)
    if metric == "correlation":
        return usual_distances("cosine", *map(_centred, (a, b)))
    with np.errstate(invalid="ignore", divide="ignore"):
        return cdist(a, b, {"sse": "sqeuclidean", "manhattan": "cityblock"}.get(metric, metric))


def _centred(rows):
    """Return rows minus their means; exactly 0 if all numbers of a row are equal."""
    return (rows - rows.mean(axis=1, keepdims=True)) * (np.ptp(rows, axis=1, keepdims=True) > 0)


def share_of_neighbours(points, metric="euclidean"):
    """Return the share of positions whose nearest position is adjacent, from all distances."""
    distances = squareform(pdist(points, metric)) + np.diag(np.full(len(points), np.inf))
    return np.mean(np.abs(distances.argmin(axis=1) - np.arange(len(points))) == 1)

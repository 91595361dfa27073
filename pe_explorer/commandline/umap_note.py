"""Says that a projection is by PCA where UMAP is wanted and not installed."""

from __future__ import annotations

from pe_explorer import pictures
from pe_explorer.exploration import Exploration

_PROJECTION = "projection"


def umap_note(state: Exploration) -> str:
    """Return why an exploration's projection is by PCA, though UMAP is chosen; else nothing."""
    from pe_explorer.analysis import umap_process  # only where it is wanted

    if pictures.find(_PROJECTION).options(state).method != "umap":
        return ""
    problem = umap_process.missing()
    if not problem:
        return ""
    return f"{problem}; without it PCA of the same rows is shown"

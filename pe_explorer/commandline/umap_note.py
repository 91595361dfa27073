"""A note for a projection by PCA where UMAP is chosen, but neither installed nor stored."""

from pe_explorer import pictures
from pe_explorer.exploration import Exploration


def umap_note(state: Exploration) -> str:
    """Return why a projection is by PCA though UMAP is chosen; else an empty text."""
    picture = pictures.find("projection")
    problem = picture.lack_of(state, "method", picture.options(state).method)
    if not problem:
        return ""
    return f"{problem}; without it PCA of the same rows is shown"

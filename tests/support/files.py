"""How soon damaged files are refused, and the files that a write has left half done."""

SOON = 5.0
"""Seconds of work on a damaged file; the benchmark `damaged` measures how well 0.2 s is kept."""


def partial_files(folder):
    """Return the files in a folder that are only partly written."""
    return [path for path in folder.iterdir() if path.name.endswith(".part")]

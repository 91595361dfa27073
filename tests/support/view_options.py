"""The options that every view starts with."""

from pe_explorer import pictures


def defaults():
    """Return the default options of each view, by its name."""
    return {name: pictures.find(name).Options() for name in pictures.names()}

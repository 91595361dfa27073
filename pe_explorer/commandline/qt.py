"""Loads Qt for the commands that need it, or reports why it cannot be used."""

import builtins

from pe_explorer.params import reason


class NoQtError(Exception):
    """Qt cannot start here; the message has the reason and the remedy."""


def require_qt(*, window: bool) -> None:
    """Raise `NoQtError` if Qt would abort the process, or is not installed."""
    from pe_explorer.commandline.libraries import problem

    sentence = problem(window=window)
    if sentence:
        raise NoQtError(sentence)
    try:
        import PySide6.QtWidgets  # noqa: F401
    except ImportError as error:
        remedy = "install it: pip install PySide6-Essentials"
        raise NoQtError(f"Qt cannot be loaded ({reason(error)}); {remedy}") from None
    # PySide puts its own `import` in the place of Python's. It reads the source of what is imported
    # to see whether that asks for other names of Qt's functions. Nothing here does, and reading
    # takes a good hundredth of the start.
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)

"""Loads Qt for the commands that need it, or reports why it cannot be used."""

from __future__ import annotations

from pe_explorer.params import reason

__all__ = ["NoQtError", "require_qt"]


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

"""Qt, for the commands that need it: loaded when they run, or a sentence why not."""

from __future__ import annotations

from collections.abc import Mapping

from pe_explorer.params import Declared, reason

__all__ = ["NoQtError", "require_qt", "view_options"]


class NoQtError(Exception):
    """Qt cannot start here; the text says why, and what to do."""


def require_qt(*, window: bool) -> None:
    """Raise `NoQtError` where Qt would abort the process, or is not installed."""
    from pe_explorer.commandline.libraries import problem

    found = problem(window=window)
    if found:
        raise NoQtError(found)
    try:
        import PySide6.QtWidgets  # noqa: F401
    except ImportError as error:
        remedy = "install it: pip install PySide6-Essentials"
        raise NoQtError(f"Qt cannot be loaded ({reason(error)}); {remedy}") from None


def view_options() -> Mapping[str, Declared]:
    """Return the options that views start with; views are drawn by one command only."""
    require_qt(window=False)
    from pe_explorer import views

    return views.default_options()

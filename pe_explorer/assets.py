"""Where the files of `resources/` are: the only place that knows."""

from pathlib import Path

__all__ = ["asset"]

_HERE = Path(__file__).resolve().parent


def asset(name: str) -> Path:
    """Return the path of a file in `resources/`, installed, frozen or in a checkout."""
    installed = _HERE / "resources"
    return (installed if installed.is_dir() else _HERE.parent / "resources") / name

"""Paths of the files in `resources/`."""

from pathlib import Path

_PACKAGE_FOLDER = Path(__file__).resolve().parent


def find_asset(name: str) -> Path:
    """Return the path of a file in `resources/`, for an installed program or a checkout."""
    folder = _PACKAGE_FOLDER / "resources"
    if not folder.is_dir():
        folder = _PACKAGE_FOLDER.parent / "resources"
    return folder / name

"""The saved part of a document: read and written in a thread, which may wait for a disk."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from pe_explorer.app.document.backups import split_source
from pe_explorer.app.document.saved_version import SavedVersion
from pe_explorer.files import opening, session
from pe_explorer.files.session import Session

if TYPE_CHECKING:
    from pe_explorer.files.opening import OpenedConfiguration
    from pe_explorer.tables import Table

NAME_ENDING = ".json"
"""How the name of a session ends."""
NEW_ENDING = f".pe{NAME_ENDING}"
"""The ending of a new name: a desktop opens such files with this program."""
_ENDINGS = (NAME_ENDING, *session.FIGURES, *session.DATA)
OPEN_KINDS = (
    f"Sessions, figures, data and configurations ({' '.join(f'*{ending}' for ending in _ENDINGS)})"
    ";;All files (*)"
)
"""The kinds of files that can be opened, as a file dialog lists them."""


class FileChangedError(Exception):
    """The file has changed since it was last read or written."""


def read_file(path: Path) -> tuple[SavedVersion, Session] | Table | OpenedConfiguration:
    """Return the session that a file holds, or its table, or what its configuration means.

    Raises `FileNotFoundError`, `SessionError` or `TableError`.
    """
    if not os.path.lexists(path):
        raise FileNotFoundError(path)
    digest = session.digest(path)  # before it is read, so that a change meanwhile is noticed
    found = opening.read(path)
    return version_of(path, found, digest) if isinstance(found, Session) else found


def version_of(path: Path, found: Session, digest: str | None) -> tuple[SavedVersion, Session]:
    """Return the saved version in a file, and the session read from it without its source."""
    found, source = split_source(found)
    # A backup opened by hand is no place to save to.
    save_here = is_session_name(path) and not found.newer and source is None
    saved = SavedVersion(found.state, path.absolute(), save_here, found.extra, digest)
    return saved, found


def write_version(version: SavedVersion, overwrite: bool) -> str:
    """Write a version to its file, and return the digest of what that holds now.

    Raises
    ------
    FileChangedError
        If the file there holds something else than the version knows, unless `overwrite` is set.
    OutputError
        If it cannot be written.
    """
    assert version.path is not None
    assert version.state is not None
    if not overwrite and session.digest(version.path) not in (version.digest, None):
        raise FileChangedError
    return session.write(version.path, version.state, version.extra)


def is_session_name(path: Path | None) -> bool:
    """Return whether a name is that of a session, and not of one that belongs to exported data."""
    if path is None or path.suffix.lower() != NAME_ENDING:
        return False
    beside_data = tuple(session.side_file(suffix).name for suffix in session.DATA)
    return not path.name.lower().endswith(beside_data)

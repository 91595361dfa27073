"""Reads and writes the file of a document; in a thread, which may wait for a disk."""

import os
from pathlib import Path

from pe_explorer.app.document.backups import SavedVersion, split_source
from pe_explorer.exploration.opened_model import OpenedModel
from pe_explorer.files import opening, session
from pe_explorer.files.atomic import OutputError
from pe_explorer.files.session import Session
from pe_explorer.tables import Table

NEW_ENDING = ".pe.json"
"""The ending of a new name: a desktop opens such files with this program."""
_ENDINGS = " ".join(f"*{ending}" for ending in (".json", *session.FIGURES, *session.DATA))
OPEN_KINDS = f"Sessions, figures, data and configurations ({_ENDINGS});;All files (*)"
SAVE_KINDS = "Sessions (*.json)"
"""The kinds of files that can be opened and saved, as a file dialog lists them."""
_WRONG_NAME = (
    "the name of a session ends in .json, but not in .npy.session.json or .csv.session.json, which "
    "belong to exported data; choose another name"
)


def read_file(path: Path) -> tuple[SavedVersion, Session] | Table | OpenedModel:
    """Return the session that a file holds, or its table, or what its configuration means.

    Raises `FileNotFoundError`, `SessionError` or `TableError`.
    """
    if not os.path.lexists(path):
        raise FileNotFoundError(f"{path}: there is no such file; choose another")
    digest = session.digest(path)  # before it is read, so that a change meanwhile is noticed
    found = opening.read(path)
    return version_of(path, found, digest) if isinstance(found, Session) else found


def version_of(path: Path, found: Session, digest: str | None) -> tuple[SavedVersion, Session]:
    """Return the saved version in a file, and the session read from it without its source."""
    found, source = split_source(found)
    # A backup opened by hand is no place to save to.
    save_here = is_session_name(path) and not found.newer and source is None
    return SavedVersion(found.state, path.absolute(), save_here, found.extra, digest), found


def write_version(version: SavedVersion, overwrite: bool) -> str | None:
    """Write a version to its file, and return the digest of what that holds now.

    Unless `overwrite` is set, nothing is written if the file holds something else than the version
    knows; then the answer is None. Raises `OutputError` if it cannot be written.
    """
    assert version.path is not None
    assert version.state is not None
    if not is_session_name(version.path):
        raise OutputError(version.path, _WRONG_NAME)
    if not overwrite and session.digest(version.path) not in (version.digest, None):
        return None
    return session.write(version.path, version.state, version.extra)


def is_session_name(path: Path | None) -> bool:
    """Return whether a name is that of a session, and not of one that belongs to exported data."""
    if path is None or path.suffix.lower() != ".json":
        return False
    beside_data = tuple(session.side_file(suffix).name for suffix in session.DATA)
    return not path.name.lower().endswith(beside_data)

"""Writes the file of a document; in a thread, which may wait for a disk."""

from pathlib import Path

from pe_explorer.app.document.backups import SavedVersion
from pe_explorer.files import session
from pe_explorer.files.atomic import OutputError

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


def write_version(version: SavedVersion, overwrite: bool, _: object = None) -> str | None:
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

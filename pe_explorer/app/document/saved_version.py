"""What the changes of a document are compared with."""

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from pe_explorer.exploration import Exploration
from pe_explorer.values import frozen


class BackupSource(NamedTuple):
    """The file that an exploration came from.

    Attributes
    ----------
    path : str or None
        The file that it was opened from or last saved to, if there is one.
    digest : str or None
        A digest of what that file held when this program last saw it, if known.
    """

    path: str | None = None
    digest: str | None = None


@frozen
class SavedVersion:
    """What the changes of a document are compared with: its file, or how it began without one.

    Attributes
    ----------
    state : Exploration or None
        None where nothing was saved: a recovered exploration is unsaved, whatever it is.
    path : Path or None
        Where it came from or was saved to, absolute.
    save_here : bool
        Whether it is saved to that path again without asking for a name.
    extra : mapping
        What the file has that is not known here.
    digest : str or None
        A digest of what the file held when it was read or written; None where that is not known.
    """

    state: Exploration | None
    path: Path | None = None
    save_here: bool = False
    extra: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    digest: str | None = None

    @property
    def source(self) -> BackupSource:
        """The file, as a backup names it."""
        path = str(self.path) if self.path else None
        return BackupSource(path, self.digest)

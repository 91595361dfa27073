"""The kind of parameter that names a file."""

import os
from dataclasses import dataclass
from pathlib import PureWindowsPath
from typing import ClassVar

from pe_explorer.params.errors import ParameterError, quoted
from pe_explorer.params.parameter import Parameter


@dataclass(frozen=True)
class FileName(Parameter):
    r"""The name of a file, with all its spaces, as an absolute path; "" for none.

    Nothing is opened: whoever reads the file finds out whether it exists, and what is in it.
    `endings` are those that the file may have, in small letters. A relative name begins in
    the working folder, and ``..`` is removed as text, so that equal files have equal names.
    A name of another system, such as ``C:\tables\t.npy`` on Linux, stays as it is.
    """

    endings: tuple[str, ...]

    kind: ClassVar[str] = "file"

    @property
    def limits(self) -> str:
        """The legal values in words."""
        return f"the name of a file that ends in {' or '.join(self.endings)}"

    def check(self, name: str, value: object) -> str:
        """Return the whole name of a file, as a text."""
        path = os.fspath(value) if isinstance(value, os.PathLike) else value
        if not isinstance(path, str):
            raise ParameterError(name, f"{quoted(path)} is not {self.limits}")
        if not path:
            return ""
        if not path.lower().endswith(self.endings):
            name_alone = quoted(os.path.basename(path) or path)  # a long path would be cut there
            raise ParameterError(name, f"{name_alone} is not {self.limits}")
        if not can_be_a_name(path):
            problem = f"{quoted(path)} contains a character that file names cannot; remove it"
            raise ParameterError(name, problem)
        return _absolute(name, str(path))

    @staticmethod
    def last_part(path: str) -> str:
        """Return the name of a file without its folder, which may be of another system."""
        if _is_foreign(path):
            return PureWindowsPath(path).name
        return os.path.basename(path)

    def parse(self, name: str, text: str) -> str:
        """Return the file that `text` names; ``~`` is the home folder.

        Spaces and line ends around an absolute name were copied with it and are removed.
        """
        whole = os.path.expanduser(text.strip())
        if not os.path.isabs(whole):
            whole = text
        return self.check(name, whole)


def can_be_a_name(path: str) -> bool:
    """Return whether the system can have a file of this name.

    Python spells the bytes of a name that is no text as halves of characters, which come back as
    those bytes; no other half of a character is a byte.
    """
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def _is_foreign(path: str) -> bool:
    return PureWindowsPath(path).is_absolute() and not os.path.isabs(path)


def _absolute(name: str, path: str) -> str:
    if _is_foreign(path):
        return path
    try:
        return os.path.abspath(path)
    except OSError:  # the working folder was deleted
        problem = f"{quoted(path)} is in a folder that no longer exists; give the whole path"
        raise ParameterError(name, problem) from None

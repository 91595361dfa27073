"""A placeholder for an encoding that cannot be created."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pe_explorer.encodings.abilities.base import Axis, Encoding
from pe_explorer.encodings.abilities.checks import EncodingError
from pe_explorer.params import quote_value


@dataclass(frozen=True)
class Unknown:
    """An encoding that cannot be created, because it is unknown or its file is missing.

    The encoding has no values, and sessions store it unchanged. `problem` is the reason, and
    `remedy` is a suggestion, which is empty if the user only needs to wait. Neither text ends
    with a full stop.
    """

    name: str  # the name of the scheme
    parameters: Mapping[str, Any] = field(hash=False)  # unchecked values from a session
    problem: str
    remedy: str = "choose another encoding, or use a later version of PE Explorer"
    cause: str = "the encoding is unknown to this version"  # follows "because" in a sentence
    missing_file_parameter: str = ""  # the parameter that names the missing file, if any

    @property
    def label(self) -> str:
        """The name, in one printable line."""
        line = " ".join(self.name.split())
        return line if line and line.isprintable() else quote_value(self.name)

    def format_name(self) -> str:
        """Return the name for use within a sentence."""
        return self.label


def find_axes(e: Encoding | Unknown) -> tuple[Axis, Axis]:
    """Return the axes of rows and columns: positions and dimensions for an unknown encoding."""
    encoding = Encoding if isinstance(e, Unknown) else e
    return encoding.rows, encoding.columns


def require_known(e: Encoding | Unknown, role: str = "encoding") -> Encoding:
    """Return an encoding if it is known; otherwise raise `EncodingError` with a remedy."""
    if not isinstance(e, Unknown):
        return e
    raise EncodingError(role, e.problem, e.remedy)

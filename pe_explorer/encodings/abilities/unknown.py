"""A stand-in for an encoding that cannot be created."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pe_explorer.encodings.abilities.base import Axis, Encoding
from pe_explorer.encodings.abilities.checks import EncodingError
from pe_explorer.params import quoted

_REMEDY = "choose another encoding, or open it with a later version of PE Explorer"


@dataclass(frozen=True)
class Unknown:
    """An encoding that cannot be created, because it is not known or its file is missing.

    Nothing is computed from it, and it is saved unchanged.

    Attributes
    ----------
    name : str
        The scheme.
    parameters : mapping of str to Any
        Unchecked, as the file has them.
    problem : str
        Why it cannot be created, without a full stop.
    remedy : str
        The remedy, without a full stop; empty where waiting is enough.
    short : str
        The problem in a few words, to follow "as".
    locate : str
        The parameter whose file is missing; empty where the problem is another one.
    """

    name: str
    parameters: Mapping[str, Any] = field(hash=False)
    problem: str
    remedy: str = _REMEDY
    short: str = "the encoding is not known here"
    locate: str = ""

    @property
    def label(self) -> str:
        """The name as one line that can be shown."""
        line = " ".join(self.name.split())
        return line if line and line.isprintable() else quoted(self.name)

    def called(self) -> str:
        """Return the name within a sentence."""
        return self.label


def axes_of(e: Encoding | Unknown) -> tuple[Axis, Axis]:
    """Return the axes of rows and columns: positions and dimensions of an unknown encoding."""
    named = Encoding if isinstance(e, Unknown) else e
    return named.rows, named.columns


def require_known(e: Encoding | Unknown, role: str = "encoding") -> Encoding:
    """Return an encoding that can be computed, or raise `EncodingError` with the remedy."""
    if not isinstance(e, Unknown):
        return e
    problem = e.problem
    if e.remedy:
        problem = f"{problem}; {e.remedy}"
    raise EncodingError(role, problem)

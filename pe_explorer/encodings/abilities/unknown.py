"""What stands in the place of an encoding that cannot be made now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pe_explorer.encodings.abilities.base import Encoding
from pe_explorer.numeric.positions import EncodingError
from pe_explorer.params import quoted

__all__ = ["Unknown", "require_known"]

_REMEDY = "choose another encoding, or open it with a later version of PE Explorer"


@dataclass(frozen=True)
class Unknown:
    """An encoding that cannot be made here and now.

    Nothing is computed of it, and it is saved as it came.

    Attributes
    ----------
    name : str
        What the scheme is called.
    parameters : mapping of str to Any
        As the file has them, unchecked.
    problem : str
        Why it cannot be made, without a full stop.
    remedy : str
        What to do about it, likewise; empty where time will do it.
    short : str
        The problem in passing, after "as".
    locate : str
        The parameter whose file is to be found, empty where it is no file that lacks.
    """

    name: str
    parameters: Mapping[str, Any] = field(hash=False)
    problem: str
    remedy: str = _REMEDY
    short: str = "the encoding is not known here"
    locate: str = ""

    @property
    def label(self) -> str:
        """Its name as one line that can be shown."""
        line = " ".join(self.name.split())
        return line if line and line.isprintable() else quoted(self.name)

    def called(self) -> str:
        """Return its name within a sentence."""
        return self.label


def require_known(e: Encoding | Unknown, role: str = "encoding") -> Encoding:
    """Return an encoding that can be computed; raises `EncodingError`: why not, what to do."""
    if isinstance(e, Unknown):
        raise EncodingError(role, "; ".join(filter(None, (e.problem, e.remedy))))
    return e

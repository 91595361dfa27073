"""What every quantity declares: an array that can be exported, computed block by block."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from pe_explorer.analysis.comparison import Subject
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding
from pe_explorer.encodings.abilities import needs
from pe_explorer.params import Parameter
from pe_explorer.progress import report
from pe_explorer.values import frozen

Fill = Callable[[range, Floats], None]
Titles = Callable[[], Iterator[str]]
_NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})


@frozen
class Data:
    """Numbers to be written, computed block by block.

    Attributes
    ----------
    index : range
        What each row stands for: its position, or the number of its wave or head.
    width : int or None
        Numbers in a row; None for one plain number, a one-dimensional array.
    titles : function
        Returns the column titles of a CSV file: of the index, then of the numbers.
    fill : function (part of index, out)
        Writes the rows of a part of the index to `out`, float64.
    """

    index: range
    width: int | None
    titles: Titles
    fill: Fill

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the whole array."""
        rows = len(self.index)
        return (rows,) if self.width is None else (rows, self.width)


class Asked(NamedTuple):
    """The subject and the fields that a quantity is computed from.

    Attributes
    ----------
    subject : Subject
        The encoding, or the difference of two.
    positions : range
    metric : str
    reference : int
    position : int
        That of the cursor.
    options : mapping of str to value
        The quantity's own options; `quantities.data` adds those that are not given.
    progress : threading.Event or None
        Told how much is done of what takes long before any number can be written, which ends
        once it is set; see `progress.report`.
    """

    subject: Subject
    positions: range
    metric: str = "cosine"
    reference: int = 0
    position: int = 0
    options: Mapping[str, Any] = _NO_OPTIONS
    progress: threading.Event | None = None

    @property
    def report(self) -> Callable[[float], None] | None:
        """What takes note of how much is done, None where nobody wants to know."""
        return partial(report, self.progress) if self.progress else None

    @property
    def encoding(self) -> Encoding:
        """The encoding, if no difference is asked for."""
        return self.subject.encoding


class Quantity:
    """One array that can be exported of an encoding: a subclass, in a file of its own.

    It has no instances: all that it declares are class variables and static methods.
    """

    name: ClassVar[str]
    help: ClassVar[str]
    """What the numbers are, in a few words."""
    rank: ClassVar[int]
    """Place in lists, smallest first."""
    options: ClassVar[Mapping[str, Parameter]] = _NO_OPTIONS
    """What else its numbers depend on, by name: each is a flag of `export`."""
    view: ClassVar[str] = ""
    """The view that has the same options, if one has."""
    by_offset: ClassVar[bool] = False
    """Whether its positions are offsets, for every encoding: key minus query."""
    differs: ClassVar[bool] = False
    """Whether it exists for the difference of two encodings."""
    compares: ClassVar[bool] = False
    """Whether it is about the current encoding and the compared pin, if any, whatever is shown."""

    @staticmethod
    def needs(e: Encoding) -> str:
        """Return why an encoding does not have this quantity, or an empty text."""
        return needs.nothing(e)

    @classmethod
    def check(cls, asked: Asked) -> None:
        """Raise `EncodingError` if it can be told at once that there are no such numbers."""
        cls.data(asked)

    @staticmethod
    def data(asked: Asked) -> Data:
        """Return the numbers, ready to be computed; what takes long to get ready has a `check`."""
        raise NotImplementedError


def titled(index: str, numbers: Titles) -> Titles:
    """Return the column titles of a CSV file: that of the index, then those of the numbers."""

    def titles() -> Iterator[str]:
        yield index
        yield from numbers()

    return titles

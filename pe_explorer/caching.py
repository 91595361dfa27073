"""A cache that is bounded in bytes.

What is kept of one encoding may be a thousand times as large as of another.
"""

from __future__ import annotations

import functools
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, Protocol, TypeVar

__all__ = ["ByteCache", "cached"]


class Sized(Protocol):
    """What tells its size, as arrays do."""

    @property
    def nbytes(self) -> int:
        """The most bytes that it will ever take; asked once."""


Result = TypeVar("Result", bound=Sized)


class ByteCache(Generic[Result]):
    """A function that keeps its latest results, as long as they take at most some bytes together.

    Where a single result takes more, it is kept alone: it is the one in use.

    Parameters
    ----------
    function : callable
        Of positional, hashable arguments, and safe to be called from several threads.
    most : int
        Bytes that the results may take together.
    """

    def __init__(self, function: Callable[..., Result], most: int) -> None:
        functools.update_wrapper(self, function)
        self._function, self._most = function, most
        self._results: OrderedDict[tuple[Hashable, ...], Result] = OrderedDict()
        self._sizes: dict[tuple[Hashable, ...], int] = {}
        self._lock = threading.Lock()

    def __call__(self, *arguments: Hashable) -> Result:
        """Return the function's result for some arguments, the latest asked for last to go."""
        with self._lock:
            if arguments in self._results:
                self._results.move_to_end(arguments)
                return self._results[arguments]
        result = self._function(*arguments)
        with self._lock:
            self._results[arguments] = result
            self._sizes[arguments] = result.nbytes
            while self.nbytes > self._most and len(self._results) > 1:
                oldest, _ = self._results.popitem(last=False)
                del self._sizes[oldest]
        return result

    @property
    def nbytes(self) -> int:
        """Bytes that the kept results take at most."""
        return sum(self._sizes.values())

    def __len__(self) -> int:
        return len(self._results)


def cached(most: int) -> Callable[[Callable[..., Result]], ByteCache[Result]]:
    """Return a decorator that makes a function a `ByteCache` of at most `most` bytes."""
    return lambda function: ByteCache(function, most)

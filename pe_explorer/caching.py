"""A cache that is bounded in bytes.

The data kept for one encoding may be a thousand times as large as for another.
"""

import functools
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, Protocol, TypeVar


class Sized(Protocol):
    """Anything that has a size in bytes, such as an array."""

    @property
    def nbytes(self) -> int:
        """The most bytes that it will ever take; read once."""


Result = TypeVar("Result", bound=Sized)
Arguments = tuple[Hashable, ...]


class ByteCache(Generic[Result]):
    """A function that keeps its latest results, up to a number of bytes in total.

    The latest result is always kept, even if it takes more: it is the one in use.

    Parameters
    ----------
    function : callable
        Takes positional, hashable arguments, and can be called from several threads.
    most : int
        Bytes that the results may take together.
    """

    def __init__(self, function: Callable[..., Result], most: int) -> None:
        functools.update_wrapper(self, function)
        self._function, self._most = function, most
        self._results: OrderedDict[Arguments, tuple[Result, int]] = OrderedDict()
        self._lock = threading.Lock()
        _CACHES.append(self)

    def __call__(self, *arguments: Hashable) -> Result:
        """Return the function's result; the least recently used ones are dropped first."""
        with self._lock:
            if arguments in self._results:
                self._results.move_to_end(arguments)
                return self._results[arguments][0]
        result = self._function(*arguments)
        with self._lock:
            self._results[arguments] = result, result.nbytes
        self.shrink(self._most)
        return result

    def shrink(self, most: int) -> None:
        """Drop the results that were used least recently, until the others take `most` bytes."""
        with self._lock:
            while self.nbytes > most and len(self._results) > 1:
                self._results.popitem(last=False)

    @property
    def nbytes(self) -> int:
        """The most bytes that the kept results take."""
        return sum(size for _, size in self._results.values())

    def __len__(self) -> int:
        return len(self._results)


_CACHES: list[ByteCache[Any]] = []


def shrink_all(most: int) -> None:
    """Leave at most `most` bytes in each cache, and the latest result anyway."""
    for cache in _CACHES:
        cache.shrink(most)


def cached(most: int) -> Callable[[Callable[..., Result]], ByteCache[Result]]:
    """Return a decorator that makes a function a `ByteCache` of at most `most` bytes."""
    return lambda function: ByteCache(function, most)

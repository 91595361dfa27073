"""A cache with a size limit in bytes, because the sizes of results differ by a factor of 1,000."""

import functools
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, Protocol, TypeVar


class SizedResult(Protocol):
    """An object with a size in bytes, such as an array."""

    @property
    def nbytes(self) -> int:
        """The maximum size in bytes over the object's lifetime; the cache reads it only once."""


Result = TypeVar("Result", bound=SizedResult)
Arguments = tuple[Hashable, ...]


class ByteCache(Generic[Result]):
    """A function with a cache of its most recently used results.

    The latest result is always cached, even if it exceeds the limit, because the caller uses it.

    Parameters
    ----------
    function : callable
        A thread-safe function with hashable positional arguments.
    max_bytes : int
        The maximum total size of the cached results.
    """

    def __init__(self, function: Callable[..., Result], max_bytes: int) -> None:
        functools.update_wrapper(self, function)
        self._function, self._max_bytes = function, max_bytes
        self._results: OrderedDict[Arguments, tuple[Result, int]] = OrderedDict()
        self._lock = threading.Lock()
        _CACHES.append(self)

    def __call__(self, *arguments: Hashable) -> Result:
        """Return the result of the function, from the cache if possible."""
        with self._lock:
            if arguments in self._results:
                self._results.move_to_end(arguments)
                return self._results[arguments][0]
        result = self._function(*arguments)
        with self._lock:
            self._results[arguments] = result, result.nbytes
        self.shrink(self._max_bytes)
        return result

    def shrink(self, max_bytes: int) -> None:
        """Remove the least recently used results that exceed `max_bytes`, but keep the latest."""
        with self._lock:
            while self.nbytes > max_bytes and len(self._results) > 1:
                self._results.popitem(last=False)

    @property
    def nbytes(self) -> int:
        """The total of the maximum sizes of the cached results, in bytes."""
        return sum(size for _, size in self._results.values())

    def __len__(self) -> int:
        return len(self._results)


_CACHES: list[ByteCache[Any]] = []


def shrink_all(max_bytes: int) -> None:
    """Shrink every cache to `max_bytes`, but keep its latest result."""
    for cache in _CACHES:
        cache.shrink(max_bytes)


def cache_results(max_bytes: int) -> Callable[[Callable[..., Result]], ByteCache[Result]]:
    """Return a decorator that caches results of a function, up to a total of `max_bytes`."""
    return lambda function: ByteCache(function, max_bytes)

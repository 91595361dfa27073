"""The heap of the C library, which returns freed memory to the system only if it is told to.

Pictures and tables of numbers of all sizes come and go, so that glibc's heap is soon full of
holes. It returns only memory at the top of the heap, and every thread that computes gets a
heap of its own: after some thousand changes the holes take more memory than everything in use.
"""

import ctypes
import sys

_ARENA_MAX = -8  # M_ARENA_MAX of malloc.h


def _find_glibc() -> ctypes.CDLL | None:
    """Return glibc; None where the C library is another one."""
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "malloc_trim") else None


_glibc = _find_glibc()


def share_one_heap() -> None:
    """Let all threads that begin from now on use the same heap."""
    if _glibc:
        _glibc.mallopt(_ARENA_MAX, 1)


def return_free_pages() -> None:
    """Return the holes in the heap to the system; takes some milliseconds."""
    if _glibc:
        _glibc.malloc_trim(0)

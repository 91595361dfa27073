"""The heap of the C library, set up so that freed memory goes back to the system.

Pictures and tables of numbers of all sizes come and go. By default glibc soon puts blocks of up
to 32 MB between small ones that stay, gives every thread a heap of its own, and returns only what
is free at the end of a heap. After some thousand changes more is free than in use.
"""

import ctypes
import sys

# Of malloc.h; to set one threshold keeps glibc from raising them all.
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
_LARGE_BLOCK = 1 << 20  # bytes: pictures of panes, whose holes would be filled by small blocks
_FREE_RESERVE = 64 << 20  # bytes that stay at the end, so that no frame has to ask for them again


def _find_glibc() -> ctypes.CDLL | None:
    """Return glibc; None where the C library is another one."""
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "malloc_trim") else None


_glibc = _find_glibc()


def set_up() -> None:
    """Let threads share one heap, and keep large blocks out of it; call before threads start."""
    if _glibc:
        _glibc.mallopt(_ARENA_MAX, 1)
        _glibc.mallopt(_MMAP_THRESHOLD, _LARGE_BLOCK)
        _glibc.mallopt(_TRIM_THRESHOLD, _FREE_RESERVE)


def return_free_pages() -> None:
    """Return all free memory to the system; takes some milliseconds."""
    if _glibc:
        _glibc.malloc_trim(0)

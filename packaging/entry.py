"""Start the packed program, like the command `pe-explorer`."""

import ctypes
import sys
from contextlib import suppress
from pathlib import Path

from pe_explorer.__main__ import main

SHARED_WITH_GTK = (
    "libglib-2.0.so.0",
    "libgthread-2.0.so.0",
    "libfreetype.so.6",
    "libfontconfig.so.1",
)
"""Libraries packed in a separate folder, in load order: each may need those before it."""


def load_shared_with_gtk() -> None:
    """Load the libraries that Qt shares with GTK: those of the system, or else the packed ones.

    On GTK desktops Qt opens GTK's file dialog. The system's GTK needs libraries that are as new as
    those it was built with, and the packed ones may be older.
    """
    for name in SHARED_WITH_GTK:
        try:
            ctypes.CDLL(name, ctypes.RTLD_GLOBAL)
        except OSError:
            with suppress(OSError):  # Qt reports what is missing
                ctypes.CDLL(str(Path(sys._MEIPASS, "fallback", name)), ctypes.RTLD_GLOBAL)


if __name__ == "__main__":
    if sys.platform.startswith("linux"):
        load_shared_with_gtk()
    sys.exit(main())

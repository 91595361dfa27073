"""Loads Qt for the commands that need it, or says why it cannot be used, before it would abort."""

import builtins
import ctypes
import os
import sys

from pe_explorer.params import reason

_LIBRARIES = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libxkbcommon.so.0": "libxkbcommon0",
}
_X11_LIBRARIES = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
"""Shared libraries that Qt's wheels expect on Linux, and the Debian packages that bring them."""


class NoQtError(Exception):
    """Qt cannot start here; the message has the reason and the remedy."""


def require_qt(*, window: bool) -> None:
    """Raise `NoQtError` if Qt would abort the process, or is not installed."""
    if sentence := problem(window=window):
        raise NoQtError(sentence)
    try:
        import PySide6.QtWidgets  # noqa: F401
    except ImportError as error:
        remedy = "install it: pip install PySide6-Essentials"
        raise NoQtError(f"Qt cannot be loaded ({reason(error)}); {remedy}") from None
    # PySide puts its own `import` in the place of Python's. It reads the source of what is imported
    # to see whether that asks for other names of Qt's functions. Nothing here does, and reading
    # takes a good hundredth of the start.
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


def problem(*, window: bool) -> str:
    """Return why Qt cannot open a `window` here, or else draw a picture; empty if it can."""
    if not sys.platform.startswith("linux"):
        return ""
    platform, _, _ = os.environ.get("QT_QPA_PLATFORM", "").partition(":")
    without_x11 = platform in ("offscreen", "minimal") or os.environ.get("WAYLAND_DISPLAY")
    needs_x11 = window and not without_x11
    needed = _LIBRARIES | _X11_LIBRARIES if needs_x11 else _LIBRARIES
    if missing := [package for library, package in needed.items() if not can_load(library)]:
        remedy = f"install them: sudo apt-get install {' '.join(missing)}"
        return f"libraries that Qt needs are missing; {remedy}"
    if not needs_x11:
        return ""
    if not (display := os.environ.get("DISPLAY")):
        remedy = "set DISPLAY, or draw pictures without a display: pe-explorer render --help"
        return f"there is no display; {remedy}"
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    failed = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return f"no display answers at DISPLAY={display}; set it to one that does" if failed else ""


def can_load(library: str) -> bool:
    """Return whether a shared library can be loaded."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True

"""What must be there before Qt is loaded: Qt itself only aborts when it is not."""

from __future__ import annotations

import ctypes
import os
import sys

__all__ = ["problem"]

_LIBRARIES = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libxkbcommon.so.0": "libxkbcommon0",
}
_WINDOW_LIBRARIES = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
"""Shared libraries that Qt's wheels expect, and the Debian packages that bring them."""


def problem(*, window: bool) -> str:
    """Return what keeps Qt from starting on this Linux and how to mend it, or an empty text.

    `window` says that a real window is wanted, not only a picture.
    """
    if not sys.platform.startswith("linux"):
        return ""
    offscreen = os.environ.get("QT_QPA_PLATFORM", "").split(":")[0] in ("offscreen", "minimal")
    wayland = bool(os.environ.get("WAYLAND_DISPLAY"))
    display = bool(os.environ.get("DISPLAY"))
    wanted = _LIBRARIES if offscreen or not window or wayland else _LIBRARIES | _WINDOW_LIBRARIES
    missing = [package for library, package in wanted.items() if not _loads(library)]
    if missing:
        return (
            "the window system's libraries are not all here; install them: sudo apt-get install "
            f"{' '.join(missing)}"
        )
    if window and not (offscreen or wayland or display):
        return (
            "there is no display; set DISPLAY, or make pictures without one: pe-explorer render "
            "--help"
        )
    return _display_problem() if window and display and not (offscreen or wayland) else ""


def _display_problem() -> str:
    """Say whether the X server that DISPLAY names answers: Qt would abort if it does not."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return (
            "the window system's libraries are not all here; install them: sudo apt-get install "
            "libxcb1"
        )
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    failed = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return (
        f"no display answers at DISPLAY={os.environ['DISPLAY']}; set it to one that does"
        if failed
        else ""
    )


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True

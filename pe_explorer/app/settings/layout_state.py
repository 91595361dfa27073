"""What `QMainWindow.saveState` writes, read beforehand.

Of a state that is no such thing Qt crashes.

The format is that of `QMainWindowLayoutState::saveState` since Qt 5.0: numbers with the most
significant byte first, names as UTF-16 behind their length.
"""

from __future__ import annotations

import struct

__all__ = ["is_sound"]

_MAIN_WINDOW, _DOCKS, _TABS, _SEQUENCE, _DOCK, _TOOL_BARS = 0xFF, 0xFD, 0xFA, 0xFC, 0xFB, 0xFC
_LARGEST = 1 << 15  # pixels of all screens side by side
_NO_LIMIT = 1 << 25  # how large something may become: Qt adds some to its QWIDGETSIZE_MAX
_MOST = 100  # docks or tool bars in one place
_DEEPEST = 10
_FLOATS = 2  # of a dock's flags
_SIDES = range(4)
_AREAS = (1, 2, 4, 8)  # Qt::DockWidgetArea
_ORIENTATIONS = (1, 2)  # Qt::Orientation


class _UnsoundError(Exception):
    """The state is not what Qt writes."""


def is_sound(state: bytes) -> bool:
    """Return whether a state is one that Qt could have written."""
    try:
        _Reader(state).main_window()
    except (_UnsoundError, struct.error, UnicodeDecodeError):
        return False
    return True


class _Reader:
    def __init__(self, state: bytes) -> None:
        self._state, self._place = state, 0
        self._names: set[str] = set()

    def main_window(self) -> None:
        """Read the whole state."""
        self._require(self._int() == _MAIN_WINDOW)
        self._int()  # the version that the program gave
        self._require(self._byte() == _DOCKS)
        sides = set()
        for _ in range(self._count(len(_SIDES))):
            side = self._int()
            self._require(side in _SIDES and side not in sides)
            sides.add(side)
            self._pixels(2)
            self._area(0)
        self._pixels(2)
        for _ in range(4):  # which side has each corner
            self._require(self._int() in _AREAS)
        self._tool_bars()
        self._require(self._place == len(self._state))

    def _area(self, depth: int) -> None:
        """Read docks side by side, or as tabs, and the areas between them."""
        kind = self._byte()
        self._require(kind in (_TABS, _SEQUENCE) and depth < _DEEPEST)
        tab = self._int() if kind == _TABS else 0
        self._require(self._byte() in _ORIENTATIONS)
        count = self._count(_MOST)
        self._require(-1 <= tab < max(count, 1))
        for _ in range(count):
            item, floats = self._byte(), False
            self._require(item in (_DOCK, _SEQUENCE))
            if item == _DOCK:
                self._name()
                floats = bool(self._byte() & _FLOATS)
            self._pixels(3)
            self._pixels(
                1, _LARGEST if floats else _NO_LIMIT
            )  # the height, or the most there may be
            if item == _SEQUENCE:
                self._area(depth + 1)

    def _tool_bars(self) -> None:
        self._require(self._byte() == _TOOL_BARS)
        for _ in range(self._count(_MOST)):
            self._require(self._int() in _SIDES)
            for _ in range(self._count(_MOST)):
                self._name()
                self._byte()
                self._pixels(4)

    def _name(self) -> None:
        """Read a name, of which there may be only one."""
        length = self._int()
        self._require(0 < length <= len(self._state) - self._place)
        name = self._state[self._place : self._place + length].decode("utf-16-be")
        self._require(name not in self._names)
        self._names.add(name)
        self._place += length

    def _pixels(self, number: int, largest: int = _LARGEST) -> None:
        """Read lengths and places."""
        for _ in range(number):
            self._require(abs(self._int()) <= largest)

    def _count(self, most: int) -> int:
        count = self._int()
        self._require(0 <= count <= most)
        return count

    def _int(self) -> int:
        (number,) = struct.unpack_from(">i", self._state, self._place)
        self._place += 4
        return int(number)

    def _byte(self) -> int:
        (number,) = struct.unpack_from("B", self._state, self._place)
        self._place += 1
        return int(number)

    def _require(self, fits: bool) -> None:
        if not fits:
            raise _UnsoundError

"""Checks the state of a window before Qt restores it: of some damaged states Qt crashes.

The format is that of `QMainWindowLayoutState::saveState` since Qt 5.0: numbers with the most
significant byte first, names as UTF-16 behind their length.
"""

from __future__ import annotations

import struct

# The byte before each part.
_MAIN_WINDOW = 0xFF
_DOCKS = 0xFD
_TABS = 0xFA
_SEQUENCE = 0xFC
_DOCK = 0xFB
_TOOL_BARS = 0xFC

_LARGEST = 1 << 15  # pixels of all screens side by side
_NO_LIMIT = 1 << 25  # pixels; Qt writes a little more than QWIDGETSIZE_MAX
_MOST_ITEMS = 100  # docks or tool bars in one place
_DEEPEST = 10  # areas inside areas
_IS_FLOATING = 2  # a bit of a dock's flags
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
    """Reads a state from its beginning to its end, and stops at what Qt would not write."""

    def __init__(self, state: bytes) -> None:
        self._state = state
        self._place = 0
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
        for _ in range(4):  # the side to which each corner belongs
            self._require(self._int() in _AREAS)
        self._tool_bars()
        self._require(self._place == len(self._state))

    def _area(self, depth: int) -> None:
        """Read docks side by side, or as tabs, and the areas between them."""
        kind = self._byte()
        self._require(kind in (_TABS, _SEQUENCE) and depth < _DEEPEST)
        tab = self._int() if kind == _TABS else 0
        self._require(self._byte() in _ORIENTATIONS)
        count = self._count(_MOST_ITEMS)
        self._require(-1 <= tab < max(count, 1))
        for _ in range(count):
            item = self._byte()
            self._require(item in (_DOCK, _SEQUENCE))
            is_floating = False
            if item == _DOCK:
                self._name()
                is_floating = bool(self._byte() & _IS_FLOATING)
            self._pixels(3)
            # The height of a floating dock; of others the largest size there may be.
            self._pixels(1, _LARGEST if is_floating else _NO_LIMIT)
            if item == _SEQUENCE:
                self._area(depth + 1)

    def _tool_bars(self) -> None:
        self._require(self._byte() == _TOOL_BARS)
        for _ in range(self._count(_MOST_ITEMS)):
            self._require(self._int() in _SIDES)
            for _ in range(self._count(_MOST_ITEMS)):
                self._name()
                self._byte()
                self._pixels(4)

    def _name(self) -> None:
        """Read a name, which no other dock or tool bar may have."""
        length = self._int()
        end = self._place + length
        self._require(self._place < end <= len(self._state))
        name = self._state[self._place : end].decode("utf-16-be")
        self._require(name not in self._names)
        self._names.add(name)
        self._place = end

    def _pixels(self, number: int, largest: int = _LARGEST) -> None:
        """Read some lengths or places."""
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

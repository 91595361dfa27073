"""The base class of pictures with the waves of an encoding on the x axis."""

import threading
from collections.abc import Iterator, Mapping
from typing import ClassVar

import numpy as np

from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import Encoding, Unknown, Waves, needs
from pe_explorer.exploration import Exploration, zoom_range
from pe_explorer.pictures.gestures import Drag, Fields, Pointer, Snapshot, Wheel
from pe_explorer.pictures.picture import Picture, PictureNumbers, PictureOptions
from pe_explorer.pictures.pixels import FigureSpace, Size
from pe_explorer.pictures.places import PanelAxis, Rectangle
from pe_explorer.progress import CancelledError


class WavesAcross(Picture[PictureOptions, PictureNumbers]):
    """A picture with waves on the x axis, whose numbers do not depend on its size."""

    sides: ClassVar[tuple[str, str]] = ("earlier", "later")

    def need(self) -> needs.Requirement:
        return needs.steady

    @classmethod
    def find_size(cls, space: FigureSpace) -> Size:
        return Size(1, 1)

    def numbers(self, size: Size, progress: threading.Event) -> PictureNumbers:
        if progress.is_set():
            raise CancelledError
        return self.compute_numbers()

    def compute_numbers(self) -> PictureNumbers:
        raise NotImplementedError

    def find_pointer_fields(self, snapshot: Snapshot, pointer: Pointer) -> Mapping[str, int]:
        """Return a dimension of the wave at a point.

        This is the cursor's dimension if it belongs to the wave, otherwise the wave's first one.
        """
        wave = max(0, round(pointer.x))
        if snapshot is None:
            return {}
        if find_cursor_wave(self.state) == wave:
            return {"dimension": self.state.dimension}
        return make_wave_fields(self.state.encoding, wave)

    def find_wheel_fields(self, snapshot: Snapshot, wheel: Wheel) -> Fields:
        return zoom_range(self.state, wheel.factor, 0.0)

    def find_drag_fields(self, snapshot: Snapshot, drag: Drag) -> Fields:
        return {}


def find_cursor_wave(state: Exploration) -> int | None:
    """Return the wave of the cursor's column, or None if the column has no wave."""
    e = state.encoding
    if not isinstance(e, Waves):
        return None
    wave = int(e.wave_indices[min(state.dimension, e.width - 1)])
    return wave if wave >= 0 else None


def make_wave_fields(e: Encoding | Unknown, wave: int | None) -> dict[str, int]:
    """Return the field that moves the cursor to a wave's first column; {} without a column."""
    if not isinstance(e, Waves):
        return {}
    columns = np.flatnonzero(e.wave_indices == wave)
    return {"dimension": int(columns[0])} if len(columns) else {}


def to_exponents(numbers: Floats) -> Floats:
    """Return the base-10 logarithms of values; nan where the logarithm is undefined."""
    with np.errstate(divide="ignore"):
        powers = np.log10(numbers)
    return np.where(np.isfinite(powers), powers, np.nan)


def make_wave_points(y: Floats) -> tuple[Floats, Floats]:
    """Return the points of a curve over waves; a single wave gives a visible horizontal line."""
    if len(y) < 2:
        return np.array([-0.5, 0.5]), np.resize(y if len(y) else np.nan, 2)
    return np.arange(len(y), dtype=np.float64), y


def make_wave_areas(waves: Ints, y: PanelAxis) -> Iterator[Rectangle]:
    """Yield rectangles that cover the given waves; adjacent waves share one rectangle."""
    if not len(waves):
        return
    breaks = np.flatnonzero(np.diff(waves) > 1) + 1
    for group in np.split(waves, breaks):
        yield Rectangle(float(group[0]) - 0.5, y.low, float(len(group)), y.length)

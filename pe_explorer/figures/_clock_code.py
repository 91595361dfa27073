"""Clocks as lines of a script for matplotlib."""

from __future__ import annotations

from itertools import islice

import numpy as np
import numpy.typing as npt

from pe_explorer.colours.maps import ORDER_MAP
from pe_explorer.colours.themes import Colours
from pe_explorer.figures._code_text import array_lines
from pe_explorer.figures.style import Style
from pe_explorer.pictures.clock_face import Face
from pe_explorer.pictures.clock_texts import wave_texts

__all__ = ["clock_lines"]

Floats = npt.NDArray[np.float64]

_SAME = 1e-4  # of the radius: how near the plain formula must come to the exact points
_REACH = 1.15  # radii from the middle of a clock to the edge of its axes


def clock_lines(face: Face, style: Style, colours: Colours) -> list[str]:
    """Return lines that draw a page of clocks into `figure`."""
    texts = next(islice(wave_texts(face), 1, None))  # with the wavelength, without its unit
    lines = [*_points(face), "", "labels = ["]
    lines += [f"    {text!r}," for text in texts]
    lines += ["]"]
    rows, columns, shown = face.grid.rows, face.grid.columns, face.grid.shown
    dot = round(np.pi * _points_to_dot(face) ** 2, 2)
    lines += [
        f"figure, axes = plt.subplots({rows}, {columns}, squeeze=False)",
        "for clock, ax in enumerate(axes.flat):",
        '    ax.axis("off")',
        f"    if clock >= {shown}:",
        "        continue",
        f"    rim = plt.Circle((0, 0), 1, fill=False, color={colours.muted!r}, linewidth=0.6)",
        "    ax.add_patch(rim)",
        f"    ax.scatter(x[:, clock], y[:, clock], s={dot}, c=order, cmap={ORDER_MAP!r})",
        f"    ax.set(xlim=(-{_REACH}, {_REACH}), ylim=(-{_REACH}, {_REACH}), aspect='equal')",
    ]
    if style.labels:
        lines.append('    ax.text(0, -1.2, labels[clock], ha="center", va="top")')
    return lines


def _points_to_dot(face: Face) -> float:
    """Return the radius of a point on paper, in points, for a clock of common size."""
    return 0.75 * face.grid.dot * min(1.0, 40 / max(face.grid.radius, 1.0))


def _points(face: Face) -> list[str]:
    """Return lines that make `x`, `y` and `order`: by the formula where that is close enough."""
    scale = face.grid.radius * face.grid.ratio
    x = face.x.astype(np.float64) / scale
    y = -face.y.astype(np.float64) / scale
    across, up = ("sin", "cos") if face.clockwise else ("cos", "sin")
    order = _order(face)
    with np.errstate(over="ignore", invalid="ignore"):
        angles = face.positions[:, None].astype(np.float64) * face.frequencies
        error = np.abs(getattr(np, across)(angles) - x) + np.abs(getattr(np, up)(angles) - y)
    if not error.max(initial=0.0) < _SAME:
        return [*array_lines("x", x), *array_lines("y", y), *order]
    return [
        *_positions(face.positions),
        *_exact("frequencies", face.frequencies),
        "angles = positions[:, None] * frequencies",
        f"x, y = np.{across}(angles), np.{up}(angles)",
        *order,
    ]


def _order(face: Face) -> list[str]:
    """Return lines that make the place of each point between the first and the last, 0 to 1."""
    even = np.linspace(0.0, 1.0, len(face.order))
    if np.abs(face.order - even).max(initial=0.0) < _SAME:
        return [f"order = np.linspace(0, 1, {len(even)})"]
    return array_lines("order", face.order.astype(np.float64))


def _positions(positions: npt.NDArray[np.int64]) -> list[str]:
    """Return lines that make the positions of the points."""
    first, last = int(positions[0]), int(positions[-1])
    if last - first == len(positions) - 1:
        return [f"positions = np.arange({first}, {last + 1})"]
    return _exact("positions", positions)


def _exact(name: str, values: npt.NDArray[np.float64] | npt.NDArray[np.int64]) -> list[str]:
    """Return lines that make an array with all digits of its numbers."""
    lines, line = [], "   "
    for value in values.tolist():
        word = f" {value!r},"
        if len(line) + len(word) > 96:
            lines.append(line)
            line = "   "
        line += word
    return [f"{name} = np.array([", *lines, line, "])"]

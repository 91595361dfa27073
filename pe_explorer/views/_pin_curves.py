"""The pins' curves in a plot, behind the current one, and a legend that names them all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QPalette

from pe_explorer.exploration import Pin
from pe_explorer.widgets.curve import Curve
from pe_explorer.widgets.legend import Legend
from pe_explorer.widgets.plot import RangePlot
from pe_explorer.widgets.theme import colours, pin_shade

__all__ = ["PinCurves", "draw"]

Floats = npt.NDArray[np.float64]


class PinCurves:
    """Curves of pins, in the pins' colours; made when they are first needed, then kept."""

    def __init__(self, plot: RangePlot) -> None:
        self._plot = plot
        self.legend = Legend(plot.box)
        self.lines: list[Curve] = []
        self._named: list[tuple[tuple[str, ...], str]] = []
        """What each pin is called, the longest first, and its colour."""

    def show(
        self,
        pins: Sequence[Pin],
        lacks: Sequence[str],
        x: Floats,
        curves: Sequence[Floats],
        palette: QPalette,
    ) -> None:
        """Draw a curve for each pin; one without is named with what it lacks."""
        while len(self.lines) < len(pins):
            self.lines.append(Curve())
            self.lines[-1].setZValue(-1)
            self._plot.addItem(self.lines[-1], ignoreBounds=True)
        for line in self.lines[len(pins) :]:
            line.hide()
        for line, curve in zip(self.lines, curves, strict=False):
            draw(line, x, curve)
        self._named = [
            (_called(pin, lack), pin.colour) for pin, lack in zip(pins, lacks, strict=True)
        ]
        self.tint(palette)

    def hide(self, palette: QPalette) -> None:
        """Show none."""
        self.show((), (), np.empty(0), (), palette)

    def tint(self, palette: QPalette) -> None:
        """Take colours from a palette."""
        shades = [(names, pin_shade(colour, palette)) for names, colour in self._named]
        for line, (_, shade) in zip(self.lines, shades, strict=False):
            line.setPen(shade)
        names = [(("current",), colours(palette).accent), *shades] if shades else []
        self.legend.show_names(names, palette)


def draw(line: Curve, x: Floats, y: Floats) -> None:
    """Show a curve; one without a number is hidden, as it would look as it did before."""
    line.setData(x, y)
    line.setVisible(bool(np.isfinite(y).any()))


def _called(pin: Pin, lack: str) -> tuple[str, ...]:
    return (f"{pin.name}: {lack}", f"{pin.name}: none") if lack else (pin.name,)

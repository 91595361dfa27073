"""Sinusoidal encoding, the one of "Attention Is All You Need" and its relatives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from pe_explorer.caching import cached
from pe_explorer.encodings.abilities.absolute import Absolute, embedding_width
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.encodings.abilities.waves import Waves, power
from pe_explorer.numeric import block_means, rotation
from pe_explorer.numeric.positions import LIMIT, Positions
from pe_explorer.numeric.turns import Turns, geometric
from pe_explorer.params import Choice, Real, Whole, declare, declared

Floats = npt.NDArray[np.float64]
Amplitude = Floats | npt.NDArray[np.complex128] | None


@dataclass(frozen=True)
class Sinusoidal(Absolute, Waves):
    """Sines and cosines of geometrically falling frequencies.

    With the default choices, for position p and pair i::

        PE(p, 2i)   = sin(p·ω_i)
        PE(p, 2i+1) = cos(p·ω_i),    ω_i = base^(-2i/dim)

    Sources
    -------
    Vaswani et al. 2017, section 3.5 (`spacing="paper"`); tensor2tensor
    `get_timing_signal_1d` and the TensorFlow tutorial (`spacing="endpoint"`,
    `layout="concatenated"`); Marian and RoFormer (`paper`, `concatenated`); diffusers
    `get_timestep_embedding` (`scale`, `order="cos-sin"` for its flip).

    Odd widths
    ----------
    `paper`: the last dimension is a lone sine (a cosine, if cosines come first) of frequency
    base^(-(dim-1)/dim); concatenated, the first half is one column longer. `endpoint`: the
    last dimension is zero, as in tensor2tensor.
    """

    name: ClassVar[str] = "sinusoidal"
    rank: ClassVar[int] = 10

    dim: int = embedding_width(128)
    base: float = declare(
        Real(
            1e4,
            1.0,
            1e12,
            above=True,
            log=True,
            comfort=(1.1, 1e8),
            label="Base",
            symbol="b",
            help="The frequencies fall from 1 to about 1/b, that of the slowest wave. "
            "The paper has 10000.",
        )
    )
    layout: str = declare(
        Choice(
            "interleaved",
            {
                "interleaved": "each sine beside its cosine: dimensions 2i and 2i+1",
                "concatenated": "all sines, then all cosines",
            },
            label="Layout",
            help="Where the sine and the cosine of a pair are; distances are the same. "
            "No effect on single waves.",
        )
    )
    spacing: str = declare(
        Choice(
            "paper",
            {
                "paper": "ω_i = b^(-2i/d); the slowest frequency is a little above 1/b",
                "endpoint": "ω_i = b^(-i/(n-1)) for n = d//2 pairs; the slowest frequency is 1/b: "
                "tensor2tensor, TensorFlow",
            },
            label="Spacing",
            symbol="ω",
            help="How the frequencies fall from 1. No effect on single waves.",
        )
    )
    order: str = declare(
        Choice(
            "sin-cos",
            {"sin-cos": "the sine first", "cos-sin": "the cosine first"},
            label="Order",
            help="Which wave of a pair comes first. No effect on single waves.",
        )
    )
    waves: str = declare(
        Choice(
            "both",
            {
                "both": "a sine and a cosine of each frequency",
                "sine": "only sines, each dimension with its own ω_j = b^(-j/d)",
                "cosine": "only cosines, each dimension with its own ω_j = b^(-j/d)",
            },
            label="Waves",
            help="With single waves, the length of a row varies and there is no shift matrix.",
        )
    )
    offset: int = declare(
        Whole(
            0,
            -LIMIT,
            LIMIT,
            comfort=(0, 1000),
            label="Offset",
            unit="positions",
            help="Added to every position, for tables that start at 1 or begin with padding.",
        )
    )
    scale: float = declare(
        Real(
            1.0,
            -1e6,
            1e6,
            comfort=(0.0, 4.0),
            label="Scale",
            help="Multiplies every angle. Below 1 it interpolates positions; "
            "diffusion models use 1000 for times in 0..1.",
        )
    )

    @property
    def value_range(self) -> tuple[float, float]:
        """Sines and cosines are from -1 to 1."""
        return -1.0, 1.0

    @property
    def turns(self) -> Turns:
        """The exact frequencies of the pairs, then of a lone wave; or those of single waves."""
        if self.waves != "both":
            return geometric(self.base, 1, self.dim, self.dim, self.scale)
        if self.spacing == "endpoint":
            return geometric(self.base, 1, max(self.pairs - 1, 1), self.pairs, self.scale)
        return geometric(self.base, 2, self.dim, (self.dim + 1) // 2, self.scale)

    @property
    def pairs(self) -> int:
        """Number of sine-cosine pairs."""
        return self.dim // 2 if self.waves == "both" else 0

    @property
    def sine_first(self) -> bool:
        """Whether the first wave of a pair, or the only one, is the sine."""
        return self.order == "sin-cos" if self.waves == "both" else self.waves == "sine"

    @property
    def _places(self) -> tuple[slice, slice]:
        """The dimensions of the first waves and of their partners, in the order of `turns`."""
        return _columns(len(self.turns), self.pairs, self.layout)

    @property
    def origin(self) -> int:
        """The offset."""
        return self.offset

    def value(self, position: int, dimension: int) -> float:
        """Return one number of the table without computing its row; raises as `table` does."""
        wave = int(self.wave_of[self.checked_column(dimension)])
        if wave < 0:
            return 0.0
        phasor = self.phasors([position], slice(wave, wave + 1))[0, 0]
        return float(phasor.imag if self._is_sine(dimension) else phasor.real)

    def _is_sine(self, dimension: int) -> bool:
        return (dimension in range(self.dim)[self._places[0]]) == self.sine_first

    @property
    def wave_of(self) -> npt.NDArray[np.int64]:
        """The wave of each dimension; -1 for a column of zeros."""
        return _wave_of(self.dim, len(self.turns), self.pairs, self.layout)

    @property
    def sines(self) -> npt.NDArray[np.bool_]:
        """Whether each dimension is a sine."""
        sines = np.full(self.dim, not self.sine_first)
        sines[self._places[0]] = self.sine_first
        return sines

    def code(self, library: Library) -> tuple[str, ...]:
        """Return lines of code that make the table."""
        waves = len(self.turns)
        if not waves:
            return (f"table = {library.zeros('len(positions)', self.dim)}",)
        scale = f"{self.scale!r} * " if self.scale != 1 else ""
        shifted = f"(positions + {self.offset})" if self.offset else "positions"
        functions = ("sin", "cos") if self.sine_first else ("cos", "sin")
        first, second = (f"{library.prefix}.{function}(angles)" for function in functions)
        table = self._joined(library, first, second) if self.pairs else first
        return (
            f"i = {library.arange(waves, double=True)}",
            f"frequencies = {scale}{self.base!r} ** (-{self._step()})",
            f"angles = {shifted}[:, None] * frequencies",
            f"table = {table}",
        )

    def explain(self, position: int, dimension: int) -> tuple[str, ...]:
        """Return the formula of one value, then with its numbers."""
        wave = int(self.wave_of[dimension])
        if wave < 0:
            return (f"PE(p, {dimension}) = 0", "an odd width leaves this dimension without a wave")
        function = "sin" if self._is_sine(dimension) else "cos"
        scale = "" if self.scale == 1 else f"{self.scale:g} · "
        base = declared(type(self))["base"].format(self.base)
        frequency = power(base, *self._exponent(wave))
        return (
            f"PE(p, {dimension}) = {function}({scale}{self._shifted()} · {frequency})",
            *self.angle_lines(function, wave, position),
            f"= {self.value(position, dimension):+.6f}",
        )

    def _exponent(self, wave: int) -> tuple[int, int]:
        """Return numerator and denominator of the exponent of a wave's frequency, negated."""
        if self.waves != "both":
            return wave, self.dim
        if self.spacing == "endpoint":
            return wave, max(self.pairs - 1, 1)
        return 2 * wave, self.dim

    def _step(self) -> str:
        """Return the same as code, in terms of `i`."""
        numerator, denominator = self._exponent(1)
        return f"i / {denominator}" if numerator == 1 else f"{numerator} * i / {denominator}"

    def _shifted(self) -> str:
        """Return the position with the offset added, as a formula."""
        if not self.offset:
            return "p"
        sign = "+" if self.offset > 0 else "-"
        return f"(p {sign} {abs(self.offset)})"

    def _joined(self, library: Library, first: str, second: str) -> str:
        """Return code that puts the columns of pairs together."""
        waves = len(self.turns)
        cut = f"[:, :{self.pairs}]" if waves > self.pairs else ""
        empty = self.dim - waves - self.pairs
        zeros = [library.zeros("len(positions)", empty)] if empty else []
        if self.layout == "concatenated":
            return library.join(first, second + cut, *zeros)
        table = library.pairs(first, second, 2 * waves)
        if zeros:
            return library.join(table, *zeros)
        return f"{table}[:, :{self.dim}]" if cut else table

    def _fill(self, positions: Positions, out: Floats) -> None:
        self._write(self._half_steps(positions), out, self._ahead(self.turns, positions))

    def _fill_means(self, start: int, block: int, out: Floats) -> None:
        amplitudes = block_means.amplitudes(self.turns, block)
        self._write(self._centres(start, block, len(out)), out, amplitudes)

    def _write(self, half_steps: Positions, out: Floats, amplitude: Amplitude) -> None:
        """Write amplitude·(sine, cosine) of the phases to their columns of `out`."""
        side_by_side = self.layout == "interleaved" and self.dim == 2 * self.pairs
        if side_by_side and isinstance(half_steps, range):
            self._write_pairs(half_steps, out.view(np.complex128), amplitude)
            return
        first, second = (out[:, columns] for columns in self._places)
        for rows, pairs, block in rotation.sweep(self.turns, half_steps, amplitude):
            wave, partner = block.imag, block.real
            if not self.sine_first:
                wave, partner = partner, wave
            first[rows, pairs] = wave
            partners = second[rows, pairs]
            partners[...] = partner[:, : partners.shape[1]]
        out[:, len(self.turns) + self.pairs :] = 0.0

    def _write_pairs(
        self, half_steps: range, out: npt.NDArray[np.complex128], amplitude: Amplitude
    ) -> None:
        """Write straight to a table whose pairs are complex numbers.

        These are exp(iθ), or sin θ + i cos θ = i·exp(-iθ).
        """
        for pairs, tile in self.turns.tiles:
            factor = None if amplitude is None else amplitude[pairs]
            fine, blocks = rotation.anchors(tile, half_steps, factor)
            if self.sine_first:
                fine = fine.conj()
            for rows, anchors in blocks:
                if self.sine_first:
                    anchors = 1j * anchors.conj()
                rotation.rotate(anchors, fine, out[rows, pairs])


def _columns(waves: int, pairs: int, layout: str) -> tuple[slice, slice]:
    """Return the columns of the first waves and of their partners."""
    if pairs and layout == "interleaved":
        return slice(0, 2 * waves - 1, 2), slice(1, 2 * pairs, 2)
    return slice(0, waves), slice(waves, waves + pairs)


@cached(2**21)
def _wave_of(dim: int, waves: int, pairs: int, layout: str) -> npt.NDArray[np.int64]:
    """Return the wave of each column; -1 for a column of zeros."""
    wave_of = np.full(dim, -1)
    first, second = _columns(waves, pairs, layout)
    wave_of[first] = np.arange(waves)
    wave_of[second] = np.arange(pairs)
    wave_of.flags.writeable = False
    return wave_of

"""Sinusoidal encoding, the one of "Attention Is All You Need" and its relatives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from pe_explorer.caching import cached
from pe_explorer.encodings.abilities.base import Absolute, embedding_width
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.encodings.abilities.waves import Waves
from pe_explorer.numeric.positions import LIMIT, Positions
from pe_explorer.numeric.turns import Turns, geometric, rotate
from pe_explorer.params import Choice, Real, Whole, declare, declared

Floats = npt.NDArray[np.float64]


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
    `paper`: the last dimension is a lone sine (cosine, if those come first), of frequency
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
            help=(
                "Sets how slow the slowest wave is: the frequencies fall from 1 to about 1/b. The "
                "paper has 10000."
            ),
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
            help=(
                "Where a pair's sine and cosine stand; distances are the same. No effect on single "
                "waves."
            ),
        )
    )
    spacing: str = declare(
        Choice(
            "paper",
            {
                "paper": "ω_i = b^(-2i/d), so that the slowest wave stays short of 1/b",
                "endpoint": (
                    "ω_i = b^(-i/(n-1)) for n = d//2 pairs, so that the slowest is 1/b: "
                    "tensor2tensor, TensorFlow"
                ),
            },
            label="Spacing",
            symbol="ω",
            help="How the frequencies fall from 1 to the slowest. No effect on single waves.",
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
            help=(
                "Without the partner wave, lengths vary with the position and no shift matrix "
                "exists."
            ),
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
            help="Added to every position, as where tables start at 1 or keep rows for padding.",
        )
    )
    scale: float = declare(
        Real(
            1.0,
            -1e6,
            1e6,
            comfort=(0.0, 4.0),
            label="Scale",
            help=(
                "Multiplies every angle: below 1 it interpolates positions; diffusion models use "
                "1000 for times in 0..1."
            ),
        )
    )

    @property
    def value_range(self) -> tuple[float, float]:
        """What sines and cosines reach."""
        return -1.0, 1.0

    @property
    def turns(self) -> Turns:
        """The exact frequencies: of the pairs, a lone wave last, or of single waves."""
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
        """Return one number of the table, without its row; raises as the table does."""
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
        frequencies = f"{self.scale!r} * " if self.scale != 1 else ""
        shifted = f"(positions + {self.offset})" if self.offset else "positions"
        waves, prefix = len(self.turns), library.prefix
        lines = [
            f"i = {library.arange(waves, double=True)}",
            f"frequencies = {frequencies}{self.base!r} ** (-{self._step()})",
            f"angles = {shifted}[:, None] * frequencies",
        ]
        if self.waves != "both":
            return (*lines, f"table = {prefix}.{'sin' if self.sine_first else 'cos'}(angles)")
        first, second = (
            f"{prefix}.{wave}(angles)"
            for wave in (("sin", "cos") if self.sine_first else ("cos", "sin"))
        )
        if not self.pairs:
            return (
                (*lines, f"table = {first}")
                if waves
                else (f"table = {library.zeros('len(positions)', self.dim)}",)
            )
        return (*lines, f"table = {self._joined(library, first, second)}")

    def _step(self) -> str:
        """Return the exponents as code, in terms of `i`."""
        if self.waves != "both":
            return f"i / {self.dim}"
        return (
            f"i / {max(self.pairs - 1, 1)}" if self.spacing == "endpoint" else f"2 * i / {self.dim}"
        )

    def _joined(self, library: Library, first: str, second: str) -> str:
        """Return how the columns are put together, as code."""
        waves, empty = len(self.turns), self.dim - len(self.turns) - self.pairs
        cut = f"[:, :{self.pairs}]" if waves > self.pairs else ""
        if self.layout == "concatenated":
            return library.join(
                first, second + cut, *([library.zeros("len(positions)", empty)] if empty else [])
            )
        table = library.pairs(first, second, 2 * waves)
        if empty:
            return library.join(table, library.zeros("len(positions)", empty))
        return f"{table}[:, :{self.dim}]" if cut else table

    def explain(self, position: int, dimension: int) -> tuple[str, ...]:
        """Return the formula of one value, then with its numbers."""
        wave = int(self.wave_of[dimension])
        if wave < 0:
            return (f"PE(p, {dimension}) = 0", "an odd width leaves this dimension without a wave")
        name = "sin" if self._is_sine(dimension) else "cos"
        frequency = self.turns.frequencies[wave]
        scale = "" if self.scale == 1 else f"{self.scale:g} · "
        shifted = (
            "p" if not self.offset else f"(p {'+' if self.offset > 0 else '-'} {abs(self.offset)})"
        )
        at = position + self.offset
        whole, fraction = self.turns.turn(wave, at)
        return (
            f"PE(p, {dimension}) = {name}({scale}{shifted} · "
            f"{declared(type(self))['base'].format(self.base)}^{self._exponent(wave)})",
            f"= {name}({at} · {frequency:.6g})",
            f"= {name}({fraction * 360:.4f}°)"
            + (f" after {whole:,} turn{'s' * (whole != 1)}" if whole else ""),
            f"= {self.value(position, dimension):+.6f}",
        )

    def _exponent(self, wave: int) -> str:
        if wave == 0:
            return "0"
        if self.waves != "both":
            return f"(-{wave}/{self.dim})"
        if self.spacing == "endpoint":
            return f"(-{wave}/{max(self.pairs - 1, 1)})"
        return f"(-{2 * wave}/{self.dim})"

    def _fill(self, positions: Positions, out: Floats) -> None:
        self._wave(self._half_steps(positions), out, self._ahead(self.turns, positions))

    def _fill_means(self, start: int, block: int, out: Floats) -> None:
        self._wave(self._centres(start, block, len(out)), out, self.turns.mean_amplitudes(block))

    def _wave(
        self,
        half_steps: Positions,
        out: Floats,
        amplitude: Floats | npt.NDArray[np.complex128] | None = None,
    ) -> None:
        """Write amplitude·(sine, cosine) of the phases to their columns of `out`."""
        if (
            self.layout == "interleaved"
            and self.dim == 2 * self.pairs
            and isinstance(half_steps, range)
        ):
            self._wave_in_place(half_steps, out.view(np.complex128), amplitude)
            return
        first, second = (out[:, columns] for columns in self._places)
        for rows, pairs, block in self.turns.sweep(half_steps, amplitude):
            sine, cosine = block.imag, block.real
            partners = second[rows, pairs]
            first[rows, pairs] = sine if self.sine_first else cosine
            partners[...] = (cosine if self.sine_first else sine)[:, : partners.shape[1]]
        out[:, len(self.turns) + self.pairs :] = 0.0

    def _wave_in_place(
        self, half_steps: range, out: npt.NDArray[np.complex128], amplitude: Any
    ) -> None:
        """Write straight to the table: a complex number is a pair, exp(iθ) or sin θ + i cos θ =
        i·exp(-iθ).
        """
        for pairs, turns in self.turns.tiles:
            fine, blocks = turns.anchors(
                half_steps, None if amplitude is None else amplitude[pairs]
            )
            if self.sine_first:
                fine = fine.conj()
            for rows, anchors in blocks:
                rotate(1j * anchors.conj() if self.sine_first else anchors, fine, out[rows, pairs])


def _columns(waves: int, pairs: int, layout: str) -> tuple[slice, slice]:
    if pairs and layout == "interleaved":
        return slice(0, 2 * waves - 1, 2), slice(1, 2 * pairs, 2)
    return slice(0, waves), slice(waves, waves + pairs)


@cached(2**21)
def _wave_of(dim: int, waves: int, pairs: int, layout: str) -> npt.NDArray[np.int64]:
    wave_of = np.full(dim, -1)
    first, second = _columns(waves, pairs, layout)
    wave_of[first] = np.arange(waves)
    wave_of[second] = np.arange(pairs)
    wave_of.flags.writeable = False
    return wave_of

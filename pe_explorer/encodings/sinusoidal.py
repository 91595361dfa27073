"""The sinusoidal encoding of "Attention Is All You Need" and its variants."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pe_explorer.arrays import Bools, Floats, Ints, Phasors
from pe_explorer.caching import cache_results
from pe_explorer.encodings.abilities.absolute import Absolute, declare_embedding_width
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.encodings.abilities.waves import CodeAngles, Steady, format_power
from pe_explorer.numeric import block_means, rotation
from pe_explorer.numeric.positions import LIMIT, Positions, list_doubled_centres
from pe_explorer.numeric.rotation import Amplitude
from pe_explorer.numeric.rounding import FLOAT32, Rounding
from pe_explorer.numeric.turns import Turns, make_geometric_turns, to_half_steps
from pe_explorer.params import Choice, Real, Whole, declare, declared

_LAYOUT = Choice(
    "interleaved",
    {
        "interleaved": "each sine next to its cosine: dimensions 2i and 2i+1",
        "concatenated": "all sines, then all cosines",
    },
    label="Layout",
    help="Where the sine and cosine of a pair are placed; distances do not depend on the layout.",
    is_advanced=True,
)
_SPACING = Choice(
    "paper",
    {
        "paper": "ω_i = b^(-2i/d); the lowest frequency is slightly above 1/b",
        "endpoint": "ω_i = b^(-i/(n-1)) for n = d//2 pairs; the lowest frequency is 1/b, as in "
        "tensor2tensor and TensorFlow",
    },
    label="Spacing",
    symbol="ω",
    help="How the frequencies decrease from 1 to about 1/b, where b is the base.",
    is_advanced=True,
)
_ORDER = Choice(
    "sin-cos",
    {"sin-cos": "sine first", "cos-sin": "cosine first"},
    label="Order",
    help="The order of the sine and cosine of a pair.",
    is_advanced=True,
)
_WAVES = Choice(
    "both",
    {
        "both": "a sine and a cosine of each frequency",
        "sine": "only sines, each dimension with its own ω_j = b^(-j/d)",
        "cosine": "only cosines, each dimension with its own ω_j = b^(-j/d)",
    },
    label="Waves",
    help="With only sines or only cosines, the norms of rows differ, and no shift matrix exists.",
)


class PairColumns(NamedTuple):
    """The arrangement of the columns in a table of sines and cosines."""

    width: int
    waves: int
    pairs: int  # number of waves with both a sine and a cosine; these waves come first
    layout: str  # interleaved or concatenated
    is_sine_first: bool  # whether single waves, and the first columns of pairs, are sines

    @property
    def slices(self) -> tuple[slice, slice]:
        """The slices for the first column of each wave and for the second column of each pair."""
        if self.pairs and self.layout == "interleaved":
            return slice(0, 2 * self.waves - 1, 2), slice(1, 2 * self.pairs, 2)
        return slice(0, self.waves), slice(self.waves, self.waves + self.pairs)

    def code(self, library: Library, sine: str, cosine: str) -> str:
        """Return code that joins the columns, given code for all sines and all cosines."""
        first, second = (sine, cosine) if self.is_sine_first else (cosine, sine)
        if not self.pairs:
            return first
        partner_slice = f"[:, :{self.pairs}]" if self.waves > self.pairs else ""
        empty_column_count = self.width - self.waves - self.pairs
        zeros = [library.zeros("len(positions)", empty_column_count)] if empty_column_count else []
        if self.layout == "concatenated":
            return library.join(first, second + partner_slice, *zeros)
        table = library.pairs(first, second, 2 * self.waves)
        if zeros:
            return library.join(table, *zeros)
        return f"{table}[:, :{self.width}]" if partner_slice else table

    def write(
        self, turns: Turns, half_steps: Positions, out: Floats, amplitude: Amplitude = None
    ) -> None:
        """Write the sines and cosines of phases, multiplied by an amplitude, to `out`."""
        has_adjacent_pairs = self.layout == "interleaved" and self.width == 2 * self.pairs
        if has_adjacent_pairs and isinstance(half_steps, range):
            count = rotation.count_rotated_rows(half_steps)
            self._write_pairs(turns, half_steps[:count], out[:count].view(np.complex128), amplitude)
            half_steps, out = half_steps[count:], out[count:]
        first, second = (out[:, columns] for columns in self.slices)
        for rows, pairs, block in rotation.sweep(turns, half_steps, amplitude):
            wave, partner = block.imag, block.real
            if not self.is_sine_first:
                wave, partner = partner, wave
            first[rows, pairs] = wave
            partners = second[rows, pairs]
            partners[...] = partner[:, : partners.shape[1]]
        out[:, self.waves + self.pairs :] = 0.0

    def _write_pairs(
        self, turns: Turns, half_steps: range, out: Phasors, amplitude: Amplitude
    ) -> None:
        """Write all pairs to `out`, which contains one complex number for each pair.

        A pair is exp(iθ) or, if the sine comes first, sin θ + i cos θ = i·exp(-iθ).
        """
        zero_row = rotation.find_zero_row(half_steps)
        for pairs, tile in turns.tiles:
            factor = None if amplitude is None else amplitude[pairs]
            fine_phasors, blocks = rotation.anchors(tile, half_steps, factor)
            if self.is_sine_first:
                fine_phasors = fine_phasors.conj()
            for rows, anchors in blocks:
                if self.is_sine_first:
                    anchors = 1j * anchors.conj()
                rotation.rotate(anchors, fine_phasors, out[rows, pairs])
            if zero_row >= 0:
                phasor = 1j if self.is_sine_first else 1.0
                out[zero_row, pairs] = phasor if factor is None else phasor * factor


@cache_results(2**21)
def _find_waves(columns: PairColumns) -> Ints:
    wave_indices = np.full(columns.width, -1)
    first, second = columns.slices
    wave_indices[first] = np.arange(columns.waves)
    wave_indices[second] = np.arange(columns.pairs)
    wave_indices.flags.writeable = False
    return wave_indices


@cache_results(2**21)
def _make_sine_mask(columns: PairColumns) -> Bools:
    first, _ = columns.slices
    sines = np.full(columns.width, not columns.is_sine_first)
    sines[first] = columns.is_sine_first
    sines.flags.writeable = False
    return sines


@dataclass(frozen=True)
class Sinusoidal(Absolute, Steady, CodeAngles):
    """Sines and cosines with frequencies that decrease geometrically.

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
    `paper`: the last dimension is a single sine (a cosine, if cosines come first) with the
    frequency base^(-(dim-1)/dim). In the layout `concatenated`, the first half is one column
    longer. `endpoint`: the last dimension is zero, as in tensor2tensor.
    """

    name = "sinusoidal"
    rank = 10

    dim: int = declare_embedding_width(128)
    base: float = declare(
        Real(
            1e4,
            1.0,
            1e12,
            excludes_low=True,
            log=True,
            slider_range=(1.1, 1e8),
            label="Base",
            symbol="b",
            help="The frequencies decrease from 1 to about 1/base. The paper uses base 10000.",
        )
    )
    layout: str = declare(_LAYOUT)
    spacing: str = declare(_SPACING)
    order: str = declare(_ORDER)
    waves: str = declare(_WAVES)
    offset: int = declare(
        Whole(
            0,
            -LIMIT,
            LIMIT,
            slider_range=(0, 1000),
            label="Offset",
            unit="positions",
            help="The number added to every position, for tables that start at 1 or have padding.",
            is_advanced=True,
        )
    )
    scale: float = declare(
        Real(
            1.0,
            -1e6,
            1e6,
            slider_range=(0.0, 4.0),
            label="Scale",
            help="The factor that multiplies every angle. A factor below 1 interpolates "
            "positions; diffusion models use 1000 for times from 0 to 1.",
            is_advanced=True,
        )
    )

    @property
    def ineffective_parameters(self) -> dict[str, str]:
        names_by_reason: dict[str, tuple[str, ...]] = {}
        if self.scale == 0:
            names_by_reason["a scale of 0 makes every angle 0"] = ("base", "offset")
        if self.dim == 2:
            names_by_reason["the only pair has frequency 1 with either spacing"] = ("spacing",)
        count, *_ = self._progression
        if count < 2:
            names_by_reason["the only frequency does not depend on the base"] = ("base",)
            names_by_reason["there is only one wave"] = ("layout",)
        if not count:
            angles = ("base", "order", "offset", "scale")
            names_by_reason["with this spacing, width 1 has no wave"] = angles
        if self.waves != "both":
            pairs = ("layout", "spacing", "order")
            names_by_reason[f'only {self.waves}s form no pairs; set Waves to "both"'] = pairs
        return {name: reason for reason, names in names_by_reason.items() for name in names}

    @property
    def value_range(self) -> tuple[float, float]:
        return -1.0, 1.0

    @property
    def turns(self) -> Turns:
        count, numerator, denominator = self._progression
        return make_geometric_turns(self.base, numerator, denominator, count, self.scale)

    @property
    def pairs(self) -> int:
        return self.dim // 2 if self.waves == "both" else 0

    @property
    def is_sine_first(self) -> bool:
        """Whether single waves, and the first columns of pairs, are sines."""
        return self.order == "sin-cos" if self.waves == "both" else self.waves == "sine"

    @property
    def origin(self) -> int:
        return self.offset

    @property
    def wave_indices(self) -> Ints:
        return _find_waves(self._columns)

    @property
    def sines(self) -> Bools:
        return _make_sine_mask(self._columns)

    def compute_code_angles(self, positions: Positions, rounding: Rounding = FLOAT32) -> Floats:
        """Return the angles of typical code, with frequencies ``exp(arange · -(ln base / d))``."""
        count, numerator, denominator = self._progression
        log_ratio = rounding(-(math.log(self.base) / denominator))
        logarithms = rounding(np.arange(count) * numerator * log_ratio)
        frequencies = rounding(np.exp(logarithms), "frequencies")
        shifted_positions = rounding(np.asarray(positions) + self.offset, "positions")
        angles = rounding(shifted_positions[:, None] * frequencies)
        return rounding(angles * rounding(self.scale), "angles")

    def code(self, library: Library) -> tuple[str, ...]:
        count, numerator, denominator = self._progression
        if not count:
            return (f"table = {library.zeros('len(positions)', self.dim)}",)
        scale = f"{self.scale!r} * " if self.scale != 1 else ""
        exponent = f"{numerator} * i / {denominator}".removeprefix("1 * ")
        return (
            f"i = {library.arange(count, double=True)}",
            f"frequencies = {scale}{self.base!r} ** (-{exponent})",
            f"angles = {self._format_shifted_positions()}[:, None] * frequencies",
            self._format_table_code(library),
        )

    def typical_code(self, library: Library) -> tuple[str, ...]:
        count, numerator, denominator = self._progression
        if not count:
            return self.code(library)
        log_ratio = library.array(repr(-(math.log(self.base) / denominator)))
        product = f"{numerator} * i * log_ratio".removeprefix("1 * ")
        scale = [] if self.scale == 1 else [f"angles = angles * {library.array(repr(self.scale))}"]
        return (
            f"i = {library.arange(count, double=True)}",
            f"log_ratio = {log_ratio}  # -ln({self.base!r}) / {denominator}",
            f"logarithms = {library.round(product)}",
            f"frequencies = {library.prefix}.exp(logarithms)",
            *library.cast("frequencies"),
            f"positions = {library.round(self._format_shifted_positions())}",
            *library.cast("positions"),
            "angles = positions[:, None] * frequencies",
            *scale,
            *library.cast("angles"),
            self._format_table_code(library),
        )

    def _format_shifted_positions(self) -> str:
        return f"(positions + {self.offset})" if self.offset else "positions"

    def _format_table_code(self, library: Library) -> str:
        sine, cosine = (f"{library.prefix}.{name}(angles)" for name in ("sin", "cos"))
        return f"table = {self._columns.code(library, sine, cosine)}"

    def explain(self, position: int, dimension: int) -> tuple[str, ...]:
        wave = int(self.wave_indices[dimension])
        if wave < 0:
            return (f"PE(p, {dimension}) = 0", "the width is odd, so this dimension has no wave")
        function = "sin" if self.sines[dimension] else "cos"
        scale = "" if self.scale == 1 else f"{self.scale:g} · "
        base = declared(type(self))["base"].format(self.base)
        _, numerator, denominator = self._progression
        frequency = format_power(base, numerator * wave, denominator)
        sign = "+" if self.offset > 0 else "-"
        shifted_position = f"(p {sign} {abs(self.offset)})" if self.offset else "p"
        formula = f"PE(p, {dimension}) = {function}({scale}{shifted_position} · {frequency})"
        lines = self.format_angle_lines(function, wave, position)
        return (formula, *lines, f"= {self.value(position, dimension):+.6f}")

    @property
    def _progression(self) -> tuple[int, int, int]:
        """The number of waves, and the step of the exponent as numerator and denominator."""
        if self.waves != "both":
            return self.dim, 1, self.dim
        if self.spacing == "endpoint":
            return self.pairs, 1, max(self.pairs - 1, 1)
        return (self.dim + 1) // 2, 2, self.dim

    @property
    def _columns(self) -> PairColumns:
        count, *_ = self._progression
        return PairColumns(self.dim, count, self.pairs, self.layout, self.is_sine_first)

    def _fill(self, positions: Positions, out: Floats) -> None:
        self._columns.write(self.turns, to_half_steps(positions, self.origin), out)

    def _fill_means(self, start: int, block: int, out: Floats) -> None:
        centres = list_doubled_centres(start + self.origin, block, len(out))
        self._columns.write(self.turns, centres, out, block_means.amplitudes(self.turns, block))

"""What follows from the parameters of an encoding, in two lines."""

from __future__ import annotations

import math

from pe_explorer.encodings import Encoding, EncodingError, Stored, Unknown, Waves, require_known
from pe_explorer.encodings.abilities import needs
from pe_explorer.params import capitalised
from pe_explorer.tables import Table

__all__ = ["facts"]


def facts(encoding: Encoding | Unknown) -> str:
    """Return what follows from an encoding's parameters: its wavelengths, or what it lacks."""
    try:
        return _facts(require_known(encoding))
    except EncodingError as error:
        return error.sentence


def _facts(e: Encoding) -> str:
    if isinstance(e, Waves) and not needs.waves(e):
        return _waves(e)
    lack = needs.waves(e)
    sentence = f"{capitalised(lack)}."
    if isinstance(e, Stored):
        return f"{_table(e.stored)}\n{sentence}"
    return sentence if e.value_range else f"{sentence} Its values have no bound."


def _table(table: Table) -> str:
    shape = f"{table.rows:,} rows of {table.columns:,} numbers, {table.dtype}"
    return f"{shape}; {table.not_finite:,} not finite" if table.not_finite else shape


def _waves(e: Waves) -> str:
    waves = e.wavelengths()
    if e.pairs:
        made_of = "1 sine-cosine pair" if e.pairs == 1 else f"{e.pairs:,} sine-cosine pairs"
        made_of += " and a lone wave" if len(waves) > e.pairs else ""
    else:
        made_of = f"No pairs: {len(waves):,} single wave{'s' * (len(waves) != 1)}"
    return f"Wavelengths from {_length(waves.min())} to {_length(waves.max())} positions\n{made_of}"


def _length(wavelength: float) -> str:
    return f"{wavelength:.6g}" if math.isfinite(wavelength) else "∞"

"""The table on screen as a short piece of code, for NumPy, PyTorch or JAX."""

from __future__ import annotations

from pe_explorer.encodings import Encoding, EncodingError
from pe_explorer.encodings._code import LIBRARIES
from pe_explorer.params import did_you_mean, shown

__all__ = ["LIBRARY_NAMES", "snippet"]

LIBRARY_NAMES = tuple(LIBRARIES)

_EXACT = 1e5  # radians up to which float64 is good to about 1e-11


def snippet(e: Encoding, positions: range, library: str = "numpy") -> str:
    """Return code that makes the encoding's table at `positions` as an array named `table`.

    Parameters
    ----------
    e : Encoding
    positions : range
    library : str
        numpy, torch or jax.

    Returns
    -------
    str
        A module of a few lines that needs nothing but the library; `table` has the shape
        (n, dim) and is float64. A comment says how far its plain float64 angles can be off.

    Raises
    ------
    EncodingError
        For another library.
    """
    if library not in LIBRARIES:
        raise EncodingError("for", f"{shown(library)} is not one of {', '.join(LIBRARIES)}{did_you_mean(library, LIBRARIES)}")
    words = LIBRARIES[library]
    ends = [positions.start, positions.stop] + ([positions.step] if positions.step != 1 else [])
    chosen = ", ".join(f"{name}={value!r}" for name, value in e.parameters.items())
    lines = [f"# {e.name}: {chosen}", *words.imports, "", f"positions = {words.arange(*ends, double=True)}", *e.code(words)]
    if (furthest := _largest_angle(e, positions)) > _EXACT:
        lines.insert(1, f"# float64 angles at these positions are off by up to about {furthest * 2.0**-52:.0e} radians")
    return "\n".join(lines) + "\n"


def _largest_angle(e: Encoding, positions: range) -> float:
    """Return the largest angle in radians, 0 for an encoding without waves."""
    frequencies = abs(e.frequencies())
    if not positions or not len(frequencies):
        return 0.0
    return float(frequencies.max()) * max(abs(end + e.origin) for end in (positions[0], positions[-1]))

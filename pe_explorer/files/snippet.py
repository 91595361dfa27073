"""The table on screen as a short piece of code, for NumPy, PyTorch or JAX."""

from __future__ import annotations

from pathlib import Path

from pe_explorer.encodings import Encoding, EncodingError, Stored, Waves
from pe_explorer.encodings.abilities.code import LIBRARIES
from pe_explorer.exploration import paths
from pe_explorer.params import did_you_mean, one_line, quoted

__all__ = ["LIBRARY_NAMES", "snippet"]

LIBRARY_NAMES = tuple(LIBRARIES)

_EXACT = 1e5  # radians up to which float64 is good to about 1e-11


def snippet(
    e: Encoding, positions: range, library: str = "numpy", folder: Path | str | None = None
) -> str:
    """Return code that makes the encoding's table at `positions` as an array named `table`.

    Parameters
    ----------
    e : Encoding
    positions : range
    library : str
        numpy, torch or jax.
    folder : path, optional
        Where the code is to be run: files in it or below are named from there, others, as code
        goes to others, by their last part.

    Returns
    -------
    str
        A module of a few lines that needs nothing but the library; `table` has the shape
        (n, dim) and is float64. A comment says how far its plain float64 angles can be off.

    Raises
    ------
    EncodingError
        For another library, or positions that a table has no rows for.
    """
    if library not in LIBRARIES:
        raise EncodingError(
            "for",
            f"{quoted(library)} is not one of "
            f"{', '.join(LIBRARIES)}{did_you_mean(library, LIBRARIES)}",
        )
    if positions and isinstance(e, Stored) and e.held is not None:
        low, high = sorted((positions[0], positions[-1]))
        e.require_rows(low, high)
    words = LIBRARIES[library]
    ends = [positions.start, positions.stop] + ([positions.step] if positions.step != 1 else [])
    e = paths.spelled(e, paths.shared(folder))
    chosen = ", ".join(f"{name}={value!r}" for name, value in e.parameters.items())
    lines = [
        f"# {e.name}: {chosen}",
        *words.imports,
        "",
        f"positions = {words.arange(*ends, double=True)}",
        *e.code(words),
    ]
    lines[1:1] = [f"# {line}" for line in _held(e)]
    if (furthest := _largest_angle(e, positions)) > _EXACT:
        lines.insert(
            1,
            "# float64 angles at these positions are off by up to about "
            f"{furthest * 2.0**-52:.0e} radians",
        )
    return "\n".join(lines) + "\n"


def _held(e: Encoding) -> list[str]:
    """Return what a file held that is read, so that it can be told from others of its name."""
    if not isinstance(e, Stored) or e.held is None:
        return []
    table = e.held
    name = one_line(e.file)  # a line of its own would be code
    return [f"{name} held {table.rows} x {table.columns} numbers of type {table.dtype}"]


def _largest_angle(e: Encoding, positions: range) -> float:
    """Return the largest angle in radians, 0 for an encoding without waves."""
    if not isinstance(e, Waves) or not len(e.turns) or not positions:
        return 0.0
    furthest = max(abs(end + e.origin) for end in (positions[0], positions[-1]))
    return float(abs(e.frequencies()).max()) * furthest

"""The table on screen as a short piece of code, for NumPy, PyTorch or JAX."""

from pathlib import Path

from pe_explorer.encodings import Encoding, EncodingError, Steady, Stored
from pe_explorer.encodings.abilities.code import LIBRARIES
from pe_explorer.exploration import paths
from pe_explorer.params import Numbers, Parameter, not_one_of, one_line, used

LIBRARY_NAMES = tuple(LIBRARIES)

_EXACT_ANGLES = 1e5  # radians up to which float64 angles are right to about 1e-11


def snippet(
    e: Encoding, positions: range, library: str = "numpy", folder: Path | str | None = None
) -> str:
    """Return code that makes the encoding's table at `positions` as an array named `table`.

    It is a module of a few lines that needs nothing but the library: numpy, torch or jax. The table
    has the shape (n, dim) and is float64; a comment says how far its plain float64 angles can be
    off. Files in or below `folder`, where the code will run, are named relative to it, others by
    their last part, as code is shared. Raises `EncodingError` for another library, or positions
    that a table has no rows for.
    """
    if library not in LIBRARIES:
        raise EncodingError("for", not_one_of(library, LIBRARIES))
    if positions and isinstance(e, Stored) and e.file_content is not None:
        low, high = sorted((positions[0], positions[-1]))
        e.require_rows(low, high)
    spelling = LIBRARIES[library]
    ends = [positions.start, positions.stop]
    if positions.step != 1:
        ends.append(positions.step)
    is_own = isinstance(e, Stored) and paths.bundled_table(e.file) == e.file
    e = paths.respell(e, paths.shared_spelling(folder))
    values = ", ".join(f"{name}={_spelled(each, e, name)}" for name, each in used(e).items())
    lines = [f"# {e.name}: {values}"]
    error = angle_error(e, positions)
    if error > _EXACT_ANGLES * 2.0**-52:
        off = f"off by up to about {error:.0e} radians"
        lines.append(f"# float64 angles at these positions are {off}")
    if (
        isinstance(e, Stored) and e.file_content is not None
    ):  # which may distinguish it from another file
        name, held = one_line(e.file), e.file_content  # a line of its own would be code
        shape = f"{held.rows} x {held.columns} numbers of type {held.dtype}"
        lines.append(f"# {name} held {shape}")
    if is_own:
        lines.append("# It comes with PE Explorer, in resources/gallery/tables.")
    lines += sorted({*spelling.imports, *e.code_imports})
    lines += [*spelling.settings, "", f"positions = {spelling.arange(*ends, double=True)}"]
    lines += e.code(spelling)
    return "\n".join(lines) + "\n"


def _spelled(parameter: Parameter, e: Encoding, name: str) -> str:
    value = getattr(e, name)
    return parameter.brief(value) if isinstance(parameter, Numbers) else repr(value)


def angle_error(e: Encoding, positions: range) -> float:
    """Return an upper bound of the error of plain float64 angles, in radians, roughly."""
    if not isinstance(e, Steady) or not len(e.turns) or not positions:
        return 0.0
    farthest = max(abs(positions[0] + e.origin), abs(positions[-1] + e.origin))
    return float(abs(e.frequencies()).max()) * farthest * 2.0**-52

"""Short code for the table on the screen, in NumPy, PyTorch or JAX."""

from pathlib import Path

from pe_explorer.encodings import Encoding, EncodingError, Steady, Stored
from pe_explorer.encodings.abilities.code import LIBRARIES
from pe_explorer.exploration import paths
from pe_explorer.params import Numbers, Parameter, not_one_of, one_line, used_parameters

LIBRARY_NAMES = tuple(LIBRARIES)

_EXACT_ANGLES = 1e5  # radians up to which the error of float64 angles is about 1e-11


def snippet(
    e: Encoding, positions: range, library: str = "numpy", folder: Path | str | None = None
) -> str:
    """Return code that computes the encoding's table at `positions` as an array named `table`.

    It is a module of a few lines that imports only the library: numpy, torch or jax. The table is
    float64, shape (n, dim); a comment states the error of its float64 angles. Files in or below
    `folder`, where the code will run, are named relative to it, other files only by their name,
    because code is shared. Raise `EncodingError` for another library, or positions without a row.
    """
    if library not in LIBRARIES:
        raise EncodingError("for", not_one_of(library, LIBRARIES))
    if positions and isinstance(e, Stored) and e.file_content is not None:
        low, high = sorted((positions[0], positions[-1]))
        e.require_rows(low, high)
    spelling = LIBRARIES[library]
    bounds = [positions.start, positions.stop]
    if positions.step != 1:
        bounds.append(positions.step)
    is_shipped = isinstance(e, Stored) and paths.bundled_table(e.file) == e.file
    e = paths.respell(e, paths.shared_spelling(folder))
    values = ", ".join(
        f"{name}={_value_text(kind, e, name)}" for name, kind in used_parameters(e).items()
    )
    lines = [f"# {e.name}: {values}"]
    error = angle_error(e, positions)
    if error > _EXACT_ANGLES * 2.0**-52:
        lines.append(f"# float64 angles at these positions have errors up to {error:.0e} radians")
    if (
        isinstance(e, Stored) and e.file_content is not None
    ):  # the shape helps to recognise the file
        name, contents = one_line(e.file), e.file_content  # a line break would end the comment
        shape = f"{contents.rows} x {contents.columns} numbers of type {contents.dtype}"
        lines.append(f"# {name} has {shape}")
    if is_shipped:
        lines.append("# It comes with PE Explorer, in resources/gallery/tables.")
    lines += sorted({*spelling.imports, *e.code_imports})
    lines += [*spelling.settings, "", f"positions = {spelling.arange(*bounds, double=True)}"]
    lines += e.code(spelling)
    return "\n".join(lines) + "\n"


def _value_text(parameter: Parameter, e: Encoding, name: str) -> str:
    value = getattr(e, name)
    return parameter.brief(value) if isinstance(parameter, Numbers) else repr(value)


def angle_error(e: Encoding, positions: range) -> float:
    """Return an approximate upper bound of the error of float64 angles in radians."""
    if not isinstance(e, Steady) or not len(e.turns) or not positions:
        return 0.0
    farthest = max(abs(positions[0] + e.origin), abs(positions[-1] + e.origin))
    return float(abs(e.frequencies()).max()) * farthest * 2.0**-52

"""Short NumPy, PyTorch or JAX code that computes an encoding's table."""

from pathlib import Path

from pe_explorer.analysis import precision
from pe_explorer.encodings import CodeAngles, Encoding, EncodingError, Steady, Stored
from pe_explorer.encodings.abilities.code import LIBRARIES, Library
from pe_explorer.exploration import paths
from pe_explorer.params import Numbers, describe_bad_choice, find_used_parameters, to_one_line

LIBRARY_NAMES = tuple(LIBRARIES)

_ANGLE_LIMIT = 1e5  # limit in radians; float64 angles below it have errors of about 2e-11 or less


def snippet(
    e: Encoding,
    positions: range,
    library: str = "numpy",
    folder: Path | str | None = None,
    rounded_to: str | None = None,
    cast: str = precision.CAST.default,
) -> str:
    """Return code that computes the encoding's table at `positions`.

    The code is a short module that assigns the table to `table`. It imports only the
    library: numpy, torch or jax. The table has the dtype float64 and the shape (n, dim). If
    the errors of the angles are large, a comment in the code states their size. The code is
    meant to run in `folder` and may be shared. It therefore contains relative paths of
    files in `folder` and its subfolders, but only the names of files elsewhere.

    If `rounded_to` is a type, the code computes `analysis.precision.table` instead: in float32,
    with the value `cast` rounded to this type. The table then has the type of its values.

    Raise `EncodingError` if the library is unknown, if a position has no row, or if the table
    cannot be rounded.
    """
    if library not in LIBRARIES:
        raise EncodingError("for", describe_bad_choice(library, LIBRARIES))
    if rounded_to is not None:
        if library != "torch":
            problem = f"rounded code is available only for torch, got {library}"
            raise EncodingError("for", problem, "add --for torch, or leave out --rounded-to")
        precision.check(e, rounded_to, cast)
    if positions and isinstance(e, Stored) and e.file_content is not None:
        start, end = sorted((positions[0], positions[-1]))
        e.require_rows(start, end)
    spelling = LIBRARIES[library]
    bounds = [positions.start, positions.stop]
    if positions.step != 1:
        bounds.append(positions.step)
    is_bundled = isinstance(e, Stored) and paths.find_bundled_table(e.file) == e.file
    e = paths.respell(e, paths.make_shared_spelling(folder))
    values = []
    for name, kind in find_used_parameters(e).items():
        value = getattr(e, name)
        values.append(f"{name}={kind.brief(value) if isinstance(kind, Numbers) else repr(value)}")
    lines = [f"# {e.name}: {', '.join(values)}"]
    error = compute_angle_error(e, positions)
    if rounded_to is None and error > _ANGLE_LIMIT * 2.0**-52:
        lines.append(
            f"# float64 angles at these positions have errors of up to {error:.0e} radians"
        )
    if isinstance(e, Stored) and e.file_content is not None:
        shape = f"{e.file_content.rows} x {e.file_content.columns}"
        lines.append(f"# {to_one_line(e.file)} has {shape} numbers of type {e.file_content.dtype}")
    if is_bundled:
        lines.append("# It comes with PE Explorer, in resources/gallery/tables.")
    lines += sorted({*spelling.imports, *e.code_imports})
    lines += [*spelling.settings, "", f"positions = {spelling.arange(*bounds, double=True)}"]
    if rounded_to is None:
        lines += e.code(spelling)
    else:
        lines += _list_rounded_code(e, spelling, rounded_to, cast)
    return "\n".join(lines) + "\n"


def _list_rounded_code(e: Encoding, torch: Library, rounded_to: str, cast: str) -> list[str]:
    comment = f"# Rounded to {rounded_to}: {precision.CAST.choices[cast]}."
    dtype = rounded_to.replace("-", "_")
    rounded_table = f"table = table.to(torch.{dtype})"
    if cast == "once":
        return [comment, *e.code(torch), rounded_table]
    assert isinstance(e, CodeAngles)
    torch = torch._replace(
        dtype=dtype if cast == "everything" else "float32", cast_value=cast, cast_dtype=dtype
    )
    lines = [comment, *e.typical_code(torch)]
    return [*lines, rounded_table] if cast == "result" else lines


def compute_angle_error(e: Encoding, positions: range) -> float:
    """Return an approximate upper bound for the error of float64 angles, in radians."""
    if not isinstance(e, Steady) or not len(e.turns) or not positions:
        return 0.0
    distance = max(abs(positions[0] + e.origin), abs(positions[-1] + e.origin))
    return float(abs(e.frequencies()).max()) * distance * 2.0**-52

import ast
import importlib.util

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.analysis import precision
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration import DirectStore, Exploration, resolve
from pe_explorer.files.snippet import LIBRARY_NAMES, snippet
from pe_explorer.numeric.rounding import Rounding
from tests.support.oracles import definition
from tests.support.samples import sample, variations
from tests.support.truth import some

pytestmark = pytest.mark.usefixtures("beside_the_table")
POSITIONS = range(-5, 60, 3)


def count_legible_positions(e):
    """Return positions with rows, including negative ones if possible."""
    return POSITIONS if POSITIONS[0] in e.domain else range(2, 60, 3)


@pytest.mark.parametrize("library", LIBRARY_NAMES)
@pytest.mark.parametrize("name", encodings.names())
def test_snippets_compute_the_defined_table(name, library):
    for e in variations(name):
        defined, positions = definition(e), count_legible_positions(e)
        code = compile(snippet(e, positions, library), library, "exec")
        if not importlib.util.find_spec(library):
            continue
        names = {}
        exec(code, names)
        table = np.asarray(names["table"])
        assert (table.shape, table.dtype) == ((len(positions), defined.width), np.float64)
        for row, p in ((0, positions[0]), (-1, positions[-1])):
            exact = [float(defined.element(p, j)) for j in some(defined.width)]
            np.testing.assert_allclose(
                table[row, some(defined.width)], exact, rtol=1e-12, atol=1e-12, err_msg=str(e)
            )


@pytest.mark.parametrize("library", LIBRARY_NAMES)
@pytest.mark.parametrize("end", ["\n", "\r", "\x0c", "\u2028"])
def test_file_names_cannot_inject_code(tmp_path, library, end):
    """A line break would end a comment."""
    name = f"a{end}owned = 1{end}.npy"
    np.save(tmp_path / name, np.zeros((4, 2)))
    e = resolve(Exploration(encodings.create("learned", file=str(tmp_path / name))), DirectStore())
    code = snippet(e.encoding, range(3), library)
    assigned = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    assert "rows" in assigned
    assert "owned" not in assigned
    assert not any(line.startswith("owned") for line in code.splitlines())
    assert not any(end in line for line in e.encoding.explain(0, 0))
    (loaded,) = [line for line in code.splitlines() if line.startswith("rows =")]
    assert ast.literal_eval(loaded.partition("load(")[2][:-1]) == name


@pytest.mark.parametrize("library", LIBRARY_NAMES)
@pytest.mark.parametrize("name", encodings.names())
def test_imports_are_sorted_at_the_top(name, library):
    e = sample(name)
    module = ast.parse(snippet(e, count_legible_positions(e), library)).body
    kinds = [isinstance(statement, ast.Import) for statement in module]
    assert kinds == sorted(kinds, reverse=True)
    imported = [statement.names[0].name for statement in module[: sum(kinds)]]
    assert imported == sorted(set(imported))


def test_far_positions_have_an_error_comment():
    e = encodings.create("sinusoidal", dim=4)
    assert "errors of up to 2e-07 radians" in snippet(e, range(10**9, 10**9 + 5))
    for last, is_said in ((-100_000, False), (100_000, False), (100_001, True), (-100_001, True)):
        positions = range(min(0, last), max(0, last) + 1)
        assert ("errors of up to" in snippet(e, positions)) == is_said
    assert "errors of up to" in snippet(
        encodings.create("sinusoidal", dim=4, offset=10**9), range(50)
    )
    assert "errors of up to" not in snippet(encodings.create("index"), range(10**12, 10**12 + 5))
    whole = [line for line in snippet(e, range(3), "torch").splitlines() if "torch.arange" in line]
    assert len(whole) == 2  # positions and waves
    assert all("float64" in line for line in whole)  # otherwise they would be float32


def test_missing_rows_and_unknown_libraries_are_refused():
    stored = resolve(Exploration(sample("learned")), DirectStore()).encoding
    last = stored.domain[-1]
    line = f"has {last + 1} x {stored.width} numbers of type {stored.file_content.dtype}\n"
    assert line in snippet(stored, range(3))
    assert "PE Explorer" not in snippet(stored, range(3))  # this table is not shipped
    assert "table" in snippet(stored, range(0)) + snippet(stored, range(last, last + 1))
    for positions in (range(last, last + 2), range(last + 1, last - 3, -1)):
        with pytest.raises(EncodingError, match="no row"):
            snippet(stored, positions)
    with pytest.raises(EncodingError) as exc_info:
        snippet(stored, range(3), "nump")
    assert (exc_info.value.name, "'numpy'" in exc_info.value.fault) == ("for", True)


# Code that rounds

ROUNDED = [
    sample("sinusoidal", dim=7, offset=5, scale=0.3),
    sample("rope", head_dim=16, rope_theta=5e5),
    *(
        sample("rope", head_dim=16, rope_type=rope_type)
        for rope_type in ("linear", "dynamic", "ntk", "yarn", "longrope", "llama3", "proportional")
    ),
]


@pytest.mark.parametrize("e", ROUNDED, ids=str)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16", "float8-e5m2"])
@pytest.mark.parametrize("cast", precision.CAST.choices)
def test_rounded_code_of_torch_computes_the_rounded_table(e, dtype, cast):
    """Angles are up to 1000 radians, and functions of torch are right to 1 unit of float32."""
    torch = pytest.importorskip("torch")
    if precision.explain_no_cast(dtype, cast):
        with pytest.raises(EncodingError) as exc_info:
            snippet(e, range(9), "torch", rounded_to=dtype, cast=cast)
        assert exc_info.value.name == "cast"
        return
    names, positions = {}, range(0, 1000, 7)
    exec(snippet(e, positions, "torch", rounded_to=dtype, cast=cast), names)
    is_native = cast in ("everything", "result", "once")
    assert names["table"].dtype == getattr(
        torch, dtype.replace("-", "_") if is_native else "float32"
    )
    expected = precision.table(e, positions, dtype=dtype, cast=cast)
    table = names["table"].double().numpy()
    if is_native and dtype != "float32":  # a float32 unit rarely changes a rounded number
        assert np.mean(table != expected) < 2e-3
    else:
        np.testing.assert_allclose(table, expected, rtol=0, atol=2.0**-23)
    if cast == "frequencies" and dtype != "float32":
        rounding = Rounding(dtype, cast)
        angles = e.compute_code_angles(range(1 - e.origin, 2 - e.origin), rounding)[0]
        scale = np.float32(e.parameters.get("scale", 1.0))
        np.testing.assert_array_equal(names["frequencies"].numpy() * scale, angles)


def test_rounded_code_is_refused_in_one_sentence():
    e = sample("rope")
    for arguments, words in (
        ((e, range(3), "numpy", None, "bfloat16"), ("for", "torch")),
        ((e, range(3), "torch", None, "bfloat17"), ("dtype", "bfloat16")),
        ((sample("alibi"), range(3), "torch", None, "bfloat16"), ("encoding", "rope")),
    ):
        with pytest.raises(EncodingError) as exc_info:
            snippet(*arguments)
        assert (exc_info.value.name, words[1] in exc_info.value.problem) == (words[0], True)

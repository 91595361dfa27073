import importlib.util
import itertools

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.cli import main
from pe_explorer.files.snippet import LIBRARY_NAMES, snippet
from pe_explorer.params import Choice, declared

POSITIONS = range(-5, 60, 3)


def choices(name):
    """Return every combination of an encoding's choices."""
    found = {key: list(p.choices) for key, p in declared(encodings.find(name)).items() if isinstance(p, Choice)}
    return [dict(zip(found, values, strict=True)) for values in itertools.product(*found.values())]


def run(code):
    names = {}
    exec(code, names)
    return names["table"]


@pytest.mark.parametrize("name", encodings.names())
@pytest.mark.parametrize("dim", [1, 2, 3, 8, 9, 70])
def test_numpy_makes_the_same_table(name, dim):
    for chosen in choices(name):
        e = encodings.create(name, dim=dim, **chosen)
        table = run(snippet(e, POSITIONS))
        assert table.shape == (len(POSITIONS), dim)
        assert table.dtype == np.float64
        np.testing.assert_allclose(table, e.table(POSITIONS), atol=2e-14, err_msg=str(e))


@pytest.mark.parametrize("changed", [{"offset": -7}, {"scale": 0.25}, {"scale": -3.0, "offset": 10**6}, {"base": 1.5}, {"base": 1e12}])
def test_every_other_parameter_is_in_it(changed):
    e = encodings.create("sinusoidal", dim=10, **changed)
    np.testing.assert_allclose(run(snippet(e, POSITIONS)), e.table(POSITIONS), atol=2e-9)


def test_length_of_fractions():
    e = encodings.create("fraction", dim=3, length=7)
    np.testing.assert_array_equal(run(snippet(e, POSITIONS)), e.table(POSITIONS))


def test_far_positions_come_with_a_warning():
    e = encodings.create("sinusoidal", dim=4)
    assert "off by up to about 2e-07 radians" in snippet(e, range(10**9, 10**9 + 5))
    assert "off by" not in snippet(e, range(50))
    assert "off by" in snippet(encodings.create("sinusoidal", dim=4, offset=10**9), range(50))
    assert "off by" not in snippet(encodings.create("index"), range(10**12, 10**12 + 5))


@pytest.mark.parametrize("library", LIBRARY_NAMES)
@pytest.mark.parametrize("name", encodings.names())
def test_other_libraries(name, library):
    for chosen in choices(name):
        e = encodings.create(name, dim=5, **chosen)
        code = snippet(e, POSITIONS, library)
        compile(code, library, "exec")
        if importlib.util.find_spec(library):
            np.testing.assert_allclose(np.asarray(run(code)), e.table(POSITIONS), atol=2e-14)


def test_an_unknown_library_is_refused():
    with pytest.raises(encodings.EncodingError, match=r"for: 'jx' is not one of numpy, torch, jax; did you mean 'jax'"):
        snippet(encodings.create("index"), POSITIONS, "jx")


def test_the_command_prints_it(capsys):
    assert main(["code", "--dim", "6", "--base", "100", "--positions", "3:9"]) == 0
    e = encodings.create("sinusoidal", dim=6, base=100)
    np.testing.assert_allclose(run(capsys.readouterr().out), e.table(range(3, 9)), atol=1e-14)
    assert main(["code", "--for", "fortran"]) == 2
    assert "--for: 'fortran'" in capsys.readouterr().err

"""Numbers of a shift on the command line: k is a flag, or that of the session."""

import math

import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.commandline.main import main
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from pe_explorer.flags import ExportRequest, export_line

E = encodings.create("sinusoidal", dim=2)


def written(folder, *words):
    """Return the array that `export` writes."""
    target = folder / "q.npy"
    assert main(["export", *words, "-o", str(target)]) == 0
    return np.load(target)


@pytest.fixture
def saved(tmp_path):
    """Return a session whose shift is by 10."""
    path = tmp_path / "s.json"
    session.write(path, pictures.with_options(Exploration(E), "shift", k=10))
    return str(path)


@pytest.mark.parametrize(("words", "k"), [((), 10), (("--k", "44"), 44), (("--k", "-10"), -10)])
def test_k_is_typed_or_that_of_the_session(tmp_path, saved, words, k):
    found = written(tmp_path, "--session", saved, "--what", "shift-matrix", *words)
    c, s = math.cos(k), math.sin(k)
    np.testing.assert_allclose(found, [[c, -s], [s, c]], atol=1e-15)
    beside = session.read(tmp_path / "q.npy.session.json").state
    assert pictures.find("shift").options(beside).k == k


def test_what_has_no_shift_leaves_it_out(tmp_path, saved):
    assert written(tmp_path, "--session", saved, "--what", "table").shape == (50, 2)
    state = session.read(saved).state
    for what, flag in (("table", False), ("shifted", True)):
        request = ExportRequest.of(state, what=what)
        assert ("--k 10" in export_line(E, range(5), request, "q.npy")) == flag


def test_a_shift_beyond_the_limit_is_one_line(tmp_path, capsys):
    words = ["--dim", "2", "--what", "shifted", "--k", "2^54", "-o", str(tmp_path / "q.npy")]
    with pytest.raises(SystemExit, match="2"):
        main(["export", *words])
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "--k" in error
    assert "2^53" in error

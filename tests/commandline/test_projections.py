"""Numbers of a projection on the command line: method and seed are flags, or of the session."""

import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.analysis import umap_process
from pe_explorer.commandline.main import main
from pe_explorer.exploration import Exploration
from pe_explorer.files import session

E = encodings.create("sinusoidal", dim=6)


def written(folder, *words):
    """Return the array that `export` writes."""
    target = folder / "q.npy"
    assert main(["export", "--what", "projection", *words, "-o", str(target)]) == 0
    return np.load(target)


@pytest.fixture
def saved(tmp_path):
    """Return a session whose projection is by UMAP with the seed 5."""
    path = tmp_path / "s.json"
    state = pictures.with_options(Exploration(E), "projection", method="umap", seed=5)
    session.write(path, state)
    return str(path)


@pytest.fixture
def asked(monkeypatch):
    """Return what UMAP's stand-in was asked for: rows and seeds."""
    found = []

    def embed(rows, *, metric, seed, request):
        assert metric == "cosine"
        request.report(0.5)  # nobody wants to know it, and nothing is shown
        found.append((rows, seed))
        return np.column_stack([np.arange(len(rows)), np.full(len(rows), seed)])

    monkeypatch.setattr(umap_process, "missing", lambda: "")
    monkeypatch.setattr(umap_process, "embed", embed)
    return found


@pytest.mark.parametrize(("words", "seed"), [((), 5), (("--seed", "9"), 9)])
def test_method_and_seed_are_typed_or_those_of_the_session(tmp_path, saved, asked, words, seed):
    found = written(tmp_path, "--session", saved, *words)
    np.testing.assert_array_equal(found, [[row, seed] for row in range(50)])
    ((rows, _),) = asked
    np.testing.assert_array_equal(rows, E.table(range(50)))
    beside = session.read(tmp_path / "q.npy.session.json").state
    options = pictures.find("projection").options(beside)
    assert (options.method, options.seed) == ("umap", seed)


def test_a_typed_method_wins(tmp_path, saved, asked):
    found = written(tmp_path, "--session", saved, "--method", "pca")
    assert not asked
    rows = E.table(range(50))
    s = np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False)
    np.testing.assert_allclose(np.square(found).sum(axis=0), s[:2] ** 2, rtol=1e-10)


def test_without_umap_one_line_says_what_adds_it(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(umap_process, "missing", lambda: "UMAP is not installed: pip install umap")
    target = tmp_path / "q.npy"
    words = ["export", "--what", "projection", "--method", "umap", "-o", str(target)]
    assert main(words) == 2
    error = capsys.readouterr().err
    assert error == "pe-explorer export: --method: UMAP is not installed: pip install umap\n"
    assert not target.exists()

"""Numbers that follow options of a view: these are flags, or those of the session."""

import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.analysis import umap_process
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from pe_explorer.flags import ExportRequest, export_line
from tests.support.commands import error_line, exported

E = encodings.create("sinusoidal", dim=6)
WAVE = encodings.create("sinusoidal", dim=2)


def saved(folder, e, view, **options):
    """Return a session with an encoding, and options of a view."""
    path = folder / "s.json"
    session.write(path, pictures.with_options(Exploration(e), view, **options))
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


def test_method_and_seed_are_typed_or_those_of_the_session(tmp_path, asked):
    path, rows = saved(tmp_path, E, "projection", method="umap", seed=5), E.table(range(50))
    given = ["--what", "projection", "--session", path]
    for words, seed in (([], 5), (["--seed", "9"], 9)):
        found = exported(tmp_path, *given, *words)
        np.testing.assert_array_equal(found, [[row, seed] for row in range(50)])
        np.testing.assert_array_equal(asked.pop()[0], rows)
        beside = session.read(tmp_path / "numbers.npy.session.json").state
        options = pictures.find("projection").options(beside)
        assert (options.method, options.seed) == ("umap", seed)
    found = exported(tmp_path, *given, "--method", "pca")
    assert not asked
    s = np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False)
    np.testing.assert_allclose(np.square(found).sum(axis=0), s[:2] ** 2, rtol=1e-10)


def test_without_umap_one_line_says_what_adds_it(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(umap_process, "missing", lambda: "UMAP is not installed: pip install umap")
    target = tmp_path / "q.npy"
    words = ["--what", "projection", "--method", "umap", "-o", str(target)]
    error = error_line(capsys, "export", *words)
    assert error == "pe-explorer export: --method: UMAP is not installed: pip install umap\n"
    assert not target.exists()


def test_what_has_no_shift_leaves_it_out(tmp_path):
    path = saved(tmp_path, WAVE, "shift", k=10)
    assert exported(tmp_path, "--session", path, "--what", "table").shape == (50, 2)
    state = session.read(path).state
    for what, flag in (("table", False), ("shifted", True)):
        request = ExportRequest.of(state, what=what)
        assert ("--k 10" in export_line(WAVE, range(5), request, "q.npy")) == flag

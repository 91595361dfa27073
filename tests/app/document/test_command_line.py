"""`pe-explorer FILE`: the window shows the file, or one line says why not."""

import pytest

from pe_explorer import flags
from pe_explorer.app import run as run_module
from pe_explorer.commandline import main as cli
from pe_explorer.exploration import Exploration
from pe_explorer.files import export, session
from tests.app.windows import set_up_exploration
from tests.support.commands import error_line
from tests.support.pictures import draw, save


@pytest.fixture
def window_requests(monkeypatch, tmp_path):
    """What the window would be opened with, by commands in a folder of their own."""
    seen = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run_module, "run_window", lambda *given: seen.append(given) or 0)
    return seen


def test_a_file_is_opened(window, window_requests):
    state = set_up_exploration(window)
    request = flags.ExportRequest(
        metric=state.metric, reference=state.reference, position=state.position
    )
    for name in ("s.json", "p.png", "t.npy", "t.csv", "list", "a é.json"):
        session.write(name, state)
        expected = state.intention
        if name.endswith(".png"):
            save(draw("heatmap", state, 300, 200, 1.0, "light"), name, state)
        if name.startswith("t."):
            data = request.data(state.encoding, state.positions)
            beside = export.make_data_session(state, state.positions, request, name)
            export.write(data, name, session_text=beside)
            expected = state.with_(panes=None)
        given = "./list" if name == "list" else name
        window_requests.clear()
        for words in [given], ["--theme", "dark", given], [given, "--theme", "dark"]:
            assert cli.main(words) == 0
        assert [(theme, path, found.state) for theme, path, found, *_ in window_requests] == [
            (theme, given, expected) for theme in (None, "dark", "dark")
        ]
        assert {digest for *_, digest, _ in window_requests} == {session.digest(name)}


def test_without_a_file_nothing_is_opened(window_requests):
    assert cli.main([]) == 0
    assert cli.main(["--theme", "light"]) == 0
    assert window_requests == [(None,), ("light",)]


REFUSED = {
    "rendr": ["'rendr'", "Did you mean 'render'?", "pe-explorer --help"],
    "exprt --dim 4": ["Did you mean 'export'"],
    "missing.json": ["'missing.json' is neither a command nor an existing file"],
    "--dim 4": ["--dim: no such flag"],
    "s.json s.json": ["s.json: only model configurations can be compared"],
    "s.json missing.json": ["'missing.json' is neither a command nor an existing file"],
    "s.json --theme blue": ["--theme", "'blue'"],
    "broken.json": ["broken.json", "JSON"],
    "t.csv": ["t.csv", "t.csv.session.json"],
    "t.npy": ["t.npy", "numpy.save"],
    "gone.json": ["gone.json: no such file"],
    ".": [".: is a folder"],
}


def test_a_file_that_is_none_is_one_line_and_no_window(window_requests, tmp_path, capsys):
    session.write("s.json", Exploration())
    for name in ("broken.json", "t.csv", "t.npy"):
        (tmp_path / name).write_text("{")
    (tmp_path / "gone.json").symlink_to("nowhere")
    for words, facts in REFUSED.items():
        line = error_line(capsys, *words.split())
        assert line.startswith("pe-explorer: ")
        assert [fact for fact in facts if fact not in line] == []
    assert window_requests == []

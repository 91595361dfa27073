"""Commands that run in this process, with their output."""

from unittest.mock import patch

import numpy as np

from pe_explorer.commandline import export, render
from pe_explorer.commandline.main import main


def render_request(*words):
    with patch("pe_explorer.app.render.run", return_value="") as run:
        assert main(["render", *words, "-o", "x.png"]) == 0
    view, state, _, _, _, _, style, _ = run.call_args.args
    return view, state, style


def options_of(line):
    """Return the options that a command line of `export` or `render` sets."""
    seen = []
    with patch.object({"export": export, "render": render}[line[0]], "run", seen.append):
        main(line)
    return seen[0]


def exported(folder, *words):
    path = folder / "numbers.npy"
    assert main(["export", *words, "-o", str(path)]) == 0
    return np.load(path)


def exit_code(arguments):
    try:
        return main(arguments)
    except SystemExit as stop:
        return stop.code


def error_line(capsys, *arguments):
    """Run a command that must fail, and return its only line."""
    code = exit_code(arguments)
    out, err = capsys.readouterr()
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    return err


def checked(capsys, *words):
    """Run `check` on a readable file; return its exit code and its lines."""
    code = main(["check", *map(str, words)])
    out, err = capsys.readouterr()
    assert err == ""
    return code, out.splitlines()

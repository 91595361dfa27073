"""Commands that must fail, run in this process."""

from pe_explorer.commandline.main import main


def error_line(capsys, *arguments):
    """Run a command that must fail, and return its only line."""
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = stop.code
    out, err = capsys.readouterr()
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    return err


def checked(capsys, *words):
    """Run `check`, which must read its file; return its exit code and its lines."""
    code = main(["check", *map(str, words)])
    out, err = capsys.readouterr()
    assert err == ""
    return code, out.splitlines()

"""What `check` shows on a terminal: colours, wrapped lines, and a table whose columns line up."""

import os
import re
import sys
from unittest.mock import patch

import pytest

from pe_explorer.commandline.check import columns
from tests.configs.support import FOLDER, path_of
from tests.support.commands import checked

MSCALE = FOLDER.parent / "stories" / "mscale-alone.json"


def on_terminal(capsys, width, *words, **environment):
    """Run the command as if its output were a terminal."""
    with (
        patch.object(sys.stdout, "isatty", lambda: True, create=True),
        patch.dict(os.environ, {"COLUMNS": str(width), "TERM": "xterm", **environment}),
    ):
        return checked(capsys, *words)[1]


def plain(line):
    return re.sub(r"\033\[[\d;]*m", "", line)


def test_levels_have_colours_and_words_on_a_terminal(capsys):
    words = (MSCALE,)
    lines = on_terminal(capsys, 400, *words)
    assert any(line.startswith("\033[1;33mwarning\033[0m: rope_scaling.mscale: ") for line in lines)
    assert any(line.startswith("\033[1;36mnote\033[0m: ") for line in lines)
    errors = on_terminal(capsys, 400, path_of("t5-small"))
    assert any(line.startswith("\033[1;31merror\033[0m: ") for line in errors)
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert "\033" not in "".join(on_terminal(capsys, 400, *words, **environment))
    assert "\033" not in "".join(checked(capsys, *words)[1])


@pytest.mark.parametrize("width", [60, 80, 132])
@pytest.mark.parametrize("name", ["gemma-3-4b", "phi-3-mini-128k", "gpt-oss-20b", "t5-small"])
def test_lines_are_wrapped_at_the_width_of_the_terminal(name, width, capsys):
    path = path_of(name)
    lines = on_terminal(capsys, width, path)
    assert all(len(plain(line)) <= width for line in lines[1:])  # the first names the file
    told = re.sub(r"\s+", " ", " ".join(map(plain, lines)))
    for line in checked(capsys, path)[1]:
        if line.startswith(("note: ", "error: ")):
            assert line in told


def test_columns_of_the_table_line_up(capsys):
    lines = on_terminal(capsys, 132, path_of("gemma-3-4b"))
    title = next(line for line in lines if "sliding_attention" in line)
    start, second = title.index("full_attention"), title.index("sliding_attention")
    rows = lines[lines.index(title) + 1 : lines.index("", lines.index(title))]
    assert all(row[start - 1] == row[second - 1] == " " for row in rows)
    base = next(row for row in rows if row.startswith("rope_theta"))
    assert (base[start:second].strip(), base[second:]) == ("1,000,000", "10,000")
    window = next(row for row in rows if row.startswith("window"))
    assert (window[start:second].strip(), window[second:]) == ("-", "1,024")


def test_columns_without_room_come_below():
    rows = [("one", ["a" * 20, "b" * 20]), ("two", ["c d " * 10, ""])]
    assert list(columns(["A", "B"], rows, 30)) == [
        "     A",
        "one  " + "a" * 20,
        "two  c d c d c d c d c d c d c",
        "     d c d c d c d",
        "",
        "     B",
        "one  " + "b" * 20,
        "two  -",
    ]

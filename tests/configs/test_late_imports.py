"""Nothing of configurations is loaded before it is used."""

import subprocess
import sys

from tests.support.processes import ROOT


def run(program):
    """Return what a program prints in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_encodings_and_the_command_line_do_not_load_the_room():
    program = """
import sys
from pe_explorer import encodings, parts
from pe_explorer.commandline import main
encodings.names()
main.main(["code", "--dim", "4"])
print(*[name for name in sys.modules if "configs" in name or "_configurations" in name])
"""
    assert [word for word in run(program) if word.startswith("pe_explorer.")] == []

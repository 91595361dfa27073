"""Nothing of configurations is loaded before it is used."""

from tests.support.processes import run_python


def test_encodings_and_the_command_line_do_not_load_the_room():
    program = """
import sys
from pe_explorer import encodings, parts
from pe_explorer.commandline import main
encodings.names()
main.main(["code", "--dim", "4"])
sys.exit(any("configs" in name or "_configurations" in name for name in sys.modules))
"""
    run = run_python(program)
    assert (run.returncode, run.stderr) == (0, "")

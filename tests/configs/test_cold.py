"""Nothing of configurations is loaded before it is used, and then it is soon there."""

import subprocess
import sys

from tests.configs.support import path_of
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


def test_a_first_file_is_read_within_50_milliseconds():
    program = f"""
import time
from pe_explorer import encodings
encodings.names()
start = time.perf_counter()
encodings.read_config({str(path_of("gemma-3-4b"))!r})
print(time.perf_counter() - start)
"""
    assert min(float(run(program)[0]) for _ in range(3)) < 0.05

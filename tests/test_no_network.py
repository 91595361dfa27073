"""The program never uses the network: it is killed where it makes a socket to another machine."""

import signal

import pytest

from pe_explorer.files.snippet import LIBRARY_NAMES
from tests.configs.support import path_of
from tests.support.cases import for_each
from tests.support.no_network import KNOWN
from tests.support.processes import home_in, run_program

pytestmark = pytest.mark.skipif(not KNOWN, reason="only Linux kills a process so")

ASKS = {
    "Python": "import socket; socket.socket()",
    "another library": "import ctypes; ctypes.CDLL(None).socket(10, 2, 0)",
    "a name to look up": "import socket; socket.getaddrinfo('example.org', 80)",
}
LINES = [
    ["--version"],
    ["list"],
    ["list", "--exhibits"],
    ["export", "-o", "t.npy"],
    ["export", "--exhibit", "start", "-o", "t.csv"],
    ["check", str(path_of("gemma-3-4b")), "--semantics", "all"],
    *(["code", "--for", name] for name in LIBRARY_NAMES),
    ["render", "heatmap", "-o", "t.svg"],  # which only the last of a process can do
]
COMMANDS = [
    ["--window"],
    ["--self-test"],
    ["render", "heatmap", "-o", "t.pdf"],
    ["render", "window", "--exhibit", "start", "-o", "t.png"],
    [word for line in LINES for word in (*line, "--then")],
]


def run(folder, *words):
    """Run Python in a home of its own."""
    own = {**home_in(folder), "QT_QPA_PLATFORM": "offscreen"}
    return run_program(folder, program=words, **own)


@for_each("words", COMMANDS, ids=" ".join)
def test_nothing_asks_for_a_socket(tmp_path, words):
    done = run(tmp_path, "-m", "tests.support.no_network", *words)
    assert done.returncode == 0, done.stdout[-999:] + done.stderr


@pytest.mark.parametrize("program", ASKS.values(), ids=ASKS)
def test_who_asks_is_noticed(tmp_path, program):
    begin = "from tests.support.no_network import refuse_sockets; refuse_sockets()"
    done = run(tmp_path, "-c", f"{begin}\n{program}\nprint('still here')")
    assert (done.returncode, done.stdout) == (-signal.SIGSYS, "")


def test_sockets_of_this_machine_are_open(tmp_path):
    begin = "from tests.support.no_network import refuse_sockets; refuse_sockets()"
    done = run(tmp_path, "-c", f"{begin}\nimport socket; socket.socketpair()")
    assert done.returncode == 0, done.stderr

"""The program never uses the network: it is killed where it makes a socket to another machine."""

import signal

import pytest

from pe_explorer.files.snippet import LIBRARY_NAMES
from tests.configs.support import path_of
from tests.support.no_network import KNOWN
from tests.support.processes import home_in, run_program

pytestmark = pytest.mark.skipif(not KNOWN, reason="only Linux kills a process so")

ASKS = {
    "Python": "socket.socket()",
    "another library": "import ctypes; ctypes.CDLL(None).socket(10, 2, 0)",
    "a name to look up": "socket.getaddrinfo('example.org', 80)",
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
COMMANDS = [["--window"], ["--self-test"], [word for line in LINES for word in (*line, "--then")]]


def run(folder, *words):
    """Run Python in a home of its own."""
    own = {**home_in(folder), "QT_QPA_PLATFORM": "offscreen"}
    return run_program(folder, program=words, **own)


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_nothing_asks_for_a_socket(tmp_path, words):
    done = run(tmp_path, "-m", "tests.support.no_network", *words)
    assert done.returncode == 0, done.stdout[-999:] + done.stderr


@pytest.mark.parametrize("program", ASKS)
def test_who_asks_for_a_socket_to_elsewhere_is_killed(tmp_path, program):
    begin = "from tests.support.no_network import refuse_sockets; refuse_sockets()"
    local = "import socket; socket.socketpair(); print('local', flush=True)"
    done = run(tmp_path, "-c", f"{begin}\n{local}\n{ASKS[program]}\nprint('elsewhere')")
    assert (done.returncode, done.stdout) == (-signal.SIGSYS, "local\n")

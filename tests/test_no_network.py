"""The program never uses the network: it is killed where it makes a socket to another machine.

The kernel does that, so that it makes no difference who asks: Python, Qt or another library.
Sockets of this machine alone (AF_UNIX), as for the display, are open to it. This file is also the
program that is killed: `python -m tests.test_no_network [WORD ...]`. With ``--window`` the window
does everything that is in its menus. After ``--then`` another command follows.
"""

import ctypes
import itertools
import os
import platform
import signal
import struct
import sys

import pytest

from pe_explorer.files.snippet import LIBRARY_NAMES
from tests.configs.support import path_of
from tests.support.processes import home_in, run_program

SOCKET = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
"""The kernel's name for a kind of machine, and the number of `socket` there."""

_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_NUMBER_AT, _MACHINE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16  # in what the kernel shows of a call
_KILL, _ALLOW = 0x80000000, 0x7FFF0000
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2
_AF_UNIX = 1
pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in SOCKET, reason="not known how to kill"
)

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
    own = {**home_in(folder), "QT_QPA_PLATFORM": "offscreen"}
    return run_program(folder, program=words, **own)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_nothing_asks_for_a_socket(tmp_path, words):
    done = run(tmp_path, "-m", __name__, *words)
    assert done.returncode == 0, done.stdout[-999:] + done.stderr


@pytest.mark.parametrize("program", ASKS)
def test_who_asks_for_a_socket_to_elsewhere_is_killed(tmp_path, program):
    begin = f"from {__name__} import refuse_sockets; refuse_sockets()"
    local = "import socket; socket.socketpair(); print('local', flush=True)"
    done = run(tmp_path, "-c", f"{begin}\n{local}\n{ASKS[program]}\nprint('elsewhere')")
    assert (done.returncode, done.stdout) == (-signal.SIGSYS, "local\n")


# -- the program that is killed --------------------------------------------------------------------


def refuse_sockets():
    """From now on, let the kernel kill this process when it makes a socket to anywhere else."""
    machine, number = SOCKET[platform.machine()]
    steps = [
        (_LOAD, 0, 0, _MACHINE_AT),
        (_EQUAL, 0, 4, machine),
        (_LOAD, 0, 0, _NUMBER_AT),
        (_EQUAL, 0, 2, number),
        (_LOAD, 0, 0, _FIRST_ARGUMENT_AT),
        (_EQUAL, 0, 1, _AF_UNIX),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _KILL),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    for arguments in ((_NO_NEW_PRIVILEGES, 1, 0, 0, 0), (_SET_SECCOMP, _FILTER, program, 0, 0)):
        if libc.prctl(*arguments):
            raise OSError(ctypes.get_errno(), "the kernel takes no filter")


def use_everything():
    """Once the window is open, choose all that is in its menus, and close it."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    import pe_explorer.app.run as module
    from pe_explorer import views

    class Visitor(module.MainWindow):
        def show(self):
            super().show()
            self.acts = [lambda name=name: self.workspace.show_view(name) for name in views.names()]
            actions = self.actions_by_key.items()
            self.acts += [action.trigger for key, action in actions if key != "quit"]
            self.timer = QTimer(self, interval=20)
            self.timer.timeout.connect(self.go_on)
            self.timer.start()

        def go_on(self):
            if dialog := QApplication.activeModalWidget():
                dialog.reject()
            elif self.acts:
                self.acts.pop(0)()
            else:
                self.timer.stop()
                self.leave()
                self.close()

    module.MainWindow = Visitor


def main():
    """Run the program with the words that follow, and again after each `--then`."""
    from pe_explorer.__main__ import main as run

    refuse_sockets()
    if sys.argv[1:] == ["--window"]:
        del sys.argv[1:]
        use_everything()
        return run()
    code = 0
    for is_end, words in itertools.groupby(sys.argv[1:], "--then".__eq__):
        if not is_end and not code:
            sys.argv[1:] = words
            print(*sys.argv, flush=True)
            try:
                code = run()
            except SystemExit as end:  # as of `--version`
                code = int(end.code or 0)
    return code


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main())

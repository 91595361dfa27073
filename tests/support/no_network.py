"""`python -m tests.support.no_network [WORD ...]`: the program, killed when it opens a socket.

The kernel does that, so that it makes no difference who asks: Python, Qt or another library.
Sockets of this machine alone (AF_UNIX), as for the display, are open to it. After ``--window`` the
window opens, does everything that is in its menus, and closes. After ``--then`` another command
follows in the same process; each is printed before it runs.
"""

import ctypes
import itertools
import os
import platform
import struct
import sys

_SOCKET = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
"""The kernel's name for a kind of machine, and the number of `socket` there."""
KNOWN = sys.platform == "linux" and platform.machine() in _SOCKET

_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_NUMBER_AT, _MACHINE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16  # in what the kernel shows of a call
_KILL, _ALLOW = 0x80000000, 0x7FFF0000
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2
_AF_UNIX = 1


def refuse_sockets():
    """From now on, let the kernel kill this process when it makes a socket to anywhere else."""
    machine, number = _SOCKET[platform.machine()]
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

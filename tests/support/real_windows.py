"""The program in a separate process with a real window, X servers, and keys sent by xdotool.

All processes end when the process that started them ends, even if it crashes.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from functools import partial

from tests.support.processes import ROOT, comes_true

TITLE = "^(.*json.? - )?PE Explorer: positional encodings$"
PATIENCE = 60.0
_PLATFORMS = ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY")
_QUIET = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
_BEGIN = "\nimport sys\nfrom pe_explorer.__main__ import main\nsys.exit(main())"


def start(command, **options):
    """Start a process that is killed when this process ends, even if it is stopped."""
    begin = ["env", "--default-signal=HUP", "setpriv", "--pdeathsig", "KILL"]  # undoes nohup
    return subprocess.Popen([*begin, *command], **_QUIET, **options)


def kill(process):
    if process.poll() is None:
        process.kill()
    process.wait(PATIENCE)


class Display:
    """An X server with a free display number and an optional window manager."""

    def __init__(self, size=(1280, 800), managed=True):
        reading, writing = os.pipe()
        words = ["-displayfd", str(writing), "-screen", "0", "{}x{}x24".format(*size)]
        words += ["-noreset", "-nolisten", "tcp"]
        errors = {"stderr": subprocess.DEVNULL}
        self.server = start(["Xvfb", *words], pass_fds=(writing,), **errors)
        self._processes = [self.server]
        os.close(writing)
        with open(reading, encoding="ascii") as message_file:
            number = message_file.readline().strip()
        assert number, "Xvfb does not start"
        self.variables = {"DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb"}
        self.managed = managed and bool(shutil.which("openbox"))
        if self.managed:
            variables = {**os.environ, **self.variables}
            self._processes.append(start(["openbox"], env=variables, **errors))
            desktop = partial(_xdotool, self.variables, "get_desktop", check=False)
            assert comes_true(lambda: desktop().strip()), "the window manager does not come"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(self._processes):
            kill(process)


class Running:
    """The program and its window; without a `display`, on the display of the environment."""

    def __init__(self, folder, *arguments, display=None, plant="", **variables):
        kept = {key: value for key, value in os.environ.items() if key not in _PLATFORMS}
        homes = {f"XDG_{kind}_HOME": str(folder) for kind in ("CONFIG", "DATA", "STATE")}
        self._variables = display.variables if display else {}
        self.managed = display is not None and display.managed
        self.folder = folder
        self.errors = open(folder / "stderr", "a+", encoding="utf-8")  # noqa: SIM115
        self._begin = self.errors.seek(0, os.SEEK_END)
        program = ["-c", plant + _BEGIN] if plant else ["-m", "pe_explorer"]
        own = {"PYTHONPATH": str(ROOT), "HOME": str(folder)}
        self.process = start(
            [sys.executable, *program, *arguments],
            cwd=folder,
            env={**kept, **homes, **own, **self._variables, **variables},
            stderr=self.errors,
        )
        self.window = self.focused(TITLE)

    def focused(self, title):
        """Give keyboard focus to the window with this title, and return the window."""
        self.focus(window := self.found(title))
        return window

    def focus(self, window):
        words = ["windowactivate"] if self.managed else ["windowfocus", "--sync"]
        self.xdotool(*words, window)
        time.sleep(0.5)

    def title(self):
        return self.xdotool("getwindowname", self.window).strip()

    def shows(self, title):
        return comes_true(lambda: self.title() == title)

    def closes(self, title, *keys):
        """Press keys, and wait until the dialog with this title is closed.

        Without a window manager, Qt believes that a window behind a modal dialog has no focus, also
        after the window gets the focus while the dialog is still open.
        """
        self.keys(*keys)
        assert comes_true(lambda: not self.windows(title)), f"{title} stays; {self.said()}"

    def found(self, title):
        comes_true(lambda: self.windows(title) or self.process.poll() is not None)
        windows = self.windows(title)
        assert windows, f"no window {title}; {self.said()}"
        return windows[-1]

    def windows(self, title=""):
        """Return the visible windows with this title; without a title, also those of menus."""
        words = ["--onlyvisible", "--all", "--pid", str(self.process.pid)]
        words += ["--name", title] if title else []
        return self.xdotool("search", *words, check=False).split()

    def keys(self, *keys):
        self.xdotool("key", "--clearmodifiers", "--delay", "40", *keys)

    def xdotool(self, *words, check=True):
        return _xdotool(self._variables, *words, check=check)

    def said(self):
        self.errors.seek(self._begin)
        return self.errors.read()

    def log(self):
        logs = sorted((self.folder / "pe-explorer" / "log").glob("*.log"))
        return "".join(path.read_text(encoding="utf-8") for path in logs)

    def signalled(self, number):
        self.process.send_signal(number)
        return self.ended()

    def killed(self):
        kill(self.process)
        self.errors.close()

    def ended(self):
        code, said = self.process.wait(PATIENCE), self.said()
        assert not any(word in said for word in ("Traceback", "QObject")), said
        return code

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.killed()


def backed_up(folder):
    """Return the number of positions in each backup of the program."""
    paths = (folder / "pe-explorer" / "unsaved").glob("*.json")
    return [json.loads(path.read_text())["positions"]["count"] for path in paths]


def _xdotool(variables, *words, check=True):
    command, environment = ["xdotool", *map(str, words)], {**os.environ, **variables}
    options = {"capture_output": True, "text": True, "timeout": PATIENCE, "check": check}
    return subprocess.run(command, env=environment, **options).stdout

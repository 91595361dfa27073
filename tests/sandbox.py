"""`python -m tests.sandbox COMMAND ...`: run a command that cannot change this machine.

Tests that press random keys can do everything that the program lets a user do. In the sandbox this
is harmless, because the file system is read-only except for a copy of this checkout, an empty
`/tmp` and an empty home folder. There is no network and no display, the D-Bus session is new, and
the user is not root. The exit code is that of the command. If the command fails, its `/tmp` is
kept.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HELP = (
    "run it as `python -m tests.sandbox COMMAND`, "
    "which needs `sudo apt-get install bubblewrap dbus-daemon`"
)
_MARK = "PE_EXPLORER_SANDBOX"
_NOT_COPIED = (".git", ".venv", ".*_cache", ".hypothesis", "__pycache__")
TMP = Path("/tmp")
WRITABLE = (ROOT, TMP, Path("/run"), Path("/dev/shm"))
"""The folders of a sandbox in which files can change; no other process uses them."""
_SESSION = ("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "TMPDIR")


def main(words: list[str]) -> int:
    """Run a command in a new sandbox and return its exit code."""
    missing = [program for program in ("bwrap", "dbus-run-session") if not shutil.which(program)]
    if missing or not words:
        print(f"sandbox: {' and '.join(missing) or 'command'} missing: {HELP}", file=sys.stderr)
        return 2
    folder = Path(tempfile.mkdtemp(prefix="sandbox-"))
    private, copy = folder / "tmp", folder / "checkout"
    for name in ("home", "runtime"):
        (private / name).mkdir(parents=True, mode=0o700)
    command = ["bwrap", "--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000"]
    command += ["--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    command += ["--tmpfs", "/run", "--bind", str(private), "/tmp", "--bind", str(copy), str(ROOT)]
    command += ["--ro-bind", sys.prefix, sys.prefix, "--chdir", str(ROOT)]
    for name in (*_SESSION, *(name for name in os.environ if name.startswith("XDG_"))):
        command += ["--unsetenv", name]
    # without this, each process would compile the checkout again
    command += ["--unsetenv", "PYTHONDONTWRITEBYTECODE"]
    places = {"HOME": "/tmp/home", "XDG_RUNTIME_DIR": "/tmp/runtime", _MARK: "1"}
    for name, value in places.items():
        command += ["--setenv", name, value]
    code = None
    try:
        shutil.copytree(ROOT, copy, symlinks=True, ignore=shutil.ignore_patterns(*_NOT_COPIED))
        code = subprocess.call([*command, "dbus-run-session", "--", *words])
    finally:
        shutil.rmtree(folder if not code else copy, ignore_errors=True)
    if code:
        print(f"sandbox: exit code {code}; its /tmp is kept as {private}", file=sys.stderr)
    return code


def why_outside() -> str:
    """Return what this process can reach outside a sandbox, or an empty text inside one.

    The function tries to write elsewhere, because an environment variable alone proves nothing.
    """
    if os.environ.get(_MARK) != "1":
        return "this process is not in a sandbox"
    if os.geteuid() == 0:
        return "this process runs as root"
    if networks := [name for _, name in socket.if_nameindex() if name != "lo"]:
        return f"this process has a network, {networks[0]}"
    lines = Path("/proc/self/mounts").read_text().splitlines()
    mounts = [line.split()[1].replace("\\040", " ") for line in lines]
    for folder in map(Path, (*mounts, "/etc", "/usr", "/var/tmp", "/home", ROOT.parent)):
        if not any(folder.is_relative_to(private) for private in (*WRITABLE, Path("/dev"))):
            with suppress(OSError), tempfile.TemporaryFile(dir=folder):
                return f"this process can write to {folder}"
    return ""


def require() -> None:
    """Exit with an error message unless this process is in a sandbox."""
    if problem := why_outside():
        print(f"{problem}, and random input can move and delete files: {HELP}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

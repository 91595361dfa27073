"""Separate processes that run the program or a piece of Python."""

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
XDG = ("CONFIG", "DATA", "STATE", "CACHE")
PATIENCE = 300.0
"""Seconds until a process counts as hung."""
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def home_in(folder):
    """Return environment variables for a home, settings and caches in a folder."""
    folders = {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in XDG}
    return {"HOME": str(folder), **folders}


def run_program(folder, *arguments, program=("-m", "pe_explorer"), **environment):
    """Run the program, or Python code, in a folder and without a display."""
    kept = {key: value for key, value in os.environ.items() if key not in DISPLAYS}
    options = {"capture_output": True, "text": True, "errors": "replace"}
    command = [sys.executable, *program, *arguments]
    own = {"PYTHONPATH": str(ROOT), **environment}
    patient = {"timeout": PATIENCE, "check": False}
    return subprocess.run(command, cwd=folder, env=kept | own, **options, **patient)


def run_python(program, *arguments):
    words = ("-c", program, *map(str, arguments))
    return run_program(None, program=words, QT_QPA_PLATFORM="offscreen")


def is_running(number):
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


def comes_true(condition, patience=60.0):
    end = time.monotonic() + patience
    while not (met := condition()) and time.monotonic() < end:
        time.sleep(0.02)
    return met

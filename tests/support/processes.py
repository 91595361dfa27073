"""The program and pieces of Python, each run in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def run_program(folder, *arguments, **environment):
    """Run the program in a folder, without a display; a variable that is None is taken away."""
    kept = {
        key: value
        for key, value in os.environ.items()
        if key not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    kept = {**kept, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(
        [sys.executable, "-m", "pe_explorer", *arguments],
        cwd=folder,
        env=kept,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def run_python(program, *arguments):
    """Run a program in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

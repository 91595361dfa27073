"""How tests share the cores: how many processes run them, and what these can send each other."""

import os
from pathlib import Path


def process_count(arguments):
    """Return how many processes to start: none for named files, else one for each usable core."""
    names = [argument.partition("::")[0] for argument in arguments]
    if names and all(Path(name).is_file() for name in names):
        return 0  # starting them takes longer than what they save
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def sendable(value):
    """Return plain data with all texts writable as UTF-8, which processes send each other."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {sendable(key): sendable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(sendable(item) for item in value)
    return value

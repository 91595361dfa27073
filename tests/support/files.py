"""How soon damaged files are refused, and the files that a write has left half done."""

import time

import pytest

from pe_explorer.files import session
from pe_explorer.files.session import SessionError

SOON = 5.0
"""Seconds of work on a damaged file; the benchmark `damaged` measures how well 0.2 s is kept."""


def partial_files(folder):
    return [path for path in folder.iterdir() if path.name.endswith(".part")]


def refused_session(path):
    """Return why a file is refused as a session, which takes no time."""
    start = time.thread_time()
    with pytest.raises(SessionError) as caught:
        session.read(path)
    assert time.thread_time() - start < SOON
    problem = caught.value.problem
    assert str(path) in problem
    assert len(problem) < len(str(path)) + 160
    assert "\n" not in problem
    return problem

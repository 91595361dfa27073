"""Checks of damaged files and of partial files."""

import time

import pytest

from pe_explorer.files import session
from pe_explorer.files.session import SessionError

SOON = 5.0
"""Maximum seconds of work on a damaged file; the benchmark `damaged` checks the goal of 0.2 s."""


def partial_files(folder):
    return [path for path in folder.iterdir() if path.name.endswith(".part")]


def refused_session(path):
    """Return why a file is rejected as a session; fail if this takes too long."""
    start = time.thread_time()
    with pytest.raises(SessionError) as caught:
        session.read(path)
    assert time.thread_time() - start < SOON
    problem = caught.value.problem
    assert str(path) in problem
    assert len(problem) < len(str(path)) + 160
    assert "\n" not in problem
    return problem

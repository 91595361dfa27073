"""Fixtures of the tests of the model."""

import pytest

from pe_explorer.model import Worker


@pytest.fixture
def worker(qapp):
    worker = Worker()
    yield worker
    worker.close()

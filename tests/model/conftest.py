"""What tests of the model share."""

import pytest

from pe_explorer.model import Worker


@pytest.fixture
def worker(qapp):
    worker = Worker()
    yield worker
    worker.close()

"""What tests of the model share."""

import pytest

from pe_explorer.model import Model, Worker


@pytest.fixture
def model(qapp):
    model = Model()
    yield model
    model.close()


@pytest.fixture
def worker(qapp):
    worker = Worker()
    yield worker
    worker.close()

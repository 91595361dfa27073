"""What tests of unexpected errors share."""

import pytest

from pe_explorer.app.trouble.trouble import ErrorHandler


@pytest.fixture(autouse=True)
def errors_are_expected(caplog):
    yield
    caplog.get_records("call").clear()


@pytest.fixture
def trouble(qapp, tmp_path):
    made = ErrorHandler(qapp, tmp_path / "state")
    yield made
    made.close()
    made.deleteLater()

"""What tests of unexpected errors share."""

import pytest

from pe_explorer.app.trouble.trouble import Trouble


@pytest.fixture
def trouble(qapp, tmp_path):
    made = Trouble(qapp, tmp_path / "state")
    yield made
    made.close()
    made.deleteLater()

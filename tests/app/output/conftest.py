"""What the tests of what leaves the window share."""

import pytest
from PySide6.QtWidgets import QApplication


@pytest.fixture
def clipboard(qapp):
    """The clipboard, which is left empty."""
    QApplication.clipboard().setText("as it was")
    yield QApplication.clipboard()
    QApplication.clipboard().clear()

"""What tests of settings share."""

import pytest


@pytest.fixture
def path(tmp_path):
    """A file for the settings, in a folder that is not there yet."""
    return tmp_path / "config" / "settings.ini"

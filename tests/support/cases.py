"""A name for `pytest.mark.parametrize`, which tests use directly."""

import pytest

for_each = pytest.mark.parametrize

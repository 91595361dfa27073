"""Many cases that one window can be asked for, one after another."""

import pytest


def in_batches(values, size=10):
    """Return parameters of a test, each a tuple of some of the values, named by the first.

    A window takes longer to make than most of what is asked of it, and tests of different batches
    still run side by side.
    """
    values = list(values)
    parts = [tuple(values[begin : begin + size]) for begin in range(0, len(values), size)]
    return [pytest.param(part, id=str(getattr(part[0], "id", part[0]))) for part in parts]

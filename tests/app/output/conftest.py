"""What the tests of what leaves the window share."""

import threading

import pytest
from PySide6.QtWidgets import QApplication

from pe_explorer import pictures
from pe_explorer.pictures import cost
from pe_explorer.progress import report


@pytest.fixture
def clipboard(qapp):
    """The clipboard, which is left empty."""
    QApplication.clipboard().setText("as it was")
    yield QApplication.clipboard()
    QApplication.clipboard().clear()


@pytest.fixture
def stop_in_worker(monkeypatch):
    """Return a function that lets pictures of views stop in the worker until they may go on.

    It returns an event that is set when one is computed, one that lets them go on, and their sizes.
    """

    def stop(*names):
        computing, go_on, sizes = threading.Event(), threading.Event(), []
        for kind in map(pictures.find, names):

            def slowed(picture, size, cancelled, own=kind.numbers):
                sizes.append(size)
                computing.set()
                while not go_on.wait(0.005):
                    report(cancelled, 0.5)
                return own(picture, size, cancelled)

            monkeypatch.setattr(kind, "numbers", slowed)
        monkeypatch.setattr(cost, "_MAX_INLINE_COST", -1)
        return computing, go_on, sizes

    return stop

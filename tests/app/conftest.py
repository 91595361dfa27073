"""What tests of the whole program share."""

import threading

import pytest


@pytest.fixture
def hold(monkeypatch):
    """Return a function that makes another one wait when it is called, until the test releases it.

    It returns an event that is set when the other one is called, and one that lets it go on.
    """
    made = []

    def hold(owner, name):
        own, called, go_on = getattr(owner, name), threading.Event(), threading.Event()

        def late(*arguments, **others):
            called.set()
            assert go_on.wait(60)
            return own(*arguments, **others)

        monkeypatch.setattr(owner, name, late)
        made.append(go_on)
        return called, go_on

    yield hold
    for go_on in made:
        go_on.set()

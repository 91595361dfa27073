"""The GUI thread: what takes long is done elsewhere. How long it is blocked is measured by the
benchmark `blocking`.
"""

from functools import partial

import pytest

from tests.app import scenario


@pytest.mark.sampled(0)
def test_a_session_of_everything(window):
    steps = partial(scenario.steps, rows=30)  # how long many of them take is not asked here
    assert len(scenario.run(window, steps)) > 200
    # A view that was made ahead, for a model that may be opened, has drawn nothing yet.
    said = {name: view.status for name, view in window.workspace.built.items() if view.status}
    assert len(said) >= 3
    assert {name: status for name, status in said.items() if not status.endswith(".")} == {}

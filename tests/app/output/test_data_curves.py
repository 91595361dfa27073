"""The dialog for data, where the picture shows several curves."""

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.app.output.data_dialog import DataDialog
from pe_explorer.exploration import Pin
from tests.support.gestures import settle
from tests.support.windows import choose_item, go_to, open_dialog

PINS = (Pin(encodings.create("sinusoidal", base=500), "fast"), Pin(encodings.create("index"), "n"))


@pytest.fixture
def dialog(window):
    go_to(window, "distances")
    window.model.set(pins=PINS, metric="euclidean")
    window.model.set_options("distances", part="both")
    settle(window.model)
    return open_dialog(window, "export_data", DataDialog)


def test_all_that_are_shown_are_written_and_what_is_not_is_said(dialog, tmp_path, qtbot):
    assert (dialog.what.currentData(), dialog.curves.currentData()) == ("distances", "all")
    assert not dialog.of.isEnabled()
    assert dialog.left_out.text() == (
        "The picture also shows the matrix; write it to a file of its own."
    )
    choose_item(dialog.curves, "one")
    assert dialog.of.isEnabled()
    assert "more than one curve" in dialog.left_out.text()
    choose_item(dialog.curves, "all")
    choose_item(dialog.what, "frequencies")
    assert "n is not in the file: index is not made of waves" in dialog.left_out.text()
    choose_item(dialog.what, "table")
    assert not dialog.curves.isVisible()
    choose_item(dialog.what, "distances")
    dialog.target.setText(str(tmp_path / "x.npy"))
    with qtbot.waitSignal(dialog.written):
        dialog.go.click()
    settle()
    found = np.load(tmp_path / "x.npy")
    assert found.shape == (3, 50)
    np.testing.assert_allclose(found[2], 4.0 * np.arange(50), atol=1e-12)

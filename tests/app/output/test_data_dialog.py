"""What only the dialog for data does; see `test_contract` for the rest."""

from html import unescape

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from pe_explorer import encodings, quantities
from pe_explorer.analysis.comparison import Subject
from pe_explorer.exploration import Pin
from pe_explorer.files import session
from pe_explorer.model.steps import run_now
from pe_explorer.quantities import QuantityInput
from tests.app.output.dialogs import open_export, write_to
from tests.app.windows import change, choose_item, go_to, trigger
from tests.support.progress import RecordedProgress
from tests.support.samples import sample


@pytest.fixture
def opened(window):
    """A function that opens the dialog anew, after changes of the exploration."""

    def opened(**changes):
        change(window, **changes)
        return open_export(window, "data")

    return opened


def is_offered(combo, key):
    return combo.model().item(combo.findData(key)).isEnabled()


# -- what is offered -------------------------------------------------------------------------------

OFFERED = [
    ("heatmap", {}, "table"),
    ("heatmap", {"quantity": "angle"}, "angles"),
    ("heatmap", {"quantity": "error"}, "rounding-error"),
    ("clocks", {}, "table"),
    ("distances", {"part": "histogram"}, "distance-histogram"),
    ("properties", {}, "evidence"),
    ("properties", {"part": "look-alikes"}, "likeness"),
    ("tokens", {}, "tokens"),
    ("tokens", {"part": "similarity"}, "similarity"),
    ("tokens", {"part": "attention"}, "attention"),
]


def test_what_a_view_is_made_of_is_offered(window, opened):
    for view, options, what in OFFERED:
        window.model.set_options(view, **options)
        go_to(window, view)
        dialog = opened()
        assert (dialog.quantity.currentData(), dialog.subject.currentData()) == (what, "current")
        assert not dialog.subject.isVisible()  # nothing is pinned
        dialog.reject()


def test_unavailable_quantities_are_greyed_out_with_the_reason(window, opened):
    for name in encodings.names():
        dialog = opened(encoding=sample(name))
        inputs = QuantityInput(Subject("current", window.model.state.encoding), range(50))
        for row, what in enumerate(quantities.names()):
            assert dialog.quantity.itemData(row) == what
            reason = quantities.unavailable_reason(what, inputs)
            assert is_offered(dialog.quantity, what) == (reason == ""), (name, what)
            tip = unescape(dialog.quantity.itemData(row, Qt.ItemDataRole.ToolTipRole)).lower()
            assert (reason or quantities.find(what).help).lower() in tip
        assert is_offered(dialog.quantity, dialog.quantity.currentData())
        dialog.reject()


@pytest.mark.parametrize(("name", "what"), [("rope", "score"), ("alibi", "bias")])
def test_the_range_is_called_what_its_numbers_are(window, opened, name, what):
    """A score is by offset, also of an encoding whose rows are positions."""
    trigger(window, "pin")  # a sinusoidal one, whose rows are positions
    dialog = opened(encoding=sample(name))
    own = encodings.find(name).rows.plural.capitalize()
    for chosen, of, expected in (
        ("table", "current", own),
        (what, "current", "Offsets"),
        ("distances", "current", own),
        ("distances", "pinned", "Positions"),
    ):
        choose_item(dialog.quantity, chosen)
        choose_item(dialog.subject, of)
        shown = {label.text() for label in dialog.findChildren(QLabel) if label.isVisible()}
        assert shown & {"Positions", "Offsets", "Tokens", own} == {expected}


def test_what_the_heatmap_compares_is_offered_and_found_again(window, opened, qtbot, tmp_path):
    trigger(window, "pin")
    dialog = opened(encoding=encodings.create("index"), show="difference")
    texts = {dialog.subject.itemData(row): dialog.subject.itemText(row) for row in range(3)}
    assert texts == {"current": "index", "pinned": "sinusoidal", "difference": "index − sinusoidal"}
    assert (dialog.quantity.currentData(), dialog.subject.currentData()) == ("table", "difference")
    for of, has_angles in (("current", False), ("pinned", True), ("difference", False)):
        choose_item(dialog.subject, of)
        assert is_offered(dialog.quantity, "angles") == has_angles
        assert is_offered(dialog.quantity, "distances") == (of != "difference")
    window.model.set(show="current")  # later: what the dialog was opened on is written
    write_to(qtbot, dialog, tmp_path / "d.npy")
    found = session.read(tmp_path / "d.npy").state
    assert (found.show, found.pin.encoding) == ("difference", encodings.create("sinusoidal"))


def test_all_curves_are_written_or_named(window, opened, tmp_path, qtbot):
    fast, n = encodings.create("sinusoidal", base=500), encodings.create("index")
    go_to(window, "distances")
    window.model.set_options("distances", part="both")
    dialog = opened(pins=[Pin(fast, "fast"), Pin(n, "n")], metric="euclidean")
    assert (dialog.quantity.currentData(), dialog.curves.currentData()) == ("distances", "all")
    assert not dialog.subject.isEnabled()
    assert "matrix" in dialog.omissions.text()
    choose_item(dialog.curves, "one")
    assert dialog.subject.isEnabled()
    assert "curves or ranges" in dialog.omissions.text()
    choose_item(dialog.curves, "all")
    choose_item(dialog.quantity, "frequencies")
    assert "n is not in the file: index has no sines or cosines" in dialog.omissions.text()
    choose_item(dialog.quantity, "table")
    assert not dialog.curves.isVisible()
    choose_item(dialog.quantity, "distances")
    write_to(qtbot, dialog, tmp_path / "x.npy")
    found = np.load(tmp_path / "x.npy")
    assert found.shape == (3, 50)
    np.testing.assert_allclose(found[2], 4.0 * np.arange(50), atol=1e-12)


# -- writing it ------------------------------------------------------------------------------------


def test_what_never_fits_or_has_no_numbers_can_be_mended(opened, qtbot, tmp_path):
    """Equal numbers do not correlate: that is known only once all pairs have been compared."""
    target = tmp_path / "out.npy"
    dialog = opened(count=2**53)
    dialog.target.setText(str(target))
    dialog.start_button.click()
    qtbot.waitUntil(lambda: "free" in dialog.message.text())
    dialog.reject()
    e = encodings.create("index", dim=4)
    dialog = opened(encoding=e, count=50, metric="correlation")
    choose_item(dialog.quantity, "distance-histogram")
    dialog.target.setText(str(target))
    dialog.start_button.click()
    qtbot.waitUntil(lambda: dialog.message.text().startswith("Positions: "))
    assert dialog.isVisible()
    assert list(tmp_path.glob("out*")) == []
    choose_item(dialog.quantity, "table")
    write_to(qtbot, dialog, target)
    np.testing.assert_array_equal(np.load(target), e.table(range(50)))


def test_progress_does_not_fall_back_where_all_is_computed_before_the_first_row(opened, tmp_path):
    dialog = opened(encoding=encodings.create("sinusoidal", dim=64), count=150_000)
    choose_item(dialog.quantity, "projection")
    target, heard = tmp_path / "out.csv", RecordedProgress()
    dialog.check()
    run_now(dialog.work(target), heard)
    assert len(target.read_text().splitlines()) == 150_001
    shares = [share for share, _ in heard.reports]
    assert shares == sorted(shares)
    assert len(set(shares)) > 3
    assert shares[-2] < 1
    assert shares[-1] == 1

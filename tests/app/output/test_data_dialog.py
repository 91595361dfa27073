"""What only the dialog for data does; see `test_file_dialogs` for the rest."""

import threading
import time
from html import unescape

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from pe_explorer import encodings, quantities
from pe_explorer.analysis import histogram
from pe_explorer.analysis.comparison import Subject
from pe_explorer.exploration import Pin
from pe_explorer.files import export, session
from pe_explorer.model.steps import at_once
from pe_explorer.quantities import Asked
from tests.app.acts import change
from tests.app.output.dialogs import copied_command, open_export, write_to
from tests.support.progress import Heard
from tests.support.samples import sample
from tests.support.windows import choose_item, go_to, set_up_exploration, trigger, visible_dialogs

pytestmark = pytest.mark.usefixtures("clipboard")


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


@pytest.mark.parametrize(
    ("view", "options", "what"),
    [
        ("heatmap", {}, "table"),
        ("heatmap", {"quantity": "angle"}, "angles"),
        ("heatmap", {"quantity": "error"}, "float32-error"),
        ("clocks", {}, "table"),
        ("distances", {"part": "histogram"}, "distance-histogram"),
        ("properties", {}, "evidence"),
        ("properties", {"part": "look-alikes"}, "likeness"),
        ("tokens", {}, "tokens"),
        ("tokens", {"part": "similarity"}, "similarity"),
        ("tokens", {"part": "attention"}, "attention"),
    ],
)
def test_what_a_view_is_made_of_is_offered(window, opened, view, options, what):
    window.model.set_options(view, **options)
    go_to(window, view)
    dialog = opened()
    assert (dialog.what.currentData(), dialog.of.currentData()) == (what, "current")
    assert not dialog.of.isVisible()  # nothing is pinned
    dialog.reject()


@pytest.mark.parametrize("name", encodings.names())
def test_numbers_that_there_are_none_of_are_greyed_out_and_say_why(window, opened, name):
    dialog = opened(encoding=sample(name))
    asked = Asked(Subject("current", window.model.state.encoding), range(50))
    for row, what in enumerate(quantities.names()):
        assert dialog.what.itemData(row) == what
        lack = quantities.lack(what, asked)
        assert is_offered(dialog.what, what) == (lack == "")
        tip = unescape(dialog.what.itemData(row, Qt.ItemDataRole.ToolTipRole)).lower()
        assert (lack or quantities.find(what).help).lower() in tip
    assert is_offered(dialog.what, dialog.what.currentData())
    dialog.reject()


def test_numbers_that_there_are_none_of_are_refused_with_those_that_there_are(opened):
    dialog = opened(encoding=encodings.create("index"))
    choose_item(dialog.what, "frequencies")
    for press in (dialog.go.click, lambda: copied_command(dialog)):
        dialog.clear_message()
        press()
        problem, _, choices = dialog.message.text().partition(": table, ")
        assert problem.startswith("What: index is not made of waves")
        assert {"distances", "matrix"} <= set(choices.rstrip(".").split(", "))
        assert "angles" not in choices
    dialog.reject()


@pytest.mark.parametrize(("name", "what"), [("rope", "score"), ("alibi", "bias")])
def test_the_range_is_called_what_its_numbers_are(window, opened, name, what):
    """A score is by offset, also of an encoding whose rows are positions."""
    trigger(window, "pin")  # a sinusoidal one, whose rows are positions
    dialog = opened(encoding=sample(name))
    own = encodings.find(name).rows.plural.capitalize()

    def title():
        shown = {label.text() for label in dialog.findChildren(QLabel) if label.isVisible()}
        (found,) = shown & {"Positions", "Offsets", "Tokens", own}
        return found

    for chosen, expected in (("table", own), (what, "Offsets"), ("distances", own)):
        choose_item(dialog.what, chosen)
        assert title() == expected
    choose_item(dialog.of, "pinned")
    assert title() == "Positions"
    dialog.reject()


def test_of_a_difference_other_numbers_are_offered(window, opened):
    trigger(window, "pin")
    dialog = opened(encoding=encodings.create("index"))
    texts = {dialog.of.itemData(row): dialog.of.itemText(row) for row in range(3)}
    assert texts == {"current": "index", "pinned": "sinusoidal", "difference": "index − sinusoidal"}
    for of, has_angles in (("current", False), ("pinned", True), ("difference", False)):
        choose_item(dialog.of, of)
        assert is_offered(dialog.what, "angles") == has_angles
        assert is_offered(dialog.what, "distances") == (of != "difference")
    dialog.reject()


def test_what_the_heatmap_compares_is_offered_and_found_again(window, opened, qtbot, tmp_path):
    trigger(window, "pin")
    set_up_exploration(window)
    window.view("heatmap").setFocus()
    dialog = opened(show="difference")
    assert dialog.of.isVisible()
    assert (dialog.what.currentData(), dialog.of.currentData()) == ("table", "difference")
    target = tmp_path / "d.npy"
    window.model.set(show="current")  # later: what the dialog was opened on is written
    write_to(qtbot, dialog, target)
    found = session.read(target).state
    assert (found.show, found.pin.encoding) == ("difference", encodings.create("sinusoidal"))


def test_all_curves_that_are_shown_are_written_and_what_is_not_is_named(
    window, opened, tmp_path, qtbot
):
    pins = [
        Pin(encodings.create("sinusoidal", base=500), "fast"),
        Pin(encodings.create("index"), "n"),
    ]
    go_to(window, "distances")
    window.model.set_options("distances", part="both")
    dialog = opened(pins=pins, metric="euclidean")
    assert (dialog.what.currentData(), dialog.curves.currentData()) == ("distances", "all")
    assert not dialog.of.isEnabled()
    assert "matrix" in dialog.left_out.text()
    choose_item(dialog.curves, "one")
    assert dialog.of.isEnabled()
    assert "more than one curve" in dialog.left_out.text()
    choose_item(dialog.curves, "all")
    choose_item(dialog.what, "frequencies")
    assert "n is not in the file: index is not made of waves" in dialog.left_out.text()
    choose_item(dialog.what, "table")
    assert not dialog.curves.isVisible()
    choose_item(dialog.what, "distances")
    write_to(qtbot, dialog, tmp_path / "x.npy")
    found = np.load(tmp_path / "x.npy")
    assert found.shape == (3, 50)
    np.testing.assert_allclose(found[2], 4.0 * np.arange(50), atol=1e-12)


# -- writing it ------------------------------------------------------------------------------------


def test_what_would_never_fit_is_refused(opened, qtbot, tmp_path):
    dialog = opened(count=2**53)
    dialog.target.setText(str(tmp_path / "out.npy"))
    dialog.go.click()
    qtbot.waitUntil(lambda: "free" in dialog.message.text())
    assert list(tmp_path.glob("out*")) == []
    dialog.reject()


def test_what_turns_out_to_have_no_numbers_is_refused_and_can_be_mended(opened, qtbot, tmp_path):
    """Equal numbers do not correlate: that is known only once all pairs have been compared."""
    e = encodings.create("index", dim=4)
    dialog = opened(encoding=e, metric="correlation")
    choose_item(dialog.what, "distance-histogram")
    dialog.target.setText(str(tmp_path / "out.npy"))
    dialog.go.click()
    qtbot.waitUntil(lambda: dialog.message.text().startswith("Positions: "))
    assert dialog.isVisible()
    assert list(tmp_path.glob("out*")) == []
    choose_item(dialog.what, "table")
    write_to(qtbot, dialog, tmp_path / "out.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), e.table(range(50)))


def test_all_pairs_are_compared_in_the_worker_until_they_are_not_wanted(
    window, opened, qtbot, monkeypatch, tmp_path
):
    """How many bins there are is known only then; it took seconds in which the window stood."""
    begun, threads = threading.Event(), []

    def spread(e, positions, metric, progress):
        threads.append(threading.current_thread())
        begun.set()
        while True:
            progress(0.5)
            time.sleep(0.001)

    monkeypatch.setattr(histogram, "spread", spread)
    dialog = opened()
    choose_item(dialog.what, "distance-histogram")
    dialog.target.setText(str(tmp_path / "out.npy"))
    assert copied_command(dialog)
    assert threads == []
    dialog.go.click()
    qtbot.waitUntil(begun.is_set)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not visible_dialogs(window, type(dialog))
    window.model.worker.finish()  # returns: it has ended
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()
    assert list(tmp_path.glob("out*")) == []


@pytest.mark.parametrize("cancels", [False, True])
def test_progress_is_shown_and_what_is_half_written_goes_when_it_is_cancelled(
    window, opened, qtbot, monkeypatch, tmp_path, cancels
):
    begun, go_on, write = threading.Event(), threading.Event(), export.write

    def slow(made, path, dtype, progress, **beside):
        def after_a_block(rows):
            progress(rows)
            begun.set()
            assert go_on.wait(60)

        write(made, path, dtype, after_a_block, **beside)

    monkeypatch.setattr(export, "write", slow)
    dialog = opened(count=100_000)
    folder = tmp_path / "folder"
    folder.mkdir()
    dialog.target.setText(str(folder / "out.npy"))
    dialog.go.click()
    assert begun.wait(60)
    qtbot.waitUntil(lambda: 0 < dialog.bar.value() < 1000)
    assert {path.suffix for path in folder.iterdir()} == {".part"}
    if cancels:
        dialog.reject()
    go_on.set()
    qtbot.waitUntil(lambda: not visible_dialogs(window, type(dialog)))
    window.model.worker.finish()
    if cancels:
        assert list(folder.iterdir()) == []
    else:
        assert np.load(folder / "out.npy", mmap_mode="r").shape == (100_000, 128)


def test_progress_does_not_fall_back_where_all_is_computed_before_the_first_row(opened, tmp_path):
    dialog = opened(encoding=encodings.create("sinusoidal", dim=64), count=150_000)
    choose_item(dialog.what, "projection")
    target, heard = tmp_path / "out.csv", Heard()
    dialog.check()
    at_once(dialog.work(target), heard)
    assert len(target.read_text().splitlines()) == 150_001
    shares = [share for share, _ in heard.reports]
    assert shares == sorted(shares)
    assert len(set(shares)) > 3
    assert shares[-2] < 1
    assert shares[-1] == 1
    dialog.reject()

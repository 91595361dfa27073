"""Figures that are opened again, cut or foreign: nothing is lost, one sentence says why."""

import pytest

from pe_explorer.app.output.figure_dialog import FigureDialog
from pe_explorer.files.session import FIGURES
from tests.app.acts import change
from tests.app.output.dialogs import open_export, write_to
from tests.support.gestures import settle
from tests.support.windows import (
    DISCARD,
    answer_message,
    close_message,
    drop_file,
    message_boxes,
    set_up_in,
    start_anew,
    trigger,
    visible_dialogs,
)


def drop(window, path):
    """Drop a file, and discard changes; return what is said about the file."""
    drop_file(window, path)
    if message_boxes(window) and "changes" in message_boxes(window)[0].text():
        answer_message(window, DISCARD)
    settle(window.model)
    for dialog in visible_dialogs(window, FigureDialog):  # which a figure opens
        dialog.reject()
    settle(window.model)
    return close_message(window)


def test_all_kinds_of_figures_bring_back_the_same_set_up(window, qtbot, tmp_path):
    window.model.set_encoding("sinusoidal", dim=24, base=321.0)
    window.model.set(start=3, count=33, reference=5, metric="euclidean")
    trigger(window, "pin")
    window.model.set_encoding("rope")
    window.model.set_options("heatmap", quantity="angle")
    settle(window.model)
    expected = set_up_in(window)
    for ending in FIGURES:
        write_to(qtbot, open_export(window, "figure"), tmp_path / f"f{ending}")
    for ending in FIGURES:
        start_anew(window)
        assert set_up_in(window) != expected
        assert drop(window, tmp_path / f"f{ending}") == ""
        assert set_up_in(window) == expected


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("empty.pdf", b""),
        ("other.pdf", b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n"),
        ("other.svg", b'<svg xmlns="http://www.w3.org/2000/svg"><rect width="1"/></svg>'),
        ("no.svg", b"\xff\xfe\x00not a drawing"),
    ],
)
def test_a_foreign_figure_is_one_sentence_and_nothing_is_lost(window, tmp_path, name, data):
    path = tmp_path / name
    path.write_bytes(data)
    change(window, count=77)
    text = drop(window, path)
    assert name in text
    assert text.count(". ") + text.count("\n") <= 1
    assert window.model.state.count == 77
    assert path.read_bytes() == data


@pytest.mark.parametrize("ending", FIGURES)
def test_a_figure_that_was_cut_is_one_sentence_unless_its_session_is_whole(
    window, qtbot, tmp_path, ending
):
    write_to(qtbot, open_export(window, "figure"), tmp_path / f"f{ending}")
    whole, exported = (tmp_path / f"f{ending}").read_bytes(), set_up_in(window)
    path = tmp_path / f"cut{ending}"
    for share in (0.005, 0.1, 0.5, 0.9):
        path.write_bytes(whole[: int(share * len(whole))])
        change(window, count=77)
        text = drop(window, path)
        assert set_up_in(window) == (exported.with_(count=77) if text else exported)
        assert path.name in text or (text == "" and share > 0.005)

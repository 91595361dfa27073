"""What the dialogs for pictures, data and figures promise alike; printing too, where it can."""

import json
import os
import resource
import shlex
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from pe_explorer import encodings, views
from pe_explorer.app.output import figure_files, picture, print_dialog
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.exploration import Exploration
from pe_explorer.files import export, session
from tests.app.output.dialogs import (
    KINDS,
    ask_for_printer,
    choice_of,
    copied_command,
    open_export,
    open_print,
    path_in,
    print_into,
    question_of,
    replace,
    wait_until_closed,
    write_to,
)
from tests.app.windows import (
    choose_item,
    click_button,
    close_message,
    drop_file,
    go_to,
    let_go_once_cancelled,
    set_up_exploration,
    start_anew,
    trigger,
    visible_dialogs,
    wait_for_preview,
)
from tests.support.gestures import settle
from tests.support.processes import run_program

LEFT = Qt.MouseButton.LeftButton
WRITERS = {
    "picture": (picture, "save"),
    "data": (export, "write"),
    "figure": (figure_files, "save"),
    "print": (print_dialog, "print_page"),
}
"""What writes the file of a dialog, in the worker."""
pytestmark = pytest.mark.usefixtures("clipboard")


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def folder(tmp_path):
    """An empty folder for files; the home folder has settings in it."""
    (tmp_path / "files").mkdir()
    return tmp_path / "files"


@pytest.fixture
def dialog(window, kind, folder):
    """The dialog, with a name in that folder."""
    dialog = open_export(window, kind)
    dialog.target.setText(str(folder / path_in(dialog).name))
    return dialog


def files_in(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# -- the file's name -----------------------------------------------------------------------------


def test_the_name_follows_the_view_the_choice_and_the_last_folder(window, qtbot, kind, folder):
    go_to(window, "distances")
    for proposed, written in ((Path.home(), folder / "first"), (folder, Path("~/second"))):
        dialog = open_export(window, kind)
        what, target = choice_of(dialog), path_in(dialog)
        assert what.currentData() == "distances"
        assert (target.parent, target.stem) == (proposed, "distances")
        what.setFocus()
        qtbot.keyClick(what, Qt.Key.Key_Up)
        assert what.currentData() != "distances"
        assert path_in(dialog) == target.with_stem(what.currentData())
        dialog.target.setText(str(target.with_stem("mine")))
        choose_item(what, "frequencies")
        assert path_in(dialog) == target.with_stem("mine")
        write_to(qtbot, dialog, f"{written}{target.suffix}")
        at_home = Path(f"{written}{target.suffix}").expanduser()
        assert at_home.exists()
        assert window.statusBar().currentMessage().startswith(str(at_home))


BAD_NAMES = {
    "": ["the name is empty", "ENDING"],
    "~nobody-of-that-name/out.ENDING": ["home folder does not exist"],
    "out.txt": ["must end in", "ENDING"],
    "/nowhere/out.ENDING": ["no folder /nowhere"],
    "FOLDER/folder.ENDING": ["is a folder"],
    "x" * 300 + ".ENDING": ["too long"],
    "out\0.ENDING": ["not allowed in file names"],
}


def test_a_name_that_is_none_is_refused_at_once_until_another_is_typed(window, dialog, folder):
    assert dialog.start_button.toolTip()
    good, ending, size = dialog.target.text(), path_in(dialog).suffix[1:], dialog.size()
    (folder / f"folder.{ending}").mkdir()
    before = sorted(folder.iterdir())
    for name, facts in BAD_NAMES.items():
        dialog.target.setText(name.replace("ENDING", ending).replace("FOLDER", str(folder)))
        for press in (dialog.start_button.click, lambda: copied_command(dialog)):
            dialog.clear_message()
            press()
            message = dialog.message.text()
            assert message.startswith("Output: ")
            for fact in facts:
                assert fact.replace("ENDING", ending).replace("FOLDER", str(folder)) in message
            assert (dialog.isVisible(), dialog.start_button.isEnabled()) == (True, True)
            assert not window.model.worker.is_busy(dialog.TASK_OWNER)
        assert copied_command(dialog) == ""
        dialog.target.setText(good)
        assert dialog.message.text() == ""
    settle()
    assert dialog.size() == size
    assert sorted(folder.iterdir()) == before


# -- a file that is there, and one that cannot be written ------------------------------------------


def test_a_file_is_replaced_only_after_a_question(window, dialog, qtbot):
    target = path_in(dialog)
    target.write_bytes(b"precious")
    assert copied_command(dialog)  # whose message goes
    cancel = QMessageBox.StandardButton.Cancel
    for answer in (
        lambda box: qtbot.mouseClick(box.button(cancel), LEFT),
        lambda box: qtbot.keyClick(box, Qt.Key.Key_Return),
        lambda box: qtbot.keyClick(box, Qt.Key.Key_Escape),
    ):
        qtbot.keyClick(dialog.target, Qt.Key.Key_Return)
        assert target.name in question_of(dialog).text()
        answer(question_of(dialog))
        settle()
        assert question_of(dialog) is None
        assert (dialog.isVisible(), dialog.start_button.isEnabled()) == (True, True)
        assert dialog.message.text() == ""
        assert target.read_bytes() == b"precious"
    replace(dialog)
    wait_until_closed(qtbot, dialog)
    assert target.stat().st_size > 1000


def test_what_the_file_chooser_asked_is_not_asked_again_but_another_name_is(dialog, qtbot):
    typed = path_in(dialog)
    chosen = typed.with_stem("chosen")
    for path in (typed, chosen):
        path.write_bytes(b"old")
    click_button(dialog, "Choose…")
    (chooser,) = visible_dialogs(dialog, QFileDialog)
    chooser.setOption(QFileDialog.Option.DontConfirmOverwrite)
    chooser.selectFile(str(chosen))
    chooser.accept()
    dialog.target.setText(str(typed))
    dialog.start_button.click()
    question_of(dialog).reject()
    write_to(qtbot, dialog, chosen)
    assert (typed.read_bytes(), chosen.read_bytes() != b"old") == (b"old", True)


def test_where_no_file_can_be_written(dialog, qtbot, folder, monkeypatch):
    target = path_in(dialog)
    dialog.target.setText(f"/proc/{target.name}")
    dialog.start_button.click()
    qtbot.waitUntil(dialog.start_button.isEnabled)
    assert dialog.message.text().startswith(f"Output: /proc/{target.name}: ")
    target.write_bytes(b"precious")
    dialog.target.setText(str(target))
    assert dialog.message.text() == ""
    with monkeypatch.context() as patched:
        patched.setattr(os, "access", lambda path, mode: False)  # root may write anywhere
        replace(dialog)
        qtbot.waitUntil(lambda: "read-only" in dialog.message.text())
    qtbot.waitUntil(dialog.start_button.isEnabled)
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, unlimited[1]))  # as a full disk
    try:
        replace(dialog)
        qtbot.waitUntil(lambda: "too large" in dialog.message.text())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    assert dialog.message.text().startswith(f"Output: {target}: ")
    assert (dialog.isVisible(), dialog.start_button.isEnabled()) == (True, True)
    assert not dialog.bar.isVisible()
    assert files_in(folder) == {target.name: b"precious"}
    dialog.start_button.click()
    wait_until_closed(qtbot, dialog)
    assert target.stat().st_size > 1000


# -- while it works --------------------------------------------------------------------------------


def test_the_window_lives_while_a_file_is_written_and_a_second_enter_begins_nothing(
    window, dialog, qtbot, kind, hold, monkeypatch
):
    begun, go_on = hold(*WRITERS[kind])
    module, name = WRITERS[kind]
    target, writer, files = path_in(dialog), getattr(module, name), []
    monkeypatch.setattr(
        module, name, lambda *words, **more: (files.append(target), writer(*words, **more))
    )
    before, worker = window.model.state, window.model.worker
    qtbot.keyClick(dialog.target, Qt.Key.Key_Return)
    qtbot.waitUntil(begun.is_set)
    assert (dialog.isVisible(), dialog.start_button.isEnabled()) == (True, False)
    assert dialog.bar.isVisible()
    qtbot.keyClick(dialog.target, Qt.Key.Key_Return)
    dialog.accept()
    window.model.set_encoding(dim=4)  # what was there when it was opened is written
    window.model.set(count=7)
    with qtbot.waitSignal(worker.done, check_params_cb=lambda owner, value: owner == "others"):
        worker.request("others", lambda cancelled: 1)
    assert worker.is_busy(dialog.TASK_OWNER)
    assert {each for each in QApplication.topLevelWidgets() if each.isVisible()} == {window, dialog}
    go_on.set()
    wait_until_closed(qtbot, dialog)
    assert files == [target]
    found = session.read(target).state
    assert (found.encoding, found.positions) == (before.encoding, before.positions)


WORK = [
    *(("written", kind, "heatmap" if kind != "data" else "table") for kind in KINDS),
    ("computed", "picture", "heatmap"),
    ("computed", "picture", "window"),
    ("computed", "figure", "heatmap"),
    ("computed", "print", "heatmap"),
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("how", ["escape", "button", "close", "window"])
@pytest.mark.parametrize(("stage", "kind", "what"), WORK)
def test_cancelled_it_ends_and_leaves_what_was_there(
    window, qtbot, monkeypatch, folder, hold, stop_in_worker, stage, kind, what, how
):
    monkeypatch.setattr(print_dialog, "has_printers", lambda: False)
    dialog = open_print(window) if kind == "print" else open_export(window, kind)
    choose_item(choice_of(dialog), what)
    target = folder / "out.pdf" if kind == "print" else folder / path_in(dialog).name
    if stage == "written":
        target.write_bytes(b"precious")
        begun, go_on = hold(*WRITERS[kind])
    else:
        begun, go_on, _ = stop_in_worker("heatmap")
    before = files_in(folder)
    if kind == "print":
        print_into(qtbot, ask_for_printer(qtbot, dialog), target)
    else:
        dialog.target.setText(str(target))
        replace(dialog)
    qtbot.waitUntil(begun.is_set)
    assert dialog.bar.isVisible()
    assert dialog.message.text() or stage == "written"
    if how == "window":
        waiting = let_go_once_cancelled(dialog, go_on)
        window.leave()
        waiting.join()
    else:
        press = {
            "escape": lambda: qtbot.keyClick(dialog, Qt.Key.Key_Escape),
            "button": dialog.buttons.button(dialog.buttons.StandardButton.Cancel).click,
            "close": dialog.close,
        }
        press[how]()
        assert not visible_dialogs(window, type(dialog))
        if stage == "written":
            go_on.set()
        window.model.worker.finish()  # returns: what is computed has ended
    settle()
    assert files_in(folder) == before
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    apart = [
        w for w in QApplication.topLevelWidgets() if isinstance(w, (MainWindow, views.PageView))
    ]
    assert apart == [window]


# -- sessions --------------------------------------------------------------------------------------


def test_a_file_carries_the_whole_session_by_default(window, qtbot, kind, folder):
    extra = {"later": [1], "views": {"spectrum": {"scale": "log"}}}
    session.write(folder / "s.json", Exploration(count=33), extra)
    drop_file(window, folder / "s.json")
    for carry in ("keep", "omit"):
        dialog = open_export(window, kind)
        target = folder / f"{carry}{path_in(dialog).suffix}"
        choose_item(dialog.carry, carry)
        write_to(qtbot, dialog, target)
        if carry == "keep":
            found = session.read(target)
            assert found.state.count == 33
            assert extra.items() <= found.extra.items()
    if kind == "data":
        assert not session.to_side_path(target).exists()
    else:
        with pytest.raises(session.SessionError):
            session.read(target)


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "what"),
    [("picture", "clocks"), ("figure", "clocks"), ("print", "clocks"), ("data", "frequencies")],
)
def test_what_the_encoding_has_not_is_refused_with_the_reason(window, qtbot, kind, what):
    window.model.set_encoding("index")
    dialog = open_print(window) if kind == "print" else open_export(window, kind)
    choose_item(choice_of(dialog), what)
    for press in (dialog.start_button.click, lambda: kind == "print" or copied_command(dialog)):
        assert press() in (None, True, "")
        assert dialog.isVisible()
        assert "index has no sines or cosines" in dialog.message.text().lower()
    if kind in ("figure", "print"):
        wait_for_preview(qtbot, dialog)
        assert "index has no sines or cosines" in dialog.figure_form.preview.sentence.lower()
        choose_item(choice_of(dialog), "heatmap")
        wait_for_preview(qtbot, dialog)
        assert dialog.figure_form.preview.sentence == ""
    if kind == "data":  # which names those that there are
        choices = dialog.message.text().partition(": table, ")[2].rstrip(".").split(", ")
        assert {"distances", "matrix"} <= set(choices)
        assert "angles" not in choices


# -- commands --------------------------------------------------------------------------------------

ALL_COMMANDS = """
import json, sys
from pe_explorer.app import render
from pe_explorer.commandline.main import main
application = render.Application("light")
render.Application = lambda theme: application  # there can be only one
for words in json.loads(sys.argv[1]):
    if code := main(words):
        sys.exit(code)
"""

FILES = {
    "d é.npy": {"quantity": "distances"},
    "t.csv": {"quantity": "table", "dtype": "float32"},
    "difference.npy": {"quantity": "table", "subject": "difference"},
    "a.csv": {"quantity": "angles", "subject": "difference"},
    "pinned.csv": {"quantity": "distances", "subject": "pinned"},
    "m.npy": {"quantity": "matrix", "dtype": "float16", "carry": "omit"},
    "h.png": {
        "view_combo": "heatmap",
        "width_field": "640",
        "height_field": "400",
        "scale": "1.5",
        "theme": "dark",
    },
    "a b.png": {"view_combo": "window", "carry": "omit", "scale": "1.5"},
    "f.png": {
        "view_combo": "distances-matrix",
        "preset": "square",
        "ground": "dark",
        "carry": "omit",
    },
    "f.pdf": {
        "view_combo": "heatmap",
        "size_field": "300x200mm",
        "font_size": "11",
        "carry": "omit",
    },
    "f.svg": {"view_combo": "waves", "title": "it's $mine$", "grid": "on", "carry": "omit"},
}


def choose(dialog, choices):
    """Make the choices in a dialog, by the names of its fields or of those of a style."""
    form = getattr(dialog, "figure_form", dialog)
    for name, choice in choices.items():
        field = getattr(form, name, None) or getattr(dialog, name, None)
        if field is None:
            editor = form.fields.editor(name)
            field = getattr(editor, "combo", editor.main)
            if choice == "on":
                editor.box.click()
                continue
        field.setText(choice) if hasattr(field, "setText") else choose_item(field, choice)
    if form is not dialog:
        form.fields.commit()


def test_the_commands_make_the_same_files_in_another_process(window, qtbot, folder):
    trigger(window, "pin")
    window.model.set_encoding("index")
    trigger(window, "pin")
    window.model.set(compared=0)
    set_up_exploration(window)
    commands = []
    for name, choices in FILES.items():
        is_figure = name.startswith("f.")
        kind = "figure" if is_figure else "picture" if name.endswith(".png") else "data"
        dialog = open_export(window, kind)
        choose(dialog, choices)
        dialog.target.setText(str(folder / name))
        program, *words, target = shlex.split(copied_command(dialog))
        assert (program, target) == ("pe-explorer", str(folder / name))
        commands.append([*words, name])
        write_to(qtbot, dialog, folder / name)
    again = folder / "again"
    again.mkdir()
    done = run_program(
        again, json.dumps(commands), program=("-c", ALL_COMMANDS), QT_QPA_PLATFORM="offscreen"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    for name, choices in FILES.items():
        written, made = folder / name, again / name
        assert made.read_bytes() == written.read_bytes(), name
        has_side = written.suffix in (".npy", ".csv") and "carry" not in choices
        assert [session.to_side_path(path).exists() for path in (written, made)] == [has_side] * 2
        if has_side:
            start_anew(window)
            drop_file(window, written)
            assert close_message(window) == ""
            assert window.model.state.positions == range(10**15, 10**15 + 77)
            assert window.model.state.encoding == encodings.create("sinusoidal", dim=20, base=123.5)
    less = encodings.create("sinusoidal").table(range(10**15, 10**15 + 77))[:, :20]
    true = window.model.state.encoding.table(range(10**15, 10**15 + 77)) - less
    np.testing.assert_allclose(np.load(folder / "difference.npy"), true, rtol=0, atol=2e-15)


# -- the form --------------------------------------------------------------------------------------


def test_keys_lead_to_fields_and_items_explain_themselves(window, dialog, qtbot, kind, folder):
    parts = (dialog, dialog.message, dialog.buttons, dialog.target)
    before = [part.geometry() for part in parts]
    assert copied_command(dialog).startswith("pe-explorer ")
    settle()
    assert [part.geometry() for part in parts] == before  # copying moves and begins nothing
    assert dialog.start_button.isDefault()
    assert not window.model.worker.is_busy(dialog.TASK_OWNER)
    assert files_in(folder) == {}
    keys = {Qt.Key.Key_F: dialog.target}
    if kind != "data":
        size = dialog.width_field if kind == "picture" else dialog.figure_form.preset
        keys = {Qt.Key.Key_S: size, Qt.Key.Key_D: choice_of(dialog), **keys}
    for key, field in keys.items():
        qtbot.keyClick(dialog, key, Qt.KeyboardModifier.AltModifier)
        assert field.hasFocus()
    assert dialog.target.toolTip()
    for combo in (choice_of(dialog), dialog.carry):
        texts = [combo.itemText(row) for row in range(combo.count())]
        for row in range(combo.count()):
            assert combo.itemData(row, Qt.ItemDataRole.ToolTipRole)
        assert max(map(combo.fontMetrics().horizontalAdvance, texts)) <= combo.width() - 30

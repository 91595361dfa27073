"""The command that a dialog copies makes, in another process, the file that the dialog writes."""

import json
import shlex

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from pe_explorer import encodings, flags, pictures, views
from pe_explorer.app import run as run_module
from pe_explorer.app.output.copying import picture_command
from pe_explorer.app.output.data_dialog import DataDialog
from pe_explorer.app.output.picture_dialog import PictureDialog
from pe_explorer.commandline import main as cli
from pe_explorer.exploration import Exploration
from pe_explorer.figures.style import Style
from pe_explorer.files import export, session
from pe_explorer.flags import WIDTH
from tests.app.output.dialogs import write_to
from tests.configs.support import llama
from tests.support.cases import for_each
from tests.support.gestures import settle, wait_for_worker
from tests.support.pictures import draw, save
from tests.support.processes import run_program
from tests.support.windows import (
    choose_item,
    close_message,
    drop_file,
    go_to,
    open_dialog,
    set_up_exploration,
    start_anew,
    trigger,
)

KINDS = {"export_picture": PictureDialog, "export_data": DataDialog}


def copied(dialog):
    """Press the button that copies the command, and return what is on the clipboard."""
    QApplication.clipboard().clear()
    (button,) = [
        b
        for b in dialog.buttons.buttons()
        if dialog.buttons.buttonRole(b) == QDialogButtonBox.ButtonRole.ActionRole
    ]
    assert button.toolTip().endswith(".")
    button.click()
    return QApplication.clipboard().text()


EACH = """
import json, sys
from pe_explorer.commandline.main import main
for words in json.loads(sys.argv[1]):
    if code := main(words):
        sys.exit(code)
"""


def repeated(folder, *lines):
    """Run commands in a folder that is made for it, their files there, and return the folder."""
    folder.mkdir()
    commands = []
    for line in lines:
        program, *words, target = shlex.split(line)
        assert program == "pe-explorer"
        commands.append([*words, target.rpartition("/")[2]])
    done = run_program(folder, json.dumps(commands), program=("-c", EACH))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return folder


def choose_all(dialog, choices):
    for name, choice in choices.items():
        field = getattr(dialog, name)
        if isinstance(choice, str) and hasattr(field, "setText"):
            field.setText(choice)
        else:
            choose_item(field, choice)


def set_up_with_pins(window):
    """Show an exploration with a pin that it is compared with, and one of another encoding."""
    start_anew(window)
    trigger(window, "pin")
    window.model.set_encoding("index")
    trigger(window, "pin")
    window.model.set(compared=0)
    set_up_exploration(window)


def written_and_copied(window, qtbot, key, choices, target):
    """Write a file as a dialog with some choices does, and return the command that it copies."""
    dialog = open_dialog(window, key, KINDS[key])
    choose_all(dialog, choices | {"target": str(target)})
    line = copied(dialog)
    assert dialog.message.text() == "Command copied."
    write_to(qtbot, dialog, target)
    return line


def test_commands_make_the_same_data(window, qtbot, tmp_path):
    """One process makes all of them."""
    files = {
        "d é.npy": {"what": "distances"},
        "t.csv": {"what": "table", "dtype": "float32"},
        "difference.npy": {"what": "table", "of": "difference"},
        "a.csv": {"what": "angles", "of": "difference"},
        "pinned.csv": {"what": "distances", "of": "pinned"},
        "m.npy": {"what": "matrix", "dtype": "float16", "carry": "omit"},
    }
    set_up_with_pins(window)
    lines = [
        written_and_copied(window, qtbot, "export_data", choices, tmp_path / name)
        for name, choices in files.items()
    ]
    again = repeated(tmp_path / "again", *lines)
    for name, choices in files.items():
        written, made = tmp_path / name, again / name
        assert made.read_bytes() == written.read_bytes()
        side, side_again = session.side_file(written), session.side_file(made)
        assert side.exists() == side_again.exists() == ("carry" not in choices)
        if side.exists():
            start_anew(window)
            drop_file(window, written)
            assert close_message(window) == ""
            assert window.model.state.positions == range(10**15, 10**15 + 77)
            assert window.model.state.encoding == encodings.create("sinusoidal", dim=20, base=123.5)


@for_each(
    ("name", "choices"),
    [
        (
            "h.png",
            {"what": "heatmap", "width_": "640", "height_": "400", "scale": "1.5", "theme": "dark"},
        ),
        ("a b.png", {"what": "window", "carry": "omit", "scale": "1"}),
    ],
)
def test_the_command_makes_the_same_picture(window, qtbot, tmp_path, name, choices):
    set_up_with_pins(window)
    line = written_and_copied(window, qtbot, "export_picture", choices, tmp_path / name)
    again = repeated(tmp_path / "again", line)
    assert (again / name).read_bytes() == (tmp_path / name).read_bytes()
    assert not session.side_file(again / name).exists()


@for_each(
    ("key", "field", "text", "says"),
    [
        ("export_picture", "width_", "wide", "Width: 'wide' is not a whole number"),
        ("export_picture", "scale", "0", "Scale: 0 is outside"),
        ("export_picture", "target", "", "Output: no file is named"),
        ("export_picture", "target", "a.bmp", "must end in .png"),
        ("export_data", "target", "/nowhere/a.npy", "there is no folder"),
        ("export_data", "what", "frequencies", "index is not made of waves"),
    ],
)
def test_what_no_command_makes_is_told(window, key, field, text, says):
    window.model.set_encoding("index")
    settle(window.model)
    dialog = open_dialog(window, key, KINDS[key])
    choose_all(dialog, {field: text})
    size = dialog.size()
    assert copied(dialog) == ""
    assert says in dialog.message.text()
    assert dialog.message.text().endswith(".")
    settle()
    assert dialog.size() == size
    dialog.reject()


def test_a_size_that_no_picture_has_is_told_before_it_is_copied(window):
    dialog = open_dialog(window, "export_picture", PictureDialog)
    choose_all(dialog, {"width_": "16000", "height_": "16000", "scale": "8"})
    assert copied(dialog) == ""
    assert "more than 2^28 pixels" in dialog.message.text()


def test_copying_moves_nothing_and_enter_still_exports(window, tmp_path):
    for key, kind in KINDS.items():
        dialog = open_dialog(window, key, kind)
        before = [
            (child, child.geometry())
            for child in (dialog, dialog.message, dialog.buttons, dialog.target)
        ]
        assert copied(dialog)
        settle()
        assert [(child, child.geometry()) for child, _ in before] == before
        assert dialog.go.isDefault()
        dialog.reject()
        del dialog, before
        settle()


def test_the_command_of_a_copied_picture(window, tmp_path):
    state = set_up_exploration(window)
    view = window.view("distances")
    view.setFocus()
    settle(window.model)
    window.actions_by_key["copy_picture"].trigger()
    wait_for_worker(window.model)
    wanted = QApplication.clipboard().image().convertToFormat(QImage.Format.Format_RGB32)
    line = picture_command("distances", state, view.size(), Style())
    assert f"--size {view.width()}x{view.height()} --scale 2 " in line
    found = QImage(str(repeated(tmp_path / "again", line) / "distances.png")).convertToFormat(
        QImage.Format.Format_RGB32
    )
    assert found == wanted
    narrow = picture_command("distances", state, QSize(5, 400), Style())
    assert f"--size {WIDTH.low}x400 --scale 2 -o distances.png" in narrow
    QApplication.clipboard().clear()


def has_picture():
    return not QApplication.clipboard().image().isNull()


@for_each("name", views.names())
def test_a_copied_picture_is_a_figure_whatever_the_theme_of_the_window(window, qapp, qtbot, name):
    """It is light, and without a cursor, as what `render` draws is.

    Of a picture that is about the cursor's position, the dimension alone is without effect.
    """
    window.resize(900, 600)
    go_to(window, name)
    copied = []
    of_all = {"position": 20} if "position" in pictures.find(name).fields else {}
    for theme, cursor in (("light", {"position": 3}), ("dark", {"position": 20, "dimension": 8})):
        qapp.set_theme(theme)
        window.model.set(**{**cursor, **of_all})
        settle(window.model)
        QApplication.clipboard().clear()
        window.actions_by_key["copy_picture"].trigger()
        qtbot.waitUntil(has_picture)
        copied.append(QApplication.clipboard().image().convertToFormat(QImage.Format.Format_RGB32))
    assert copied[0].pixelColor(1, 1).lightness() > 200
    assert copied[0] == copied[1]
    QApplication.clipboard().clear()


# -- pe-explorer FILE ------------------------------------------------------------------------------


@pytest.fixture
def shown(monkeypatch):
    """What the window would be opened with."""
    seen = []
    monkeypatch.setattr(run_module, "run_window", lambda *given: seen.append(given) or 0)
    return seen


@for_each("name", ["s.json", "p.png", "t.npy", "t.csv", "list", "a é.json"])
def test_a_file_is_opened(window, shown, tmp_path, monkeypatch, name):
    shown.clear()
    state = set_up_exploration(window)
    monkeypatch.chdir(tmp_path)
    session.write(name, state)
    if name.endswith(".png"):
        save(draw("heatmap", state, 300, 200, 1.0, "light"), name, state)
    if name.startswith("t."):
        request = flags.ExportRequest(
            metric=state.metric, reference=state.reference, position=state.position
        )
        export.write(
            request.data(state.encoding, state.positions),
            name,
            beside=export.session_beside(state, state.positions, request, name),
        )
    expected = state.with_(panes=None) if name.startswith("t.") else state.intention
    given = "./list" if name == "list" else name
    assert cli.main([given]) == 0
    assert cli.main(["--theme", "dark", given]) == 0
    assert cli.main([given, "--theme", "dark"]) == 0
    assert [(theme, path, found.state) for theme, path, found, *_ in shown] == [
        (theme, given, expected) for theme in (None, "dark", "dark")
    ]
    assert {digest for *_, digest, _ in shown} == {session.digest(name)}


def test_without_a_file_nothing_is_opened(shown):
    assert cli.main([]) == 0
    assert cli.main(["--theme", "light"]) == 0
    assert shown == [(None,), ("light",)]


@for_each(
    ("arguments", "says"),
    [
        (
            ("rendr",),
            "'rendr' is neither a command nor a file here; did you mean 'render'? See "
            "pe-explorer --help",
        ),
        (("exprt", "--dim", "4"), "did you mean 'export'"),
        (("missing.json",), "'missing.json' is neither a command nor a file here"),
        (("--dim", "4"), "--dim: no such flag"),
        (("s.json", "s.json"), "s.json: only model configurations can be compared"),
        (("s.json", "missing.json"), "'missing.json' is neither a command nor a file here"),
        (("s.json", "--dim", "4"), "--dim: no such flag"),
        (("s.json", "--theme", "blue"), "--theme: invalid choice: 'blue'"),
        (("broken.json",), "broken.json: the file is not valid JSON"),
        (("t.csv",), "t.csv: no session file t.csv.session.json"),
        (("t.npy",), "t.npy: is not a .npy file; make one with numpy.save"),
        (("gone.json",), "gone.json: no such file"),
        ((".",), ".: is a folder"),
    ],
    ids=str,
)
def test_a_file_that_is_none_is_one_line_and_no_window(
    shown, tmp_path, monkeypatch, capsys, arguments, says
):
    monkeypatch.chdir(tmp_path)
    session.write(tmp_path / "s.json", Exploration())
    for name in ("broken.json", "t.csv", "t.npy"):
        (tmp_path / name).write_text("{")
    (tmp_path / "gone.json").symlink_to("nowhere")
    try:
        code = cli.main(arguments)
    except SystemExit as stop:
        code = stop.code
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("pe-explorer: ")
    assert says in err
    assert shown == []


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("s.json", "sinusoidal 7 s.json[*] — PE Explorer"),
        ("t.npy", "learned 50 PE Explorer"),
        ("config.json", "rope 32768 config.json[*] — PE Explorer"),
    ],
)
def test_the_window_shows_the_file(tmp_path, name, wanted):
    session.write(tmp_path / "s.json", Exploration(count=7))
    np.save(tmp_path / "t.npy", np.arange(21.0).reshape(7, 3))
    (tmp_path / "config.json").write_text(json.dumps(llama()))
    program = """
import sys
from pe_explorer.encodings import Unknown
from pe_explorer.app import application
def told(app):
    windows = [window for window in app.topLevelWidgets() if hasattr(window, "model")]
    (window,) = [window for window in windows if window.isVisible()]
    app.processEvents()
    while isinstance(window.model.state.encoding, Unknown):  # the table is on its way
        app.processEvents()
    state = window.model.state
    print(state.encoding.name, len(state.positions), window.windowTitle())
    window.close()
    return 0
application.Application.exec = told
from pe_explorer.commandline.main import main
sys.exit(main(sys.argv[1:]))
"""
    places = {"QT_QPA_PLATFORM": "offscreen", "HOME": str(tmp_path)}
    done = run_program(tmp_path, name, program=("-c", program), **places)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{wanted}\n", "")


def test_data_without_a_session_are_told_in_the_window(window, tmp_path):
    (tmp_path / "t.csv").write_text("position,0\n0,1\n")
    state = window.model.state
    drop_file(window, tmp_path / "t.csv")
    message = close_message(window)
    assert "no session file t.csv.session.json was found beside these data" in message
    assert window.model.state == state


@for_each(
    ("view", "options", "offered"),
    [
        ("heatmap", {}, "table"),
        ("heatmap", {"quantity": "angle"}, "angles"),
        ("heatmap", {"quantity": "error"}, "float32-error"),
        ("clocks", {}, "table"),
        ("distances", {}, "distances"),
        ("distances", {"part": "histogram"}, "distance-histogram"),
        ("properties", {}, "evidence"),
        ("properties", {"part": "look-alikes"}, "likeness"),
        ("tokens", {}, "tokens"),
        ("tokens", {"part": "similarity"}, "similarity"),
        ("tokens", {"part": "attention"}, "attention"),
    ],
)
def test_what_a_view_is_made_of_is_offered(window, view, options, offered):
    window.model.set_options(view, **options)
    if view not in window.workspace.shown:
        window.workspace.show_view(view)
    window.activateWindow()  # the dialog before had the keys
    window.view(view).setFocus()
    settle(window.model)
    dialog = open_dialog(window, "export_data", DataDialog)
    assert (dialog.what.currentData(), dialog.of.currentData()) == (offered, "current")
    dialog.reject()


def test_what_the_heatmap_compares_is_offered_and_found_again(window, qtbot, tmp_path):
    dialog = open_dialog(window, "export_data", DataDialog)
    assert not dialog.of.isVisible()  # nothing is pinned
    dialog.reject()
    trigger(window, "pin")
    state = set_up_exploration(window)
    window.model.set(show="difference")
    window.view("heatmap").setFocus()
    settle(window.model)
    dialog = open_dialog(window, "export_data", DataDialog)
    assert dialog.of.isVisible()
    assert (dialog.what.currentData(), dialog.of.currentData()) == ("table", "difference")
    target = tmp_path / "d.npy"
    window.model.set(show="current")  # later: what the dialog was opened on is written
    write_to(qtbot, dialog, target)
    pin = window.model.state.pin.encoding
    less = pin.table(state.positions)[:, : state.encoding.dim]
    true = state.encoding.table(state.positions) - less
    np.testing.assert_allclose(np.load(target), true, rtol=0, atol=2e-15)
    found = session.read(target).state
    assert (found.show, found.pin.encoding) == ("difference", pin)

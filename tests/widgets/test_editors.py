"""Every kind of parameter has an editor, and all of them keep the same rules."""

import html
import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAccessible, QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QPushButton,
    QToolTip,
    QWidget,
)
from shiboken6 import isValid

import pe_explorer.params
from pe_explorer.params import (
    Choice,
    Declared,
    FileName,
    Flag,
    LabelledNumbers,
    MultiChoice,
    Numbers,
    Optional,
    Parameter,
    Real,
    Span,
    Text,
    TextPairs,
    Texts,
    Whole,
    declare,
    declared,
)
from pe_explorer.widgets.editors import CHOOSE_TEXT, EDITORS, LOCATE_TEXT
from pe_explorer.widgets.form import FormFields
from pe_explorer.widgets.line_fields import NumberField
from tests.support.gestures import type_text

WHOLE = Whole(64, 1, 512, slider_range=(1, 128), label="Width", symbol="d", help="Columns.")
REAL_ANY = Real(0.0, -1e308, 1e308, label="End", help="A number.")
REAL = Real(1.0, 0.0, 1e6, label="Scale", help="How far.")
CHOICE = Choice("half", {"half": "one half", "whole": "all"}, label="Layout", help="Where.")
WORDS = MultiChoice(
    "one", {"one": "first", "two": "second", "one two": "both"}, label="Of", help="Which."
)
FLAG = Flag(False, label="Symmetric", help="Both sides.")
NUMBERS = Numbers((1.0, 2.0), REAL, 50, label="Factors", help="One for each pair.")
SPAN = Span((-1.0, 1.0), REAL_ANY, label="Ends", help="From and to.")
TEXT = Text("pin", 60, 0, label="Note", help="Any words.")
REPLACED = TextPairs((), TEXT, 4, label="Custom texts", help="Old: new.")
TEXTS = Texts((), TEXT, 4, label="Panels", help="Any texts.")
LABELLED = LabelledNumbers((), WHOLE, TEXT, 3, label="Lengths", help="Numbers with labels.")
FILE = FileName("", (".npy",), label="File", help="A table.")


def optional(inner):
    return Optional(None, inner, "as the model has it")


@dataclass(frozen=True)
class Every(Declared):
    """One field of every kind, and an optional one of every kind."""

    whole: int = declare(WHOLE)
    real: float = declare(REAL)
    choice: str = declare(CHOICE)
    words: str = declare(WORDS)
    flag: bool = declare(FLAG)
    numbers: tuple[float, ...] = declare(NUMBERS)
    span: tuple[float, float] = declare(SPAN)
    replaced: tuple[tuple[str, str], ...] = declare(REPLACED)
    labelled: tuple[tuple[int, str], ...] = declare(LABELLED)
    text: str = declare(TEXT)
    texts: tuple[str, ...] = declare(TEXTS)
    file: str = declare(FILE)
    auto_whole: int | None = declare(optional(WHOLE))
    auto_real: float | None = declare(optional(REAL))
    auto_choice: str | None = declare(optional(CHOICE))
    auto_words: str | None = declare(optional(WORDS))
    auto_flag: bool | None = declare(optional(FLAG))
    auto_numbers: tuple[float, ...] | None = declare(optional(NUMBERS))
    auto_span: tuple[float, float] | None = declare(optional(SPAN))
    auto_replaced: tuple[tuple[str, str], ...] | None = declare(optional(REPLACED))
    auto_labelled: tuple[tuple[int, str], ...] | None = declare(optional(LABELLED))
    auto_text: str | None = declare(optional(TEXT))
    auto_texts: tuple[str, ...] | None = declare(optional(TEXTS))
    auto_file: str | None = declare(optional(FILE))


TYPED = {
    "whole": ("2^5", 32, "32"),
    "real": ("2.50", 2.5, "2.5"),
    "numbers": ("3;1_100 7", (3.0, 1100.0, 7.0), "3 1100 7"),
    "span": ("-2, 1,000", (-2.0, 1000.0), "-2 1000"),
    "replaced": ("a:b ;c : d e", (("a", "b"), ("c", "d e")), "a: b; c: d e"),
    "labelled": ("2^3=a  64 9='b c'", ((8, "a"), (64, ""), (9, "b c")), "8=a 64 '9=b c'"),
    "text": (" a  b ", "a b", "a b"),
    "texts": ("a  b;c", ("a b", "c"), "a b; c"),
    "file": ("/a b/ t .npy", "/a b/ t .npy", "/a b/ t .npy"),
}
TYPED |= {f"auto_{name}": row for name, row in TYPED.items()}
"""What is typed into each line, the value, and how it is shown then."""

WRONG = {
    "replaced": ("a b", ("'a b'", "OLD: NEW")),
    "whole": ("0", ("1 to 512", "is 1")),
    "real": ("x", ("'x'", "0 to 1e6")),
    "numbers": ("1 2 x", ("number 3", "'x'")),
    "span": ("1 -1", ("'1 -1'", "-1 1")),
    "labelled": ("8=a b", ("'b'", "quotes")),
    "text": ("a\ufffeb", ("U+FFFE",)),
    "texts": ("[a", ("'[a'", "JSON")),
    "file": ("/a/t.txt", ("'t.txt'", ".npy")),
}
WRONG |= {f"auto_{name}": (text, (*facts, "auto")) for name, (text, facts) in WRONG.items()}
"""What cannot be typed into each line, and what the refusal names."""

CHOSEN = {
    "choice": "whole",
    "words": "one two",
    "flag": True,
    "auto_choice": "whole",
    "auto_words": "two",
    "auto_flag": False,
}
"""Another value of what is no line."""

OTHER = CHOSEN | {name: value for name, (_, value, _) in TYPED.items()}
NAMES = tuple(declared(Every))

every_name = pytest.mark.parametrize("name", NAMES)
every_line = pytest.mark.parametrize("name", TYPED)
every_auto = pytest.mark.parametrize("name", [name for name in TYPED if name.startswith("auto_")])
every_file = pytest.mark.parametrize("name", ["file", "auto_file"])


@pytest.fixture
def shown(shown):
    return lambda *names, width=None: shown(Every, names or None, width)


def write(qtbot, field, text, *, enter=True):
    type_text(qtbot, field, text if text.isascii() else "")
    if not text.isascii():  # no key has it: as if it was pasted
        field.insert(text)
        field.setModified(True)
        field.textEdited.emit(field.text())
    if enter:
        qtbot.keyClick(field, Qt.Key.Key_Return)


def give_focus(qtbot, widget):
    widget.setFocus()
    qtbot.waitUntil(widget.hasFocus)


# -- the table ---------------------------------------------------------------------------------


def test_every_kind_has_one_editor():
    classes = [thing for thing in vars(pe_explorer.params).values() if isinstance(thing, type)]
    kinds = {kind for kind in classes if issubclass(kind, Parameter)} - {Parameter}
    assert set(EDITORS) == kinds
    used = [type(parameter) for parameter in declared(Every).values()]
    inner = [type(p.inner) for p in declared(Every).values() if isinstance(p, Optional)]
    assert set(used) == kinds
    assert set(inner) == kinds - {Optional}


# -- names, tooltips, places ---------------------------------------------------------------------


def controls(form, name):
    """Return what can be used of one parameter: its editor, what is below, its reset."""
    editor = form.editor(name)
    found = [editor.main, form.reset_button(name)]
    if editor.lower_widget is not None:
        found += editor.lower_widget.findChildren(QWidget) or [editor.lower_widget]
    return found


def test_every_control_has_a_name_a_tooltip_and_a_role(shown):
    form, _ = shown()
    labels = {label.buddy(): label for label in form.findChildren(QLabel)}
    for name, parameter in declared(Every).items():
        main, names = form.editor(name).main, []
        assert parameter.label in labels[main].text()
        assert parameter.help in labels[main].toolTip()
        for widget in controls(form, name):
            interface = QAccessible.queryAccessibleInterface(widget)
            is_combo = isinstance(widget, QComboBox)  # on Linux its label is read by relation
            text = interface.text(QAccessible.Text.Name)
            names.append(widget.accessibleName() if is_combo else text)
            assert parameter.label in names[-1]
            assert len(widget.toolTip()) > 5
            assert interface.role() != QAccessible.Role.NoRole
        assert len(set(names)) == len(names)
        assert names[:2] == [parameter.label, f"Reset {parameter.label}"]
        described = QAccessible.queryAccessibleInterface(main)
        assert parameter.help in described.text(QAccessible.Text.Description)
        assert parameter.help in main.toolTip()
        assert not parameter.symbol or f"<i>{parameter.symbol}</i>" in main.toolTip()


@every_name
def test_what_is_withheld_is_disabled_with_all_its_parts(shown, name):
    form, _ = shown(name)
    editor = form.editor(name)
    parts = [part for part in (editor.main, editor.slider, editor.end, editor.lower_widget) if part]
    for why in ("there is no room", ""):
        form.set_unavailable({name: why} if why else {})
        form.display({name: OTHER[name]})
        assert {part.isEnabled() for part in parts} == {not why}
        assert ("there is no room" in editor.main.toolTip()) == bool(why)
    if isinstance(editor.main, QComboBox):
        words = [editor.main.itemData(row) for row in range(editor.main.count())]
        editor.set_unavailable_words(words[1:], "it is too far")
        items = [editor.main.model().item(row) for row in range(len(words))]
        assert [item.isEnabled() for item in items] == [True] + [False] * (len(words) - 1)
        assert "too far" in items[-1].toolTip()
        editor.set_unavailable_words([])
        assert all(item.isEnabled() for item in items)
    elif name == "file":
        for is_unavailable, text, wanted in (
            (True, "/t.npy", LOCATE_TEXT),
            (True, "", CHOOSE_TEXT),
        ):
            form.display({name: text})
            editor.show_unavailable(is_unavailable)
            assert editor.button.text() == wanted


# -- display, edit, reset ------------------------------------------------------------------------


def spelled(form, name):
    """Return what an editor shows, as text."""
    main = form.editor(name).main
    return main.currentText() if isinstance(main, QComboBox) else main.text()


@every_name
def test_showing_is_not_editing_and_reset_goes_back(shown, qtbot, name):
    form, heard = shown()
    parameter, reset = declared(Every)[name], form.reset_button(name)
    places = [widget.geometry() for widget in form.findChildren(QWidget)]
    assert not reset.isEnabled()
    for value in (parameter.default, OTHER[name]):
        form.display({name: parameter.check("x", json.loads(json.dumps(value)))})
        assert spelled(form, name) == parameter.format(value)
    assert reset.isEnabled()
    assert heard.edits == []
    QApplication.processEvents()
    assert [widget.geometry() for widget in form.findChildren(QWidget)] == places
    if name in TYPED:
        write(qtbot, form.editor(name).field, WRONG[name][0], enter=False)
    qtbot.mouseClick(reset, Qt.MouseButton.LeftButton)
    form.elsewhere.setFocus()
    assert (heard.edits, heard.refusals) == ([(name, parameter.default)], [])
    assert not reset.isEnabled()
    assert spelled(form, name) == parameter.format(parameter.default)


# -- lines ---------------------------------------------------------------------------------------


@every_line
def test_what_is_typed_counts_on_enter_or_when_the_line_is_left_and_once(shown, qtbot, name):
    form, heard = shown(name)
    (text, value, shown_as), default = TYPED[name], declared(Every)[name].default
    field = form.editor(name).field
    write(qtbot, field, text, enter=False)
    assert (heard.edits, field.is_invalid) == ([], False)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert heard.edits == [(name, value)]
    assert type(heard.edits[0][1]) is type(value)
    assert field.text() == shown_as
    assert form.reset_button(name).isEnabled()
    form.elsewhere.setFocus()
    write(qtbot, field, shown_as)
    assert heard.edits == [(name, value)]
    form.display({name: default})
    write(qtbot, field, text, enter=False)
    form.elsewhere.setFocus()
    assert heard.edits == [(name, value)] * 2


@every_line
def test_wrong_text_is_refused_in_a_sentence_and_goes_with_escape_or_the_focus(shown, qtbot, name):
    form, heard = shown(name)
    text, facts = WRONG[name]
    field = form.editor(name).field
    before = field.text()
    write(qtbot, field, text, enter=False)
    assert (field.is_invalid, heard.refusals) == (True, [])
    qtbot.keyClick(field, Qt.Key.Key_Return)
    (message,) = heard.refusals
    assert message.startswith(f"{declared(Every)[name].label}: ")
    assert all(fact in message for fact in facts)
    assert field.text() == text  # to be mended
    settled = heard.settled
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert heard.settled > settled
    assert (field.text(), field.is_invalid, heard.edits) == (before, False, [])
    write(qtbot, field, text, enter=False)
    form.elsewhere.setFocus()
    assert len(heard.refusals) == 2
    assert (field.text(), field.is_invalid, heard.edits) == (before, False, [])


@every_line
def test_keys_in_a_line_are_its_own_while_it_is_typed_in(shown, qtbot, name):
    form, heard = shown(name)
    field, before = form.editor(name).field, form.editor(name).field.text()
    give_focus(qtbot, field)
    field.end(False)
    qtbot.keyClicks(field, "77")
    assert field.text() == f"{before}77"
    qtbot.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert (field.text(), field.is_invalid) == (before, False)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert (heard.edits, heard.refusals) == ([], [])
    write(qtbot, field, "7", enter=False)
    form.display({name: OTHER[name]})  # by undo: what is being typed stays
    assert field.text() == "7"
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == TYPED[name][2]
    up = form.window().addAction("Up")
    up.setShortcut("Up")
    with qtbot.assertNotEmitted(up.triggered):
        qtbot.keyClick(field, Qt.Key.Key_Up)
    assert heard.edits == ([(name, 33)] if "whole" in name else [])
    write(qtbot, field, TYPED[name][0])
    assert_undo_is_the_windows(qtbot, form, field)


def assert_undo_is_the_windows(qtbot, form, widget):
    undo = form.window().addAction("Undo")
    undo.setShortcut("Ctrl+Z")
    give_focus(qtbot, widget)
    with qtbot.waitSignal(undo.triggered):
        qtbot.keyClick(widget, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)


@pytest.mark.parametrize("locale", ["C", "de_DE", "ar_EG"])
@pytest.mark.parametrize(
    ("name", "text", "value", "shown_as"),
    [
        ("whole", "64*4", 256, "256"),
        ("auto_whole", "2**8", 256, "256"),
        ("auto_real", "8Ki", 8192.0, "8192"),
        ("real", "\u0661\u0662\u066b\u0665", 12.5, "12.5"),
        ("numbers", "2*3.5 10^3", (7.0, 1000.0), "7 1000"),
        ("span", "-10^2 1k", (-100.0, 1000.0), "-100 1000"),
    ],
)
def test_a_line_shows_the_number_that_was_typed_in_any_language(
    shown, qtbot, locale, name, text, value, shown_as
):
    before = QLocale()
    QLocale.setDefault(QLocale(locale))
    try:
        form, heard = shown(name)
        write(qtbot, form.editor(name).field, text)
    finally:
        QLocale.setDefault(before)
    assert heard.edits == [(name, value)]
    assert form.editor(name).field.text() == shown_as


def test_a_number_that_is_half_typed_is_none_yet(qtbot, listen):
    form = FormFields(Every, ("whole",), is_live=True)
    qtbot.addWidget(form)
    heard, field, seen = listen(form), form.editor("whole").field, []
    with qtbot.waitExposed(form):
        form.show()
    form.activateWindow()
    give_focus(qtbot, field)
    field.clear()
    for key in "64*4":
        qtbot.keyClicks(field, key)
        seen.append((field.text(), field.is_invalid))
    assert seen == [("6", False), ("64", False), ("64*", True), ("64*4", False)]
    assert [value for _, value in heard.edits] == [6, 64, 256]
    assert heard.refusals == []
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert field.text() == "256"


# -- names of files --------------------------------------------------------------------------------


@every_file
def test_the_tooltip_holds_the_whole_name_which_is_no_markup(shown, name):
    form, _ = shown(name)
    path = "/home/some<b>body/" + "folder/" * 20 + "t.npy"
    form.display({name: path})
    assert html.escape(path) in form.editor(name).main.toolTip().replace("\u200b", "")
    form.display({name: "/t.npy"})
    assert "folder" not in form.editor(name).main.toolTip()
    QToolTip.hideText()


# -- words and boxes -------------------------------------------------------------------------------


def test_a_flag_is_ticked_by_mouse_and_space(shown, qtbot):
    form, heard = shown("flag")
    box = form.editor("flag").main
    assert isinstance(box, QCheckBox)
    assert (box.isChecked(), box.text()) == (False, "off")
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    assert heard.edits == [("flag", True)]
    assert (box.isChecked(), box.text()) == (True, "on")
    give_focus(qtbot, box)
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert heard.edits == [("flag", True), ("flag", False)]
    assert QAccessible.queryAccessibleInterface(box).role() == QAccessible.Role.CheckBox
    assert_undo_is_the_windows(qtbot, form, box)


@pytest.mark.parametrize(
    ("name", "words", "values"),
    [
        ("choice", ["half", "whole"], ["half", "whole"]),
        ("auto_choice", ["auto", "half", "whole"], [None, "half", "whole"]),
        ("auto_flag", ["auto", "on", "off"], [None, True, False]),
    ],
)
def test_few_words_are_a_list(shown, qtbot, name, words, values):
    form, heard = shown(name)
    combo = form.editor(name).main
    assert [combo.itemText(row) for row in range(combo.count())] == words
    assert combo.currentText() == words[0]
    for row in range(combo.count()):
        assert combo.itemData(row, Qt.ItemDataRole.ToolTipRole)
    combo.setFocus()
    for _ in words[1:]:
        qtbot.keyClick(combo, Qt.Key.Key_Down)
    for _ in words[1:]:
        qtbot.keyClick(combo, Qt.Key.Key_Up)
    there = [(name, value) for value in values]
    assert heard.edits == there[1:] + there[-2::-1]
    assert_undo_is_the_windows(qtbot, form, combo)


# -- auto --------------------------------------------------------------------------------------


def tick(qtbot, box):
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))


@every_auto
def test_auto_is_typed_or_ticked_and_the_value_comes_back(shown, qtbot, name):
    form, heard = shown(name)
    editor, inner = form.editor(name), declared(Every)[name].inner
    assert (editor.field.text(), editor.box.isChecked()) == ("auto", True)
    form.display({name: OTHER[name]})
    assert (editor.field.text(), editor.box.isChecked()) == (TYPED[name][2], False)
    for value in (None, OTHER[name]):
        tick(qtbot, editor.box)
        assert heard.edits.pop() == (name, value)
    write(qtbot, editor.field, "Auto")
    assert heard.edits.pop() == (name, None)
    assert (editor.field.text(), editor.box.isChecked()) == ("auto", True)
    assert not form.reset_button(name).isEnabled()
    form.display({name: inner.default})
    form.display({name: None})
    give_focus(qtbot, editor.field)
    while not editor.box.hasFocus():
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        assert not form.elsewhere.hasFocus()
    qtbot.keyClick(editor.box, Qt.Key.Key_Space)
    assert heard.edits.pop() == (name, inner.default)
    write(qtbot, editor.field, TYPED[name][0])
    tick(qtbot, editor.box)
    assert editor.field.text() == "auto"
    tick(qtbot, editor.box)
    assert [value for _, value in heard.edits] == [OTHER[name], None, OTHER[name]]
    assert editor.field.text() == TYPED[name][2]
    assert heard.refusals == []
    write(qtbot, editor.field, WRONG[name][0], enter=False)
    tick(qtbot, editor.box)  # wrong text gives way to it
    assert heard.edits[-1] == (name, None)
    assert (editor.field.text(), editor.field.is_invalid) == ("auto", False)


def test_a_slider_leads_away_from_auto(shown, qtbot):
    form, heard = shown("auto_whole")
    editor = form.editor("auto_whole")
    qtbot.keyClick(editor.slider, Qt.Key.Key_Right)
    assert heard.edits == [("auto_whole", 65)]
    assert not editor.box.isChecked()
    tick(qtbot, editor.box)
    assert heard.edits[-1] == ("auto_whole", None)
    end = QPoint(editor.slider.width() - 1, 8)
    qtbot.mouseClick(editor.slider, Qt.MouseButton.LeftButton, pos=end)
    assert heard.edits[-1] == ("auto_whole", 128)
    assert editor.field.text() == "128"
    form.display({"auto_whole": None})
    qtbot.keyClick(editor.field, Qt.Key.Key_Down)  # begins where the slider is
    assert heard.edits[-1] == ("auto_whole", 63)


# -- files -------------------------------------------------------------------------------------


def chooser(form):
    (dialog,) = [dialog for dialog in form.window().findChildren(QFileDialog) if dialog.isVisible()]
    return dialog


@every_file
def test_a_file_is_chosen(shown, qtbot, tmp_path, name):
    form, heard = shown(name)
    chosen = tmp_path / " two  spaces .NPY"
    chosen.touch()
    (tmp_path / "no.txt").touch()
    form.display({name: str(tmp_path / "before.npy")})
    button = form.editor(name).main.parent().findChild(QPushButton)
    assert button.text() == "Choose…"
    line = form.editor(name).field
    assert button.mapTo(form, QPoint()).y() > line.mapTo(form, QPoint()).y()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    dialog = chooser(form)
    assert dialog.nameFilters() == ["File (*.npy *.NPY)"]
    assert Path(dialog.directory().path()) == tmp_path
    dialog.selectFile(str(chosen))
    dialog.accept()
    qtbot.waitUntil(lambda: heard.edits != [])
    assert heard.edits == [(name, str(chosen))]
    assert form.editor(name).field.text() == str(chosen)


def test_a_dialog_goes_with_its_form(shown, qtbot):
    form, heard = shown("file")
    qtbot.mouseClick(form.findChild(QPushButton), Qt.MouseButton.LeftButton)
    dialog = chooser(form)
    form.set_class(Other)
    qtbot.waitUntil(lambda: not isValid(dialog))
    assert heard.edits == []


@dataclass(frozen=True)
class Other(Declared):
    """Another class."""

    whole: int = declare(WHOLE)


@every_file
@pytest.mark.parametrize(
    ("urls", "taken", "path"),
    [
        (["file:///a%20b/%20t%23.npy"], True, "/a b/ t#.npy"),
        (["file:///a/t.txt"], True, None),  # and refused in a sentence
        (["https://a.org/t.npy"], False, None),
        (["file:///a.npy", "file:///b.npy"], False, None),
    ],
)
def test_one_file_of_this_machine_and_kind_is_dropped(shown, name, urls, taken, path):
    form, heard = shown(name)
    field, before = form.editor(name).field, form.editor(name).field.text()
    data, copy = QMimeData(), Qt.DropAction.CopyAction
    data.setUrls([QUrl(url) for url in urls])
    assert dragged_onto(field, data, copy) == (taken,) * 3
    assert heard.edits == ([(name, path)] if path else [])
    assert [".npy" in message for message in heard.refusals] == [True] * (taken and not path)
    assert field.text() == (path or before)
    move = Qt.DropAction.MoveAction
    assert dragged_onto(field, data, move) == (False,) * 3  # copied, never moved
    assert dragged_onto(field, data, move | copy) == (taken,) * 3


def dragged_onto(widget, data, allowed):
    """Drag data over a widget and drop it there; return whether it took each as a copy."""
    found = []
    for kind, place in (
        (QDragEnterEvent, QPoint(5, 5)),
        (QDragMoveEvent, QPoint(5, 5)),
        (QDropEvent, QPointF(5, 5)),
    ):
        keys = Qt.KeyboardModifier.ShiftModifier  # which asks for a move
        event = kind(place, allowed, data, Qt.MouseButton.LeftButton, keys)
        event.ignore()
        if all(found):
            QApplication.sendEvent(widget, event)
        found.append(event.isAccepted() and event.dropAction() == Qt.DropAction.CopyAction)
    return tuple(found)


def test_a_name_that_no_line_can_show_is_kept(shown, qtbot):
    form, heard = shown("file")
    path = "/a/bytes\udcff.npy"  # as Python has names that are no UTF-8
    form.display({"file": path})
    field = form.editor("file").field
    give_focus(qtbot, field)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    form.elsewhere.setFocus()
    assert (field.value, heard.edits) == (path, [])


def test_any_text_of_a_number_field_can_be_drawn(qapp):
    field = NumberField(WHOLE)
    for text in ("", "-", "--5", "-−5", "²", "².5", "--5.5", "٣.٣", "1e", "5-", "-" * 40, "9" * 40):
        field.setText(text)
        forms = field.list_text_variants()  # what raises while it is drawn would end the program
        assert text in forms
        assert not field.grab().isNull()

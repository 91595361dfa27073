"""Every kind of parameter has an editor, and all of them keep the same rules."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAccessible, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QPushButton,
    QToolButton,
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
    Numbers,
    Optional,
    Parameter,
    Real,
    Replaced,
    Span,
    Text,
    Whole,
    Words,
    declare,
    declared,
)
from pe_explorer.widgets.editors import EDITORS
from pe_explorer.widgets.form import FormFields
from pe_explorer.widgets.line_fields import NumberField
from pe_explorer.widgets.theme import apply_theme
from tests.support.forms import Heard, show_form, write

WHOLE = Whole(64, 1, 512, comfort=(1, 128), label="Width", symbol="d", help="Columns.")
REAL_ANY = Real(0.0, -1e308, 1e308, label="End", help="A number.")
REAL = Real(1.0, 0.0, 1e6, label="Scale", help="How far.")
CHOICE = Choice("half", {"half": "one half", "whole": "all"}, label="Layout", help="Where.")
WORDS = Words(
    "one", {"one": "first", "two": "second", "one two": "both"}, label="Of", help="Which."
)
FLAG = Flag(False, label="Symmetric", help="Both sides.")
NUMBERS = Numbers((1.0, 2.0), REAL, 50, label="Factors", help="One for each pair.")
SPAN = Span((-1.0, 1.0), REAL_ANY, label="Ends", help="From and to.")
TEXT = Text("pin", 60, 0, label="Note", help="Any words.")
REPLACED = Replaced((), TEXT, 4, label="Own texts", help="Old: new.")
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
    text: str = declare(TEXT)
    file: str = declare(FILE)
    auto_whole: int | None = declare(optional(WHOLE))
    auto_real: float | None = declare(optional(REAL))
    auto_choice: str | None = declare(optional(CHOICE))
    auto_words: str | None = declare(optional(WORDS))
    auto_flag: bool | None = declare(optional(FLAG))
    auto_numbers: tuple[float, ...] | None = declare(optional(NUMBERS))
    auto_span: tuple[float, float] | None = declare(optional(SPAN))
    auto_replaced: tuple[tuple[str, str], ...] | None = declare(optional(REPLACED))
    auto_text: str | None = declare(optional(TEXT))
    auto_file: str | None = declare(optional(FILE))


TYPED = {
    "whole": ("2^5", 32, "32"),
    "real": ("2.50", 2.5, "2.5"),
    "numbers": ("3;1_100 7", (3.0, 1100.0, 7.0), "3 1100 7"),
    "span": ("-2, 1,000", (-2.0, 1000.0), "-2 1000"),
    "replaced": ("a:b ;c : d e", (("a", "b"), ("c", "d e")), "a: b; c: d e"),
    "text": (" a  b ", "a b", "a b"),
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
    "text": ("a\ufffeb", ("U+FFFE",)),
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
def shown(qtbot):
    apply_theme(QApplication.instance(), "light")
    windows = []

    def show(*names, width=None):
        return show_form(qtbot, windows, Every, names or None, width)

    return show


def parameter_of(name):
    return declared(Every)[name]


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
    if editor.below is not None:
        found += editor.below.findChildren(QWidget) or [editor.below]
    return found


@every_name
def test_every_control_has_a_name_a_tooltip_and_a_role(shown, name):
    form, _ = shown()
    parameter = declared(Every)[name]
    names = []
    labels = {label.buddy(): label.text() for label in form.findChildren(QLabel)}
    assert parameter.label in labels[form.editor(name).main]
    for widget in controls(form, name):
        interface = QAccessible.queryAccessibleInterface(widget)
        names.append(interface.text(QAccessible.Text.Name))
        if isinstance(widget, QComboBox):  # on Linux its label is read by relation instead
            names[-1] = widget.accessibleName()
        assert parameter.label in names[-1]
        assert len(widget.toolTip()) > 5
        assert interface.role() != QAccessible.Role.NoRole
    assert len(set(names)) == len(names)
    assert names[:2] == [parameter.label, f"Reset {parameter.label}"]
    described = QAccessible.queryAccessibleInterface(form.editor(name).main)
    assert parameter.help in described.text(QAccessible.Text.Description)
    assert parameter.help in form.editor(name).main.toolTip()


def test_nothing_is_clipped_in_a_dock_of_256_pixels(shown):
    form, _ = shown(width=230)  # what the dock's edges leave of it
    form.display(OTHER)
    QApplication.processEvents()
    assert form.minimumSizeHint().width() <= 230
    taken = []
    for name in NAMES:
        for widget in controls(form, name):
            area = widget.rect().translated(widget.mapTo(form, QPoint(0, 0)))
            assert not any(area.intersects(other) for other in taken), widget.accessibleName()
            taken.append(area)
            if not isinstance(widget, QToolButton | QPushButton):
                assert widget.width() >= widget.minimumSizeHint().width()
            assert widget.height() >= min(widget.sizeHint().height(), 20)
            place = widget.mapTo(form, QPoint(0, 0))
            assert 0 <= place.x() <= place.x() + widget.width() <= form.width()
    for button in form.findChildren(QPushButton):
        assert button.width() >= button.fontMetrics().horizontalAdvance(button.text()) + 8
    for box in form.findChildren(QCheckBox):
        assert box.width() >= box.sizeHint().width()


# -- display, edit, reset ------------------------------------------------------------------------


@every_name
def test_showing_is_not_editing_and_reset_goes_back(shown, qtbot, name):
    form, heard = shown(name)
    parameter, reset = declared(Every)[name], form.reset_button(name)
    assert not reset.isEnabled()
    form.display({name: OTHER[name]})
    assert reset.isEnabled()
    assert heard.edits == []
    qtbot.mouseClick(reset, Qt.MouseButton.LeftButton)
    assert heard.edits == [(name, parameter.default)]
    assert not reset.isEnabled()
    assert spelled(form, name) == parameter.format(parameter.default)


def spelled(form, name):
    """Return what an editor shows, as text."""
    main = form.editor(name).main
    if isinstance(main, QComboBox):
        return main.currentText()
    return main.text()


@every_name
def test_nothing_moves_when_a_value_changes(shown, name):
    form, _ = shown()
    places = [widget.geometry() for widget in form.findChildren(QWidget)]
    form.display({name: OTHER[name]})
    QApplication.processEvents()
    assert [widget.geometry() for widget in form.findChildren(QWidget)] == places


@every_name
def test_every_value_shown_is_the_one_that_json_gives_back(shown, name):
    form, heard = shown(name)
    parameter = declared(Every)[name]
    for value in (OTHER[name], parameter.default):
        form.display({name: parameter.check("x", json.loads(json.dumps(value)))})
        assert spelled(form, name) == parameter.format(value)
    assert heard.edits == []


def test_reset_takes_the_place_of_what_is_being_typed(shown, qtbot):
    form, heard = shown("text")
    form.display({"text": "abc"})
    write(qtbot, form.editor("text").field, "x\u202e", enter=False)
    qtbot.mouseClick(form.reset_button("text"), Qt.MouseButton.LeftButton)
    assert (heard.edits, heard.refusals) == ([("text", "pin")], [])
    assert form.editor("text").field.text() == "pin"
    form.elsewhere.setFocus()
    assert heard.edits == [("text", "pin")]


# -- lines ---------------------------------------------------------------------------------------


@every_line
def test_what_is_typed_counts_on_enter_and_once(shown, qtbot, name):
    form, heard = shown(name)
    text, value, shown_as = TYPED[name]
    field = form.editor(name).field
    write(qtbot, field, text, enter=False)
    assert heard.edits == []
    assert not field.bad
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert heard.edits == [(name, value)]
    assert type(heard.edits[0][1]) is type(value)
    assert field.text() == shown_as
    form.elsewhere.setFocus()
    write(qtbot, field, shown_as)
    assert heard.edits == [(name, value)]
    assert form.reset_button(name).isEnabled()


@pytest.mark.parametrize("locale", ["C", "de_DE", "ar_EG"])
@pytest.mark.parametrize(
    ("name", "text", "value", "shown_as"),
    [
        ("whole", "64*4", 256, "256"),
        ("whole", "0.5k", 500, "500"),
        ("auto_whole", "2**8", 256, "256"),
        ("real", "10^-3", 0.001, "0.001"),
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


@pytest.mark.parametrize("name", ["real", "auto_real"])
@pytest.mark.parametrize(
    ("text", "says"),
    [("0,125", "; write a point: 0.125"), ("1,500", "'1,500' could be 1500 or 1.5 (0 to 1e6)")],
)
def test_a_comma_that_may_be_a_decimal_comma_is_refused(shown, qtbot, name, text, says):
    form, heard = shown(name)
    write(qtbot, form.editor(name).field, text)
    (told,) = heard.refusals
    assert says in told
    assert heard.edits == []
    assert form.editor(name).field.text() == text


def test_a_number_that_is_half_typed_is_none_yet(qtbot):
    form = FormFields(Every, ("whole",), live=True)
    qtbot.addWidget(form)
    heard, field, seen = Heard(form), form.editor("whole").field, []
    with qtbot.waitExposed(form):
        form.show()
    form.activateWindow()
    give_focus(qtbot, field)
    field.clear()
    for key in "64*4":
        qtbot.keyClicks(field, key)
        seen.append((field.text(), field.bad))
    assert seen == [("6", False), ("64", False), ("64*", True), ("64*4", False)]
    assert [value for _, value in heard.edits] == [6, 64, 256]
    assert heard.refusals == []
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert field.text() == "256"


@every_line
def test_wrong_text_is_refused_in_a_sentence_and_goes_with_escape(shown, qtbot, name):
    form, heard = shown(name)
    text, facts = WRONG[name]
    field = form.editor(name).field
    before = field.text()
    write(qtbot, field, text, enter=False)
    assert field.bad
    assert heard.refusals == []
    qtbot.keyClick(field, Qt.Key.Key_Return)
    (told,) = heard.refusals
    assert told.startswith(f"{parameter_of(name).label}: ")
    assert all(fact in told for fact in facts)
    assert field.text() == text  # to be mended
    settled = heard.settled
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert heard.settled > settled
    assert (field.text(), field.bad, heard.edits) == (before, False, [])


@every_line
def test_leaving_a_line_enters_right_text_and_drops_wrong_text(shown, qtbot, name):
    form, heard = shown(name)
    field, before = form.editor(name).field, form.editor(name).field.text()
    write(qtbot, field, WRONG[name][0], enter=False)
    form.elsewhere.setFocus()
    assert len(heard.refusals) == 1
    assert (field.text(), field.bad, heard.edits) == (before, False, [])
    write(qtbot, field, TYPED[name][0], enter=False)
    form.elsewhere.setFocus()
    assert heard.edits == [(name, TYPED[name][1])]


@every_line
def test_typing_is_taken_back_key_by_key(shown, qtbot, name):
    form, heard = shown(name)
    field = form.editor(name).field
    before = field.text()
    give_focus(qtbot, field)
    field.end(False)
    qtbot.keyClicks(field, "77")
    assert field.text() == f"{before}77"
    qtbot.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert field.text() == before
    assert not field.bad
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert (heard.edits, heard.refusals) == ([], [])


@pytest.mark.parametrize("name", NAMES)
def test_what_was_entered_is_the_windows_to_undo(shown, qtbot, name):
    form, _ = shown(name)
    undo = form.window().addAction("Undo")
    undo.setShortcut("Ctrl+Z")
    asked = []
    undo.triggered.connect(lambda: asked.append(name))
    main = form.editor(name).main
    give_focus(qtbot, main)
    if name in TYPED:
        write(qtbot, main, TYPED[name][0])
    qtbot.keyClick(main, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(asked) == 1


@every_line
def test_arrows_in_a_line_are_not_the_windows(shown, qtbot, name):
    form, heard = shown(name)
    action = form.window().addAction("Up")
    action.setShortcut("Up")
    field = form.editor(name).field
    give_focus(qtbot, field)
    with qtbot.assertNotEmitted(action.triggered):
        qtbot.keyClick(field, Qt.Key.Key_Up)
    if "whole" not in name:
        assert heard.edits == []
    else:
        assert heard.edits == [(name, 65)]


@every_line
def test_showing_a_value_leaves_what_is_being_typed(shown, qtbot, name):
    form, heard = shown(name)
    field = form.editor(name).field
    write(qtbot, field, "7", enter=False)
    form.display({name: OTHER[name]})
    assert field.text() == "7"
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == TYPED[name][2]
    assert heard.edits == []


def test_a_text_that_is_too_long_is_refused_whole(shown, qtbot):
    form, heard = shown("text")
    field = form.editor("text").field
    QApplication.clipboard().setText("x" * 5000)
    give_focus(qtbot, field)
    field.selectAll()
    field.paste()
    assert len(field.text()) == 5000  # not cut without a word
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert "has 5000 characters (0 to 60 characters)" in heard.refusals[0]


# -- what is cut while it is not edited ------------------------------------------------------------

LONG = {
    "file": ["/home/somebody/models" * 5 + f"/{end}.npy" for end in ("abc", "xyz")],
    "text": [start + " and many more words that do not fit" for start in ("abc", "xyz")],
    "numbers": [(start, *range(20)) for start in (111.0, 222.0)],
}


def picture(field):
    return field.grab().toImage()


@pytest.mark.parametrize("name", LONG)
def test_the_end_that_differs_is_the_one_that_is_seen(shown, name):
    form, _ = shown(name, width=230)
    field = form.editor(name).field
    form.elsewhere.setFocus()
    pictures = []
    for value in LONG[name]:
        form.display({name: value})
        assert declared(Every)[name].parse("x", field.text()) == value
        pictures.append(picture(field))
    assert pictures[0] != pictures[1]
    form.display({name: LONG[name][0]})
    assert picture(field) == pictures[0]


@every_file
def test_the_tooltip_holds_the_whole_name(shown, name):
    form, _ = shown(name)
    path = "/home/some<b>body/" + "folder/" * 20 + "t.npy"
    form.display({name: path})
    tip = form.editor(name).main.toolTip().replace("\u200b", "")
    assert path.replace("<", "&lt;").replace(">", "&gt;") in tip
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


# -- auto --------------------------------------------------------------------------------------


@every_auto
def test_auto_is_typed_and_shown(shown, qtbot, name):
    form, heard = shown(name)
    editor = form.editor(name)
    assert editor.field.text() == "auto"
    assert editor.box.isChecked()
    form.display({name: OTHER[name]})
    assert editor.field.text() == TYPED[name][2]
    assert not editor.box.isChecked()
    write(qtbot, editor.field, "Auto")
    assert heard.edits == [(name, None)]
    assert editor.field.text() == "auto"
    assert editor.box.isChecked()
    assert not form.reset_button(name).isEnabled()


@every_auto
def test_the_box_switches_auto_and_comes_back_to_the_value(shown, qtbot, name):
    form, heard = shown(name)
    editor, inner = form.editor(name), declared(Every)[name].inner
    middle = QPoint(8, editor.box.height() // 2)
    qtbot.mouseClick(editor.box, Qt.MouseButton.LeftButton, pos=middle)
    assert heard.edits == [(name, inner.default)]
    write(qtbot, editor.field, TYPED[name][0])
    qtbot.mouseClick(editor.box, Qt.MouseButton.LeftButton, pos=middle)
    assert editor.field.text() == "auto"
    qtbot.mouseClick(editor.box, Qt.MouseButton.LeftButton, pos=middle)
    values = [value for _, value in heard.edits]
    assert values == [inner.default, OTHER[name], None, OTHER[name]]
    assert editor.field.text() == TYPED[name][2]
    assert heard.refusals == []


@every_auto
def test_the_box_is_of_use_with_the_keyboard(shown, qtbot, name):
    form, heard = shown(name)
    editor = form.editor(name)
    give_focus(qtbot, editor.field)
    for _ in range(3):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        if editor.box.hasFocus():
            break
    assert editor.box.hasFocus()
    qtbot.keyClick(editor.box, Qt.Key.Key_Space)
    assert heard.edits == [(name, declared(Every)[name].inner.default)]


@every_auto
def test_wrong_text_gives_way_to_the_box(shown, qtbot, name):
    form, heard = shown(name)
    editor = form.editor(name)
    form.display({name: OTHER[name]})
    write(qtbot, editor.field, WRONG[name][0], enter=False)
    qtbot.mouseClick(editor.box, Qt.MouseButton.LeftButton, pos=QPoint(8, editor.box.height() // 2))
    assert heard.edits == [(name, None)]
    assert (editor.field.text(), editor.field.bad) == ("auto", False)


def test_a_slider_leads_away_from_auto(shown, qtbot):
    form, heard = shown("auto_whole")
    editor = form.editor("auto_whole")
    qtbot.keyClick(editor.slider, Qt.Key.Key_Right)
    assert heard.edits == [("auto_whole", 65)]
    assert not editor.box.isChecked()
    qtbot.mouseClick(editor.box, Qt.MouseButton.LeftButton, pos=QPoint(8, editor.box.height() // 2))
    assert heard.edits[-1] == ("auto_whole", None)
    end = QPoint(editor.slider.width() - 1, 8)
    qtbot.mouseClick(editor.slider, Qt.MouseButton.LeftButton, pos=end)
    assert heard.edits[-1] == ("auto_whole", 128)
    assert editor.field.text() == "128"


def test_an_arrow_in_a_line_of_auto_begins_where_the_slider_is(shown, qtbot):
    form, heard = shown("auto_whole")
    field = form.editor("auto_whole").field
    give_focus(qtbot, field)
    qtbot.keyClick(field, Qt.Key.Key_Down)
    assert heard.edits == [("auto_whole", 63)]


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


def carried(*urls, text=""):
    data = QMimeData()
    if urls:
        data.setUrls([QUrl(url) for url in urls])
    if text:
        data.setText(text)
    return data


def dropped(widget, data):
    """Drag what is carried over a widget and drop it; return whether it was taken."""
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    plain = Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), copy, data, left, plain)
    QApplication.sendEvent(widget, enter)
    if not enter.isAccepted():
        return False
    drop = QDropEvent(QPointF(5, 5), copy, data, left, plain)
    QApplication.sendEvent(widget, drop)
    return drop.isAccepted()


@every_file
def test_a_file_is_dropped(shown, name):
    form, heard = shown(name)
    field = form.editor(name).field
    assert dropped(field, carried("file:///a%20b/%20t%23.npy"))
    assert heard.edits == [(name, "/a b/ t#.npy")]
    assert field.text() == "/a b/ t#.npy"
    assert form.reset_button(name).isEnabled()


@every_file
def test_a_file_of_another_kind_is_refused_in_a_sentence(shown, name):
    form, heard = shown(name)
    before = form.editor(name).field.text()
    assert dropped(form.editor(name).field, carried("file:///a/t.txt"))
    assert heard.edits == []
    assert ".npy" in heard.refusals[0]
    assert form.editor(name).field.text() == before


@every_file
@pytest.mark.parametrize("urls", [["https://a.org/t.npy"], ["file:///a.npy", "file:///b.npy"]])
def test_what_is_not_one_file_of_this_machine_cannot_be_dropped(shown, name, urls):
    form, heard = shown(name)
    before = form.editor(name).field.text()
    assert not dropped(form.editor(name).field, carried(*urls))
    assert (heard.edits, heard.refusals, form.editor(name).field.text()) == ([], [], before)


@every_file
def test_a_dropped_file_is_copied_never_moved(shown, name):
    form, _ = shown(name)
    move, copy = Qt.DropAction.MoveAction, Qt.DropAction.CopyAction
    left, shift = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
    data = carried("file:///a.npy")
    for allowed, taken in ((move | copy, copy), (move, None)):
        for kind in (QDragEnterEvent, QDropEvent):
            place = QPoint(5, 5) if kind is QDragEnterEvent else QPointF(5, 5)
            event = kind(place, allowed, data, left, shift)
            event.ignore()
            QApplication.sendEvent(form.editor(name).field, event)
            assert event.isAccepted() == (taken is not None)
            assert taken is None or event.dropAction() == taken


def test_a_name_that_no_line_can_show_is_kept(shown, qtbot):
    form, heard = shown("file")
    path = "/a/bytes\udcff.npy"  # as Python has names that are no UTF-8
    form.display({"file": path})
    field = form.editor("file").field
    give_focus(qtbot, field)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    form.elsewhere.setFocus()
    assert (field.value, heard.edits) == (path, [])


def test_a_number_that_is_not_edited_has_separators_and_is_never_cut(qapp):
    field = NumberField(Whole(0, -(2**53), 2**53, label="Start", help="The first row."))
    field.enter(10**15)
    assert field.text() == "1000000000000000"  # as it is typed
    assert field.shown_forms() == ("1,000,000,000,000,000", "10¹⁵", "1000000000000000")
    field.setText("−2,559,196")
    assert field.read() == -2_559_196
    for typed, number in (("10^12", 10**12), ("10¹²", 10**12), ("1,000,000", 10**6)):
        field.setText(typed)
        assert field.read() == number


def test_any_text_of_a_number_field_can_be_drawn(qapp):
    field = NumberField(WHOLE)
    for text in ("", "-", "--5", "-−5", "²", "².5", "--5.5", "٣.٣", "1e", "5-", "-" * 40, "9" * 40):
        field.setText(text)
        forms = field.shown_forms()  # what raises while it is drawn would end the program
        assert text in forms
        assert not field.grab().isNull()
